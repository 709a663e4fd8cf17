"""Results of games with a book: a row for each state and move at which they left it.

The key of a row has four parts: the state in which games left the book, the move played there, the
last state before it in the book and the move there. A game that ended in the book has no state of
the first kind. The results of a state within the book follow from the rows below it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.core.randomness import GOLDEN, mix
from seedfolio.players.books.side import PLANNED_SHIFT
from seedfolio.players.books.table import NO_STATE
from seedfolio.portfolios.book.book import Numbers, Words

Counts = NDArray[np.int32]

_NO_STATE = np.uint64(NO_STATE)
_LOW, _NOTHING = np.uint64(2**16 - 1), np.uint64(0)
_SIXTEEN, _PLANNED = np.uint64(16), np.uint64(PLANNED_SHIFT)
_FEW = 1000
"""With more rows of one state, sorting all at once is quicker."""
_ODD = np.uint64(0xD6E8FEB86659FD93)
"""Makes the first and the second part of a key different."""


@dataclass(frozen=True)
class Rows:
    """Rows in order of their keys; results are half points of the colour that has the book."""

    states: Words
    """Where games left the book; NO_STATE: nowhere."""
    moves: Counts
    """The move played there; -1: none."""
    last: Words
    """The last state in the book; NO_STATE: there was none."""
    last_moves: Counts
    games: Counts
    points: Counts
    natural_games: Counts
    """Those of the games in which the program chose the move itself."""
    natural_points: Counts
    arms: Words
    """The least arm that chose the move itself; NO_STATE: none has."""

    def __len__(self) -> int:
        return len(self.states)

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """All arrays."""
        return tuple(getattr(self, each.name) for each in fields(self))

    @classmethod
    def none(cls) -> Rows:
        """Return no rows."""
        return cls._empty(0)

    @classmethod
    def of(cls, *columns: NDArray[Any]) -> Rows:
        """Return rows of any columns: put in order, if need be, and in the smallest types."""
        empty = cls._empty(0)
        kinds = zip(columns, empty.columns, strict=True)
        rows = cls(*(column.astype(kind.dtype) for column, kind in kinds))
        return rows if rows.are_in_order() else rows.in_order()

    def are_in_order(self) -> bool:
        """Tell whether the key of each row is above that of the row before."""
        above, same = np.zeros(max(0, len(self) - 1), np.bool_), True
        for key in self.columns[:4]:
            above |= same & (key[1:] > key[:-1])
            same = same & (key[1:] == key[:-1])
        return bool(above.all())

    def and_more(self, *others: Rows) -> Rows:
        """Return the sum of all these rows."""
        rows = self
        for more in others:
            both = Rows._empty(len(rows) + len(more))
            rows = both._first(_merge(rows.columns, more.columns, both.columns))
        return rows

    def in_order(self) -> Rows:
        """Return the rows in order of their keys, those of one key added up."""
        order = self._places()
        *keys, arms = (column[order] for column in self.columns)
        new = np.zeros(len(order), np.bool_)
        new[:1] = True
        for key in keys[:4]:
            new[1:] |= key[1:] != key[:-1]
        first = np.flatnonzero(new)
        if len(first) == len(order):
            return Rows(*(*keys, arms))
        columns = [key[first] for key in keys[:4]]
        columns += [np.add.reduceat(column, first) for column in keys[4:]]
        columns.append(np.minimum.reduceat(arms, first))
        return Rows(*columns)

    def _places(self) -> Numbers:
        """Return the rows' places in order of their keys."""
        # Few rows have one state, but many may have none.
        inside = self.states == _NO_STATE
        ended, left = np.flatnonzero(inside), np.flatnonzero(~inside)
        order = left[np.argsort(self.states[left])]
        if not _order_each_state(order, self.columns, _FEW):
            order = left[self._sorted(left)]
        return np.concatenate([order, ended[self._sorted(ended)]])

    def _sorted(self, rows: Numbers) -> Numbers:
        """Return the order of some of the rows by their keys."""
        states, moves, last, last_moves, *_ = (column[rows] for column in self.columns)
        return np.lexsort((last_moves, last, moves, states))

    @classmethod
    def _empty(cls, length: int) -> Rows:
        words, counts = np.empty((3, length), np.uint64), np.empty((6, length), np.int32)
        moves, last_moves, games, points, own_games, own_points = counts
        results = games, points, own_games, own_points
        return cls(words[0], moves, words[1], last_moves, *results, words[2])

    def _first(self, count: int) -> Rows:
        """Return copies of the first rows, so that the others need no memory."""
        return Rows(*(column[:count].copy() for column in self.columns))


