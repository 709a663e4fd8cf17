"""The papers' figures, drawn from what a study has already played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import Estimate, both_colours
from seedfolio.evaluation.luck import Luck
from seedfolio.evaluation.unseen import arm_success, weighted_success
from seedfolio.learning import parse_learner
from seedfolio.learning.learner import Learner
from seedfolio.report.plots import KCurve, SeedCurve, plot_seed_success, plot_success_against_k
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.matrices import training_scores
from seedfolio.study.store import Study

_SMALLEST_K = 8


def draw_seeds(study: Study, title: str, k: int, kt: int, opponents: int, path: Path) -> None:
    """Draw the sorted success of seeds against luck (002 Fig. 1)."""
    first, second = training_scores(study, TrainingArms(0, k), kt)
    unseen = _unseen_success(study, k, opponents)
    training = (first / study.full, second / study.full)
    plot_seed_success(path, [SeedCurve(title, training, unseen, study.full)])


def draw_k_curves(
    study: Study,
    title: str,
    k: int,
    kt: int,
    opponents: int,
    learners: Sequence[str],
    path: Path,
    *,
    luck: Luck,
    square: bool = False,
) -> None:
    """Draw success on unseen seeds against K for each learner and K' (002 Fig. 2).

    Every seed has met the same unseen opponents, so no game is played for it. With `square`, K
    seeds learn from K opponents (000 Fig. 1 and 2), otherwise always from `kt`.
    """
    if k < 2 * _SMALLEST_K:
        raise SpecificationError(f"a curve over K needs K of {2 * _SMALLEST_K} or more, not {k}")
    scores = training_scores(study, TrainingArms(0, k), kt)
    unseen = _unseen_success(study, k, opponents)
    ks = [*(n for n in _powers_of_two() if n < k), k]
    names = dict.fromkeys(["uniform", *learners])
    curves = [
        KCurve(
            name,
            ks,
            [
                _estimates(
                    parse_learner(name),
                    [colour[:n, : min(n, kt) if square else kt] for colour in scores],
                    [colour[:n] for colour in unseen],
                    study.full,
                    luck,
                )
                for n in ks
            ],
        )
        for name in names
    ]
    plot_success_against_k(path, title, curves)


def _powers_of_two() -> list[int]:
    return [_SMALLEST_K << shift for shift in range(28)]


def _unseen_success(
    study: Study, k: int, opponents: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    seeds, unseen = TrainingArms(0, k).seeds(), UnseenArms(0, opponents)
    return arm_success(study, seeds, unseen, 0), arm_success(study, seeds, unseen, 1)


def _estimates(
    learner: Learner,
    scores: Sequence[NDArray[np.uint8]],
    unseen: Sequence[NDArray[np.float64]],
    full: int,
    luck: Luck,
) -> list[Estimate]:
    first, second = (
        weighted_success(
            learner.learn(scores[colour], full, key=colour).weights, unseen[colour], luck
        )
        for colour in (0, 1)
    )
    return [both_colours(*each) for each in zip(first, second, strict=True)]
