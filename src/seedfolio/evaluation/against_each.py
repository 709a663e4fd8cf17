"""Success against each of several opponents: other programs, or the kinds of arms of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, sqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Brief
from seedfolio.evaluation.estimate import Evaluation
from seedfolio.evaluation.exploiters import (
    Estimate,
    both_colours,
    exploiter_success,
    mixture_successes,
)
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.programs.interface import Playable

_Floats = NDArray[np.float64]
_Words = NDArray[np.uint64]


def kinds_of(program: Playable) -> tuple[str, ...]:
    """Return the kinds of arms that a program meets; none if there is one, or it meets others.

    The arms of other seats are profiles, with a kind for each seat.
    """
    alone = program.opponents or program.traits.one_sided or len(program.kinds) == 1
    return () if alone else program.kinds


@dataclass(frozen=True)
class Sides:
    """Unseen arms that a portfolio met as each colour, split into groups."""

    whose: tuple[NDArray[np.intp], NDArray[np.intp]]
    """The group of each opponent of our first player, and of our second."""
    count: int
    stratified: bool
    """Whether the groups are other programs, each with its share: they do not vary."""

    @classmethod
    def of(cls, program: Playable, theirs: Sequence[_Words]) -> Sides | None:
        """Return the groups of the opponents of both colours.

        None if there is one group, or a group has no arm among these opponents.
        """
        if program.opponents:
            first, second = (program.opponent_of(len(each)) for each in theirs)
            count = len(program.opponents)
        elif kinds := kinds_of(program):
            first, second = map(program.kind_of, theirs)
            count = len(kinds)
        else:
            return None
        if not _all_met(count, first, second):
            return None
        return cls((first, second), count, stratified=bool(program.opponents))

    def of_portfolio(self, found: Evaluation, means: Sequence[_Floats]) -> Evaluation:
        """Return an evaluation with the success against each group.

        `means` are the successes of a portfolio as each colour against its opponents.
        """
        return self._with_each(
            found,
            [
                [exploiter_success(part, 1) for part in self._parts(success, colour)]
                for colour, success in enumerate(means)
            ],
        )

    def of_arms(self, found: Evaluation, matrices: Sequence[_Floats]) -> Evaluation:
        """Return the same for arms that are drawn anew each game: rows of successes."""
        parts = [self._parts(matrix.T, colour) for colour, matrix in enumerate(matrices)]
        sides = [[mixture_successes(part.T, (1,))[0] for part in side] for side in parts]
        by_arm = np.array([[part.mean(axis=0) for part in side] for side in parts]).mean(axis=0)
        return self._with_each(found, sides, by_arm)

    def _parts(self, by_opponent: _Floats, colour: int) -> list[_Floats]:
        """Return the successes against the arms of each group, along the first axis."""
        return [by_opponent[self.whose[colour] == each] for each in range(self.count)]

    def _with_each(
        self,
        found: Evaluation,
        sides: Sequence[Sequence[Estimate]],
        by_arm: _Floats | None = None,
    ) -> Evaluation:
        each = tuple(both_colours(*pair, same=True) for pair in zip(*sides, strict=True))
        if not self.stratified:
            return replace(found, each=each)
        first, second = (np.bincount(of, minlength=self.count) / len(of) for of in self.whose)
        share = (first + second) / 2  # the same, but for a remainder of arms
        success = (_stratified(each, share, found.success[0], by_arm), *found.success[1:])
        return replace(found, success=success, each=each)


def _stratified(
    parts: Sequence[Estimate], shares: _Floats, plain: Estimate, by_arm: _Floats | None
) -> Estimate:
    """Return the mean over all opponents; its error, over the arms within each of them.

    `by_arm` is the success of our arms against each opponent (rows), where these are a sample: they
    are the same against all, so what they add to the errors is not independent.
    """
    errors = np.array([each.error for each in parts])
    if any(isnan(each) for each in errors):  # a single arm tells nothing of its program's others
        return plain
    square = float(shares**2 @ errors**2)
    if by_arm is not None and by_arm.shape[1] > 1:
        ours = np.atleast_2d(np.cov(by_arm)) / by_arm.shape[1]
        together = float(shares @ ours @ shares)
        square = max(together, square + together - float(shares**2 @ np.diag(ours)))
    return Estimate(plain.mean, sqrt(square))


def _all_met(count: int, *groups: NDArray[np.intp]) -> bool:
    return all(len(np.unique(each)) == count for each in groups)


@dataclass(frozen=True, repr=False)
class Kinds(Brief):
    """How strong the kinds of arms are, and which of them portfolios draw."""

    against: dict[str, tuple[Estimate, ...]]
    """By kind: its success against each kind at K'=1, with a new seed each game."""
    first: dict[str, tuple[float, ...]]
    """By learner: the share of each kind in what it draws as first player."""
    second: dict[str, tuple[float, ...]]

    @classmethod
    def of(
        cls,
        program: Playable,
        against: Sequence[tuple[Estimate, ...]],
        learnt: Mapping[str, Portfolio | BookPortfolio],
    ) -> Kinds | None:
        """Return the kinds of what learners have learnt; None if `against_kinds` has none."""
        if not against:
            return None
        first, second = (
            {name: shares_of(program, plays, colour) for name, plays in learnt.items()}
            for colour in (0, 1)
        )
        return cls(dict(zip(kinds_of(program), against, strict=True)), first, second)

    @property
    def text(self) -> str:
        """What the strongest kind has without learning: the original also draws the others."""
        means = {
            name: sum(each.mean for each in row) / len(row) for name, row in self.against.items()
        }
        best = max(means, key=means.__getitem__)
        return (
            f"The original draws each of the {len(means)} kinds equally often. The strongest of "
            f"them alone, {best}, has {100 * means[best]:.1f}% against it."
        )

    def _summary(self) -> str:
        return ", ".join(self.against)


def against_kinds(
    program: Playable, ours: _Words, theirs: _Words, matrices: Sequence[_Floats]
) -> tuple[tuple[Estimate, ...], ...]:
    """Return the success of each kind of our arms against each kind of theirs.

    It is empty if there is one kind, or a kind has no arm among ours or theirs.
    `matrices` are the successes of `ours` (rows) against `theirs` as each colour.
    """
    kinds = range(len(kinds_of(program)))
    if not kinds:
        return ()
    mine, others = program.kind_of(ours), program.kind_of(theirs)
    if not _all_met(len(kinds), mine, others):
        return ()
    rows = []
    for kind in kinds:
        own = [matrix[mine == kind] for matrix in matrices]
        rows.append(
            tuple(
                both_colours(
                    *(mixture_successes(part[:, others == other], (1,))[0] for part in own),
                    same=True,
                )
                for other in kinds
            )
        )
    return tuple(rows)


def shares_of(
    program: Playable, plays: Portfolio | BookPortfolio, colour: int
) -> tuple[float, ...]:
    """Return how often a portfolio draws each kind as a colour; of a book, behind its end."""
    drawn = plays if isinstance(plays, Portfolio) else plays.behind
    count = len(program.kinds)
    if drawn is None:
        return (1 / count,) * count
    side = drawn[colour]
    kinds = program.kind_of(np.array(side.arms, np.uint64))
    return tuple(np.bincount(kinds, np.array(side.weights), count).tolist())
