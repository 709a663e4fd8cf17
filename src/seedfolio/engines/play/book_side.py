"""A colour of an external engine with a book: what it looks up, and where it left the book.

The same books and rules of play as for built-in players (see `players.books.side`), in Python: a
game costs seconds. A state is the sequence of all moves so far, as no engine here plays games with
hidden information. Books are played as they are, never under symmetries: most engines answer a
turned board otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import fold
from seedfolio.players.books.side import PLANNED_SHIFT
from seedfolio.players.books.table import NO_STATE, choice, drawn_book, find, goes_on

Trail = tuple[int, int, int]
"""The state where the book was left, the last state in it, and the moves there, packed as in
`players.program.Played`."""


@dataclass(frozen=True)
class Proposal:
    """What an arm would have played at a state where its book plays a move."""

    colour: int
    state: int
    move: int
    last: int
    """The last state in the book before this one; NO_STATE: there was none."""
    last_move: int
    """The move there; -1: none."""
    arm: int
    """The number of the arm."""


@dataclass
class BookSide:
    """One colour of one game, while its book is read."""

    words: NDArray[np.uint64]
    colour: int
    luck: int
    """64 random bits that draw among several books, or several moves at a state."""
    left: int = field(default=NO_STATE, init=False)
    last: int = field(default=NO_STATE, init=False)
    _move: int = field(default=-1, init=False)
    """The move at the state `left`; -1: none."""
    last_move: int = field(default=-1, init=False)
    _planned: bool = field(default=False, init=False)
    state: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._place = int(drawn_book(np.uint64(self.luck), self.colour, self.words))
        self._reading = self._place >= 0

    def consult(self) -> int | None:
        """Return the number of the book's move; None if the engine chooses, now and from now on."""
        if not self._reading:
            return None
        key = np.uint64(self.state)
        value = np.uint64(find(key, self._place, self.words))
        chosen = self._choice(value, key) if value else 0
        if chosen > 0 and goes_on(value):
            self.last, self.last_move = self.state, chosen - 1
        else:
            self._reading = False
            self.left, self._move, self._planned = self.state, chosen - 1, chosen > 0
        return chosen - 1 if chosen > 0 else None

    def _choice(self, value: np.uint64, key: np.uint64) -> int:
        return int(choice(value, key, np.uint64(self.luck), self._place, self.words))

    def notice(self, colour: int, move: int) -> None:
        """Note a move of either colour, by its number."""
        if self._reading:
            self.state = int(fold(np.uint64(self.state), move))
        elif self.left != NO_STATE and self._move < 0 and colour == self.colour:
            self._move = move

    @property
    def reading(self) -> bool:
        """Whether the next states still matter."""
        return self._reading or (self.left != NO_STATE and self._move < 0)

    @property
    def trail(self) -> Trail:
        """Where the book was left; nowhere if the game ended before a move there."""
        if self._move < 0:
            return NO_STATE, self.last, (self.last_move + 1) << 16
        marks = (self._move + 1) | (self.last_move + 1) << 16 | self._planned << PLANNED_SHIFT
        return self.left, self.last, marks


def state_after(moves: Sequence[int]) -> int:
    """Return the state of a game with these moves, by their numbers."""
    state = np.uint64(0)
    for move in moves:
        state = np.uint64(fold(state, move))
    return int(state)


def looked_up(
    words: NDArray[np.uint64], colour: int, luck: int, played: Sequence[tuple[int, int]]
) -> int | None:
    """Return the move of a colour's book after these moves; None if it has none, or none any more.

    Each move comes with its mover; all are numbers.
    """
    side = BookSide(words, colour, luck)
    for mover, move in played:
        if mover == colour and side.consult() is None:
            return None
        side.notice(mover, move)
    return side.consult()
