"""How many games are enough for a precision, and how long they take on this machine.

The rule is for all seeds at once and for any results, so it is careful. Beside it, a small matrix
shows how much seeds really differ, and so how good the best of K is.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from math import ceil, log, log2, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from seedfolio.arena import Arena, Run, no_note
from seedfolio.arena.choice import open_arena
from seedfolio.boosting.boost import default_learners
from seedfolio.boosting.budget import duration, expected_games, measure_speed
from seedfolio.boosting.request import MOST_GAMES, Request
from seedfolio.boosting.study_time import StudySize, take_sample
from seedfolio.core.display import Displayed, lines_table
from seedfolio.core.seeds import TRAINING_SEEDS
from seedfolio.core.table import Table
from seedfolio.engines.play.check import check_program, games_a_cell
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.learning.registry import find_learner
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.programs.interface import Playable
from seedfolio.programs.load import Learnable, load_program
from seedfolio.study.arms import TrainingArms, training_cells

_ROUNDING = 1e-9
_FINEST = 1e-6
_LEVELS = 20_000
_SIDES = (64, 32)
"""Seeds of each colour that show how much seeds differ: fixed numbers, for the same result."""
_PATIENCE = 10.0
"""Seconds that their games may take."""


def precision(k: int, kt: int, delta: float) -> float:
    """Return the precision of all means of K arms against Kt opponents, by the rule."""
    return sqrt((log(2 * k) - log(delta)) / (2 * kt))


def bernstein(k: int, kt: int, delta: float, variance: float) -> float:
    """Return the same by Bernstein's inequality, which is better where results vary little.

    `variance` is the largest variance of a seed's results against different opponents.
    """
    bits = log(2 * k) - log(delta)
    return (bits / 3 + sqrt(bits**2 / 9 + 2 * kt * variance * bits)) / kt


def opponents_needed(k: int, epsilon: float, delta: float) -> int:
    """Return the smallest Kt for which `precision` is half of `epsilon` or better.

    Then the best mean is at most `epsilon` below the best arm: each of the two errs by half.
    """
    return max(1, ceil(2 * (log(2 * k) - log(delta)) / epsilon**2 - _ROUNDING))


@cache
def best_of(k: int) -> float:
    """Return the mean of the largest of K normal numbers."""
    # The integral of x d(Phi(x)**K) by quantiles, exact enough for a tenth of a point.
    levels = (np.arange(_LEVELS) + 0.5) / _LEVELS
    return float(ndtri(levels ** (1 / k)).mean())


@dataclass(frozen=True)
class Spread:
    """How much seeds differ, from a matrix of seeds of both colours."""

    deviations: tuple[float, ...]
    """The standard deviation of seeds' true success as each colour; of a seat, as that alone."""
    means: tuple[float, ...]
    """The mean success of each colour."""
    variance: float
    """Of the results against different opponents, of the seed that has most: at most 1/4."""
    games: int
    luck: float = 0.25
    """The variance of a result that neither seed explains: by it a measured mean errs."""

    @classmethod
    def of(cls, success: npt.NDArray[np.float64], repeats: int = 1, colours: int = 2) -> Spread:
        """Return it of a matrix of the first player's success (rows), `repeats` games a cell.

        Means of rows also differ by the luck of their opponents, which the interaction of rows and
        columns shows: it is subtracted (deconvolved).
        """
        rows, columns = success.shape
        residual = success - success.mean(axis=1)[:, None] - success.mean(axis=0) + success.mean()
        luck = float((residual**2).sum()) / ((rows - 1) * (columns - 1))
        axes = ((1, columns), (0, rows))[:colours]
        deviations = tuple(
            sqrt(max(0.0, float(success.mean(axis=axis).var(ddof=1)) - luck / met))
            for axis, met in axes
        )
        within = max(float(success.var(axis=axis).max()) for axis, _ in axes)
        mean = float(success.mean())
        return cls(deviations, (mean, 1 - mean)[:colours], within, success.size * repeats, luck)

    @property
    def deviation(self) -> float:
        """The standard deviation, mean of both colours."""
        return sum(self.deviations) / len(self.deviations)

    def best_gain(self, k: int, kt: int | None = None) -> float:
        """Return how far the best of K seeds is above the mean, if success is normal up to 1.

        With `kt`, that of the seed with the best results against Kt opponents.
        """
        luck = 0.0 if kt is None else self.luck / kt
        gains = [
            min(best_of(k) * deviation**2 / sqrt(deviation**2 + luck), 1 - mean)
            for deviation, mean in zip(self.deviations, self.means, strict=True)
            if deviation > 0
        ]
        return sum(gains) / len(self.deviations)


