"""Success of portfolios against unseen arms: the only success that is ever shown.

The opponents come as `UnseenArms`, a type that cannot hold an arm used in learning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Playable, Progress
from seedfolio.core.arm_numbers import SYMMETRY_SHIFT
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import (
    CRITERIA,
    Estimate,
    both_colours,
    exploiter_success,
    fixed_arm_success,
    mixture_success,
)
from seedfolio.evaluation.luck import Luck
from seedfolio.learning.portfolio import Portfolio
from seedfolio.players.program import Program
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.playing import play_missing
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
    play_missing(study, arena, playing(program, supports), rectangles, task, progress)
    first, second = (
        weighted_success(
            np.array(portfolio[colour].weights),
            arm_success(study, supports[colour], arms[colour], colour),
            luck,
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
    play_missing(study, arena, program, rectangles, "original against unseen", progress)
    matrices = [arm_success(study, arms.seeds(), unseen, colour) for colour in (0, 1)]
    noises = [float(luck.noise(matrix).mean()) for matrix in matrices]
    fixed = [
        tuple(fixed_arm_success(matrix, k, noise) for k in CRITERIA)
        for matrix, noise in zip(matrices, noises, strict=True)
    ]
    mixed = [tuple(mixture_success(matrix, k) for k in CRITERIA) for matrix in matrices]
    met = (opponents, opponents)
    return _evaluation(fixed[0], fixed[1], met), _evaluation(mixed[0], mixed[1], met)


def arm_success(
    study: Study, seeds: NDArray[np.uint64], unseen: UnseenArms, colour: int
) -> NDArray[np.float64]:
    """Return the success (0..1) of arms of `colour` (rows) against unseen arms (columns)."""
    if colour == 0:
        return study.results(seeds, unseen.seeds()) / study.full
    return 1 - study.results(unseen.seeds(), seeds).T / study.full


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
