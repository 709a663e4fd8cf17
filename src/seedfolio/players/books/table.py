"""Books as compiled play reads them: one flat array of 64-bit words.

The words, in this order:

* 1 if the books are played under random symmetries of the board, 0 if they are played as they are;
* for each colour, the index where its list of books begins;
* the two lists: the number of books, and three words for each book: the upper bound of the 64
  random bits that draw it, the number of its slots minus 1, and the index where its slots begin;
* the slots of each book: a hash table with open addressing of pairs (state, what to do there);
* the choices of each book: one word for each choice that is listed, for states with several; they
  are found by their distance from the first slot.

At a state the book gives one move, or several choices of which one is drawn at random: first those
that are listed, and for all others the state's move. After it the book goes on or ends. A choice is
the number of a move plus 1; 0 leaves this move and all later ones to the program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.core.randomness import GOLDEN, below, mix

NO_STATE = 2**64 - 1
"""The value for "no state"; no history has this hash."""
MOST_CHOICES = 255

_NO_STATE = np.uint64(NO_STATE)
_GOES_ON = np.uint64(1 << 63)
_SIXTEEN, _TWENTY_FOUR, _HALF = np.uint64(16), np.uint64(24), np.uint64(32)
_ONE, _NOTHING = np.uint64(1), np.uint64(0)
_LOW_EIGHT, _LOW_SIXTEEN, _LOW_HALF = (
    np.uint64(2**8 - 1),
    np.uint64(2**16 - 1),
    np.uint64(2**31 - 1),
)
_WHICH_BOOK, _WHICH_CHOICE = np.uint64(0x5851F42D4C957F2D), np.uint64(0x14057B7EF767814F)


@dataclass(frozen=True)
class Instructions:
    """What one book says, state by state: parallel arrays."""

    states: NDArray[np.uint64]
    """Hashes of histories, each once."""
    moves: NDArray[np.int64]
    """The move to play, and the choice where none is listed."""
    goes_on: NDArray[np.bool_]
    """Whether the book goes on after this state."""
    counts: NDArray[np.int64]
    """The number of choices from which one is drawn; 0 where there is only the move."""
    listed: NDArray[np.int64]
    """How many of them are listed; the others are the move."""
    choices: NDArray[np.int64]
    """All listed choices, state after state: moves, or -1 to leave the book to the program."""

    @classmethod
    def of(
        cls,
        states: NDArray[np.uint64],
        moves: NDArray[np.int64],
        times: NDArray[np.int64] | None = None,
    ) -> Instructions:
        """Return a book that plays a move at each of its states, and goes on.

        If a state occurs several times, one of its moves is drawn: each as often as `times` says;
        None: equally often.
        """
        often = np.ones(len(moves), np.int64) if times is None else times
        order = np.lexsort((moves, -often, states))
        states, moves, often = states[order], moves[order], often[order]
        each, first, entries = np.unique(states, return_index=True, return_counts=True)
        several = entries > 1
        by_move = np.lexsort((moves, states))
        if (np.diff(moves[by_move])[np.diff(states[by_move]) == 0] == 0).any():
            raise ValueError("a book has the same move twice at a state")
        counts = np.add.reduceat(often, first) if len(first) else entries
        listed = np.where(np.repeat(several, entries), often, 0)
        if (often > 1).any():  # as in a file, where all once are not written
            listed[first] = 0  # the first one is drawn most, and needs no list
        return cls(
            states=each,
            moves=moves[first],
            goes_on=np.ones(len(each), np.bool_),
            counts=np.where(several, counts, 0),
            listed=np.add.reduceat(listed, first) if len(first) else entries,
            choices=np.repeat(moves, listed),
        )

    @classmethod
    def none(cls) -> Instructions:
        """Return an empty book."""
        return cls.of(np.zeros(0, np.uint64), np.zeros(0, np.int64))

    @property
    def slots(self) -> int:
        """The number of slots of its hash table."""
        return 2 << max(1, len(self.states)).bit_length()

    @cached_property
    def table(self) -> NDArray[np.uint64]:
        """Its slots and choices, in words."""
        order = np.argsort(self.states, kind="stable")  # quick, as they mostly are in order
        states = self.states[order]
        if (states[1:] == states[:-1]).any():
            raise ValueError("a book has the same state twice")
        counts, listed = self.counts, self.listed
        if counts.max(initial=0) > MOST_CHOICES or (listed > counts).any():
            raise ValueError(f"a state has over {MOST_CHOICES} choices, or lists more than it has")
        if listed.sum() != len(self.choices):
            raise ValueError("the choices of a book are not as many as its states list")
        first = 2 * self.slots + np.cumsum(listed) - listed
        several = (counts << 16 | listed << 24 | first << 32).astype(np.uint64)
        values = (self.moves + 1).astype(np.uint64) | np.where(counts > 0, several, _NOTHING)
        values[self.goes_on] |= _GOES_ON
        words = np.full(2 * self.slots + len(self.choices), _NO_STATE)
        _fill(states, values[order], words[: 2 * self.slots])
        words[2 * self.slots :] = (self.choices + 1).astype(np.uint64)
        return words


@dataclass(frozen=True, eq=False)
class Books:
    """The books of both colours, ready for play."""

    words: NDArray[np.uint64]

    @cached_property
    def digest(self) -> int:
        """A hash of the books, below 2**63."""
        return int.from_bytes(hashlib.sha256(self.words.tobytes()).digest()[:8], "big") >> 1


def pack(
    books: Sequence[Sequence[tuple[float, Instructions]]], *, symmetric: bool
) -> NDArray[np.uint64]:
    """Return the words of the weighted books of both colours; a colour may have none."""
    header = 3 + sum(1 + 3 * len(each) for each in books)
    words = np.zeros(header, np.uint64)
    words[0] = symmetric
    parts: list[NDArray[np.uint64]] = [words]
    at, end = 3, header
    for colour, weighted in enumerate(books):
        words[1 + colour] = at
        words[at] = len(weighted)
        total, summed = sum(weight for weight, _ in weighted), 0.0
        for number, (weight, book) in enumerate(weighted):
            summed += weight
            place = at + 1 + 3 * number
            last = number == len(weighted) - 1
            words[place] = NO_STATE if last else min(NO_STATE, int(summed / total * 2**64))
            words[place + 1], words[place + 2] = book.slots - 1, end
            parts.append(book.table)
            end += len(book.table)
        at += 1 + 3 * len(weighted)
    return np.concatenate(parts)


def joined(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return words with the first player's books of one and the second player's of another.

    Whether books are played under symmetries of the board, the first say.
    """
    sides = [_side_of(first, 0), _side_of(second, 1)]
    header = 3 + sum(len(head) for head, _ in sides)
    words = np.zeros(header, np.uint64)
    words[0] = first[0]
    at, end = 3, header
    for colour, (head, table) in enumerate(sides):
        words[1 + colour] = at
        words[at : at + len(head)] = head
        words[at + 3 : at + len(head) : 3] += np.uint64(end)
        at, end = at + len(head), end + len(table)
    return np.concatenate([words, *(table for _, table in sides)])


