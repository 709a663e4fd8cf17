"""`boost`, the main job, and `play`, to meet its outcome."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    from seedfolio.boosting.result import Results


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
    saved = outcome.save_portfolios()
    if as_json:
        files = {"study": str(outcome.study), "portfolios": {n: str(p) for n, p in saved.items()}}
        played = {} if outcome.engine is None else {"engine": outcome.engine.as_data()}
        print_json({**outcome.as_data(), **files, **played})
        return
    plain_console().print(outcome.table())
    if (each := outcome.each_table()) is not None:
        plain_console().print(each)
    if outcome.variety is not None and outcome.variety.has_duplicates:
        print_lines(outcome.variety.text)
    if outcome.engine is not None:
        print_lines(outcome.engine.text)
    print_notes(outcome.notes)
    print_verdict(outcome)
    put(f"study       {outcome.study}")
    for name, path in saved.items():
        put(f"{name:<11} {path}")
    if any("-games.json" in path.name for path in saved.values()):
        print_lines(
            "Files that were learnt from more games are kept. The new ones have the number of "
            "their games in their names."
        )
    best = None if outcome.verdict is None else outcome.verdict.best
    suggested = [game, *(["-p", player] if player else [])] if best is None else [str(saved[best])]
    if best is not None or outcome.engine is None:
        put(f"play it:    seedfolio {outcome.served_by} {shlex.join(suggested)}")


def print_verdict(outcome: Results) -> None:
    """Print which portfolio to use against whom."""
    if outcome.verdict is not None:
        plain_console().print(outcome.verdict.text, highlight=False, markup=False)


def print_notes(notes: dict[str, str]) -> None:
    """Print what learners chose, and why."""
    for name, why in notes.items():
        plain_console().print(f"{name} chose: {why}.", highlight=False, markup=False)


@app.command()
def play(
    opponent: Annotated[
        str, typer.Argument(help="A portfolio file, or a game to play the original program.")
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
    from seedfolio.serving.serve import play as play_in_terminal

    play_in_terminal(opponent, player, second=second, key=key, sgf=sgf, pgn=pgn)
