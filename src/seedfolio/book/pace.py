"""How fast a book grows: games of a round, and how sure to be before a move is entered.

Built-in players play thousands of games a second, so rounds are large. A game of an external engine
takes seconds: rounds are small, so that each game can use what the games before it have shown, and
fewer games enter a move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from seedfolio.book.decisions import Caution
from seedfolio.book.move_variety import ONE_MOVE, MoveVariety
from seedfolio.programs.interface import Playable


@dataclass(frozen=True)
class BookPace:
    """The sizes of rounds, and the caution of decisions."""

    first_rounds: int
    growth: int
    """A round has one game for every `growth` before it, but at least `first_rounds` a book."""
    caution: Caution

    def round_after(self, games: int, books: int = 1) -> int:
        """Return how many games the whole round after the first `games` games has."""
        return max(self.first_rounds * books, games // self.growth) // 2 * 2


_FAST = BookPace(1_000, 16, Caution())
_VARIED_GROWTH = 6
"""One book that varies its moves has many states: with fewer rounds a GPU waits less for summing
up (docs/notes/books.md)."""
_SLOW = BookPace(
    16,
    32,
    Caution(natural=4, visits=8, candidate=3, alike=0.0, prior=2.0, most_prior=8.0, patience=0.03),
)


def pace_of(program: Playable, variety: MoveVariety = ONE_MOVE) -> BookPace:
    """Return the pace for a program, and for books that draw between moves while they learn."""
    usual = _SLOW if program.slow else _FAST
    if variety == ONE_MOVE:
        return usual
    caution = replace(usual.caution, variety=variety)
    return replace(usual, growth=_VARIED_GROWTH, caution=caution)