def measure_spread(program: Playable, arena: Arena, speed: float) -> Spread | None:
    """Play a small matrix of training arms; None if that would take long. Nothing is kept."""
    side = next((each for each in _SIDES if each**2 * program.repeats <= _PATIENCE * speed), 0)
    if not side:
        return None
    arms = TrainingArms(0, side).seeds()
    success = np.empty((side, side))
    with closing(arena.play(program, np.repeat(arms, side), np.tile(arms, side))) as blocks:
        for block in blocks:
            at = (block.rows - arms[0]).astype(np.intp), (block.columns - arms[0]).astype(np.intp)
            success[at] = block.results / program.full
    return Spread.of(success, program.repeats, 1 if program.traits.one_sided else 2)


def arms_needed(epsilon: float, delta: float) -> int:
    """Return the smallest K that needs at most K opponents, since Kt is at most K."""
    k = 1
    while (kt := opponents_needed(k, epsilon, delta)) > k:
        k = kt  # never beyond the smallest: the opponents needed grow with K
    return k


@dataclass(frozen=True)
class Plan:
    """How much to play, and what it guarantees."""

    k: int
    kt: int
    delta: float
    repeats: int = 1

    @property
    def epsilon(self) -> float:
        """With probability 1 - delta the arm with the best mean is at most this below the best."""
        return 2 * precision(self.k, self.kt, self.delta)

    @property
    def games(self) -> int:
        """How many games fill the training matrices of both colours."""
        return training_cells(self.k, self.kt) * self.repeats

    @property
    def best_share(self) -> float:
        """With probability 1 - delta one of the K arms is among this best share of all arms."""
        share: float = 1 - self.delta ** (1 / self.k)
        return share

    @property
    def halving_games(self) -> int:
        """The fewest games of sequential halving among as many arms of both colours.

        Every arm plays at least once in each of log2(K) rounds of equal cost.
        """
        return 2 * self.k * max(1, ceil(log2(self.k))) * self.repeats

    def as_data(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "k": self.k,
            "kt": self.kt,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "best_share": self.best_share,
            "repeats": self.repeats,
            "games": self.games,
            "halving_games": self.halving_games,
        }


def make_plan(
    *,
    delta: float,
    epsilon: float | None = None,
    k: int | None = None,
    kt: int | None = None,
    repeats: int = 1,
) -> Plan:
    """Return the plan with the fewest games for the given parameters.

    With `epsilon`, it chooses Kt, and K too unless it is given. Without, `k` and `kt` are required,
    and the plan has their precision. SpecificationError if there is no such plan.
    """
    if not 0 < delta < 1:
        raise SpecificationError(f"delta = {delta} is not between 0 and 1; change `delta`")
    if k is not None and not 1 <= k <= len(TRAINING_SEEDS):
        raise SpecificationError(f"K = {k} is not 1 to {len(TRAINING_SEEDS)}; change `k`")
    if epsilon is None:
        if k is None or kt is None:
            raise SpecificationError("a plan needs either `epsilon`, or both `k` and `kt`")
        if not 1 <= kt <= k:
            raise SpecificationError(f"Kt = {kt} is not between 1 and K = {k}; change `kt` or `k`")
        return Plan(k, kt, delta, repeats)
    if kt is not None:
        raise SpecificationError("`epsilon` chooses Kt; leave out `kt` or `epsilon`")
    if not _FINEST <= epsilon < 1:
        raise SpecificationError(
            f"epsilon = {epsilon} is not between {_FINEST} and 1; change `epsilon`"
        )
    least = arms_needed(epsilon, delta)
    if least > len(TRAINING_SEEDS):
        raise SpecificationError(
            f"epsilon = {epsilon} takes {least:,} seeds, more than there are; change `epsilon`"
        )
    if k is None:
        return Plan(least, opponents_needed(least, epsilon, delta), delta, repeats)
    if (needed := opponents_needed(k, epsilon, delta)) > k:
        coarser = _above(2 * precision(k, k, delta))
        raise SpecificationError(
            f"K = {k} seeds need Kt = {needed} opponents for an epsilon of {epsilon}, but Kt is "
            f"at most K; take a `k` of {least} or more, or an `epsilon` of {coarser} or more"
        )
    return Plan(k, needed, delta, repeats)


def _above(number: float) -> str:
    """Return a number rounded up to three places, so that it is still enough."""
    return f"{ceil(1000 * number) / 1000:.3f}"


_EPSILON = 0.1


