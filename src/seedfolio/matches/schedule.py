"""Which programs of a match meet in which game, with which arms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from seedfolio.core.randomness import mix_int
from seedfolio.engines.clock import TimeControl
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.openings import Line, digest_of, opening_lines
from seedfolio.engines.specification.positions import position_in
from seedfolio.engines.specification.specification import OPEN_SPIEL
from seedfolio.engines.specification.tables import AdjudicationTable, GameTable
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.load import load_opponent
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.program import Program

MOST_PROGRAMS = 100
_FOLLOWED = ("openings", "adjudication", "clock")
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
    openings: tuple[Line, ...] = ()
    """Where the games begin, in place of what the files of engines say."""
    adjudication: AdjudicationTable | None = None
    """When games end by scores, in place of what the files of engines say."""
    gauntlet: bool = False
    """Whether only the first program meets the others."""

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
        places = range(len(self.programs))
        return (
            [(0, each) for each in places[1:]] if self.gauntlet else list(combinations(places, 2))
        )

    @property
    def learning(self) -> tuple[str, ...]:
        """The names of the programs that learn from game to game."""
        both = zip(self.names, self.programs, strict=True)
        return tuple(name for name, program in both if program.memory is not None)

    def colours(self, number: int) -> tuple[int, int]:
        """Return the programs that have the first and the second move in a game."""
        one, other = self.pairs[number // 2 % len(self.pairs)]
        return (other, one) if number % 2 else (one, other)

    def opening(self, number: int) -> tuple[int, Line] | None:
        """Return the opening of a game and its number, the same for both colours; None: no opening.

        All come in turn. Without openings of the match, they are those of the first engine of the
        two that has any, by which `boost` judges.
        """
        lines = self.openings
        for engine in () if lines else self._engines(number):
            if engine.openings is not None:
                lines = engine.openings.judging
                break
        if not lines:
            return None
        which = number // 2 // len(self.pairs) % len(lines)
        return which, lines[which]

    def rules_of_end(self, number: int) -> AdjudicationTable | None:
        """Return when a game ends by scores: else as the first engine that has rules says."""
        tables = [each.specification.adjudication for each in self._engines(number)]
        return next(filter(None, [self.adjudication, *tables]), None)

    @cached_property
    def clock(self) -> tuple[TimeControl, int] | None:
        """The time control and the margin: else as the first engine says that has a clock."""
        if self.control is not None:
            return self.control, self.margin
        tables = [each.engine.specification.clock for each in self.programs if each.engine]
        table = next(filter(None, tables), None)
        return None if table is None else (table.control, table.margin)

    def _engines(self, number: int) -> list[EngineProgram]:
        """Return the engines of a game, in the order in which they were given."""
        engines = (self.programs[place].engine for place in sorted(self.colours(number)))
        return [each for each in engines if each is not None]

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
        programs, rules = zip(self.names, self.programs, strict=True), self.adjudication
        follows = [each.engine.specification for each in self.programs if each.engine is not None]
        kept = {name for name in _FOLLOWED for each in follows if getattr(each, name) is not None}
        return {
            # Earlier versions did not look at these tables of an engine's file.
            **({"follows": sorted(kept)} if kept else {}),
            **({} if self.control is None else {"time": asdict(self.control)}),
            **({"openings": digest_of(self.openings)} if self.openings else {}),
            **({} if rules is None else {"adjudication": rules.model_dump()}),
            **({"gauntlet": True} if self.gauntlet else {}),
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
    loaded = tuple(load_opponent(each, learning=True) for each in programs)
    _check_same_game(loaded)
    return Pairings(loaded, key)


def load_lines(file: str | Path, plies: int, programs: Pairings) -> tuple[Line, ...]:
    """Return the openings of a file, in an order that the key of the match draws."""
    one = programs.programs[0]
    if one.engine is not None:
        table = one.engine.specification.game
    else:
        key = game_key(one)
        is_go = key["name"] == "go"
        size = {"board": key["board"], "komi": key["komi"]} if is_go else {}
        table = GameTable(name="go" if is_go else one.game.text, **size)
    lines = [line for line in dict.fromkeys(opening_lines(Path(file), table, plies)) if line]
    if not lines:
        raise SpecificationError(f"{file} has no openings for {one.title}")
    gtp = [each.name for each in programs.programs if each.speaks("gtp")]
    if gtp and any(position_in(line[0]) is not None for line in lines):
        raise SpecificationError(
            f"{file} has positions (FEN), and {gtp[0]} speaks GTP, which has no command for them"
        )
    drawn = mix_int(programs.key)
    return tuple(sorted(lines, key=lambda line: digest_of([line, (str(drawn),)])))


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
