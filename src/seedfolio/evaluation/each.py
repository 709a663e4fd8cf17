"""Success against each of several other programs, where these are the opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, sqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.evaluation.estimate import Evaluation
from seedfolio.evaluation.exploiters import (
    Estimate,
    both_colours,
    exploiter_success,
    mixture_successes,
)
from seedfolio.programs.interface import Playable

_Floats = NDArray[np.float64]


def against_each(program: Playable, found: Evaluation, means: Sequence[_Floats]) -> Evaluation:
    """Return the evaluation of a portfolio with its success against each opponent.

    `means` are its successes as each colour against unseen arms.
    """
    sides = [[exploiter_success(part, 1) for part in _parts(program, success)] for success in means]
    return _with_each(found, sides, [_shares(program, len(success)) for success in means])


def fresh_against_each(
    program: Playable, found: Evaluation, matrices: Sequence[_Floats]
) -> Evaluation:
    """Return the same for what plays fresh arms: their successes (rows) as each colour."""
    sides = [
        [mixture_successes(part.T, (1,))[0] for part in _parts(program, matrix.T)]
        for matrix in matrices
    ]
    return _with_each(found, sides, [_shares(program, matrix.shape[1]) for matrix in matrices])


def _parts(program: Playable, by_opponent: _Floats) -> list[_Floats]:
    """Return the successes against the arms of each opponent, along the first axis."""
    whose = program.opponent_of(len(by_opponent))
    return [by_opponent[whose == each] for each in range(len(program.opponents))]


def _shares(program: Playable, count: int) -> _Floats:
    whose = program.opponent_of(count)
    return np.bincount(whose, minlength=len(program.opponents)) / count


def _with_each(
    found: Evaluation, sides: Sequence[Sequence[Estimate]], shares: Sequence[_Floats]
) -> Evaluation:
    each = tuple(both_colours(*pair, same=True) for pair in zip(*sides, strict=True))
    share = (shares[0] + shares[1]) / 2  # the same, but for a remainder of arms
    success = (_stratified(each, share, found.success[0]), *found.success[1:])
    return replace(found, success=success, each=each)


def _stratified(parts: Sequence[Estimate], shares: _Floats, plain: Estimate) -> Estimate:
    """Return the mean over all opponents; its error, over the arms within each of them."""
    errors = np.array([each.error for each in parts])
    if any(isnan(each) for each in errors):  # a single arm tells nothing of its program's others
        return plain
    return Estimate(plain.mean, sqrt(float((shares**2) @ (errors**2))))
