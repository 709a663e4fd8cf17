"""Learners side by side: the same games to choose from, the same number of games for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from seedfolio.arena import Arena, Progress, Run, no_note
from seedfolio.boosting.budget import announce, in_proportion
from seedfolio.boosting.request import Request, check_numbers, learner_names
from seedfolio.boosting.results import Comparison
from seedfolio.boosting.session import open_session
from seedfolio.boosting.trials import measure_again, run_trials
from seedfolio.players.interface import Player
from seedfolio.programs.load import Learnable, load_program
from seedfolio.report.progress import chosen_progress
from seedfolio.study.store import Study

COMPARED = (
    "auto",
    "auto:exploiters=1",
    "halving",
    "halving:keep=16",
    "best-seed",
    "top",
    "nash",
    "exploiter",
)
_ORIGINAL_ARMS = 200
"""Arms that represent the original program."""


def compare(
    game: Learnable,
    player: str | Player | None = None,
    *,
    budget: int = 10_000,
    learners: str | Callable[..., Any] | Sequence[str] = COMPARED,
    opponents: int | None = None,
    repeats: int | None = None,
    key: int = 0,
    study: str | Path | Study | None = None,
    arena: str | Arena = "auto",
    threads: int | None = None,
    address: str | None = None,
    despite_check: bool = False,
    progress: Progress | bool | None = None,
    note: Callable[[str], None] = no_note,
) -> Comparison:
    """Give every learner `budget` games to choose, and evaluate what it learns on unseen arms.

    All games are kept in the study file, shared with `boost`, and none is played twice; what a book
    has seen is kept beside it. The program is any that `boost` takes.

    Args:
        game: A game such as domineering:7x7, a game file, or engine.toml.
        player: As in `boost`.
        budget: Number of games that each learner may choose.
        learners: As in `boost`.
        opponents: As in `boost`.
        repeats: As in `boost`.
        key: Draws what learners leave to chance.
        study: File that keeps all games (default: studies/GAME-PLAYER.study).
        arena: As in `boost`.
        threads: As in `boost`.
        address: As in `boost`.
        despite_check: As in `boost`.
        progress: As in `boost`.
        note: Receives lines for people.

    >>> from seedfolio import compare
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> learners = ["halving", "nash"]
    >>> compared = compare(*program, budget=200, learners=learners, opponents=17, study="a.study")
    >>> [row.name for row in compared.rows]
    ['original, 1 seed', 'original, mixture', 'halving', 'nash']
    """
    check_numbers(opponents=opponents, budget=budget, repeats=repeats, threads=threads, key=key)
    program = load_program(game, player, repeats)
    usual_k, _, usual_opponents = program.arms.usual_sizes
    arms = min(usual_k if program.traits.slow else _ORIGINAL_ARMS, program.arms.training)
    request = Request(
        k=arms,
        kt=arms,
        opponents=usual_opponents if opponents is None else opponents,
        learners=learner_names(learners),
        budget=budget,
    )
    free = ["k"] if opponents is not None else ["k", "opponents"]
    asked = request.check(program)
    request = in_proportion(request, program, len(asked), free)
    run = Run(arena, threads, address, chosen_progress(progress), note)
    with open_session(program, study, run, repeats=repeats, despite_check=despite_check) as (
        session,
        path,
    ):
        announce(session, request, asked)
        trials = measure_again(session, request, run_trials(session, request, asked, key))
    learnt = {each.name: each.learnt for each in trials.trials}
    return Comparison.of(session, path, request, trials, learnt=learnt)
