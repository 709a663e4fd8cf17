"""`compare`: learners side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.boost import print_results
from seedfolio.cli.options import (
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
)


@app.command()
def compare(
    game: Annotated[
        str, typer.Argument(help="A game such as domineering:7x7, a game file, or engine.toml.")
    ],
    *,
    player: PlayerOption = None,
    budget: Annotated[
        int, typer.Option("--budget", "-b", help="Number of games that each learner may choose.")
    ] = 10_000,
    learner: Annotated[list[str] | None, LearnerOption] = None,
    opponents: OpponentsOption = None,
    repeats: RepeatsOption = None,
    key: Annotated[
        int, typer.Option(help="Draws what learners leave to chance.", min=0, max=2**64 - 1)
    ] = 0,
    despite_check: DespiteCheckOption = False,
    study: Annotated[
        Path | None,
        typer.Option(help="File that keeps all games.", show_default="studies/GAME-PLAYER.study"),
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    address: AddressOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Compare learners, with the same number of games for each.

    All are evaluated on the same unseen seeds. The default learners are auto, auto:exploiters=1,
    halving, halving:keep=16, best-seed, top, nash and exploiter; seedfolio learners lists all. A
    learner that takes a matrix gets the largest square that the budget pays for. Games are kept in
    the study file, so the same command goes on after an interruption.
    """
    from seedfolio.boosting.compare import COMPARED
    from seedfolio.boosting.compare import compare as run_comparison

    outcome = run_comparison(
        game,
        player,
        budget=budget,
        learners=learner or COMPARED,
        opponents=opponents,
        repeats=repeats,
        key=key,
        study=study,
        arena=arena.value,
        threads=threads,
        address=address,
        despite_check=despite_check,
        progress=make_progress(quiet),
        note=note_unless(quiet),
    )
    if as_json:
        print_json({**outcome.as_data(), "study": str(outcome.study)})
        return
    print_results(outcome)
