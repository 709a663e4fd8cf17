"""How long the study of an external engine takes on this machine, from a few of its games.

The sample is a corner of the study's matrix, played as the study plays it: as many games at once,
processes kept or new, known answers used again. A study that remembers answers computes fewer new
ones the longer it runs: against j opponents an arm computes about c * j**g different answers, and
the corners of 1, 2 and 4 arms show c and g.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from seedfolio.arena.processes import ProcessArena
from seedfolio.arena.threads import available_cores
from seedfolio.engines.play.answers import RESULT, Answer
from seedfolio.engines.play.check import Check
from seedfolio.engines.play.pool import Effort
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.record import GameRecord
from seedfolio.study.arms import training_cells

_PATIENCE = 20.0
"""Seconds: a larger corner is played if it is expected to take no longer, and again if it took less
than half of that."""
_CONFIRMED = 1 / 50
"""The share of answers that a new process confirms, see `engines.play.answers`."""
_SLOW_BEST, _SLOW_FEW, _FEW = 5, 1.25, 4
"""Unseen opponents of one arm and of a few, in multiples of the usual number: see
`evaluation.unseen`; and how many a few are."""
_LEAST_GROWTH = 0.2


@dataclass(frozen=True)
class StudySize:
    """The sizes of a study with the usual learners."""

    k: int
    kt: int
    opponents: int
    more_unseen: int
    """How many unseen arms there are."""
    book: bool = False
    itself: bool = True
    """Whether the program meets itself, not other programs."""

    @property
    def more(self) -> tuple[int, int]:
        """More unseen arms that small portfolios meet: a single arm of ours, and a few."""
        best, few = (
            max(0, min(int(each * self.opponents), self.more_unseen) - self.opponents)
            for each in (_SLOW_BEST, _SLOW_FEW)
        )
        return 2 * best, 4 * few

    @property
    def extra(self) -> int:
        """Games of small portfolios, which meet more unseen arms than all K arms do."""
        best, few = self.more
        return best + _FEW * few

    @property
    def book_games(self) -> int:
        """Games to learn a book and to evaluate it."""
        return training_cells(self.k, self.kt) + 10 * self.opponents if self.book else 0

    @property
    def games(self) -> int:
        """All games, with one a cell."""
        cells = training_cells(self.k, self.kt, itself=self.itself) + 2 * self.k * self.opponents
        return cells + self.extra + self.book_games


@dataclass
class _Kept:
    """The games and answers of a sample."""

    games: list[GameRecord] = field(default_factory=list)
    known: dict[tuple[int, bytes], str] = field(default_factory=dict)

    def answers(self) -> Iterator[Answer]:
        """Yield nothing: a sample begins without answers."""
        return iter(())

    def keep(self, games: list[GameRecord], answers: list[Answer]) -> None:
        """Keep them here."""
        self.games += games
        self.known |= {(each.arm, each.history): each.text for each in answers}

    @property
    def different(self) -> int:
        """How many different answers the arms computed."""
        return sum(1 for arm, _ in self.known if arm != RESULT)


@dataclass(frozen=True)
class Sample:
    """What a few games of a study took."""

    games: int
    moves: float
    """The mean length of a game."""
    asked: int
    """Answers that engines computed."""
    playing: float
    """Seconds of all threads together, without starts and ends of engines."""
    effort: Effort
    different: dict[int, int]
    """By side of a square matrix: the different answers in it, if answers are remembered."""
    shared: bool
    """Whether all arms can use the same process."""
    remember: bool
    reuse: bool
    threads: int
    faulty: tuple[GameRecord, ...] = ()
    """Games in which an engine met a fault or was late."""

    @property
    def answer_seconds(self) -> float:
        """Seconds for one answer."""
        return self.playing / max(1, self.asked)

    @property
    def start_seconds(self) -> float:
        """Seconds to start and end an engine."""
        return self.effort.seconds / max(1, self.effort.starts)

    def answers_of_arm(self, opponents: float) -> float:
        """Return how many different answers an arm computes against a number of opponents."""
        most = self.moves / 2 * opponents
        if not self.remember:
            return most
        sides = sorted(self.different)
        # Against one opponent an arm knows nothing yet: that is half of a game, of any length.
        by_arm = {side: self.different[side] / (2 * side) for side in sides} | {1: self.moves / 2}
        last = sides[-1]
        growth = 1.0
        if len(sides) > 1 and by_arm[sides[-2]] > 0:
            grown = math.log(by_arm[last] / by_arm[sides[-2]]) / math.log(last / sides[-2])
            growth = min(1.0, max(_LEAST_GROWTH, grown))
        return min(most, float(by_arm[last] * (opponents / last) ** growth))

    def seconds(self, size: StudySize, repeats: int) -> float:
        """Return how long a study takes."""
        answers = self._answers(size) * (1 if self.remember else repeats)
        starts = self._starts(size, answers, repeats)
        if self.remember:
            reused = max(0.0, size.games * self.moves - answers)
            starts += _CONFIRMED * min(reused, answers)
        return (answers * self.answer_seconds + starts * self.start_seconds) / self.threads

    def _answers(self, size: StudySize) -> float:
        k, kt, opponents = size.k, size.kt, size.opponents
        unseen = opponents * self.answers_of_arm(k)
        if size.itself:
            own = kt * self.answers_of_arm(k + opponents)
            own += (k - kt) * self.answers_of_arm(kt + opponents)
        else:
            own = k * self.answers_of_arm(kt + opponents) + kt * self.answers_of_arm(k)
        return 2 * (own + unseen) + self._extra(size) + size.book_games * self.moves

    def _extra(self, size: StudySize) -> float:
        """Return the answers in games of small portfolios against more unseen arms."""
        if not self.remember:
            return size.extra * self.moves
        best, few = size.more
        theirs = best * self.answers_of_arm(1) + few * self.answers_of_arm(_FEW)
        # The arms of the portfolios have met many before, and know the beginnings.
        met = size.opponents + (size.kt if size.itself else 0)
        ours = self.answers_of_arm(met + 1) - self.answers_of_arm(met)
        return theirs + size.extra * ours

    def _starts(self, size: StudySize, answers: float, repeats: int) -> float:
        """Return how often an engine starts."""
        if not self.reuse:
            return answers if self.remember else 2.0 * size.games * repeats
        if self.shared:
            return 2.0 * self.threads
        # Cells go row by row: an arm of the row stays, those of the columns come round again.
        idle = 4 * self.threads

        def rectangle(rows: int, columns: int) -> float:
            return rows + (columns if columns < idle else rows * columns)

        k, kt, opponents = size.k, size.kt, size.opponents
        starts = rectangle(k, kt) + rectangle(kt, k - kt if size.itself else k)
        starts += rectangle(k, opponents) + rectangle(opponents, k)
        return starts + size.extra + 2 * size.book_games


def take_sample(program: EngineProgram, check: Check, threads: int | None) -> Sample:
    """Play a corner of the study: 2 by 2 arms, and 4 by 4 if that is fast.

    A short sample is taken twice, and the quicker one counts: other work only adds to the time.
    """
    began = time.monotonic()
    first = _sample(program, check, threads)
    if time.monotonic() - began > _PATIENCE / 2:
        return first
    again = _sample(program, check, threads)
    quicker = min(first, again, key=lambda each: each.playing + each.effort.seconds)
    return replace(quicker, faulty=first.faulty + again.faulty)


def _sample(program: EngineProgram, check: Check, threads: int | None) -> Sample:
    reuse = check.reusable or not check.deterministic
    games = threads or available_cores()
    kept = _Kept()
    arms = program.specification.all_arms
    most = min(4, arms.training)
    numbers = np.array(arms.some(most), np.uint64)
    different: dict[int, int] = {}
    with ProcessArena(
        program, games=games, remember=check.remember, reuse=reuse, archive=kept
    ) as arena:
        began, before = time.monotonic(), 0
        for side in sorted({1, min(2, most), most}):
            corner = np.indices((side, side)).reshape(2, -1)
            new = corner[:, (corner >= before).any(axis=0)]
            expected = (time.monotonic() - began) * new.shape[1] / max(1, before**2)
            if before > 1 and expected > _PATIENCE:
                break
            rows, columns = numbers[new]
            for _ in arena.play(program.single(), rows, program.opposing(columns, 1)):
                pass
            different[side], before = kept.different, side
        effort = arena.effort
    launches = [program.launch_key(program.arm(int(number))) for number in numbers]
    return Sample(
        games=len(kept.games),
        moves=sum(len(game.moves) for game in kept.games) / len(kept.games),
        asked=sum(game.asked for game in kept.games),
        playing=max(0.0, sum(game.seconds for game in kept.games) - effort.seconds),
        effort=effort,
        different=different,
        shared=all(each == launches[0] for each in launches),
        remember=check.remember,
        reuse=reuse and program.reuse,
        threads=games,
        faulty=tuple(game for game in kept.games if game.forfeited or game.late),
    )
