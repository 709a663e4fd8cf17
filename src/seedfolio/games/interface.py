"""What a game is: a handful of compiled functions over a small state, and some facts.

A game file holds one function marked `@game(...)` that takes the board's parameters and returns
`Rules`. The state is a tuple of integers (or of bit sets) and never leaves compiled code: Python
knows a position by the moves that led to it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.compiling import compiled, compiled_entry
from seedfolio.core.randomness import below
from seedfolio.errors import SpecificationError
from seedfolio.games.board import Board


@dataclass(frozen=True)
class Symmetry:
    """A way to turn or mirror the board that leaves the game the same.

    `moves[m]` is the image of move m (of any m that is never legal, anything).
    """

    name: str
    moves: NDArray[np.int64]


@dataclass(frozen=True)
class Rules:
    """The rules of one game on one board. Functions are `compiled`; colours are 0 and 1.

    A move is an integer from 0 to len(move_names) - 1.
    """

    start: Callable[[], Any]
    """start(): the state before the first move."""
    mover: Callable[[Any], Any]
    """mover(state): the colour to move."""
    moves: Callable[[Any, Any, Any], Any]
    """moves(state, out, at): write the legal moves to out[at], out[at + 1], ... and return how
    many there are; none means that the game is over."""
    play: Callable[[Any, Any], Any]
    """play(state, move): the state after a legal move."""
    score: Callable[[Any], Any]
    """score(state): half points of the first player (0, 1 or 2) once the game is over."""
    cells: Callable[[Any, Any], None]
    """cells(state, out): write what is on each cell to `out`, an index into board.glyphs."""
    move_names: Sequence[str]
    """The notation of each move; empty for a number that is never a move."""
    max_moves: int
    """No state has more legal moves than this."""
    max_plies: int
    """No game is longer than this."""
    board: Board
    """How to show it to a person."""
    symmetries: Sequence[Symmetry] = ()
    """All symmetries but the identity."""
    random_move: Callable[[Any, Any, Any, Any, Any], Any] | None = None
    """random_move(state, key, step, out, at): optional fast path of picking move number
    below(key, step, n) out of `moves`; return (move, step + 1), or (-1, step) when over.
    `out` from index `at` on is scratch space for `max_moves` moves."""

    def functions(self) -> dict[str, Callable[..., Any]]:
        """Return the functions that every game has, by the names that entries call them."""
        return {
            "start": self.start,
            "mover": self.mover,
            "moves": self.moves,
            "play": self.play,
            "score": self.score,
            "cells": self.cells,
        }


@dataclass(frozen=True)
class Position:
    """A position as Python sees it."""

    mover: int
    moves: tuple[int, ...]
    """Legal moves; empty when the game is over."""
    score: int | None
    """Half points of the first player once the game is over."""
    cells: NDArray[np.int64]


@dataclass(frozen=True)
class Game:
    """A game on a board of given size: `domineering(rows=7, columns=7)`."""

    name: str
    version: int
    parameters: Mapping[str, int]
    text: str
    """The short form, for people and file names: `domineering:7x7`."""
    rules: Rules
    source: str
    """What `load_game` takes to find it again: `text`, or a user's own file with options."""

    @property
    def title(self) -> str:
        """The name as shown to people: `domineering 7x7`."""
        return self.text.replace(":", " ").replace(",", " ")

    def identity(self) -> dict[str, Any]:
        """What results are tied to: the name, the version of the rules and the parameters."""
        return {"name": self.name, "version": self.version, "parameters": dict(self.parameters)}

    @cached_property
    def random_move(self) -> Callable[..., Any]:
        """The compiled random move: the game's own, or one made from `moves`."""
        return self.rules.random_move or _random_move_from(self.rules.moves)

    def position(self, history: Sequence[int]) -> Position:
        """Return the position after `history`; SpecificationError if a move in it is illegal."""
        rules = self.rules
        moves = np.asarray(history, np.int64).reshape(-1)
        legal = np.zeros(rules.max_moves + 1, np.int64)
        cells = np.zeros(rules.board.size, np.int64)
        mover, count, score, played = self._look(moves, legal, cells)
        if played < len(moves):
            raise SpecificationError(
                f"{self.title}: move {played + 1} ({self.move_name(int(moves[played]))}) is illegal"
            )
        return Position(
            mover=int(mover),
            moves=tuple(int(move) for move in legal[:count]),
            score=int(score) if count == 0 else None,
            cells=cells,
        )

    def draw(self, history: Sequence[int] = ()) -> str:
        """Return the board after `history` as text."""
        return self.rules.board.draw(self.position(history).cells)

    def move_name(self, move: int) -> str:
        """Return the notation of a move."""
        names = self.rules.move_names
        return names[move] if 0 <= move < len(names) and names[move] else f"number {move}"

    def parse_move(self, text: str) -> int:
        """Return the move with this notation, whatever its case; SpecificationError if none."""
        move = self._moves_by_name.get(text.strip().lower())
        if move is None:
            example = next(name for name in self.rules.move_names if name)
            raise SpecificationError(
                f"{text.strip()!r} is not a move of {self.title}; moves look like {example}"
            )
        return move

    @cached_property
    def _moves_by_name(self) -> dict[str, int]:
        return {name.lower(): move for move, name in enumerate(self.rules.move_names) if name}

    @cached_property
    def _look(self) -> Callable[..., Any]:
        return compiled_entry(_look_template, self.rules.functions())


