"""Plays the games of a match between built-in programs, in compiled code where it can."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from itertools import permutations
from threading import Event

import numpy as np

from seedfolio.arena import Arena
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.errors import SpecificationError
from seedfolio.games.rules import CHANCE
from seedfolio.serving.duels import MatchDuels
from seedfolio.serving.entrants import BuiltInEntrant
from seedfolio.serving.match_record import MatchGame
from seedfolio.serving.opponent import Boosted, Opponent
from seedfolio.serving.pairings import Pairings


class BuiltInHost:
    """Plays games between the built-in programs of a match, from any thread.

    Whole games are compiled code, one call each. Two programs that compiled code does not play
    together (see `serving.duels`) play the same games move by move.
    """

    def __init__(self, pairings: Pairings) -> None:
        self._pairings = pairings
        self._opponents = {
            place: entrant.opponent
            for place, entrant in enumerate(pairings.programs)
            if isinstance(entrant, BuiltInEntrant)
        }
        self._game = next(iter(self._opponents.values())).program.game
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
            compile_moves(self._opponents[place])
        self._duels.compile()

    def play(self, number: int, stop: Event) -> MatchGame | None:
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
            luck = self._opponents[first].new_game(0, self._pairings.key_of(number)).luck
            history, points = program.play_line(arms, luck)
        return MatchGame(number, names, arms, tuple(map(self._game.move_name, history)), points)

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

    def results(self, arena: Arena, numbers: Sequence[int]) -> Generator[MatchGame, None, None]:
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
            yield MatchGame(number, names, arms, (), found[cell])

    def _move_by_move(self, number: int, stop: Event) -> tuple[int, ...] | None:
        drawn, places = self._pairings.key_of(number), self._pairings.colours(number)
        sides = [self._opponents[place].new_game(k, drawn) for k, place in enumerate(places)]
        history: list[int] = []
        while (position := self._game.position(history)).moves:
            if stop.is_set():
                return None
            if position.mover == CHANCE:
                history.append(sides[0].draw_chance(history))
            else:
                history.append(sides[position.mover].choose(history))
        return tuple(history)


def compile_moves(opponent: Opponent) -> None:
    """Compile all that single moves of a program need, so that no game waits for it."""
    plain, game = opponent.new_game(0, 0), opponent.program.game
    history: list[int] = []
    while (position := game.position(history)).mover == CHANCE and position.moves:
        history.append(plain.draw_chance(history))
    plays = opponent.plays.arms if isinstance(opponent, Boosted) else ()
    turned = [arm for arm in plays if arm >> SYMMETRY_SHIFT]
    for arm in (plain.number, *turned[:1]):
        if position.moves:
            opponent.playing.choose(history, arm, plain.luck)
