"""What a protocol such as GTP or UCI serves: a program, and its games one by one.

A protocol uses the names of moves, and 0 and 1 for the colours. It serves anything that has the
two interfaces below: the built-in players, or an external engine.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import count
from typing import Protocol

from seedfolio.core.randomness import mix_int
from seedfolio.serving.go_limits import GoLimits


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


class ServedProgram(Protocol):
    """A program that draws its arms at the start of each game."""

    @property
    def name(self) -> str:
        """The name on screen."""
        ...

    def prepare(self) -> None:
        """Do the slow work that is needed once: compile, start a process."""
        ...

    def new_game(self, key: int) -> ServedGame:
        """Begin a game with the arms that `key` (64 random bits) draws."""
        ...

    def beginning_at(self, fen: str) -> ServedProgram:
        """Return the program for games that begin at a position; SpecificationError if it cannot.

        It plays without a book there.
        """
        ...


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

    def __init__(self, program: ServedProgram, key: int | None) -> None:
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