def rows_of(arms: Words, points: NDArray[np.uint8], left: Words) -> Rows:
    """Return the rows of games, from the half points of the arms and where they left the book.

    `left` has three words for each game, as in `players.program.Played`.
    """
    found = Rows._empty(len(arms))
    slots = np.full(2 << max(1, len(arms)).bit_length(), -1, np.int64)
    count = _gather(arms, points, left, slots, found.columns)
    return found._first(count).in_order()


@compiled
def _key(state: Any, move: Any, last: Any, last_move: Any) -> Any:
    """Return a hash of a row's key."""
    one = state + GOLDEN * np.uint64(move + 1)
    other = last + GOLDEN * np.uint64(last_move + 1)
    return mix(one * _ODD + other)


def _gather_template(arms: Any, points: Any, left: Any, slots: Any, rows: Any) -> Any:
    """Add up games by their keys, in order of first appearance; return how many keys there are."""
    states, moves, last, last_moves, games, scored, own_games, own_scored, own_arms = rows
    mask = np.uint64(len(slots) - 1)
    count = 0
    for k in range(len(arms)):
        state, before, marks = left[k, 0], left[k, 1], left[k, 2]
        inside = state == _NO_STATE
        move = -1 if inside else np.int64(marks & _LOW) - 1
        last_move = np.int64((marks >> _SIXTEEN) & _LOW) - 1
        slot = _key(state, move, before, last_move) & mask
        while True:
            row = slots[slot]
            if row < 0:
                break
            same = states[row] == state and moves[row] == move
            if same and last[row] == before and last_moves[row] == last_move:
                break
            slot = (slot + np.uint64(1)) & mask
        if row < 0:
            row = count
            slots[slot] = row
            count += 1
            states[row], moves[row], last[row], last_moves[row] = state, move, before, last_move
            games[row], scored[row], own_games[row], own_scored[row] = 0, 0, 0, 0
            own_arms[row] = _NO_STATE
        games[row] += 1
        scored[row] += points[k]
        if not inside and marks >> _PLANNED == _NOTHING:
            own_games[row] += 1
            own_scored[row] += points[k]
            own_arms[row] = min(own_arms[row], arms[k])
    return count


_gather = compiled_entry(_gather_template, {})


@compiled
def _compare(one: Any, i: Any, other: Any, j: Any) -> Any:
    """Return -1, 0 or 1: how the keys of two rows compare."""
    if one[0][i] != other[0][j]:
        return -1 if one[0][i] < other[0][j] else 1
    if one[1][i] != other[1][j]:
        return -1 if one[1][i] < other[1][j] else 1
    if one[2][i] != other[2][j]:
        return -1 if one[2][i] < other[2][j] else 1
    if one[3][i] != other[3][j]:
        return -1 if one[3][i] < other[3][j] else 1
    return 0


def _order_each_state_template(order: Any, rows: Any, few: Any) -> Any:
    """Put rows, in order of their states, in order of their keys; False: a state has too many."""
    begin = 0
    for k in range(1, len(order) + 1):
        if k < len(order) and rows[0][order[k]] == rows[0][order[begin]]:
            row, place = order[k], k
            while place > begin and _compare(rows, row, rows, order[place - 1]) < 0:
                order[place] = order[place - 1]
                place -= 1
            order[place] = row
            if k - begin >= few:
                return False
        else:
            begin = k
    return True


_order_each_state = compiled_entry(_order_each_state_template, {})


@compiled
def _copy(source: Any, i: Any, target: Any, k: Any) -> Any:
    """Copy a row."""
    target[0][k], target[1][k], target[2][k] = source[0][i], source[1][i], source[2][i]
    target[3][k], target[4][k], target[5][k] = source[3][i], source[4][i], source[5][i]
    target[6][k], target[7][k], target[8][k] = source[6][i], source[7][i], source[8][i]


def _merge_template(one: Any, other: Any, both: Any) -> Any:
    """Merge rows that are in order; return how many there are."""
    i, j, k = 0, 0, 0
    while i < len(one[0]) or j < len(other[0]):
        if j == len(other[0]):
            order = -1
        elif i == len(one[0]):
            order = 1
        else:
            order = _compare(one, i, other, j)
        if order <= 0:
            _copy(one, i, both, k)
            i += 1
        else:
            _copy(other, j, both, k)
            j += 1
        if order == 0:
            both[4][k] += other[4][j]
            both[5][k] += other[5][j]
            both[6][k] += other[6][j]
            both[7][k] += other[7][j]
            both[8][k] = min(both[8][k], other[8][j])
            j += 1
        k += 1
    return k


_merge = compiled_entry(_merge_template, {})
