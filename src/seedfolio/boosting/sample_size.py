"""How many games are enough: the sample-size rule of the rectangular method, and its cost.

From "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016), Section 3.1: with
probability 1 - delta the mean of every one of K arms against Kt opponents is within

    sqrt(-log(delta / (2 K)) / (2 Kt))

of its success against the original program (Hoeffding's inequality, for all arms at once by
Bonferroni's), for each colour. So the arm of the best mean is at most twice that below the best of
the K. The rule is conservative: for many arms that win about half their games, eight or nine tenths
of that distance give the same confidence. An arm outside the K may be better by any amount; but one
of the K arms is among the best share s of all arms with probability 1 - (1 - s)^K.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, log2, sqrt
from typing import Any

from seedfolio.core.seeds import TRAINING_SEEDS
from seedfolio.errors import SpecificationError
from seedfolio.study.matrices import training_cells

_ROUNDING = 1e-9
_FINEST = 1e-6


def precision(k: int, kt: int, delta: float) -> float:
    """Return the precision of all means of K arms against Kt opponents, by the rule."""
    return sqrt((log(2 * k) - log(delta)) / (2 * kt))


def opponents_needed(k: int, epsilon: float, delta: float) -> int:
    """Return the smallest Kt for which `precision` is `epsilon` or better."""
    return max(1, ceil((log(2 * k) - log(delta)) / (2 * epsilon**2) - _ROUNDING))


def arms_needed(epsilon: float, delta: float) -> int:
    """Return the smallest K that needs at most K opponents, since Kt is at most K."""
    k = 1
    while (kt := opponents_needed(k, epsilon, delta)) > k:
        k = kt  # never beyond the smallest: the opponents needed grow with K
    return k


@dataclass(frozen=True)
class Plan:
    """How much to play, and what it guarantees."""

    k: int
    kt: int
    delta: float
    repeats: int = 1

    @property
    def epsilon(self) -> float:
        """Every mean is within this of the truth, with probability 1 - delta."""
        return precision(self.k, self.kt, self.delta)

    @property
    def games(self) -> int:
        """How many games fill the training matrices of both colours."""
        return training_cells(self.k, self.kt) * self.repeats

    @property
    def best_share(self) -> float:
        """With probability 1 - delta one of the K arms is among this best share of all arms."""
        share: float = 1 - self.delta ** (1 / self.k)
        return share

    @property
    def halving_games(self) -> int:
        """The fewest games of sequential halving among as many arms of both colours.

        Every arm plays at least once in each of log2(K) rounds of equal cost.
        """
        return 2 * self.k * max(1, ceil(log2(self.k))) * self.repeats

    def as_data(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "k": self.k,
            "kt": self.kt,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "best_share": self.best_share,
            "repeats": self.repeats,
            "games": self.games,
            "halving_games": self.halving_games,
        }


def make_plan(
    *,
    delta: float,
    epsilon: float | None = None,
    k: int | None = None,
    kt: int | None = None,
    repeats: int = 1,
) -> Plan:
    """Return the plan with the fewest games for the given parameters.

    With `epsilon`, it chooses Kt, and K too unless it is given. Without, `k` and `kt` are required,
    and the plan has their precision. SpecificationError if there is no such plan.
    """
    if not 0 < delta < 1:
        raise SpecificationError(f"delta = {delta} is not between 0 and 1; change `delta`")
    if k is not None and not 1 <= k <= len(TRAINING_SEEDS):
        raise SpecificationError(f"K = {k} is not 1 to {len(TRAINING_SEEDS)}; change `k`")
    if epsilon is None:
        if k is None or kt is None:
            raise SpecificationError("a plan needs either `epsilon`, or both `k` and `kt`")
        if not 1 <= kt <= k:
            raise SpecificationError(f"Kt = {kt} is not between 1 and K = {k}; change `kt` or `k`")
        return Plan(k, kt, delta, repeats)
    if kt is not None:
        raise SpecificationError("`epsilon` chooses Kt; leave out `kt` or `epsilon`")
    if not _FINEST <= epsilon < 1:
        raise SpecificationError(
            f"epsilon = {epsilon} is not between {_FINEST} and 1; change `epsilon`"
        )
    least = arms_needed(epsilon, delta)
    if least > len(TRAINING_SEEDS):
        raise SpecificationError(
            f"epsilon = {epsilon} takes {least:,} seeds, more than there are; change `epsilon`"
        )
    if k is None:
        return Plan(least, opponents_needed(least, epsilon, delta), delta, repeats)
    if (needed := opponents_needed(k, epsilon, delta)) > k:
        coarser = _above(precision(k, k, delta))
        raise SpecificationError(
            f"K = {k} seeds need Kt = {needed} opponents for a precision of {epsilon}, but Kt is "
            f"at most K; take a `k` of {least} or more, or an `epsilon` of {coarser} or more"
        )
    return Plan(k, needed, delta, repeats)


def duration(seconds: float) -> str:
    """Return a time for people: `40 seconds`, `2.5 hours`."""
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            amount = seconds / size
            return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:,.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 1.5 else "1 second"


def _above(number: float) -> str:
    """Return a number rounded up to three places, so that it is still enough."""
    return f"{ceil(1000 * number) / 1000:.3f}"
