"""One book as a portfolio file writes it: a row for each entry, in the order of the tree.

A row begins with its depth in the tree, so that no entry names another one. If all moves are seen,
the row says what happened since the entry above it (`MovesBook`), and the state follows from the
moves. Else the row has the state itself (`StatesBook`), and a game that leads there if one is
known.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, Field, model_validator

from seedfolio.players.books.table import MOST_CHOICES
from seedfolio.portfolios.written import FilePart

_DECIMALS = 3
"""Of successes in a file: `book show` prints as many."""

MOST_DEPTH = 10_000
"""No line in a book has more entries of its colour: so that lines of a changed file stay short."""

Depth = Annotated[int, Field(ge=0)]
State = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
Games = Annotated[int, Field(ge=0, lt=2**63)]
Share = Annotated[float, Field(ge=0, le=1)]
Often = list[Annotated[int, Field(ge=1, le=MOST_CHOICES)]] | None
Weight = Annotated[float, Field(gt=0, le=1)]

MovesRow = tuple[Depth, str, str, Games, Share, Share]
StatesRow = tuple[Depth, State, str | None, str, Games, Share, Share]
_MovesColumns = tuple[
    Literal["depth"],
    Literal["since"],
    Literal["move"],
    Literal["games"],
    Literal["success"],
    Literal["original"],
]
_StatesColumns = tuple[
    Literal["depth"],
    Literal["state"],
    Literal["line"],
    Literal["move"],
    Literal["games"],
    Literal["success"],
    Literal["original"],
]


@dataclass(frozen=True)
class WrittenEntry:
    """One state of a colour and the move of its book, or one of several that are drawn."""

    line: str | None
    """A game that leads there: all its moves, including those that the colour does not see. None if
    the file has none."""
    move: str
    parent: int
    """The place in the list of the entry that leads to it; -1: none."""
    games: int
    success: float
    """The success of the move there: an estimate from learning, not from unseen opponents."""
    original: float
    """The success of the program's own play at the state."""
    state: str | None = None
    """The hash of all events that the colour has noticed; None: it follows from the line."""
    times: int = 1
    """How often the move is drawn, beside the others of its state."""

    @property
    def key(self) -> str | None:
        """The same for all entries of a state."""
        return self.line if self.state is None else self.state


def parents_of(depths: Iterable[int]) -> list[int]:
    """Return the place of the row above each row of a tree, from their depths; -1: none."""
    path: list[int] = []
    parents = []
    for place, depth in enumerate(depths):
        parents.append(path[depth - 1] if depth else -1)
        path[depth:] = [place]
    return parents


def shares(entries: Sequence[WrittenEntry]) -> list[float]:
    """Return how often, 0 to 1, each entry is drawn at its state."""
    drawn: Counter[str | None] = Counter()
    for entry in entries:
        drawn[entry.key] += entry.times
    return [entry.times / drawn[entry.key] for entry in entries]


Row = TypeVar("Row", MovesRow, StatesRow)


def _check_depths(rows: list[Row]) -> list[Row]:
    above = -1
    if max((row[0] for row in rows), default=0) > MOST_DEPTH:
        raise ValueError(f"a row has a depth over {MOST_DEPTH:,}")
    for place, row in enumerate(rows):
        if row[0] > above + 1:
            raise ValueError(f"row {place} has depth {row[0]}, and the row before it {above}")
        above = row[0]
    return rows


def _check_states(rows: list[StatesRow]) -> list[StatesRow]:
    if len({(row[1], row[3]) for row in rows}) != len(rows):
        raise ValueError("a state has the same move twice")
    return _check_depths(rows)


Written = TypeVar("Written", bound="MovesBook | StatesBook")


def _check_times(book: Written) -> Written:
    if book.times is not None and len(book.times) != len(book.rows):
        raise ValueError(f"times has {len(book.times)} numbers for {len(book.rows)} rows")
    return book


