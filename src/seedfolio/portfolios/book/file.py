"""The books of a portfolio file: readable, and with all that is needed to play them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import AfterValidator, Field

from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.games.game import ILLEGAL, TURN, Game
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import Book, BookPortfolio, MixedBook, Numbers, Words
from seedfolio.portfolios.book.lines import lines_to
from seedfolio.portfolios.book.moves import moves_between, states_after
from seedfolio.portfolios.book.rows import (
    MovesBook,
    StatesBook,
    WrittenBook,
    WrittenEntry,
    written_book,
)
from seedfolio.portfolios.portfolio import adds_up
from seedfolio.portfolios.written import FilePart


@dataclass(frozen=True)
class _Line:
    """The moves that lead to an entry, as far as the file has them."""

    place: int
    moves: list[int]
    checked: int = 0
    """How many of them the entry above has checked."""


def states_and_moves(written: WrittenBook, game: Game, colour: int) -> tuple[Words, Numbers]:
    """Return the states of a book and its moves, which are legal where the file has a line.

    ValueError if an entry does not fit the game; SpecificationError if a move has an unknown name.
    """
    chosen = np.array([game.parse_move(row[-4]) for row in written.rows], np.int64)
    if isinstance(written, StatesBook):
        states = np.array([int(row[1], 16) for row in written.rows], np.uint64)
        _check(game, colour, _lines_in(written, game), chosen, states)
        return states, chosen
    if game.rules.event is not None:
        raise ValueError(f"{game.title} hides something, and the book has no states")
    between = [_parsed(row[1], game) for row in written.rows]
    _check(game, colour, _lines_through(written, between, chosen, game), chosen, None)
    return states_after(written.parents, chosen, between), chosen


def _lines_in(written: StatesBook, game: Game) -> list[_Line]:
    lines = [
        _Line(place, _parsed(row[2], game))
        for place, row in enumerate(written.rows)
        if row[2] is not None
    ]
    for line in lines:
        _check_length(line.moves, game)
    return lines


def _lines_through(
    written: MovesBook, between: list[list[int]], chosen: Numbers, game: Game
) -> list[_Line]:
    lines: list[_Line] = []
    for place, (parent, since) in enumerate(zip(written.parents, between, strict=True)):
        above = [] if parent < 0 else [*lines[parent].moves, int(chosen[parent])]
        lines.append(_Line(place, above + since, len(above)))
        _check_length(lines[-1].moves, game)
    return lines


def _parsed(names: str, game: Game) -> list[int]:
    return [game.parse_move(name) for name in names.split()]


def _check_length(moves: list[int], game: Game) -> None:
    most = game.rules.max_plies
    if len(moves) >= most:
        raise ValueError(
            f"a line has {len(moves)} moves, and a game of {game.title} at most {most}"
        )


def _check(
    game: Game, colour: int, lines: list[_Line], chosen: Numbers, states: Words | None
) -> None:
    """Raise ValueError if a line is illegal, or does not lead to its state and turn."""
    if not lines:
        return
    places = np.array([line.place for line in lines], np.int64)
    ends = np.cumsum([len(line.moves) for line in lines], dtype=np.int64)
    every = np.fromiter((move for line in lines for move in line.moves), np.int64, int(ends[-1]))
    checked = np.array([line.checked for line in lines], np.int64)
    wanted = np.zeros(0, np.uint64) if states is None else states[places]
    number, ply, fault = game.first_fault((every, ends, checked), chosen[places], wanted, colour)
    if fault == 0:
        return
    line = lines[number]
    names = [game.move_name(move) for move in (*line.moves, int(chosen[line.place]))]
    before = " ".join(names[:ply]) or "no move"
    if fault == ILLEGAL:
        raise ValueError(f"{names[ply]} is not legal after {before}")
    if fault == TURN:
        raise ValueError(f"it is not the turn of {game.rules.board.colours[colour]} after {before}")
    raise ValueError(f"{before} does not lead to the state of entry {line.place + 1}")


MOST_LINES = 5_000
"""With hidden information, the file gives a game that leads there for at most this many entries of
a book, those that most games reached: finding each takes a game."""

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))

Kinds = Annotated[MovesBook | StatesBook, Field(discriminator="kind")]


def _check_weights(books: list[Kinds]) -> list[Kinds]:
    if books and not adds_up([book.weight for book in books]):
        raise ValueError("the weights of the books do not add up to 1")
    return books


Mixed = Annotated[list[Kinds], AfterValidator(_check_weights)]


class WrittenBooks(FilePart):
    """The books of both colours."""

    symmetric: bool
    """Whether a symmetry of the board is drawn for each game."""
    first: Mixed
    """The books of the first player, of which one is drawn for each game; none: the original."""
    second: Mixed
    """The books of the second player."""

    @property
    def size(self) -> int:
        """The entries of all books together."""
        return sum(len(book.rows) for book in (*self.first, *self.second))

    def portfolio(self, game: Game) -> BookPortfolio:
        """Return the books as values; PortfolioError if they do not fit the game."""
        first, second = (
            _mixed(books, game, colour) for colour, books in enumerate((self.first, self.second))
        )
        return BookPortfolio(first, second, self.symmetric)


def written_books(program: Program, plays: BookPortfolio) -> WrittenBooks:
    """Return the books of a program for a file."""
    symmetric = plays.symmetric
    first, second = (
        [
            written_book(weight, list(_entries(program, book, colour, symmetric)))
            for weight, book in zip(plays[colour].weights, plays[colour].books, strict=True)
        ]
        for colour in (0, 1)
    )
    return WrittenBooks(symmetric=symmetric, first=first, second=second)


def laid_out(books: WrittenBooks) -> str:
    """Return the books as JSON for people: a line for each entry."""
    sides = [
        f'    "{name}": [{",".join(map(_laid_out, side))}]'
        for name, side in (("first", books.first), ("second", books.second))
    ]
    return ",\n".join(['{\n    "symmetric": ' + json.dumps(books.symmetric), *sides]) + "\n  }"


def _laid_out(book: WrittenBook) -> str:
    left_out = {"rows", "times"} if book.times is None else {"rows"}
    head = book.model_dump_json(exclude=left_out).removesuffix("}")
    rows = ",\n".join(_COMPACT.encode(row) for row in book.rows)
    return f'\n{head},"rows":[\n{rows}\n]}}'


def _entries(program: Program, book: Book, colour: int, symmetric: bool) -> Iterator[WrittenEntry]:
    states: Sequence[str | None] = [None] * len(book)
    lines = _lines_of_moves(program.game, book)
    if lines is None:
        lines = _lines_of_games(program, book, colour, symmetric)
        states = [f"{state:016x}" for state in book.states.tolist()]
    for k, (line, state) in enumerate(zip(lines, states, strict=True)):
        yield WrittenEntry(
            line=line,
            move=program.game.move_name(int(book.moves[k])),
            parent=int(book.parents[k]),
            games=int(book.games[k]),
            success=float(book.values[k]),
            original=float(book.natural[k]),
            state=state,
            times=1 if book.times is None else int(book.times[k]),
        )


def _lines_of_moves(game: Game, book: Book) -> Sequence[str | None] | None:
    """Return the moves that lead to each entry; None if its state does not tell them."""
    if game.rules.event is not None:
        return None
    between = moves_between(book, len(game.rules.move_names))
    if between is None:
        return None
    names = game.rules.move_names
    moves, parents = book.moves.tolist(), book.parents.tolist()
    lines: list[str] = []
    for since, parent in zip(between, parents, strict=True):
        above = [lines[parent], names[moves[parent]]] if parent >= 0 else []
        lines.append(" ".join(filter(None, [*above, *(names[move] for move in since)])))
    return lines


def _lines_of_games(
    program: Program, book: Book, colour: int, symmetric: bool
) -> Sequence[str | None]:
    """Return a game for each of the entries that most games reached."""
    told = np.sort(np.argsort(-book.games, kind="stable")[:MOST_LINES])
    lines: list[str | None] = [None] * len(book)
    found = lines_to(program, book, colour, told, symmetric=symmetric)
    for entry, line in zip(told, found, strict=True):
        if line is not None:
            lines[entry] = " ".join(program.game.move_name(move) for move in line.moves)
    return lines


def _mixed(books: Sequence[WrittenBook], game: Game, colour: int) -> MixedBook:
    try:
        weights = tuple(each.weight for each in books)
        return MixedBook(tuple(_book(each, game, colour) for each in books), weights)
    except (ValueError, SpecificationError) as error:
        raise PortfolioError(f"the book in this portfolio is not playable: {error}") from error


def _book(written: WrittenBook, game: Game, colour: int) -> Book:
    book = book_of(written, *states_and_moves(written, game, colour))
    book.instructions().table  # noqa: B018 - raises ValueError if the book is not playable
    return book


def book_of(written: WrittenBook, states: Words, moves: Numbers) -> Book:
    """Return the book with the states and moves that its rows name."""
    numbers = [row[-3:] for row in written.rows]
    return Book(
        states=states,
        moves=moves,
        parents=np.array(written.parents, np.int64),
        games=np.array([games for games, _, _ in numbers], np.int64),
        values=np.array([success for _, success, _ in numbers], np.float64),
        natural=np.array([original for _, _, original in numbers], np.float64),
        arms=np.zeros(0, np.uint64),
        times=None if written.times is None else np.array(written.times, np.int64),
    )
