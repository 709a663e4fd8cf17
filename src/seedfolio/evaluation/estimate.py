"""Success on unseen arms as a value."""

from __future__ import annotations

from dataclasses import dataclass

from seedfolio.core.display import Brief
from seedfolio.evaluation.exploiters import Estimate, Sampled, both_colours
from seedfolio.players.interface import Traits


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
        first: tuple[Sampled, ...],
        second: tuple[Sampled, ...],
        opponents: tuple[int, int],
        *,
        traits: Traits,
    ) -> Evaluation:
        """Combine the two colours, or count the first alone, as the program's traits say."""
        if traits.one_sided:
            return cls(opponents, tuple(each.plain for each in first), first, second)
        same, pairs = not traits.colours_apart, zip(first, second, strict=True)
        return cls(
            opponents, tuple(both_colours(*each, same=same) for each in pairs), first, second
        )
