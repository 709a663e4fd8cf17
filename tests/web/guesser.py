"""Classifiers that try to tell two groups apart, with permutation tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 999
_NEIGHBOURS = 5


def p_value(features: NDArray[np.float64], groups: NDArray[np.bool_]) -> float:
    """Return how likely the groups are told apart as well as here, by chance alone.

    There are two classifiers: the 5 nearest neighbours by all features, and the single feature
    whose group means differ most. The value is for the better of the two.
    """
    spread = features.std(axis=0)
    scaled = (features - features.mean(axis=0)) / np.where(spread > 0, spread, 1)
    distances = np.linalg.norm(scaled[:, None] - scaled[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1)[:, :_NEIGHBOURS]
    rng = np.random.default_rng(2015)
    drawn = [groups, *(rng.permutation(groups) for _ in range(PERMUTATIONS))]
    by_neighbours = np.array([_right(nearest, each) for each in drawn])
    by_feature = np.array([_difference(scaled, each) for each in drawn])
    both = [(found >= found[0]).mean() for found in (by_neighbours, by_feature)]
    return float(min(1.0, 2 * min(both)))


def _right(nearest: NDArray[np.intp], groups: NDArray[np.bool_]) -> float:
    votes = groups[nearest].mean(axis=1) > 0.5
    return float((votes == groups).mean())


def _difference(scaled: NDArray[np.float64], groups: NDArray[np.bool_]) -> float:
    return float(np.abs(scaled[groups].mean(axis=0) - scaled[~groups].mean(axis=0)).max())
