"""The check: is an external engine deterministic, and do its arms differ?

The same pair of arms plays again in new processes, in processes that have played before, and from
each position of the game by itself; the check compares every move. Games of other arms then show
whether seeds and options have an effect.

An engine that plays otherwise each time, as with several threads or a clock, is noisy: an arm is
then a distribution. The check measures how much the games of two arms differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import count, pairwise
from math import ceil, sqrt
from statistics import fmean, variance
from typing import Any

import numpy as np

from seedfolio.core.seeds import opposing
from seedfolio.engines.endings import (
    FORFEITS,
    Ending,
    EngineFaultError,
    OwnFailureError,
)
from seedfolio.engines.interface import Judge
from seedfolio.engines.play.game import answer_after, play_game
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.record import GameRecord
from seedfolio.errors import EngineError

_PAIRS = 8
"""The most pairs of arms that play before two games differ."""
_FATAL = FORFEITS - {Ending.TIME_LOSS}
"""Faults in a first game that show a mistake in the specification."""
_NOISY_PAIRS = _NOISY_GAMES = 4
"""Pairs of arms, and the games of each, that measure noise."""
_CELL_NOISE = 0.125
"""Cells are repeated until their standard deviation is this; by luck alone it takes 16 games."""
_REPEATS = 2, 16
"""The fewest and the most games of a cell of a noisy engine."""
_UNKNOWN = 4
"""The same where the noise was not measured."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """The result of the check."""

    deterministic: bool
    """Whether an arm plays the same moves again in a new process."""
    reusable: bool
    """Whether it does so in a process that has played before."""
    by_moves: bool
    """Whether its moves depend only on the moves so far, also from the middle of a game."""
    arms_differ: bool
    """Whether arms play different games at all."""
    seconds: float
    """How long a game takes in running processes."""
    moves: int
    """The number of moves of a game."""
    differences: tuple[str, ...] = ()
    """Where games differed."""
    fault: str = ""
    """How the first game was forfeited, if it was."""
    habits: tuple[str, ...] = ()
    """What it does that disturbs games without ending one."""
    noise: float | None = None
    """Of an engine that is not deterministic: the standard deviation of the success of one game
    between the same two arms."""

    @property
    def noisy(self) -> bool:
        """Whether arms are distributions: it takes several games to know what two do together."""
        return self.noise is not None

    @property
    def repeats(self) -> int:
        """How many games a cell of the study needs."""
        if self.passed:
            return 1
        if self.noise is None:
            return _UNKNOWN
        least, most = _REPEATS
        return max(least, min(most, ceil((self.noise / _CELL_NOISE) ** 2)))

    @property
    def passed(self) -> bool:
        """Whether one game is enough for a cell of the study."""
        return self.deterministic and self.arms_differ and not self.fault

    @property
    def remember(self) -> bool:
        """Whether an answer is valid in every game with the same moves."""
        return self.passed and self.by_moves

    def failures(self) -> list[str]:
        """Return the reasons why the engine did not pass."""
        if self.fault:
            return [f"the first game was forfeited by {self.fault}"]
        failures = []
        if not self.deterministic:
            failures.append(f"the same arms do not repeat their game: {self.differences[0]}")
        if not self.arms_differ:
            failures.append("all arms play the same game: the seed and the options have no effect")
        return failures

    def as_data(self) -> dict[str, Any]:
        """Return the result as plain data."""
        derived = {"passed": self.passed, "remember": self.remember}
        return {**asdict(self), **derived, "noisy": self.noisy, "repeats": self.repeats}


def check_program(
    program: EngineProgram,
    note: Callable[[str], None] = lambda _: None,
    met: list[GameRecord] | None = None,
) -> Check:
    """Check an engine; EngineError if no game is possible at all.

    `note` receives a line about each step, and `met` all games.
    """
    try:
        return _checked(program, note, [] if met is None else met)
    except OwnFailureError as failure:
        raise EngineError(str(failure)) from failure


def games_a_cell(program: EngineProgram, check: Check) -> int:
    """Return how many games a cell of its study has: as its file says, else by its noise."""
    return 1 if check.passed else program.specification.study.repeats or check.repeats


def _checked(program: EngineProgram, note: Callable[[str], None], met: list[GameRecord]) -> Check:
    def played(pool: EnginePool, pair: tuple[int, int]) -> GameRecord:
        met.append(_scored(play_game(program, pool, *pair)))
        return met[-1]

    found: list[str] = []
    numbers = program.specification.all_arms.some(2 * _PAIRS)
    pair, *more = zip(numbers[:-1:2], numbers[1::2], strict=True)
    more = more or [(pair[1], pair[0])]
    note("plays a game")
    with closing(EnginePool(program, reuse=False)) as pool:
        first = played(pool, pair)
    if first.ending in _FATAL:
        return _forfeited(first)
    _check_scores(program, first)
    habits = tuple(sorted(pool.habits))
    if program.specification.clock is not None:
        found.append("a clock decides when a move is played, so games do not repeat")
        return _noisy(program, first, found, habits=habits, note=note, met=met)
    took = f"{len(first.moves)} moves, {first.seconds:.2g} s"
    note(f"that took {took}; plays it again in new processes, and in these once more")
    with closing(EnginePool(program)) as pool:
        second = played(pool, pair)
        deterministic = _same(first, second, "in new processes", found)
        others = [first, played(pool, more.pop(0))]
        again = played(pool, pair)
        reusable = _same(second, again, "in processes that have played before", found)
        while _alike(others) and more:
            others.append(played(pool, more.pop(0)))
    if not deterministic and second.ending not in FORFEITS:
        return _noisy(program, first, found, habits=habits, note=note, met=met)
    if deterministic:
        note("asks for each move of that game from the moves before it alone")
    by_moves = deterministic and _plays_by_moves(program, first, reusable, found, met)
    return Check(
        deterministic=deterministic,
        reusable=reusable,
        by_moves=by_moves,
        arms_differ=not _alike(others),
        seconds=again.seconds,
        moves=len(first.moves),
        differences=tuple(found),
        habits=habits,
    )


def _noisy(
    program: EngineProgram,
    first: GameRecord,
    found: list[str],
    *,
    habits: tuple[str, ...],
    note: Callable[[str], None],
    met: list[GameRecord],
) -> Check:
    """Measure how much games between the same arms differ."""
    games = _NOISY_PAIRS * _NOISY_GAMES
    note(f"games differ; plays {games} more to measure how much")
    numbers = program.specification.all_arms.some(2 * _NOISY_PAIRS)
    arms = [numbers[k % len(numbers)] for k in range(_NOISY_PAIRS + 1)]
    with closing(EnginePool(program)) as pool:
        played = [
            [_scored(play_game(program, pool, *pair)) for _ in range(_NOISY_GAMES)]
            for pair in pairwise(arms)
        ]
    everything = [game for games in played for game in games]
    met += everything
    within = fmean(variance(game.points / 2 for game in games) for games in played)
    return Check(
        deterministic=False,
        reusable=False,
        by_moves=False,
        arms_differ=True,
        seconds=fmean(game.seconds for game in everything),
        moves=len(first.moves),
        differences=tuple(found),
        habits=tuple(sorted({*habits, *pool.habits})),
        noise=sqrt(within),
    )


@dataclass(frozen=True)
class Fault:
    """Games in which an engine met the same kind of fault."""

    ending: str
    games: int
    repeated: int
    """In how many of them it met a fault again when the game was played once more."""
    detail: str
    """What went wrong in the first of them."""

    @property
    def text(self) -> str:
        """A line."""
        games = "1 game" if self.games == 1 else f"{self.games} games"
        return f"{games} by {self.ending} ({self.repeated} also when played again): {self.detail}"


def faults_of(games: Iterable[tuple[GameRecord, bool]]) -> tuple[Fault, ...]:
    """Count the faults of games, each with whether it met a fault again; late answers too."""
    found: dict[str, list[tuple[str, bool]]] = {}
    for game, again in games:
        if game.ending in FORFEITS:
            found.setdefault(game.ending.value, []).append((game.detail, again))
        elif game.late:
            found.setdefault(Ending.TIMEOUT.value, []).append((game.late, False))
    return tuple(
        Fault(ending, len(each), sum(again for _, again in each), each[0][0])
        for ending, each in found.items()
    )


def stressed(
    program: EngineProgram, check: Check, games: int, threads: int
) -> list[tuple[GameRecord, bool]]:
    """Play many games between different arms; play each that meets a fault once more.

    Return those that met one, and whether they met one again.
    """
    arms = program.specification.all_arms
    own = arms.some(min(games, arms.training))

    def play(number: int) -> tuple[GameRecord, bool]:
        first = own[number % len(own)]
        theirs = own[(number + 1 + number // len(own)) % len(own)]
        second = int(opposing(np.array([theirs], np.uint64), 1)[0]) if program.opponents else theirs
        record = _scored(play_game(program, pool, first, second))
        if record.ending not in FORFEITS:
            return record, False
        if record.late:  # it was played once more
            return record, True
        return record, play_game(program, pool, first, second).ending in FORFEITS

    with (
        closing(EnginePool(program, reuse=check.reusable)) as pool,
        ThreadPoolExecutor(threads) as workers,
    ):
        found = list(workers.map(play, range(games)))
    return [each for each in found if each[0].ending in FORFEITS or each[0].late]


def check_opponent(program: EngineProgram, place: int, *, noisy: bool = False) -> None:
    """Check one of a program's opponents; EngineError if it does not repeat its game.

    Where cells are repeated, as the engine is `noisy`, an opponent need not repeat it.
    """
    theirs = next(number for number in count() if program.field.whose(number) == place)
    pair = 0, int(opposing(np.array([theirs], np.uint64), 1)[0])
    found: list[str] = []
    name = program.opponents[place]
    try:
        with closing(EnginePool(program, reuse=False)) as pool:
            first = _scored(play_game(program, pool, *pair))
        with closing(EnginePool(program)) as pool:
            games = [_scored(play_game(program, pool, *pair)) for _ in range(2)]
    except OwnFailureError as failure:
        raise EngineError(f"opponent {name}: {failure}") from failure
    if first.ending in _FATAL:
        raise EngineError(
            f"the first game against opponent {name} was forfeited by {first.ending.value}: "
            f"{first.detail}; correct the specification"
        )
    if noisy:
        return
    if not _same(first, games[0], "in new processes", found):
        raise EngineError(
            f"opponent {name} does not repeat its game: {found[0]}; give it {{seed}}, or leave it "
            "out"
        )
    if not _same(first, games[1], "in processes that have played before", found):
        raise EngineError(
            f"opponent {name} does not repeat its game: {found[0]}; write reuse = false for it"
        )


def _check_scores(program: EngineProgram, game: GameRecord) -> None:
    """Raise EngineError if adjudication waits for scores that never come."""
    if program.specification.adjudication is not None and not any(game.scores):
        raise EngineError(
            f"{program.title} tells no scores with its moves, and [adjudication] needs them; leave "
            "it out"
        )


def _scored(record: GameRecord) -> GameRecord:
    if record.ending is Ending.VOID:
        raise EngineError(f"the check failed to play a game: {record.detail}")
    return record


def _forfeited(record: GameRecord) -> Check:
    fault = f"{record.ending.value} after {len(record.moves)} moves: {record.detail}"
    return Check(
        deterministic=False,
        reusable=False,
        by_moves=False,
        arms_differ=False,
        seconds=record.seconds,
        moves=len(record.moves),
        fault=fault,
    )


def _same(one: GameRecord, other: GameRecord, where: str, found: list[str]) -> bool:
    """Tell whether two games of the same arms are the same; note the first difference."""
    if (one.moves, one.scores, one.ending) == (other.moves, other.scores, other.ending):
        return True
    both = zip(one.moves, other.moves, strict=False)
    ply = next((ply for ply, (a, b) in enumerate(both) if a != b), None)
    if ply is None and one.moves == other.moves and one.ending == other.ending:
        found.append(f"{where}, the moves were the same, and their scores were others")
    elif ply is None:
        what = f"{len(other.moves)} moves and {other.ending.value}"
        found.append(f"{where}, the game had {what}, not {len(one.moves)} and {one.ending.value}")
    else:
        found.append(f"{where}, move {ply + 1} was {other.moves[ply]}, not {one.moves[ply]}")
    return False


def _alike(games: list[GameRecord]) -> bool:
    return len({game.moves for game in games}) == 1


def _plays_by_moves(
    program: EngineProgram,
    game: GameRecord,
    reuse: bool,
    found: list[str],
    met: list[GameRecord],
) -> bool:
    """Tell whether the engine repeats each move of a game when it only gets the moves before."""
    movers = _movers(program, game)
    arms = [program.arm(each) for each in game.arms]
    with closing(EnginePool(program, reuse=reuse)) as pool:
        for ply in range(program.opened(*game.arms), len(game.moves)):
            move = " ".join([game.moves[ply], *filter(None, game.scores[ply : ply + 1])])
            arm = arms[movers[ply]]
            try:
                with pool.lend(arm) as engine:
                    answer = answer_after(
                        engine, arm, movers, game.moves[:ply], scored=bool(game.scores)
                    )
            except EngineFaultError as fault:
                found.append(f"after the first {ply} moves alone, {fault}")
                cut = replace(game, moves=game.moves[:ply], ending=fault.ending, detail=str(fault))
                met.append(cut)
                return False
            if answer != move:
                found.append(f"after the first {ply} moves alone, it played {answer}, not {move}")
                return False
    return True


def _movers(program: EngineProgram, game: GameRecord) -> list[int]:
    with closing(program.make_judge()) as judge:
        return [_next(judge, move) for move in game.moves]


def _next(judge: Judge, move: str) -> int:
    mover = judge.mover
    judge.play(move, known=True)
    return mover
