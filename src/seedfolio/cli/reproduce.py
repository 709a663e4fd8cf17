"""`reproduce`: the papers' tables and curves, made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    ArenaName,
    ArenaOption,
    QuietOption,
    ThreadsOption,
    make_arena,
    make_progress,
    say,
)
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from seedfolio.reproduce.engine_experiment import EngineExperiment, Outcome

_OWN = "the experiment's"


@app.command()
def reproduce(
    experiment: Annotated[
        str,
        typer.Argument(
            help="table3, phantom-go or gametestbed; "
            "with GNU Go: transfer, variants, go9, batoo or moves."
        ),
    ],
    k: Annotated[
        int | None,
        typer.Option("--k", help="Seeds of each colour to learn about.", show_default=_OWN),
    ] = None,
    kt: Annotated[
        int | None,
        typer.Option("--kt", help="Opponent seeds that each of them meets.", show_default=_OWN),
    ] = None,
    opponents: Annotated[
        int | None,
        typer.Option(help="Unseen seeds of each colour to judge with.", show_default="100 or more"),
    ] = None,
    board: Annotated[
        list[str] | None,
        typer.Option(
            "--board",
            "--game",
            help="Only this game or board; may be given several times.",
            show_default="all",
        ),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", "-p", help="A player for all games.", show_default=_OWN),
    ] = None,
    numbers: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=NUMBER",
            help="With GNU Go: another number of the experiment; may be given several times.",
            show_default=_OWN,
        ),
    ] = None,
    as_paper: Annotated[
        bool, typer.Option("--paper", help="With GNU Go: as large as in the paper.")
    ] = False,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where the studies are kept.", show_default="studies/EXPERIMENT"),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the table to this file as well.")
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(help="Draw the figures into this folder: success against K, moves."),
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
) -> None:
    """Make a table of the papers again; the same command goes on after an interruption.

    table3: rectangular learning on Domineering, Atari-Go and Breakthrough. phantom-go: Phantom Go
    on 5x5, 7x7 and 9x9. gametestbed: five small games of hidden information and chance.

    With GNU Go, whose numbers are set with --k, --opponents, --set and --paper: transfer (to other
    opponents, 5x5), variants (options as arms, 7x7), go9 (UCB with widening, 9x9), batoo (stones
    chosen in private), moves (boosted and original moves, judged by a stronger program).
    """
    from seedfolio.reproduce import find_experiment
    from seedfolio.reproduce.engine_experiment import EngineExperiment

    found = find_experiment(experiment)
    announce: Callable[[str], None] = (lambda text: None) if quiet else say
    draw: Callable[[Path], list[Path]]
    if isinstance(found, EngineExperiment):
        given = {"--kt": kt, "--board": board, "--player": player}
        _refuse(experiment, given | {"--arena": arena if arena is not ArenaName.AUTO else None})
        sizes = _numbers(numbers or [], k, opponents)
        folder = folder or Path("studies") / (found.shared or experiment)
        outcome = _play_engines(found, sizes, as_paper, folder, threads, quiet, announce)
        text, draw = outcome.markdown(), outcome.draw
    else:
        from seedfolio.reproduce.experiment import draw_curves

        _refuse(experiment, {"--set": numbers, "--paper": as_paper or None})
        results = found.run(
            folder or Path("studies") / experiment,
            board or list(found.paper),
            player,
            found.sizes(k, kt, opponents),
            make_arena(arena, threads),
            make_progress(quiet),
            announce,
        )
        text, draw = found.markdown(results), partial(draw_curves, found, results)
    _show(text, markdown)
    if plots is not None:
        drawn = ", ".join(map(str, draw(plots)))
        announce(f"drew {drawn}" if drawn else f"{experiment} has no figure")


def _play_engines(
    found: EngineExperiment,
    sizes: dict[str, int],
    as_paper: bool,
    folder: Path,
    games: int | None,
    quiet: bool,
    announce: Callable[[str], None],
) -> Outcome:
    from seedfolio.arena import Silent
    from seedfolio.reproduce.engine_experiment import Setting

    progress = make_progress(quiet) or Silent()
    return found.run(Setting(folder, found.numbers(sizes, as_paper), games, progress, announce))


def _numbers(texts: list[str], k: int | None, opponents: int | None) -> dict[str, int]:
    """Return the numbers that were given, by name."""
    numbers = {"k": k, "opponents": opponents}
    given = {name: number for name, number in numbers.items() if number is not None}
    for text in texts:
        name, _, number = text.partition("=")
        if not number.isdecimal():
            raise SpecificationError(f"--set {text} is not a name and a number such as k=100")
        given[name] = int(number)
    return given


def _refuse(experiment: str, given: Mapping[str, object]) -> None:
    for option, value in given.items():
        if value is not None:
            raise SpecificationError(f"{experiment} takes no {option}; leave it out")


def _show(text: str, file: Path | None) -> None:
    from seedfolio.study.files import atomic_write

    if file is not None:
        atomic_write(file, text.encode())
    print(text, end="", flush=True)
