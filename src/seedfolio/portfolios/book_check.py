"""Whether a book in a file can be played: its lines and moves are legal, and lead to its states.

A file may have been changed. The rules of a game do not say what an illegal move does: it may even
make a game endless. So each line is played by the rules when a book is loaded, in compiled code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedfolio.games.game import Game
from seedfolio.games.line_check import ILLEGAL, TURN
from seedfolio.portfolios.book import Numbers, Words
from seedfolio.portfolios.book_moves import states_after
from seedfolio.portfolios.book_rows import MovesBook, StatesBook, WrittenBook


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
