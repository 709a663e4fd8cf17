"""Opponents who learn against a program: their kinds, and what is left of the program."""

from __future__ import annotations

from dataclasses import dataclass

from seedfolio.core.display import Brief
from seedfolio.core.table import percent
from seedfolio.evaluation.intervals import SuccessInterval
from seedfolio.programs.interface import Playable

KINDS = {
    "best-seed": "the best seed of many",
    "book:books=1": "a book of one move at a state",
    "book:moves=12": "a book that draws between several moves",
}
"""The opponents that learn, by their learners."""


def kinds_for(program: Playable) -> tuple[str, ...]:
    """Return the learners of the opponents that learn against a program's known opponent."""
    if not program.book.possible:
        return ("best-seed",)
    simple = program.traits.slow
    return tuple(each for each in KINDS if not simple or each != "book:moves=12")


@dataclass(frozen=True, repr=False)
class Learns(Brief):
    """What is left of a portfolio, and of the original, against an opponent who learns."""

    games: int
    """From how many the opponent learns: as many as the portfolio was learnt from."""
    original: SuccessInterval
    """The success of the original."""
    name: str | None = None
    """The portfolio; None: the original is recommended."""
    portfolio: SuccessInterval | None = None
    """Its success."""

    @property
    def text(self) -> str:
        """The finding, as a line of the verdict."""
        whom = f"Against an opponent who learns from {self.games:,} games:"
        original = f"the original has {percent(self.original.mean)}%"
        if self.portfolio is None:
            return f"{whom} {original} ({self.original.text})."
        found, also = self.portfolio, self.original.text.removeprefix("95% interval ")
        return (
            f"{whom} {self.name}, {percent(found.mean)}% ({found.text}) where {original} ({also}). "
            f"{self._compared(found)}"
        )

    def _compared(self, found: SuccessInterval) -> str:
        low, high = found.above(self.original)
        if high < 0:
            return "There the original is better."
        if low > 0:
            return f"There {self.name} is better, too."
        return "There neither is better beyond the error."

    def _summary(self) -> str:
        return self.text
