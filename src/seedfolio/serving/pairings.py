"""The programs of a match, and which of them meet in which game with which arms."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.engines.program import EngineProgram, is_engine_file
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE
from seedfolio.players.interface import identity
from seedfolio.players.program import Program
from seedfolio.portfolios.file import load_portfolio
from seedfolio.serving.match_record import MatchGame
from seedfolio.serving.opponent import ArmInPlay, Boosted, Opponent, Original, load_opponent

MOST_PROGRAMS = 100


@dataclass(frozen=True)
class Pairings:
    """The programs of a match and its list of games, which has no end.

    Each round holds two games of each two programs, one with each colour.
    """

    programs: tuple[Opponent, ...]
    key: int

    @property
    def game(self) -> Game:
        """The game that all play."""
        return self.programs[0].program.game

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the programs, with a number where two have the same."""
        names = [each.name for each in self.programs]
        return tuple(
            name if names.count(name) == 1 else f"{name} #{number}"
            for number, name in enumerate(names, 1)
        )

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Which programs meet, as their places."""
        return list(combinations(range(len(self.programs)), 2))

    def colours(self, number: int) -> tuple[int, int]:
        """Return the programs that have the first and the second move in a game."""
        one, other = self.pairs[number // 2 % len(self.pairs)]
        return (other, one) if number % 2 else (one, other)

    def arms(self, number: int) -> tuple[ArmInPlay, ArmInPlay]:
        """Return the arms of a game."""
        drawn = mix_int(mix_int(self.key) + number)
        first, second = (self.programs[each] for each in self.colours(number))
        return first.new_game(0, drawn), second.new_game(1, drawn)

    def names_and_arms(self, number: int) -> tuple[tuple[str, str], tuple[int, int]]:
        """Return the names of the players of a game, and the numbers of their arms."""
        (first, second), arms = self.colours(number), self.arms(number)
        return (self.names[first], self.names[second]), (arms[0].number, arms[1].number)

    def identity(self) -> dict[str, Any]:
        """Return all on which the games depend."""
        programs = zip(self.names, self.programs, strict=True)
        return {
            "game": self.game.identity(),
            "programs": [
                {"name": name, "player": identity(each.program.player), "plays": digest(each)}
                for name, each in programs
            ],
            "key": self.key,
        }

    def prepare(self) -> None:
        """Compile all that games need, in this thread alone."""
        for program in self.programs:
            plain = program.new_game(0, 0)
            history: list[int] = []
            while (position := self.game.position(history)).mover == CHANCE and position.moves:
                history.append(plain.draw_chance(history))
            plays = program.plays.arms if isinstance(program, Boosted) else ()
            turned = [arm for arm in plays if arm >> SYMMETRY_SHIFT]
            for arm in (plain.number, *turned[:1]):
                if position.moves:
                    program.playing.choose(history, arm, plain.luck)

    def play(self, number: int, stop: Event) -> MatchGame | None:
        """Play a game; None if `stop` is set on the way."""
        sides, history = self.arms(number), list[int]()
        while (position := self.game.position(history)).moves:
            if stop.is_set():
                return None
            if position.mover == CHANCE:
                history.append(sides[0].draw_chance(history))
            else:
                history.append(sides[position.mover].choose(history))
        names, arms = self.names_and_arms(number)
        moves = tuple(self.game.move_name(move) for move in history)
        return MatchGame(number, names, arms, moves, position.score or 0)


def load_pairings(programs: Sequence[Any], key: int) -> Pairings:
    """Return the programs of a match; SpecificationError if they cannot meet."""
    if not 2 <= len(programs) <= MOST_PROGRAMS:
        raise SpecificationError(
            f"a match needs 2 to {MOST_PROGRAMS} programs, and {len(programs)} "
            f"{'is' if len(programs) == 1 else 'are'} given"
        )
    loaded = tuple(load_entrant(each) for each in programs)
    one = loaded[0].program.game
    for other in (each.program.game for each in loaded[1:]):
        if other.identity() != one.identity():
            versions = ""
            if other.title == one.title:
                versions = f": version {one.version} and version {other.version} of its rules"
            raise SpecificationError(
                f"all programs of a match must play the same game, not {one.title} and "
                f"{other.title}{versions}"
            )
    return Pairings(loaded, key)


def load_entrant(program: Any) -> Opponent:
    """Return a program of a match, loaded or described."""
    if isinstance(program, Boosted | Original):
        return program
    if isinstance(program, Program):
        return Original(program)
    if isinstance(program, Game):
        return load_opponent(program)
    if isinstance(program, EngineProgram):
        raise _engine(program.name)
    if not isinstance(program, str | Path):
        raise SpecificationError(
            "a program of a match must be a portfolio file, a text such as "
            f"domineering:7x7@uct:simulations=300, or a loaded program, not {program!r}"
        )
    text, player = _split(str(program))
    if is_engine_file(text):
        raise _engine(text)
    if text.endswith(".json") and load_portfolio(text).engine is not None:
        raise _engine(text)
    return load_opponent(text, player)


def _split(text: str) -> tuple[str, str | None]:
    """Return the game or file, and the player after the last @, if there is one."""
    game, at, player = text.rpartition("@")
    # A folder or a file may have an @ in its name; a player has no such endings.
    if not at or "/" in player or player.endswith((".json", ".toml")) or ".py" in player:
        return text, None
    return game, player


def _engine(name: str) -> SpecificationError:
    return SpecificationError(
        f"{name} is an external engine; a match is between built-in programs only, for now"
    )


def digest(program: Opponent) -> str | None:
    """Return a digest of what was learnt; None for an original."""
    found = hashlib.sha256()
    if isinstance(program, Boosted) and (drawn := program.plays.distributions) is not None:
        for side in (drawn.first, drawn.second):
            found.update(np.array(side.arms, "<u8").tobytes())
            found.update(np.array(side.weights, "<f8").tobytes())
    elif program.playing.books is not None:
        found.update(program.playing.book_words.astype("<u8").tobytes())
    else:
        return None
    return found.hexdigest()
