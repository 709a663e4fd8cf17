"""The book of an external engine as part of a portfolio file.

An entry has the game that leads to it, all moves by name. These are found from the states alone: a
state is the hash of all moves, so the opponent's answer is the one move that makes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

import numpy as np

from seedfolio.engines.interface import IllegalMoveError, Judge
from seedfolio.engines.play.book_side import state_after
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import PortfolioError
from seedfolio.portfolios.book.book import Book, BookPortfolio, MixedBook
from seedfolio.portfolios.book.file import WrittenBooks, book_of
from seedfolio.portfolios.book.rows import WrittenBook, WrittenEntry, written_book

_MOST_ANSWERS = 2
"""How many moves in a row an opponent may make between two of ours."""


def written_engine_books(program: EngineProgram, plays: BookPortfolio) -> WrittenBooks:
    """Return the books of an engine for a file."""
    with closing(program.make_judge()) as judge:
        first, second = (
            [
                written_book(weight, list(_entries(judge, book)))
                for weight, book in zip(plays[colour].weights, plays[colour].books, strict=True)
            ]
            for colour in (0, 1)
        )
    return WrittenBooks(symmetric=plays.symmetric, first=first, second=second)


def engine_books(program: EngineProgram, written: WrittenBooks) -> BookPortfolio:
    """Return the books of an engine as values; PortfolioError if they do not fit its game."""
    with closing(program.make_judge()) as judge:
        try:
            first, second = (
                MixedBook(
                    tuple(_book(judge, each) for each in books),
                    tuple(each.weight for each in books),
                )
                for books in (written.first, written.second)
            )
        except ValueError as error:
            raise PortfolioError(f"the book in this portfolio is not playable: {error}") from error
    return BookPortfolio(first, second, written.symmetric)


def _entries(judge: Judge, book: Book) -> Iterator[WrittenEntry]:
    lines: list[list[int]] = []
    for k in range(len(book)):
        parent, move = int(book.parents[k]), int(book.moves[k])
        above = [] if parent < 0 else [*lines[parent], int(book.moves[parent])]
        line = _line_to(judge, above, int(book.states[k]), _MOST_ANSWERS)
        if line is None:
            raise PortfolioError("the book has a state that no moves lead to; learn it again")
        lines.append(line)
        yield WrittenEntry(
            line=" ".join(_set_up(judge, line)),
            move=judge.name(move),
            parent=parent,
            games=int(book.games[k]),
            success=float(book.values[k]),
            original=float(book.natural[k]),
        )


def _line_to(judge: Judge, line: list[int], state: int, answers: int) -> list[int] | None:
    """Return a line with at most `answers` more moves that leads to a state, if there is one."""
    if state_after(line) == state:
        return line
    if answers == 0:
        return None
    _set_up(judge, line)
    if judge.points() is not None:
        return None
    numbers = judge.numbers()
    for number in numbers:
        if state_after([*line, number]) == state:
            return [*line, number]
    deeper = (_line_to(judge, [*line, number], state, answers - 1) for number in numbers)
    return next((found for found in deeper if found is not None), None)


def _set_up(judge: Judge, line: Sequence[int]) -> list[str]:
    """Play a line; return the names of its moves."""
    judge.new_game()
    names = []
    for number in line:
        names.append(judge.name(number))
        judge.play(names[-1], known=True)
    return names


def _book(judge: Judge, written: WrittenBook) -> Book:
    states, moves = [], []
    for entry in written.entries:
        if entry.line is None:
            raise PortfolioError("the book in this portfolio has an entry without its line")
        try:
            state, move = _read(judge, entry.line.split(), entry.move)
        except IllegalMoveError as illegal:
            raise PortfolioError(
                f"the book in this portfolio is not playable: {illegal} is not legal after "
                f"{entry.line or 'no moves'}"
            ) from illegal
        if entry.state not in (None, f"{state:016x}"):
            raise PortfolioError(
                f"the book in this portfolio is not playable: the state after "
                f"{entry.line or 'no moves'} is {state:016x}, not {entry.state}"
            )
        states.append(state)
        moves.append(move)
    book = book_of(written, np.array(states, np.uint64), np.array(moves, np.int64))
    book.instructions().table  # noqa: B018 - raises ValueError if the book is not playable
    return book


def _read(judge: Judge, line: Sequence[str], move: str) -> tuple[int, int]:
    """Return the state after a line, and the number of a move there."""
    judge.new_game()
    numbers = []
    for name in line:
        numbers.append(judge.number(name))
        judge.play(name, known=True)
    return state_after(numbers), judge.number(move)
