"""Learners side by side: the same games to choose from, the same number of games for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from seedfolio.arena import Arena, Progress, Run, no_note
from seedfolio.boosting.budget import announce, in_proportion
from seedfolio.boosting.repetitions import (
    check_repetitions,
    over_learnings,
    repeated_trials,
    seeds_apart,
)
from seedfolio.boosting.request import Request, check_numbers, learner_names
from seedfolio.boosting.results import Comparison, save_comparison
from seedfolio.boosting.session import open_session, opened_study
from seedfolio.boosting.trials import Trials, measure_again, run_trials
from seedfolio.errors import SpecificationError
from seedfolio.learning.learner import Learner
from seedfolio.players.interface import Player
from seedfolio.programs.interface import Playable
from seedfolio.programs.load import Learnable, load_program
from seedfolio.report.learnings import Learning
from seedfolio.report.progress import chosen_progress
from seedfolio.study.session import Session
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
BUDGETS = (10_000,)
_ORIGINAL_ARMS = 200
"""Arms that represent the original program."""


def compare(
    game: Learnable,
    player: str | Player | Sequence[str] | None = None,
    *,
    budget: int | Sequence[int] = BUDGETS,
    repetitions: int = 1,
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

    All learners meet the same seeds, in learning and in evaluation, with each budget (common random
    numbers). So their differences are surer than their errors say. All games are kept in the study
    file, shared with `boost`, and none is played twice; what a book has seen is kept beside it. The
    program is any that `boost` takes.

    Args:
        game: A game such as domineering:7x7, a game file, or engine.toml.
        player: As in `boost`.
        budget: Number of games that each learner may choose, or several (default: 10000).
        repetitions: Learn so often, each time with other seeds: ± is then over all learnings.
        learners: As in `boost`.
        opponents: As in `boost`.
        repeats: As in `boost`.
        key: Draws what learners leave to chance; in each further learning, the next number.
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
    budgets = sorted({budget} if isinstance(budget, int) else {*budget})
    check_numbers(opponents=opponents, repeats=repeats, threads=threads, key=key)
    for each in budgets:
        check_numbers(budget=each)
    check_repetitions(repetitions)
    program = load_program(game, player, repeats)
    requests, asked = _requests(program, budgets, opponents, learner_names(learners))
    last = requests[-1]
    run = Run(arena, threads, address, chosen_progress(progress), note)
    with open_session(program, study, run, repeats=repeats, despite_check=despite_check) as (
        session,
        path,
    ):
        if repetitions > 1:
            _check_repeatable(session, requests, repetitions)
        announce(session, requests, asked, note, times=repetitions)
        found = [run_trials(session, each, asked, key) for each in requests]
        if repetitions == 1:
            found[-1] = measure_again(session, last, found[-1])
        learnings = [_learning(0, *each) for each in zip(requests, found, strict=True)]
        learnt = {each.name: each.learnt for each in found[-1].trials}
        more = {"learnt": learnt, "learnings": tuple(learnings), "key": key}
        outcome = Comparison.of(session, path, last, found[-1], **more)
        if repetitions == 1:
            save_comparison(session.study, outcome)
            return outcome
        identity = session.study.identity
    numbers = range(1, repetitions)
    for number, again in zip(
        numbers,
        repeated_trials(program, requests, path, numbers, run, key=lambda n: (key + n) % 2**64),
        strict=True,
    ):
        learnings += [_learning(number, *each) for each in zip(requests, again, strict=True)]
        note(f"learning {number + 1} of {repetitions} is done")
    rows = over_learnings([each.rows for each in learnings if each.budget == last.budget])
    outcome = replace(outcome, learnings=tuple(learnings), rows=rows, control=None, kinds=None)
    with opened_study(program, study, identity) as (opened, _):
        save_comparison(opened, outcome)
    return outcome


def _requests(
    program: Playable, budgets: Sequence[int], opponents: int | None, names: tuple[str, ...]
) -> tuple[list[Request], list[Learner]]:
    """Return a request for each budget, and the learners.

    All have the sizes of the largest budget, so that all meet the same unseen seeds.
    """
    if not budgets:
        raise SpecificationError("`budget` is empty; name a number of games, such as 10000")
    usual_k, _, usual_opponents = program.arms.usual_sizes
    arms = min(usual_k if program.traits.slow else _ORIGINAL_ARMS, program.arms.training)
    request = Request(
        k=arms,
        kt=arms,
        opponents=usual_opponents if opponents is None else opponents,
        learners=names,
        budget=budgets[-1],
    )
    free = ["k"] if opponents is not None else ["k", "opponents"]
    asked = request.check(program)
    request = in_proportion(request, program, len(asked), free)
    requests = [request.model_copy(update={"budget": each}) for each in budgets]
    for each in requests:
        each.check(program)
    return requests, asked


def _check_repeatable(session: Session, requests: Sequence[Request], repetitions: int) -> None:
    """Raise SpecificationError if a program cannot learn again with other seeds."""
    program = session.program
    if program.traits.slow or program.arms.finite:
        raise SpecificationError(
            f"{program.title} is an external engine, and repetitions need built-in players; leave "
            "out `repetitions`"
        )
    if session.study.in_memory:
        raise SpecificationError("repetitions need files: name a file as `study`")
    seeds_apart(program, requests, repetitions)


def _learning(number: int, request: Request, trials: Trials) -> Learning:
    games = {each.name: each.learnt.games for each in trials.trials}
    return Learning(request.budget, number, trials.rows, games)
