"""Which programs of a match meet in which game, with which arms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from seedfolio.core.randomness import mix_int
from seedfolio.engines.specification.specification import OPEN_SPIEL
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.clock import TimeControl
from seedfolio.opponents.load import load_opponent
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.program import Program

MOST_PROGRAMS = 100
_FOLLOWED = ("openings", "adjudication")
GameKey = dict[str, Any]
"""What two programs must have in common to meet."""


@dataclass(frozen=True)
class Pairings:
    """The programs of a match and its list of games, which has no end.

    Each round holds two games of each two programs, one with each colour.
    """

    programs: tuple[Opponent, ...]
    key: int
    control: TimeControl | None = None
    """The clocks of all games; None: there are none."""
    margin: int = 0
    """Milliseconds that a program may be late."""

    @property
    def title(self) -> str:
        """The game that all play."""
        return self.programs[0].title

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

    def has_repeats(self, first: int, second: int) -> bool:
        """Tell whether two programs have few arms that always play the same."""
        return all(self.programs[place].is_repetitive for place in (first, second))

    def key_of(self, number: int) -> int:
        """Return the 64 random bits that draw the arms of a game."""
        return mix_int(mix_int(self.key) + number)

    def arms(self, number: int) -> tuple[int, int]:
        """Return the numbers of the arms of a game."""
        drawn, (first, second) = self.key_of(number), self.colours(number)
        return self.programs[first].draw_arm(0, drawn), self.programs[second].draw_arm(1, drawn)

    def names_and_arms(self, number: int) -> tuple[tuple[str, str], tuple[int, int]]:
        """Return the names of the players of a game, and the numbers of their arms."""
        first, second = self.colours(number)
        return (self.names[first], self.names[second]), self.arms(number)

    def identity(self) -> dict[str, Any]:
        """Return all on which the games depend."""
        programs = zip(self.names, self.programs, strict=True)
        follows = [each.engine.specification for each in self.programs if each.engine is not None]
        kept = {name for name in _FOLLOWED for each in follows if getattr(each, name) is not None}
        return {
            # Earlier versions did not look at these tables of an engine's file.
            **({"follows": sorted(kept)} if kept else {}),
            **({} if self.control is None else {"time": asdict(self.control)}),
            "game": game_key(self.programs[0]),
            "programs": [{**each.identity(), "name": name} for name, each in programs],
            "key": self.key,
        }


def load_pairings(programs: Sequence[Any], key: int) -> Pairings:
    """Return the programs of a match; SpecificationError if they cannot meet."""
    if not 2 <= len(programs) <= MOST_PROGRAMS:
        raise SpecificationError(
            f"a match needs 2 to {MOST_PROGRAMS} programs, and {len(programs)} "
            f"{'is' if len(programs) == 1 else 'are'} given"
        )
    loaded = tuple(load_opponent(each) for each in programs)
    _check_same_game(loaded)
    return Pairings(loaded, key)


def game_key(opponent: Opponent) -> GameKey:
    """Return what identifies the game of a program."""
    if isinstance(opponent.program, Program):
        return _key_of(opponent.program.game)
    game = opponent.program.specification.game
    if game.is_go:
        return {"name": "go", "board": game.board, "komi": game.komi}
    if game.name.startswith(OPEN_SPIEL):
        return {"name": game.name}
    return _key_of(opponent.game)


def _key_of(game: Game) -> GameKey:
    if game.name == "go":  # engines play it, too, with a referee
        board, komi = game.rules.board.columns, game.parameters["komi"]
        return {"name": "go", "board": board, "komi": float(komi)}
    return game.identity()


def _check_same_game(opponents: tuple[Opponent, ...]) -> None:
    """Raise SpecificationError unless all play the same game."""
    one = opponents[0]
    for other in opponents[1:]:
        if game_key(other) == game_key(one):
            continue
        versions = ""
        if other.title == one.title:
            mine, theirs = (_told_apart(game_key(each)) for each in (one, other))
            versions = f": {mine} and {theirs}"
        raise SpecificationError(
            f"all programs of a match must play the same game, not {one.title} and "
            f"{other.title}{versions}"
        )


def _told_apart(key: GameKey) -> str:
    if "version" in key:
        return f"version {key['version']} of its rules"
    return f"komi {key['komi']:g}" if "komi" in key else "rules of OpenSpiel"
