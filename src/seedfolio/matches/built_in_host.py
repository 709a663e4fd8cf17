"""Plays the games of a match between built-in programs, in compiled code where it can."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import permutations
from threading import Event

import numpy as np

from seedfolio.arena import Arena
from seedfolio.core.compiler import fingerprint
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.matches.schedule import Pairings
from seedfolio.opponents.opponent import Opponent
from seedfolio.opponents.referee import GameReferee, play_out
from seedfolio.players.duel import Duel
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio, packed


@dataclass
class MatchDuels:
    """Makes the programs; those that differ in numbers only share their compiled code."""

    _code: dict[tuple[bool, bool, str], Program] = field(default_factory=dict)

    def of(self, first: Opponent, second: Opponent) -> Program | None:
        """Return the program of two opponents, by the colours that they have.

        None if compiled code does not play the two together: a book with arms under symmetries of
        the board, or two books of which only one is played under them.
        """
        mine, theirs = first.program.compiled(), second.program.compiled()
        if mine.books or theirs.books:
            return None  # books that a caller has packed
        books = [_books(first), _books(second)]
        turned = _turns(first) or _turns(second)
        program = Program(first.game, Duel(mine.player, theirs.player), turned=turned)
        found = [each for each in books if each is not None]
        if found:
            if turned or len({each.symmetric for each in found}) > 1:
                return None
            sides = [ORIGINAL if book is None else book[k] for k, book in enumerate(books)]
            program = program.with_books(packed(sides, symmetric=found[0].symmetric))
        code = fingerprint(program.bound.choose, program.bound.again) or program.title
        alike = self._code.setdefault((bool(found), turned, code), program)
        program.share_code(alike, "_play_line")
        return program

    def compile(self) -> None:
        """Compile whole games, in this thread alone."""
        for program in self._code.values():
            program.play_line((0, 0), 0)


def _books(opponent: Opponent) -> BookPortfolio | None:
    return opponent.plays if isinstance(opponent.plays, BookPortfolio) else None


def _turns(opponent: Opponent) -> bool:
    """Tell whether it draws arms under symmetries of the board."""
    arms = () if opponent.plays is None else opponent.plays.arms
    return any(arm >> SYMMETRY_SHIFT for arm in arms)


class BuiltInHost:
    """Plays games between the built-in programs of a match, from any thread.

    Whole games are compiled code, one call each. Two programs that compiled code does not play
    together (see `MatchDuels`) play the same games move by move.
    """

    def __init__(self, pairings: Pairings) -> None:
        self._pairings = pairings
        self._opponents = {
            place: opponent
            for place, opponent in enumerate(pairings.programs)
            if not opponent.is_engine
        }
        self._game = next(iter(self._opponents.values())).game
        if self._game.rules.scale != 2:
            raise SpecificationError(
                f"{self._game.title} is played for payoffs; a match needs wins, draws and losses"
            )
        self._duels = MatchDuels()
        self._programs = {
            (first, second): self._duels.of(self._opponents[first], self._opponents[second])
            for first, second in permutations(self._opponents, 2)
        }

    def prepare(self, moves: bool = False) -> None:
        """Compile all that games need, in this thread alone; `moves`: also single moves of all."""
        apart = {each for colours, found in self._programs.items() if not found for each in colours}
        for place in sorted(self._opponents if moves else apart):
            self._opponents[place].prepare()
        self._duels.compile()

    def play(self, number: int, stop: Event) -> GameRecord | None:
        """Play a game; None if `stop` is set on the way."""
        names, arms = self._pairings.names_and_arms(number)
        if stop.is_set():
            return None
        first, second = self._pairings.colours(number)
        program = self._programs[first, second]
        if program is None:
            history = self._move_by_move(number, stop)
            if history is None:
                return None
            points = self._game.position(history).score or 0
        else:
            key = self._pairings.key_of(number)
            luck = self._opponents[first].draw_compiled(0, key).luck
            history, points = program.play_line(arms, luck)
        moves = tuple(map(self._game.move_name, history))
        return GameRecord(players=names, arms=arms, number=number, moves=moves, points=points)

    def stop(self) -> None:
        """Do nothing: games end soon."""

    def close(self) -> None:
        """Do nothing: there is no process."""

    @property
    def takes_arena(self) -> bool:
        """Whether an arena can play all games.

        It draws luck from the arms alone, so that two arms would always have the same.
        """
        return all(each is not None and not each.has_luck for each in self._programs.values())

    def results(self, arena: Arena, numbers: Sequence[int]) -> Generator[GameRecord, None, None]:
        """Yield games without their moves, played by an arena."""
        found: dict[tuple[tuple[int, int], int, int], int] = {}
        cells = [(self._pairings.colours(each), *self._pairings.arms(each)) for each in numbers]
        for colours, program in self._programs.items():
            mine = [cell[1:] for cell in cells if cell[0] == colours]
            if program is None or not mine:
                continue
            rows, columns = np.array(mine, np.uint64).T.copy()
            with closing(arena.play(program, rows, columns)) as blocks:
                for block in blocks:
                    played = zip(block.rows, block.columns, block.results, strict=True)
                    found |= {(colours, int(r), int(c)): int(p) for r, c, p in played}
        for number, cell in zip(numbers, cells, strict=True):
            names, arms = self._pairings.names_and_arms(number)
            yield GameRecord(players=names, arms=arms, number=number, moves=(), points=found[cell])

    def _move_by_move(self, number: int, stop: Event) -> tuple[int, ...] | None:
        drawn, places = self._pairings.key_of(number), self._pairings.colours(number)
        seats = [self._opponents[place].draw(k, drawn) for k, place in enumerate(places)]
        return play_out(GameReferee(self._game), seats, stop.is_set)