class MovesBook(FilePart):
    """One book of a colour in a game where all moves are seen."""

    kind: Literal["moves"] = "moves"
    """The states follow from the moves."""
    weight: Weight
    """How often the book is drawn."""
    columns: _MovesColumns = ("depth", "since", "move", "games", "success", "original")
    """What the rows have."""
    rows: Annotated[list[MovesRow], AfterValidator(_check_depths)]
    """The entries, each followed by those below it. `depth`: 0 for the first ones, else that of the
    entry above and 1. `since`: the moves since the move of the entry above, or since the start.
    `move`: the book's move. `games`: those of learning that reached the state. `success`: that of
    the move in learning. `original`: that of the program's own play there."""
    times: Often = None
    """For each row, how often its move is drawn beside the others of its state. Without it, all
    equally often."""
    _times_fit = model_validator(mode="after")(_check_times)

    @cached_property
    def parents(self) -> list[int]:
        """The place of the row above each row; -1: none."""
        return parents_of(row[0] for row in self.rows)

    @cached_property
    def entries(self) -> list[WrittenEntry]:
        """The rows, each with the whole line that leads there."""
        found: list[WrittenEntry] = []
        for parent, times, (_, since, move, games, success, original) in zip(
            self.parents, _often(self), self.rows, strict=True
        ):
            line = _joined(_after(found[parent]) if parent >= 0 else "", since)
            found.append(WrittenEntry(line, move, parent, games, success, original, None, times))
        return found


class StatesBook(FilePart):
    """One book of a colour in a game where something is hidden."""

    kind: Literal["states"] = "states"
    """Each row has the state."""
    weight: Weight
    """How often the book is drawn."""
    columns: _StatesColumns = ("depth", "state", "line", "move", "games", "success", "original")
    """What the rows have."""
    rows: Annotated[list[StatesRow], AfterValidator(_check_states)]
    """The entries, each followed by those below it. `state`: the hash of all that the colour has
    noticed, 16 hexadecimal digits. `line`: the moves of a game that leads there, or null. The other
    columns as in a book of kind `moves`."""
    times: Often = None
    """As in a book of kind `moves`."""
    _times_fit = model_validator(mode="after")(_check_times)

    @cached_property
    def parents(self) -> list[int]:
        """The place of the row above each row; -1: none."""
        return parents_of(row[0] for row in self.rows)

    @cached_property
    def entries(self) -> list[WrittenEntry]:
        """The rows."""
        return [
            WrittenEntry(line, move, parent, games, success, original, state, times)
            for parent, times, (_, state, line, move, games, success, original) in zip(
                self.parents, _often(self), self.rows, strict=True
            )
        ]


WrittenBook = MovesBook | StatesBook


def _often(book: WrittenBook) -> list[int]:
    return book.times or [1] * len(book.rows)


def written_book(weight: float, entries: Sequence[WrittenEntry]) -> WrittenBook:
    """Return a book of these entries, each of which comes after the one that leads to it."""
    ordered = [(depth, entries[place]) for place, depth in _in_tree_order(entries)]
    every = [each.times for _, each in ordered]
    times = every if any(each > 1 for each in every) else None
    if any(entry.state is not None for entry in entries):
        return StatesBook(
            weight=weight,
            times=times,
            rows=[
                (depth, each.state or "", each.line, each.move, each.games, *_shares(each))
                for depth, each in ordered
            ],
        )
    return MovesBook(
        weight=weight,
        times=times,
        rows=[
            (depth, _since(each, entries), each.move, each.games, *_shares(each))
            for depth, each in ordered
        ],
    )


def _in_tree_order(entries: Sequence[WrittenEntry]) -> list[tuple[int, int]]:
    """Return the place of each entry and its depth; those that most games reached come first."""
    below: dict[int, list[int]] = defaultdict(list)
    # The last one of each list is taken first.
    for place in sorted(range(len(entries)), key=lambda k: (entries[k].games, -k)):
        below[entries[place].parent].append(place)
    waiting = [(place, 0) for place in below[-1]]
    ordered = []
    while waiting:
        place, depth = waiting.pop()
        ordered.append((place, depth))
        waiting += [(each, depth + 1) for each in below.get(place, ())]
    return ordered


def _since(entry: WrittenEntry, entries: Sequence[WrittenEntry]) -> str:
    """Return the moves of an entry's line that come after the entry above it."""
    line = f"{entry.line} " if entry.line else ""
    above = f"{_after(entries[entry.parent])} " if entry.parent >= 0 else ""
    if not line.startswith(above):
        raise ValueError(f"the line {entry.line!r} does not pass the entry above it, {above!r}")
    return line.removeprefix(above).strip()


def _after(entry: WrittenEntry) -> str:
    return _joined(entry.line or "", entry.move)


def _joined(line: str, moves: str) -> str:
    return f"{line} {moves}" if line and moves else line or moves


def _shares(entry: WrittenEntry) -> tuple[float, float]:
    return round(entry.success, _DECIMALS), round(entry.original, _DECIMALS)
