"""Success of portfolios against unseen arms: the only success that is ever shown.

The opponents come as `UnseenArms`, a type that cannot hold an arm used in learning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Playable, Progress
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import (
    CRITERIA,
    Estimate,
    both_colours,
    exploiter_success,
    fixed_arm_successes,
    mixture_successes,
)
from seedfolio.evaluation.luck import Luck
from seedfolio.players.program import Program
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.session import played_results
from seedfolio.study.store import Study

# A portfolio of few arms meets more opponents, since each costs only that many games.
_MOST_OPPONENTS = 10
_GAMES = 50
_SLOW_GAMES = 5
"""The same for programs from outside, whose games take long."""


@dataclass(frozen=True)
class Evaluation:
    """Success for each of CRITERIA, both colours together and each alone."""

    opponents: tuple[int, int]
    """How many unseen arms the first and the second player of the portfolio met."""
    success: tuple[Estimate, ...]
    first: tuple[Estimate, ...]
    second: tuple[Estimate, ...]


def evaluate(
    portfolio: Portfolio,
    opponents: int,
    luck: Luck,
    study: Study,
    arena: Arena,
    program: Playable,
    task: str,
    progress: Progress,
) -> Evaluation:
    """Play the portfolio against at least `opponents` unseen arms of each colour."""
    arms = [
        UnseenArms(0, _opponents(len(portfolio[colour]), opponents, program)) for colour in (0, 1)
    ]
    supports = [np.array(portfolio[colour].seeds, np.uint64) for colour in (0, 1)]
    rectangles = [(supports[0], arms[0].seeds()), (arms[1].seeds(), supports[1])]
    able = playing(program, supports)
    results = played_results(study, arena, able, rectangles, task, progress)
    first, second = (
        weighted_success(
            np.array(portfolio[colour].weights), _success(results[colour], study, colour), luck
        )
        for colour in (0, 1)
    )
    return _evaluation(first, second, (len(arms[0]), len(arms[1])))


def playing(program: Playable, arms: Iterable[NDArray[np.uint64]]) -> Playable:
    """Return the program as it plays these arms: under symmetries of the board, if any is."""
    if not any((each >> SYMMETRY_SHIFT).any() for each in arms):
        return program
    if not isinstance(program, Program):
        raise SpecificationError(f"{program.title} has no symmetries")
    return replace(program, turned=True)


def weighted_success(
    weights: NDArray[np.float64], cells: NDArray[np.float64], luck: Luck
) -> tuple[Estimate, ...]:
    """Return the success of weighted arms (rows) for each of CRITERIA.

    `cells` are their successes against unseen arms (columns).
    """
    success = np.clip(weights @ cells, 0, 1)
    noise = float((weights**2 @ luck.noise(cells)).mean())
    return tuple(exploiter_success(success, k, noise) for k in CRITERIA)


def evaluate_original(
    arms: TrainingArms,
    opponents: int,
    luck: Luck,
    study: Study,
    arena: Arena,
    program: Playable,
    progress: Progress,
) -> tuple[Evaluation, Evaluation]:
    """Return the two baselines: one arm drawn at random and kept, and a new one each game.

    Nothing was learnt about `arms` that enters here, so they stand for the original program.
    """
    unseen = UnseenArms(0, opponents)
    rectangles = [(arms.seeds(), unseen.seeds()), (unseen.seeds(), arms.seeds())]
    task = "original against unseen"
    results = played_results(study, arena, program, rectangles, task, progress)
    matrices = [_success(results[colour], study, colour) for colour in (0, 1)]
    noises = [float(luck.noise(matrix).mean()) for matrix in matrices]
    fixed = [
        fixed_arm_successes(matrix, CRITERIA, noise)
        for matrix, noise in zip(matrices, noises, strict=True)
    ]
    mixed = [mixture_successes(matrix, CRITERIA) for matrix in matrices]
    met = (opponents, opponents)
    return _evaluation(fixed[0], fixed[1], met), _evaluation(mixed[0], mixed[1], met)


def arm_success(
    study: Study, seeds: NDArray[np.uint64], unseen: UnseenArms, colour: int
) -> NDArray[np.float64]:
    """Return the success (0..1) of arms of `colour` (rows) against unseen arms (columns)."""
    sides = (seeds, unseen.seeds()) if colour == 0 else (unseen.seeds(), seeds)
    return _success(study.results(*sides), study, colour)


def _success(results: NDArray[np.uint8], study: Study, colour: int) -> NDArray[np.float64]:
    """Return half points of the first player (rows) as success of `colour` (rows)."""
    return results / study.full if colour == 0 else 1 - results.T / study.full


def _opponents(support: int, opponents: int, program: Playable) -> int:
    games, most = _GAMES, _MOST_OPPONENTS * opponents
    if isinstance(program, EngineProgram):
        games, most = _SLOW_GAMES, min(most, program.specification.all_arms.unseen)
    return min(most, max(opponents, games * opponents // support))


def _evaluation(
    first: tuple[Estimate, ...], second: tuple[Estimate, ...], opponents: tuple[int, int]
) -> Evaluation:
    success = tuple(both_colours(a, b) for a, b in zip(first, second, strict=True))
    return Evaluation(opponents, success, first, second)
