"""The command line: what each command takes, in words a newcomer knows.

Modules that take long to import are imported by the commands that need them.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from seedfolio.errors import SeedfolioError, SpecificationError

app = typer.Typer(
    name="seedfolio",
    help="Make a randomized game program stronger by learning which random seeds to play.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

DEFAULT_PLAYER = "uct:simulations=100"

GameArgument = Annotated[
    str,
    typer.Argument(help="A game such as domineering:7x7, or a file of yours: my_game.py:size=4."),
]
PlayerOption = Annotated[
    str, typer.Option("--player", "-p", help="A player such as uct:simulations=400.")
]
ThreadsOption = Annotated[
    int | None, typer.Option(help="Threads that play.", show_default="all cores")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for another program.")]


def run(arguments: list[str]) -> int:
    """Run one command; return its exit code, with every expected error told in one line."""
    try:
        code = app(args=arguments, prog_name="seedfolio", standalone_mode=False)
    except (SeedfolioError, typer.TyperException) as error:
        text = error.format_message() if isinstance(error, typer.TyperException) else str(error)
        print(f"error: {' '.join(text.split())}", file=sys.stderr)
        return 2
    except typer.Abort:
        return 130
    except MemoryError:
        print("error: not enough memory for that; choose smaller numbers", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has gone, as `head` does.
        sys.stdout = None
        return 1
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return code if isinstance(code, int) else 0


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed_version

        print(f"seedfolio {installed_version('seedfolio')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def boost(
    game: GameArgument,
    player: PlayerOption = DEFAULT_PLAYER,
    k: Annotated[int, typer.Option("--k", help="Seeds of each colour to learn about.")] = 500,
    kt: Annotated[int, typer.Option("--kt", help="Opponent seeds that each of them meets.")] = 100,
    opponents: Annotated[
        int, typer.Option(help="Unseen seeds of each colour to judge with, at least.")
    ] = 100,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            help="Which learner; may be given several times.",
            show_default="best-seed, best-half, nash, sparse-nash",
        ),
    ] = None,
    study: Annotated[
        Path | None,
        typer.Option(help="File that keeps everything.", show_default="studies/GAME-PLAYER.study"),
    ] = None,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Learn which seeds to play, prove it on unseen ones, save the boosted program.

    Every game goes into the study file, so the same command goes on after an interruption, and
    one with larger numbers plays only what is missing.
    """
    from seedfolio.boosting import DEFAULT_LEARNERS
    from seedfolio.boosting import boost as run_boost

    outcome = run_boost(
        game,
        player,
        k=k,
        kt=kt,
        opponents=opponents,
        learners=learner or DEFAULT_LEARNERS,
        study=study,
        arena=_arena(threads),
        progress=_progress(quiet),
    )
    saved = outcome.save_portfolios()
    if as_json:
        files = {"study": str(outcome.study), "portfolios": {n: str(p) for n, p in saved.items()}}
        _print_json({**outcome.as_data(), **files})
        return
    Console().print(outcome.table())
    print(f"study       {outcome.study}")
    for name, path in saved.items():
        print(f"{name:<11} {path}")
    # A mixture makes a better opponent for a person than one arm, which plays always alike.
    suggested = saved.get("nash", next(iter(saved.values())))
    print(f"play it:    seedfolio play {shlex.quote(str(suggested))}")


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A study or a portfolio file.")],
    plot_seeds: Annotated[
        Path | None, typer.Option(help="Draw how much seeds differ: a .png or .svg file.")
    ] = None,
    plot_k: Annotated[
        Path | None, typer.Option(help="Draw success against K: a .png or .svg file.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table as text.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a study found or what a portfolio holds, and draw the papers' figures."""
    if file.suffix == ".json":
        from seedfolio.serving.portfolio_file import load_portfolio

        if plot_seeds or plot_k or markdown:
            raise SpecificationError(
                f"plots and Markdown are made from a study, and {file} is a portfolio"
            )
        portfolio = load_portfolio(file)
        if as_json:
            print(portfolio.text(), end="")
        else:
            from seedfolio.report.portfolio import portfolio_tables

            Console().print(*portfolio_tables(portfolio), sep="\n")
        return
    from seedfolio.boosting import saved_boost
    from seedfolio.report.figures import picture_format
    from seedfolio.study.store import Study

    for path in filter(None, (plot_seeds, plot_k)):
        picture_format(path)  # refuses an unknown one before anything is computed
    with Study.read(file) as study:
        outcome = saved_boost(study)
        if plot_seeds or plot_k:
            from seedfolio.report.study_plots import draw_k_curves, draw_seeds

            asked = outcome.request
            sizes = (asked.k, asked.kt, asked.opponents)
            if plot_seeds:
                draw_seeds(study, outcome.title, *sizes, plot_seeds)
            if plot_k:
                draw_k_curves(study, outcome.title, *sizes, asked.learners, plot_k)
    if as_json:
        _print_json(outcome.as_data())
    elif markdown:
        from seedfolio.report.table import markdown_table

        print(markdown_table(outcome.rows), end="")
    else:
        Console().print(outcome.table())


@app.command()
def play(
    opponent: Annotated[
        str, typer.Argument(help="A portfolio file, or a game to play the original program.")
    ],
    player: Annotated[
        str | None,
        typer.Option("--player", "-p", help="The original's player.", show_default=DEFAULT_PLAYER),
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the program move first.")] = False,
    key: Annotated[
        int | None, typer.Option(help="Draw the program's seed from this number.", min=0)
    ] = None,
) -> None:
    """Play against a boosted program, or the original, in the terminal."""
    from seedfolio.serving.opponent import Opponent, Original, load_boosted
    from seedfolio.serving.terminal import play_game

    other: Opponent
    if opponent.endswith(".json"):
        if player is not None:
            raise SpecificationError(f"{opponent} names its own player; leave out --player")
        other = load_boosted(opponent)
    elif opponent.endswith(".study"):
        raise SpecificationError(f"{opponent} is a study; play one of the portfolios beside it")
    else:
        from seedfolio.loading import load_program

        other = Original(load_program(opponent, player or DEFAULT_PLAYER))
    play_game(other, person=1 if second else 0, key=key)


@app.command()
def export(
    study: Annotated[Path, typer.Argument(help="A study file.")],
    to: Annotated[Path, typer.Argument(help="Where to: a .csv or .npz file.")],
) -> None:
    """Write the training matrix of a study as CSV or NPZ, in half points of the first player."""
    from seedfolio.boosting import Request
    from seedfolio.study.arms import TrainingArms
    from seedfolio.study.export import export_csv, export_npz
    from seedfolio.study.store import Study

    writers = {".csv": export_csv, ".npz": export_npz}
    if to.suffix not in writers:
        raise SpecificationError(f"{to} ends in neither .csv nor .npz")
    with Study.read(study) as opened:
        # What was asked last, whether or not it has been completed.
        request = Request.model_validate_json(opened.requests()[-1])
        seeds = TrainingArms(0, request.k).seeds()
        writers[to.suffix](opened, seeds, seeds, to)


@app.command()
def reproduce(
    experiment: Annotated[str, typer.Argument(help="Which one: table3.")],
    k: Annotated[int, typer.Option("--k", help="Seeds of each colour to learn about.")] = 1000,
    kt: Annotated[int, typer.Option("--kt", help="Opponent seeds that each of them meets.")] = 200,
    opponents: Annotated[
        int, typer.Option(help="Unseen seeds of each colour to judge with, at least.")
    ] = 100,
    board: Annotated[
        list[str] | None,
        typer.Option(help="Only this board; may be given several times.", show_default="all ten"),
    ] = None,
    player: PlayerOption = DEFAULT_PLAYER,
    folder: Annotated[Path, typer.Option(help="Where the studies are kept.")] = Path(
        "studies/table3"
    ),
    markdown: Annotated[
        Path | None, typer.Option(help="Write the table to this file as well.")
    ] = None,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make a table of the papers again; the same command goes on after an interruption."""
    from seedfolio.reproduce import table3
    from seedfolio.study.files import atomic_write

    if experiment != "table3":
        raise SpecificationError(f"unknown experiment {experiment!r}; there is table3")
    results = table3.reproduce_table3(
        folder,
        board or list(table3.PAPER),
        player,
        (k, kt, opponents),
        _arena(threads),
        _progress(quiet),
        (lambda text: None) if quiet else _say,
    )
    text = table3.table3_markdown(results)
    if markdown is not None:
        atomic_write(markdown, text.encode())
    print(text, end="")


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the games."""
    from seedfolio.games import game_kinds

    _print_catalogue(
        [
            {
                "name": kind.name,
                "written": kind().text,
                "version": kind.version,
                "parameters": kind.defaults,
                "summary": kind.summary,
            }
            for kind in game_kinds()
        ],
        as_json,
    )


@app.command()
def players(as_json: JsonOption = False) -> None:
    """List the players."""
    from seedfolio.players import PLAYERS

    _print_catalogue(
        [
            {
                "name": name,
                "written": kind().text,
                "version": kind.version,
                "parameters": dict(kind().parameters),
                "summary": kind.summary,
            }
            for name, kind in PLAYERS.items()
        ],
        as_json,
    )


@app.command()
def learners(as_json: JsonOption = False) -> None:
    """List the learners."""
    from seedfolio.learning import LEARNERS

    _print_catalogue(
        [{"name": name, "summary": entry.summary} for name, entry in LEARNERS.items()], as_json
    )


def _arena(threads: int | None) -> Any:
    from seedfolio.arena.threads import ThreadArena

    return ThreadArena() if threads is None else ThreadArena(threads)


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _progress(quiet: bool) -> Any:
    if quiet:
        return None
    from seedfolio.report.progress import TerminalProgress

    return TerminalProgress(Console(stderr=True))


def _print_catalogue(items: Sequence[dict[str, Any]], as_json: bool) -> None:
    """Print what there is to choose from, as a list for people or as JSON."""
    if as_json:
        _print_json(items)
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in items[0]:
        table.add_column(title)
    for item in items:
        table.add_row(*(_cell(value) for value in item.values()))
    Console().print(table, highlight=False)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={setting}" for name, setting in value.items())
    return str(value)


def _print_json(data: Any) -> None:
    print(json.dumps(data, indent=2))