def _side_of(words: NDArray[np.uint64], colour: int) -> tuple[NDArray[np.uint64], ...]:
    """Return the list of books of a colour, with places from 0 on, and their slots and choices."""
    at = int(words[1 + colour])
    head = words[at : at + 1 + 3 * int(words[at])].copy()
    begins = head[3::3]
    if not len(begins):
        return head, words[:0]
    # The tables of a colour follow one another, and those of the second player are the last.
    others = int(words[2 - colour])
    end = len(words)
    if colour == 0 and words[others]:
        end = int(words[others + 3])
    first = int(begins[0])
    head[3::3] -= np.uint64(first)
    return head, words[first:end]


def _fill_template(states: Any, values: Any, slots: Any) -> None:
    last = uint64(len(slots) // 2 - 1)
    for k in range(len(states)):
        slot = states[k] & last
        while slots[uint64(2) * slot] != _NO_STATE:
            slot = (slot + _ONE) & last
        slots[uint64(2) * slot] = states[k]
        slots[uint64(2) * slot + _ONE] = values[k]


_fill = compiled_entry(_fill_template, {})


@compiled
def drawn_book(arm: Any, colour: Any, book: Any) -> Any:
    """Return the index of the three words of the book that this arm draws; -1 if none."""
    at = int64(book[1 + colour])
    place = int64(-1)
    random = mix(uint64(arm) ^ _WHICH_BOOK)
    for number in range(int64(book[at])):
        if place < 0 and random <= book[at + 1 + 3 * number]:
            place = at + 1 + 3 * number
    return place


@compiled
def find(state: Any, place: Any, book: Any) -> Any:
    """Return what the book at `place` says about a state; 0 if the state is not in it."""
    last, begin = book[place + 1], book[place + 2]
    slot = state & last
    while True:
        stored = book[begin + uint64(2) * slot]
        if stored == state or stored == _NO_STATE:  # noqa: SIM109 - two comparisons on a GPU, too
            break
        slot = (slot + _ONE) & last
    return book[begin + uint64(2) * slot + _ONE] if stored == state else _NOTHING


@compiled
def goes_on(value: Any) -> Any:
    """Return whether the book goes on after this state."""
    return value & _GOES_ON != _NOTHING


@compiled
def choice(value: Any, state: Any, arm: Any, place: Any, book: Any) -> Any:
    """Return the choice at a state of the book at `place`; of several, the arm draws one."""
    count = int64((value >> _SIXTEEN) & _LOW_EIGHT)
    if count > 0:
        drawn = below(mix(state ^ (uint64(arm) * GOLDEN) ^ _WHICH_CHOICE), 0, count)
        if drawn < int64((value >> _TWENTY_FOUR) & _LOW_EIGHT):
            return int64(book[int64(book[place + 2]) + int64((value >> _HALF) & _LOW_HALF) + drawn])
    return int64(value & _LOW_SIXTEEN)


def _draw_template(arms: Any, colour: Any, book: Any, drawn: Any) -> None:
    first = int64(book[1 + colour]) + 1
    for k in range(len(arms)):
        drawn[k] = (drawn_book(arms[k], colour, book) - first) // 3


_draw = compiled_entry(_draw_template, {})


def books_of_arms(arms: NDArray[np.uint64], colour: int, words: NDArray[np.uint64]) -> Any:
    """Return the number of the book of a colour that each arm draws."""
    drawn = np.empty(len(arms), np.int64)
    _draw(arms, colour, words, drawn)
    return drawn
