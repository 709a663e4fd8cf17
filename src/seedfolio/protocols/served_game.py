"""What a protocol such as GTP or UCI serves: a program, and its games one by one.

A protocol uses the names of moves, and 0 and 1 for the colours. It does not ask whether the program
is built in or an external engine.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import count
from typing import Protocol

from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.opponents.opponent import Opponent
from seedfolio.protocols.built_in_game import BuiltInGame
from seedfolio.protocols.go_limits import GoLimits


class ServedGame(Protocol):
    """One game, in which the program can play either colour, or both.

    SpecificationError for impossible requests.
    """

    @property
    def arms(self) -> tuple[str, str]:
        """The names of its arms, as first and as second player."""
        ...

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves so far."""
        ...

    @property
    def mover(self) -> int | None:
        """The colour to move; None when the game is over."""
        ...

    def play(self, colour: int, move: str) -> None:
        """Play a move of `colour`, which anybody may have chosen."""
        ...

    def choose(self, colour: int, limits: GoLimits | None = None) -> str:
        """Return the move of the program as `colour`; the move counts as played.

        An external engine has limits of its own, and does not look at `limits`.
        """
        ...

    def undo(self) -> None:
        """Take back the last move."""
        ...

    def refused(self) -> tuple[str, ...]:
        """Return the refused tries of the program before the last move."""
        ...

    def draw(self) -> str:
        """Return the board as text."""
        ...

    def final_score(self) -> str:
        """Return the result as GTP writes it: `B+3.5`, `W+1`, or `0` for a draw."""
        ...

    def other_commands(self) -> tuple[str, ...]:
        """Return the names of commands that go to the external engine."""
        ...

    def pass_on(self, command: str) -> str:
        """Return its answer to such a command, which does not change the game."""
        ...

    def close(self) -> None:
        """End the engines; they start again when needed."""
        ...


class Served:
    """A program that draws its arms at the start of each game. Only the last game has processes."""

    def __init__(self, opponent: Opponent) -> None:
        self.opponent = opponent
        self._game: ServedGame | None = None

    @property
    def name(self) -> str:
        """The name on screen."""
        return f"Seedfolio {self.opponent.full_name}"

    def prepare(self) -> None:
        """Compile all that a game needs; an engine has been started by loading it."""
        if not self.opponent.is_engine:
            self.new_game(0).choose(0)

    def new_game(self, key: int) -> ServedGame:
        """Begin a game with the arms that `key` (64 random bits) draws, one for each colour."""
        self.close()
        opponent = self.opponent
        if opponent.engine is not None:
            from seedfolio.protocols.external_game import ExternalGame

            arms = opponent.draw_arm(0, key), opponent.draw_arm(1, key)
            self._game = ExternalGame(opponent.engine, arms, opponent.reader(key))
        else:
            seats = opponent.draw_compiled(0, key), opponent.draw_compiled(1, key)
            self._game = BuiltInGame(opponent.game, seats)
        return self._game

    def beginning_at(self, fen: str) -> Served:
        """Return the program for games that begin at a position; SpecificationError if it cannot.

        Its compiled code is the same. It plays without a book there.
        """
        if self.opponent.is_engine:  # lines to an engine that speaks UCI are passed on
            raise SpecificationError("position fen does not work here; use startpos and the moves")
        game = self.opponent.game
        if not game.rules.setup:
            raise SpecificationError(
                f"{game.title} has no position fen; use position startpos and the moves played"
            )
        return Served(self.opponent.beginning_at(load_game(f"{game.name}:fen={fen}")))

    def close(self) -> None:
        """End all processes."""
        if self._game is not None:
            self._game.close()
            self._game = None


def game_keys(key: int | None) -> Iterator[int]:
    """Yield 64 random bits for each game: fresh ones, or computed from `key`.

    The first is the key itself, so that a key gives the same first game everywhere.
    """
    if key is not None:
        yield key
    for number in count(1):
        yield secrets.randbits(64) if key is None else mix_int(mix_int(key) + number)


class ServedGames:
    """The games of a served program, one after the other, each with new arms."""

    def __init__(self, program: Served, key: int | None) -> None:
        self.program = program
        self._fen: str | None = None
        """Where the game begins, if not at the start."""
        self.use_key(key)

    def use_key(self, key: int | None) -> None:
        """Begin again: the first game draws its arms from `key`, fresh random bits if None."""
        self._keys = game_keys(key)
        self._draw()

    def new_game(self) -> None:
        """Begin a game, unless the current one has no moves yet: controllers often ask twice."""
        if self._begun:
            self._draw()

    def begin_at(self, fen: str | None) -> None:
        """Put the game, with the arms it has, at another position; None: at the start."""
        if fen != self._fen:
            program = self.program if fen is None else self.program.beginning_at(fen)
            self.game = program.new_game(self._key)
            self._fen = fen

    def _draw(self) -> None:
        self._key, self._fen = next(self._keys), None
        self.game = self.program.new_game(self._key)
        self._begun = False

    def play(self, colour: int, move: str) -> None:
        """Play a move of `colour`."""
        self.game.play(colour, move)
        self._begun = True

    def choose(self, colour: int, limits: GoLimits | None = None) -> str:
        """Return the move of the program as `colour`; the move counts as played."""
        move = self.game.choose(colour, limits)
        self._begun = True
        return move
