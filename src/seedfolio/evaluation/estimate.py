"""Success on unseen arms as a value."""

from __future__ import annotations

from dataclasses import dataclass

from seedfolio.core.display import Brief
from seedfolio.evaluation.exploiters import Estimate, both_colours


@dataclass(frozen=True, repr=False)
class Evaluation(Brief):
    """Success for each of CRITERIA, both colours together and each alone."""

    opponents: tuple[int, int]
    """How many unseen arms the first and the second player of the portfolio met."""
    success: tuple[Estimate, ...]
    first: tuple[Estimate, ...]
    second: tuple[Estimate, ...]
    each: tuple[Estimate, ...] = ()
    """At K' = 1 against each of the program's opponents, where these are other programs."""

    @classmethod
    def of(
        cls,
        first: tuple[Estimate, ...],
        second: tuple[Estimate, ...],
        opponents: tuple[int, int],
        *,
        one_sided: bool = False,
    ) -> Evaluation:
        """Combine the two colours; with `one_sided` the first counts alone."""
        if one_sided:
            return cls(opponents, first, first, second)
        success = tuple(both_colours(a, b) for a, b in zip(first, second, strict=True))
        return cls(opponents, success, first, second)
