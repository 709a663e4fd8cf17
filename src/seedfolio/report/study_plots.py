"""The papers' figures, drawn from what a study has already played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import Estimate, both_colours, criteria_for
from seedfolio.evaluation.luck import Luck
from seedfolio.evaluation.unseen import arm_success, weighted_success
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.learning.registry import matrix_learner
from seedfolio.report.plots import KCurve, SeedCurve, plot_seed_success, plot_success_against_k
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.matrices import training_scores
from seedfolio.study.store import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SMALLEST_K = 8


@dataclass(frozen=True)
class PlayedMatrices:
    """The whole matrices that a study has played, and the unseen seeds that they met."""

    title: str
    k: int
    kt: int
    opponents: int
    luck: Luck


def draw_seeds(study: Study, played: PlayedMatrices, path: Path | None) -> Figure:
    """Draw the sorted success of seeds against luck.

    Fig. 1 of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016).
    """
    first, second = training_scores(study, TrainingArms(0, played.k), played.kt)
    unseen = _unseen_success(study, played)
    training = (first / study.full, second / study.full)
    return plot_seed_success(path, [SeedCurve(played.title, training, unseen, study.full)])


def draw_k_curves(
    study: Study,
    played: PlayedMatrices,
    learners: Sequence[str],
    path: Path | None,
    *,
    square: bool = False,
) -> Figure:
    """Draw success on unseen seeds against K for each learner and K'.

    Fig. 2 of "Fast seed-learning algorithms for games"; with `square`, Fig. 1 and 2 of "Learning
    opening books in partially observable games" (Cazenave, Liu, Teytaud, Teytaud 2016).

    Every seed has met the same unseen opponents, so this plays no games. With `square`, K seeds
    learn from K opponents, otherwise always from Kt.
    """
    k, kt = played.k, played.kt
    if k < 2 * _SMALLEST_K:
        raise SpecificationError(f"a curve over K needs K of {2 * _SMALLEST_K} or more, not {k}")
    scores = training_scores(study, TrainingArms(0, k), kt)
    unseen = _unseen_success(study, played)
    ks = [*(n for n in _powers_of_two() if n < k), k]
    names = dict.fromkeys(["uniform", *learners])
    curves = [
        KCurve(
            name,
            ks,
            [
                _estimates(
                    matrix_learner(name),
                    [colour[:n, : min(n, kt) if square else kt] for colour in scores],
                    [colour[:n] for colour in unseen],
                    study.full,
                    played.luck,
                )
                for n in ks
            ],
        )
        for name in names
    ]
    return plot_success_against_k(path, played.title, curves)


def _powers_of_two() -> list[int]:
    return [_SMALLEST_K << shift for shift in range(28)]


def _unseen_success(
    study: Study, played: PlayedMatrices
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seeds, unseen = TrainingArms(0, played.k).seeds(), UnseenArms(0, played.opponents)
    return arm_success(study, seeds, unseen, 0), arm_success(study, seeds, unseen, 1)


def _estimates(
    learner: MatrixLearner,
    scores: Sequence[NDArray[np.uint8]],
    unseen: Sequence[NDArray[np.float64]],
    full: int,
    luck: Luck,
) -> list[Estimate]:
    first, second = (
        weighted_success(
            learner.weigh(scores[colour], full, key=colour).weights,
            unseen[colour],
            luck,
            criteria=criteria_for(unseen[colour].shape[1]),
        )
        for colour in (0, 1)
    )
    return [both_colours(*each) for each in zip(first, second, strict=True)]
