"""Plays the games of a match: in compiled code where it can, else seat by seat."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import permutations
from threading import Event, Lock

import numpy as np

from seedfolio.arena import Arena
from seedfolio.arena.processes import Voids
from seedfolio.core.compiler import fingerprint
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.engines.clock import GameClocks
from seedfolio.engines.endings import Ending, OwnFailureError
from seedfolio.engines.play.adjudication import Adjudicator
from seedfolio.engines.record import GameRecord
from seedfolio.engines.specification.positions import position_in
from seedfolio.errors import SpecificationError
from seedfolio.matches.schedule import Pairings
from seedfolio.opponents.opponent import Opponent
from seedfolio.opponents.referee import (
    GameReferee,
    JudgeReferee,
    WrongOpeningError,
    opened,
    play_out,
)
from seedfolio.players.program import Program
from seedfolio.players.several import Duel
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio, packed

Code = dict[tuple[bool, bool, str], Program]
"""Programs by their compiled code."""


def compiled_game(first: Opponent, second: Opponent, code: Code) -> Program | None:
    """Return the program of two built-in opponents, by the colours that they have.

    Programs that differ in numbers only share their compiled code. None if compiled code does not
    play the two together: a book with arms under symmetries of the board, or two books of which
    only one is played under them.
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
    own = fingerprint(program.bound.choose, program.bound.again) or program.title
    program.share_code(code.setdefault((bool(found), turned, own), program), "_play_line")
    return program


def _books(opponent: Opponent) -> BookPortfolio | None:
    return opponent.plays if isinstance(opponent.plays, BookPortfolio) else None


def _turns(opponent: Opponent) -> bool:
    """Tell whether it draws arms under symmetries of the board."""
    arms = () if opponent.plays is None else opponent.plays.arms
    return any(arm >> SYMMETRY_SHIFT for arm in arms)