def _random_move_from(moves: Callable[..., Any]) -> Callable[..., Any]:
    @compiled
    def random_move(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
        count = moves(state, out, at)
        if count == 0:
            return np.int64(-1), step
        return np.int64(out[at + below(key, step, count)]), step + 1

    return random_move


# Names that a binding fills in; they exist here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
cells: Any = None


def _look_template(history: Any, legal: Any, out: Any) -> Any:
    """Replay `history`; return (mover, number of legal moves, score, moves played)."""
    state = start()
    count = moves(state, legal, 0)
    for ply in range(len(history)):
        found = False
        for k in range(count):
            if legal[k] == history[ply]:
                found = True
        if not found:
            cells(state, out)
            return mover(state), count, np.int64(-1), ply
        state = play(state, history[ply])
        count = moves(state, legal, 0)
    cells(state, out)
    points = np.int64(-1)
    if count == 0:
        points = score(state)
    return mover(state), count, points, len(history)


@dataclass(frozen=True)
class GameKind:
    """A game with its board still to be chosen: what `@game` makes of a function."""

    name: str
    version: int
    summary: str
    build: Callable[..., Rules]

    @property
    def defaults(self) -> dict[str, int]:
        """The parameters and their default values."""
        signature = inspect.signature(self.build)
        return {name: int(item.default) for name, item in signature.parameters.items()}

    def __call__(self, **parameters: int) -> Game:
        """Return the game on the board that `parameters` describe."""
        defaults = self.defaults
        for name, value in parameters.items():
            if name not in defaults:
                raise SpecificationError(
                    f"{self.name} has no parameter {name!r}; it has {', '.join(defaults)}"
                )
            if not isinstance(value, int) or isinstance(value, bool):
                raise SpecificationError(f"{self.name}: {name} is a whole number, not {value!r}")
        chosen = {**defaults, **parameters}
        try:
            rules = self.build(**chosen)
        except ValueError as error:
            raise SpecificationError(f"{self.name}: {error}") from None
        except Exception as error:
            raise SpecificationError(
                f"{self.name}: its rules cannot be made: {type(error).__name__}: {error}"
            ) from error
        text = self._text(chosen)
        source = text if self._is_built_in else self._source(chosen)
        return Game(self.name, self.version, chosen, text, rules, source)

    @property
    def _is_built_in(self) -> bool:
        package = __name__.rpartition(".")[0]
        return self.build.__module__.rpartition(".")[0] == package

    def _source(self, chosen: Mapping[str, int]) -> str:
        """Return the file of a user's own game, with the options: what `load_game` takes."""
        path = Path(inspect.getsourcefile(self.build) or "").absolute()
        # Typed into a session it has no file yet; this is the one to write for others to find.
        file = str(path) if path.suffix == ".py" and path.is_file() else f"{self.name}.py"
        options = ",".join(f"{name}={value}" for name, value in chosen.items())
        return f"{file}:{options}" if options else file

    def _text(self, chosen: Mapping[str, int]) -> str:
        rest = dict(chosen)
        parts = []
        if "rows" in rest and "columns" in rest:
            parts.append(f"{rest.pop('rows')}x{rest.pop('columns')}")
        elif "size" in rest:
            size = rest.pop("size")
            parts.append(f"{size}x{size}")
        defaults = self.defaults
        parts += [f"{name}={value}" for name, value in rest.items() if value != defaults[name]]
        return f"{self.name}:{','.join(parts)}" if parts else self.name


def game(name: str, *, version: int, summary: str) -> Callable[[Callable[..., Rules]], GameKind]:
    """Mark a function that returns `Rules` as a game.

    `version` goes up whenever the rules change what can be played: results, portfolios and
    studies are tied to it. The function raises ValueError for a board that cannot be.
    """

    def mark(build: Callable[..., Rules]) -> GameKind:
        for item in inspect.signature(build).parameters.values():
            if not isinstance(item.default, int):
                raise TypeError(f"game {name}: parameter {item.name} needs a whole-number default")
        return GameKind(name, version, summary, build)

    return mark
