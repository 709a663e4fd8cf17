"""Hints: what the program thinks in the visitor's place, asked with several seeds, and its book."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from seedfolio.engines.specification.positions import chess_start
from seedfolio.games.chess.san import san_moves
from seedfolio.opponents.game_in_progress import PERSON, GameInProgress
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.program import Program
from seedfolio.portfolios.book.rows import WrittenBook

_SEEDS = 8
_MOST_THINKING = 4_000
"""Simulations of all seeds together, so that a hint takes no longer than a few moves."""
_MOST_KEPT = 1_000
_SHOWN = 3


@dataclass(frozen=True)
class Advice:
    """A move that some seeds thought about."""

    move: str
    seeds: int
    """How many seeds would play it."""
    visits: int
    """In how many simulations; 0 if the player does not tell."""
    success: float | None
    """Their mean in percent, where the player tells."""


@dataclass(frozen=True)
class BookMove:
    """A move of the book, with what learning found."""

    move: str
    success: float
    """In percent."""
    games: int


@dataclass(frozen=True)
class Hint:
    """What the program thinks."""

    asked: int
    """How many seeds."""
    moves: tuple[Advice, ...]
    book: tuple[BookMove, ...]


class Hints:
    """The hints that were asked for, by a sitting and its moves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[tuple[str, tuple[int, ...]], Hint] = OrderedDict()

    def find(self, sitting: str, now: GameInProgress) -> Hint | None:
        """Return the hint for a position, if somebody asked for it."""
        with self._lock:
            return self._found.get((sitting, now.history))

    def keep(self, sitting: str, now: GameInProgress, hint: Hint) -> None:
        """Keep a hint."""
        with self._lock:
            self._found[sitting, now.history] = hint
            while len(self._found) > _MOST_KEPT:
                self._found.popitem(last=False)


def can_advise(opponent: Opponent | None, now: GameInProgress) -> bool:
    """Tell whether there is a hint: on the person's turn, from a built-in program."""
    built_in = opponent is not None and isinstance(opponent.program, Program)
    return built_in and now.turn == PERSON and now.game.seat is None


def advise(opponent: Opponent, now: GameInProgress, book: Iterable[BookMove] = ()) -> Hint:
    """Return what seeds of the program think in the person's place, beside what its book says."""
    program = opponent.program.compiled()
    thinking = program.player.thinking
    effort = 1 if thinking is None else int(program.player.parameters[thinking])
    asked = max(1, min(_SEEDS, _MOST_THINKING // effort))
    votes, visits = Counter[int](), Counter[int]()
    points: dict[int, float] = defaultdict(float)
    for seed in range(asked):
        room = program.workspace()
        votes[program.choose(now.history, seed, seed, room)] += 1
        for each in () if program.bound.thoughts is None else program.bound.thoughts(room):
            visits[each.move] += each.visits
            points[each.move] += each.visits * each.success
    best = sorted({*votes, *visits}, key=lambda move: (-visits[move], -votes[move], move))
    moves = [
        Advice(
            _written(now, move),
            votes[move],
            visits[move],
            100 * points[move] / visits[move] if visits[move] else None,
        )
        for move in best[:_SHOWN]
    ]
    return Hint(asked, tuple(moves), tuple(book))


def book_moves(book: WrittenBook, now: GameInProgress) -> Iterator[BookMove]:
    """Yield what a book for the person's colour says of a position; nothing where it has ended."""
    line = " ".join(now.game.move_name(move) for move in now.history)
    state = f"{now.game.information(now.history, now.person).history:016x}"
    for entry in book.entries:
        if entry.state == state or (entry.state is None and entry.line == line):
            move = _written(now, now.game.parse_move(entry.move))
            yield BookMove(move, 100 * entry.success, entry.games)


def _written(now: GameInProgress, move: int) -> str:
    """Return the name of a move, in chess as people write it."""
    name, fen = now.game.move_name(move), chess_start(now.game.source)
    if fen is None:
        return name
    return san_moves([*map(now.game.move_name, now.history), name], fen)[-1]
