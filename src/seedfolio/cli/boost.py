"""`boost`, the main job, and `play`, to meet its outcome."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    OR_ITS_OWN,
    AddressOption,
    ArenaName,
    ArenaOption,
    DespiteCheckOption,
    JsonOption,
    LearnerOption,
    OpponentsOption,
    PlayerOption,
    QuietOption,
    RepeatsOption,
    ThreadsOption,
    make_progress,
    note_unless,
    print_json,
    print_lines,
)
from seedfolio.core.plain_text import plain_console, put

if TYPE_CHECKING:
    from seedfolio.boosting.results import Boost, Results


@app.command()
def boost(
    game: Annotated[
        str,
        typer.Argument(
            help="A game such as domineering:7x7, a game file of yours such as my_game.py:size=4, "
            "or an external engine: engine.toml."
        ),
    ],
    *,
    player: PlayerOption = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            help="Number of seeds of each colour to learn about.",
            show_default=f"500{OR_ITS_OWN}",
        ),
    ] = None,
    kt: Annotated[
        int | None,
        typer.Option(
            "--kt",
            help="Number of opponent seeds that each of them plays.",
            show_default=f"100, at most k{OR_ITS_OWN}",
        ),
    ] = None,
    opponents: OpponentsOption = None,
    budget: Annotated[
        int | None,
        typer.Option(
            help="Number of games that each learner chooses for itself, instead of --kt; --k is "
            "then the number of seeds that represent the original.",
            show_default="none: as many as fill the matrix",
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="The budget as a time: the games that this machine plays in it."),
    ] = None,
    symmetries: Annotated[
        bool,
        typer.Option("--symmetries", help="Draw every seed under a random symmetry of the board."),
    ] = False,
    repeats: RepeatsOption = None,
    learner: Annotated[list[str] | None, LearnerOption] = None,
    despite_check: DespiteCheckOption = False,
    study: Annotated[
        Path | None,
        typer.Option(help="File that keeps everything.", show_default="studies/GAME-PLAYER.study"),
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    address: AddressOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Learn which seeds to play, and test them on unseen ones.

    Saves the boosted program of each learner. The default learners are book, best-seed, best-half,
    nash and sparse-nash; with --budget or --minutes auto. Every game goes into the study file, so
    the same command goes on after an interruption, and one with larger numbers plays only what is
    missing.
    """
    from seedfolio.boosting.boost import boost as run_boost

    outcome = run_boost(
        game,
        player,
        k=k,
        kt=kt,
        opponents=opponents,
        learners=learner or None,
        budget=budget,
        minutes=minutes,
        symmetries=symmetries,
        repeats=repeats,
        study=study,
        arena=arena.value,
        threads=threads,
        address=address,
        despite_check=despite_check,
        progress=make_progress(quiet),
        note=note_unless(quiet),
    )
    files = outcome.save_portfolios()
    if as_json:
        print_json(boost_data(outcome, files))
    else:
        print_boost(outcome, files)


def boost_data(outcome: Boost, files: Mapping[str, Path]) -> dict[str, Any]:
    """Return a boost and its files as plain data."""
    portfolios = {name: str(path) for name, path in files.items()}
    return {**outcome.as_data(), "study": str(outcome.study), "portfolios": portfolios}


def print_boost(outcome: Boost, files: Mapping[str, Path]) -> None:
    """Print a boost, its files, and how to play against what it recommends."""
    print_results(outcome)
    for name, path in files.items():
        put(f"{name:<11} {path}")
    if any("-games.json" in path.name for path in files.values()):
        print_lines(
            "Files that were learnt from more games are kept. The new ones have the number of "
            "their games in their names."
        )
    best = outcome.recommended
    learnt = next(iter(outcome.portfolios.values()), None)
    if best is not None and best in files:
        put(f"play it:    seedfolio {outcome.served_by} {shlex.quote(str(files[best]))}")
    elif best is None and learnt is not None and learnt.engine is None:
        original = shlex.join([learnt.game.source, "-p", learnt.player.source])
        put(f"play it:    seedfolio play {original}")


def print_results(outcome: Results) -> None:
    """Print tables, what was chosen and why, which portfolio to use, and the study."""
    plain_console().print(*outcome.tables(), sep="\n")
    for line in outcome.facts:
        print_lines(line)
    for text in outcome.remarks:
        plain_console().print(text, highlight=False, markup=False)
    put(f"study       {outcome.study}")


@app.command()
def play(
    opponent: Annotated[
        str,
        typer.Argument(
            help="A portfolio file, FILE.json@original, a game such as domineering:7x7, a game and "
            "a player such as domineering:7x7@uct, or engine.toml."
        ),
    ],
    *,
    player: PlayerOption = None,
    second: Annotated[bool, typer.Option("--second", help="Let the program move first.")] = False,
    key: Annotated[
        int | None, typer.Option(help="Draw the program's seed from this number.", min=0)
    ] = None,
    sgf: Annotated[
        Path | None, typer.Option(help="Write the record to this file, for games of Go stones.")
    ] = None,
    pgn: Annotated[
        Path | None, typer.Option(help="Write the record to this file, for chess.")
    ] = None,
) -> None:
    """Play against a boosted program, or the original."""
    from seedfolio.protocols.serve import play as play_in_terminal

    play_in_terminal(opponent, player, second=second, key=key, sgf=sgf, pgn=pgn)
