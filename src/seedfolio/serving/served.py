"""What a protocol such as GTP or UCI serves: a program, and its games one by one.

A protocol knows moves by their names and colours by their numbers, 0 and 1. Whatever keeps the two
promises below can stand behind it: the built-in players, or an external engine.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import count
from typing import Protocol

from seedfolio.core.randomness import mix_int


class ServedGame(Protocol):
    """One game, in which the program may be asked to play either colour, or both.

    SpecificationError, in one line, for whatever cannot be done.
    """

    @property
    def arms(self) -> tuple[str, str]:
        """What people call the arms that it plays as first and as second player."""
        ...

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves so far, as they were given or chosen."""
        ...

    @property
    def mover(self) -> int | None:
        """The colour to move; None when the game is over."""
        ...

    def play(self, colour: int, move: str) -> None:
        """Take a move of `colour`, whoever has chosen it."""
        ...

    def choose(self, colour: int) -> str:
        """Return the move of the program as `colour`; it counts as played."""
        ...

    def undo(self) -> None:
        """Take the last move back."""
        ...

    def refused(self) -> tuple[str, ...]:
        """Return the tries of the program that were refused before the last move."""
        ...

    def draw(self) -> str:
        """Return the board as text."""
        ...

    def final_score(self) -> str:
        """Return the result as GTP writes it: `B+3.5`, `W+1`, or `0` for a draw."""
        ...

    def other_commands(self) -> tuple[str, ...]:
        """Return the names of commands that are passed on to an external engine."""
        ...

    def pass_on(self, command: str) -> str:
        """Return its answer to one of them, which leaves the game as it is."""
        ...


class ServedProgram(Protocol):
    """A program that draws its arms at the start of each game."""

    @property
    def name(self) -> str:
        """What it is called on screen."""
        ...

    def prepare(self) -> None:
        """Do what takes long and is done once: compiling, starting a process."""
        ...

    def new_game(self, key: int) -> ServedGame:
        """Begin a game with the arms that `key` (64 random bits) draws."""
        ...


def game_keys(key: int | None) -> Iterator[int]:
    """Yield 64 random bits for each game: fresh ones, or those that follow from `key`.

    The first is the key itself, so that it means the same as for a single game.
    """
    if key is not None:
        yield key
    for number in count(1):
        yield secrets.randbits(64) if key is None else mix_int(mix_int(key) + number)


class ServedGames:
    """The games of a program, one after the other, each with arms of its own."""

    def __init__(self, program: ServedProgram, key: int | None) -> None:
        self.program = program
        self.use_key(key)

    def use_key(self, key: int | None) -> None:
        """Begin anew: the first game draws its arms from `key`, fresh random bits if None."""
        self._keys = game_keys(key)
        self.game = self.program.new_game(next(self._keys))
        self._begun = False

    def new_game(self) -> None:
        """Begin a game, unless the one at hand has not begun: controllers often say so twice."""
        if self._begun:
            self.game = self.program.new_game(next(self._keys))
            self._begun = False

    def play(self, colour: int, move: str) -> None:
        """Take a move of `colour`."""
        self.game.play(colour, move)
        self._begun = True

    def choose(self, colour: int) -> str:
        """Return the move of the program as `colour`; it counts as played."""
        move = self.game.choose(colour)
        self._begun = True
        return move