class Host:
    """Plays the games of a match, from any thread.

    A whole game of two built-in programs is compiled code, one call each. All other games are
    played seat by seat. With an external engine every game has new processes, and the rules are
    those of the first engine of the two, in Go its referee.
    """

    def __init__(self, pairings: Pairings, *, noted: bool = False) -> None:
        self.pairings = pairings
        programs = pairings.programs
        self._engines = [each for each in programs if each.is_engine]
        built_in = [place for place, each in enumerate(programs) if not each.is_engine]
        games = [programs[place].game for place in built_in]
        if games and games[0].rules.scale != 2:
            raise SpecificationError(
                f"{games[0].title} is played for payoffs; a match needs wins, draws and losses"
            )
        self._code: Code = {}
        self._noted = noted
        whole = not (noted or pairings.openings or pairings.adjudication or pairings.clock)
        self._compiled = {
            (first, second): compiled_game(programs[first], programs[second], self._code)
            for first, second in permutations(built_in if whole else (), 2)
        }
        self._by_seats = bool(self._engines) or not whole
        bots = [each for each in self._engines if each.speaks("open_spiel")]
        if pairings.clock is not None and bots:
            raise SpecificationError(f"{bots[0].name}: bots of OpenSpiel have no clock")
        for each in self._engines:
            if each.engine is not None:
                each.engine.check_openings()
        limits = [each.engine.specification.game.moves for each in self._engines if each.engine]
        self._limit = min([*limits, *(game.rules.max_plies for game in games)])
        self._voids, self._lock = Voids(), Lock()

    def check_openings(self, most: int) -> None:
        """Raise WrongOpeningError for an illegal move in the first openings of built-in programs.

        Judges of engines, which may be processes, notice one when its game begins.
        """
        if not self._engines:
            for line in self.pairings.openings[:most]:
                start = line[0] if position_in(line[0]) is not None else ""
                opened(GameReferee(self.pairings.programs[0].at(start).game), line)

    def prepare(self, threads: int = 1) -> None:
        """Compile all that games need, in this thread alone; `threads` will play them."""
        for opponent in self._engines:
            # No engine ends in the middle of a game because others wait as well.
            opponent.pool.most_idle = max(opponent.pool.most_idle, 2 * threads)
        apart = {each for colours, found in self._compiled.items() if not found for each in colours}
        for place, opponent in enumerate(self.pairings.programs):
            if self._by_seats or place in apart:
                opponent.prepare()
        for program in self._code.values():
            program.play_line((0, 0), 0)

    def play(self, number: int, stop: Event) -> GameRecord | None:
        """Play a game; None if `stop` is set on the way. Void games are played again; a
        game that ends with a timeout, once.

        EngineError if an engine does not start, if the first game is void, or if two games in a
        row are.
        """
        names, arms = self.pairings.names_and_arms(number)
        program = self._compiled.get(self.pairings.colours(number))
        if program is not None and not stop.is_set():
            line, points = program.play_line(arms, self._luck(number))
            moves = tuple(map(program.game.move_name, line))
            return GameRecord(players=names, arms=arms, number=number, moves=moves, points=points)
        late = ""
        while not stop.is_set():
            record = self.play_by_seats(number, stop)
            if record is None or stop.is_set():
                break
            with self._lock:
                self._voids.count(record)
            if record.ending is Ending.TIMEOUT and not late:
                late = record.detail
            elif record.ending is not Ending.VOID:
                return replace(record, players=names, arms=arms, number=number, late=late)
        return None

    def play_by_seats(self, number: int, stop: Event) -> GameRecord | None:
        """Play a game move by move; None if `stop` is set on the way."""
        places, key = self.pairings.colours(number), self.pairings.key_of(number)
        opponents = [self.pairings.programs[place] for place in places]
        _, opening = self.pairings.opening(number) or (0, ())
        start = opening[0] if opening and position_in(opening[0]) is not None else ""
        seats = [opponent.draw(colour, key, start) for colour, opponent in enumerate(opponents)]
        table = self.pairings.rules_of_end(number)
        play = partial(
            play_out,
            seats=seats,
            opening=opening,
            adjudicator=None if table is None else Adjudicator(table),
            clocks=self._clocks(),
            noted=self._noted,
            stopped=stop.is_set,
        )
        engines = [place for place in sorted(places) if self.pairings.programs[place].is_engine]
        if not engines:
            return play(GameReferee(opponents[0].at(start).game))
        pool = self.pairings.programs[engines[0]].pool
        judge = pool.judge()
        rules = JudgeReferee(judge, pool.program.specification.game.board, start)
        try:
            record = play(rules, limit=self._limit)
            if record is None:
                return None
            score = judge.score if record.ending is Ending.NORMAL else record.detail
            moves = (*record.moves[: bool(start)], *map(str.lower, record.moves[bool(start) :]))
            return replace(record, moves=moves, detail=score)
        except WrongOpeningError:
            raise
        except (OwnFailureError, SpecificationError) as failure:
            # A built-in program may refuse what the referee of Go allows.
            return GameRecord(moves=(), points=1, ending=Ending.VOID, detail=str(failure))
        finally:
            for seat in seats:
                seat.close()
            pool.give_back_judge(judge)

    def _clocks(self) -> GameClocks | None:
        """Return new clocks for a game."""
        if self.pairings.clock is None:
            return None
        control, margin = self.pairings.clock
        return GameClocks(control, margin / 1000)

    def _luck(self, number: int) -> int:
        first, _ = self.pairings.colours(number)
        key = self.pairings.key_of(number)
        return self.pairings.programs[first].draw_compiled(0, key).luck

    def stop(self) -> None:
        """End all engines at work; threads that wait for one get an error."""
        for opponent in self._engines:
            opponent.pool.stop()

    def close(self) -> None:
        """End all processes; first, all threads must have come back."""
        for opponent in self._engines:
            opponent.close()

    @property
    def takes_arena(self) -> bool:
        """Whether an arena can play all games.

        It draws luck from the arms alone, so that two arms would always have the same.
        """
        if self._by_seats:
            return False
        programs = self._compiled.values()
        return all(each is not None and not each.has_luck for each in programs)

    def results(self, arena: Arena, numbers: Sequence[int]) -> Generator[GameRecord, None, None]:
        """Yield games without their moves, played by an arena."""
        found: dict[tuple[tuple[int, int], int, int], int] = {}
        cells = [(self.pairings.colours(each), *self.pairings.arms(each)) for each in numbers]
        for colours, program in self._compiled.items():
            mine = [cell[1:] for cell in cells if cell[0] == colours]
            if program is None or not mine:
                continue
            rows, columns = np.array(mine, np.uint64).T.copy()
            with closing(arena.play(program, rows, columns)) as blocks:
                for block in blocks:
                    played = zip(block.rows, block.columns, block.results, strict=True)
                    found |= {(colours, int(r), int(c)): int(p) for r, c, p in played}
        for number, cell in zip(numbers, cells, strict=True):
            names, arms = self.pairings.names_and_arms(number)
            yield GameRecord(players=names, arms=arms, number=number, moves=(), points=found[cell])