@dataclass(frozen=True, repr=False)
class Planned(Displayed):
    """What `plan` found: sizes, precision, and time on this machine.

    >>> from seedfolio import plan
    >>> planned = plan("domineering:4x4", "uct:simulations=5", k=20, kt=10)
    >>> planned.plan.games, planned.plan.k, planned.speed > 0
    (300, 20, True)
    >>> print(planned.text.splitlines()[1])
    seeds      K=20 of each colour; 95% sure that one of them is among the
    """

    title: str
    plan: Plan
    speed: float
    """Games a second."""
    judging: int
    """Games to evaluate with."""
    command: str
    """What to run."""
    book_games: int = 0
    """Games for the book, which `boost` learns besides the matrix."""
    spread: Spread | None = None
    """How much seeds differ; None: not measured, as games are slow."""

    @property
    def learning(self) -> int:
        """All games to learn from."""
        return self.plan.games + self.book_games

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        times = {"games_per_second": self.speed, "seconds": self.learning / self.speed}
        more = {"book_games": self.book_games, "judging_games": self.judging}
        data = {"title": self.title, **self.plan.as_data(), **more, **times}
        if self.spread is None:
            return data
        spread = {
            "seed_deviation": self.spread.deviation,
            "best_gain": self.spread.best_gain(self.plan.k),
            "found_gain": self.spread.best_gain(self.plan.k, self.plan.kt),
            "epsilon_bernstein": 2 * self._bernstein(self.spread),
        }
        return data | spread

    def _bernstein(self, spread: Spread) -> float:
        plan = self.plan
        return bernstein(plan.k, plan.kt, plan.delta, spread.variance)

    @property
    def text(self) -> str:
        """The whole plan as text."""
        return "\n".join([self.title, *(f"{name:<10} {text}" for name, text in self._lines())])

    def _summary(self) -> str:
        seconds = duration(self.learning / self.speed)
        return f"{self.title}: {self.learning:,} games to learn from, {seconds}"

    def _parts(self) -> list[Table]:
        return [lines_table(self.title, self._lines())]

    def _records(self) -> list[dict[str, Any]]:
        return [self.as_data()]

    def _lines(self) -> list[tuple[str, str]]:
        plan, speed = self.plan, self.speed
        sure = f"{100 * (1 - plan.delta):g}%"
        learning, judging = self.learning, self.judging
        a_pair = f", {plan.repeats} for each pair of seeds" if plan.repeats > 1 else ""
        run = self.command
        if (learning + judging) // plan.repeats > MOST_GAMES:
            run = f"not with one study, which takes up to {MOST_GAMES:,} games; "
            run += "choose a larger epsilon"
        slow = f"{60 * speed:.2g} games/min on this machine now"
        learn, judge = duration(learning / speed), duration(judging / speed)
        book = f", {self.book_games:,} of them for a book" if self.book_games else ""
        halving = plan.halving_games
        return [
            ("seeds", f"K={plan.k:,} of each colour; {sure} sure that one of them is among the"),
            ("", f"best {100 * plan.best_share:.2g}% of all seeds"),
            ("opponents", f"Kt={plan.kt:,} for each of them"),
            *self._spread_lines(),
            *self._promise_lines(sure),
            ("games", f"{learning:,} to learn from{book}{a_pair};"),
            ("", f"about {judging:,} more to evaluate"),
            ("speed", f"{speed:,.0f} games/s on this machine now" if speed >= 10 else slow),
            ("time", f"{learn} to learn, {judge} to evaluate"),
            ("halving", f"looks for the best among as many seeds from {halving:,} games on"),
            ("", f"({duration(halving / speed)}), without a promise"),
            ("run", run),
        ]

    def _spread_lines(self) -> list[tuple[str, str]]:
        if self.spread is None:
            return []
        spread, k, kt = self.spread, self.plan.k, self.plan.kt
        best, found, more = (_points(spread.best_gain(*each)) for each in ((k,), (k, kt), (2 * k,)))
        points = _points(spread.deviation)
        return [
            ("spread", f"the success of seeds has a standard deviation of {points} points,"),
            ("", f"by {spread.games:,} games, without the luck of these. So the best of K is"),
            ("", f"about {best} points above the mean, the best of 2K about {more};"),
            ("", f"the best by results against Kt opponents about {found}"),
        ]

    def _promise_lines(self, sure: str) -> list[tuple[str, str]]:
        """Return what is promised of the best mean, if it is more than a random seed promises."""
        plan, spread = self.plan, self.spread
        bounds = [("Hoeffding", plan.epsilon)]
        if spread is not None:
            bounds.append(("Bernstein", 2 * self._bernstein(spread)))
        texts = " or ".join(f"{_points(bound)} ({name})" for name, bound in bounds)
        useful = 0.5 if spread is None else max(spread.best_gain(plan.k), 0.001)
        if min(bound for _, bound in bounds) < useful:
            return [
                ("promise", f"{sure} sure that the seed with the best mean is at most"),
                ("", f"{texts} points below the best of K"),
            ]
        return [
            ("promise", "none: the sizes are too small. The bounds on how far the best mean is"),
            ("", f"below the best seed are {texts} points,"),
            ("", "no less than a random seed loses; the table of boost shows the gain"),
        ]


def _points(success: float) -> str:
    points = 100 * min(1.0, success)
    return f"{points:.1f}" if points >= 1 else f"{points:.2g}"


def plan(
    game: Learnable,
    player: str | Player | Sequence[str] | None = None,
    *,
    epsilon: float | None = None,
    delta: float = 0.05,
    k: int | None = None,
    kt: int | None = None,
    repeats: int | None = None,
    arena: str | Arena = "auto",
    threads: int | None = None,
    address: str | None = None,
    note: Callable[[str], None] = no_note,
) -> Planned:
    """Return how many games are enough for a precision, and how long they take on this machine.

    With probability 1 - `delta` the seed with the best mean of K, each against Kt opponents, is at
    most `epsilon` below the best of them. With `k` and `kt` the plan computes that instead. Plays
    for some seconds to measure the speed, and how much seeds differ; nothing is kept.

    Args:
        game: A game such as domineering:7x7, or a file of yours.
        player: As in `boost`.
        epsilon: How far the chosen seed may be below the best (default: 0.1 unless `kt` is given).
        delta: Probability that this fails.
        k: Number of seeds of each colour to learn about (default: the fewest that go with epsilon).
        kt: Number of opponents of each: gives epsilon for K and Kt.
        repeats: As in `boost`.
        arena: As in `boost`.
        threads: As in `boost`.
        address: As in `boost`.
        note: Receives lines for people.

    >>> from seedfolio import plan
    >>> planned = plan("domineering:4x4", "uct:simulations=5", k=20, kt=10)
    >>> planned.plan.games
    300
    >>> planned.command
    'seedfolio boost domineering:4x4 --player uct:simulations=5 --k 20 --kt 10'
    """
    if epsilon is None and kt is None:
        epsilon = _EPSILON
    sizes: dict[str, Any] = {"delta": delta, "epsilon": epsilon, "k": k, "kt": kt}
    make_plan(**sizes)  # a mistake shows before anything is compiled
    program = load_program(game, player, repeats)
    if isinstance(program, EngineProgram):
        return _plan_engine(program, sizes, threads, note)
    planned = make_plan(**sizes, repeats=program.repeats)
    with open_arena(Run(arena, threads, address, note=note)) as playing:
        speed = measure_speed(program, playing)
        spread = measure_spread(program, playing, speed)
    name = str(game) if isinstance(game, str | Path) else program.game.source
    named = player or isinstance(game, Program)
    words = ["seedfolio", "boost", name, *(["--player", program.player.text] if named else [])]
    words += ["--k", str(planned.k), "--kt", str(planned.kt)]
    words += ["--repeats", str(repeats)] if repeats else []
    book, judging = _more_games(program, planned)
    command = shlex.join(words)
    return Planned(program.title, planned, speed, judging, command, book, spread)


def _more_games(program: Playable, planned: Plan) -> tuple[int, int]:
    """Return the games of the book that `boost` learns, and those to evaluate with."""
    names = default_learners(program, planned.k, planned.kt)
    request = Request(
        k=planned.k, kt=planned.kt, opponents=program.arms.usual_sizes[2], learners=names
    )
    learning, judging = expected_games(request, program, [find_learner(each) for each in names])
    return learning - planned.games, judging


def _plan_engine(
    program: EngineProgram,
    sizes: dict[str, Any],
    threads: int | None,
    note: Callable[[str], None],
) -> Planned:
    """Return the plan for an external engine, whose speed a few games of its study show."""
    found = check_program(program, note)
    if not found.passed and not found.noisy:
        raise EngineError(f"{program.title} failed the check: {'; '.join(found.failures())}")
    repeats = games_a_cell(program, found)
    planned = make_plan(**sizes, repeats=repeats)
    if planned.k > program.arms.training:
        raise SpecificationError(
            f"that takes K={planned.k:,} arms, and {program.title} has {program.arms.training:,} "
            "to learn from; lower `k`, or add seeds or options to its arms"
        )
    note("plays some games as the study would, to see how long it takes")
    opponents = program.arms.usual_sizes[2]
    size = StudySize(planned.k, min(planned.k, planned.kt), opponents, program.arms.unseen)
    seconds = take_sample(program, found, threads).seconds(size, repeats)
    speed = size.games * repeats / seconds
    words = ["seedfolio", "boost", program.file, "--k", str(planned.k), "--kt", str(planned.kt)]
    book, judging = _more_games(program, planned)
    return Planned(program.title, planned, speed, judging, shlex.join(words), book)
