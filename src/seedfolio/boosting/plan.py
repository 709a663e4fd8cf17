"""How many games are enough for a precision, and how long they take on this machine."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log, log2, sqrt
from pathlib import Path
from typing import Any

from seedfolio.arena import Arena, Run, no_note
from seedfolio.arena.choice import open_arena
from seedfolio.boosting.budget import measure_speed
from seedfolio.boosting.request import MOST_GAMES
from seedfolio.boosting.study_time import StudySize, take_sample
from seedfolio.core.display import Displayed, lines_table
from seedfolio.core.seeds import TRAINING_SEEDS
from seedfolio.core.table import Table
from seedfolio.engines.play.check import check_program
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.programs.load import Learnable, load_program
from seedfolio.study.arms import training_cells

_ROUNDING = 1e-9
_FINEST = 1e-6


def precision(k: int, kt: int, delta: float) -> float:
    """Return the precision of all means of K arms against Kt opponents, by the rule."""
    return sqrt((log(2 * k) - log(delta)) / (2 * kt))


def opponents_needed(k: int, epsilon: float, delta: float) -> int:
    """Return the smallest Kt for which `precision` is `epsilon` or better."""
    return max(1, ceil((log(2 * k) - log(delta)) / (2 * epsilon**2) - _ROUNDING))


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
        """Every mean is within this of the truth, with probability 1 - delta."""
        return precision(self.k, self.kt, self.delta)

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
        coarser = _above(precision(k, k, delta))
        raise SpecificationError(
            f"K = {k} seeds need Kt = {needed} opponents for a precision of {epsilon}, but Kt is "
            f"at most K; take a `k` of {least} or more, or an `epsilon` of {coarser} or more"
        )
    return Plan(k, needed, delta, repeats)


def duration(seconds: float) -> str:
    """Return a time for people: `40 seconds`, `2.5 hours`."""
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            amount = seconds / size
            return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:,.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 1.5 else "1 second"


def _above(number: float) -> str:
    """Return a number rounded up to three places, so that it is still enough."""
    return f"{ceil(1000 * number) / 1000:.3f}"


_EPSILON = 0.05


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
    opponents: int
    """Unseen seeds of each colour that `boost` evaluates with."""
    command: str
    """What to run."""

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        times = {"games_per_second": self.speed, "seconds": self.plan.games / self.speed}
        return {"title": self.title, **self.plan.as_data(), **times}

    @property
    def text(self) -> str:
        """The whole plan as text."""
        return "\n".join([self.title, *(f"{name:<10} {text}" for name, text in self._lines())])

    def _summary(self) -> str:
        seconds = duration(self.plan.games / self.speed)
        return f"{self.title}: {self.plan.games:,} games to learn from, {seconds}"

    def _parts(self) -> list[Table]:
        return [lines_table(self.title, self._lines())]

    def _records(self) -> list[dict[str, Any]]:
        return [self.as_data()]

    def _lines(self) -> list[tuple[str, str]]:
        plan, speed = self.plan, self.speed
        sure = f"{100 * (1 - plan.delta):g}%"
        points = 100 * min(1.0, plan.epsilon)
        within, below = (
            f"{each:.1f}" if each >= 1 else f"{each:.2g}" for each in (points, 2 * points)
        )
        judging = 2 * plan.k * self.opponents * plan.repeats
        a_pair = f", {plan.repeats} for each pair of seeds" if plan.repeats > 1 else ""
        run = self.command
        if (plan.games + judging) // plan.repeats > MOST_GAMES:
            run = f"not with one study, which takes up to {MOST_GAMES:,} games; "
            run += "choose a larger epsilon"
        slow = f"{60 * speed:.2g} games/min on this machine now"
        learn, judge = duration(plan.games / speed), duration(judging / speed)
        halving = plan.halving_games
        return [
            ("seeds", f"K={plan.k:,} of each colour; {sure} sure that one of them is among the"),
            ("", f"best {100 * plan.best_share:.2g}% of all seeds"),
            ("opponents", f"Kt={plan.kt:,} for each of them"),
            ("precision", f"{sure} sure that every seed's mean is within {within} points of its"),
            ("", f"success, for each colour: the best mean is at most {below} points below"),
            ("", "the best of the K seeds"),
            ("games", f"{plan.games:,} to learn from{a_pair};"),
            ("", f"about {judging:,} more to evaluate on {self.opponents} unseen seeds of each"),
            ("", "colour"),
            ("speed", f"{speed:,.0f} games/s on this machine now" if speed >= 10 else slow),
            ("time", f"{learn} to learn, {judge} to evaluate"),
            ("halving", f"looks for the best among as many seeds from {halving:,} games on"),
            ("", f"({duration(halving / speed)}), without that promise for every seed"),
            ("run", run),
        ]


def plan(
    game: Learnable,
    player: str | Player | None = None,
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

    With probability 1 - `delta` the mean of each of K seeds against Kt opponents is within
    `epsilon` of its success. With `k` and `kt` the plan computes the precision instead. Plays for
    about two seconds to measure the speed; nothing is kept.

    Args:
        game: A game such as domineering:7x7, or a file of yours.
        player: As in `boost`.
        epsilon: Precision of each seed's success (default: 0.05 unless `kt` is given).
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
    name = str(game) if isinstance(game, str | Path) else program.game.source
    named = player or isinstance(game, Program)
    words = ["seedfolio", "boost", name, *(["--player", program.player.text] if named else [])]
    words += ["--k", str(planned.k), "--kt", str(planned.kt)]
    words += ["--repeats", str(repeats)] if repeats else []
    opponents = program.arms.usual_sizes[2]
    return Planned(program.title, planned, speed, opponents, shlex.join(words))


def _plan_engine(
    program: EngineProgram,
    sizes: dict[str, Any],
    threads: int | None,
    note: Callable[[str], None],
) -> Planned:
    """Return the plan for an external engine, whose speed a few games of its study show."""
    found = check_program(program, note)
    if not found.passed:
        raise EngineError(f"{program.title} failed the check: {'; '.join(found.failures())}")
    planned = make_plan(**sizes, repeats=1)
    if planned.k > program.arms.training:
        raise SpecificationError(
            f"that takes K={planned.k:,} arms, and {program.title} has {program.arms.training:,} "
            "to learn from; lower `k`, or add seeds or options to its arms"
        )
    note("plays some games as the study would, to see how long it takes")
    opponents = program.arms.usual_sizes[2]
    size = StudySize(planned.k, min(planned.k, planned.kt), opponents, program.arms.unseen)
    speed = size.games / take_sample(program, found, threads).seconds(size, 1)
    words = ["seedfolio", "boost", program.file, "--k", str(planned.k), "--kt", str(planned.kt)]
    return Planned(program.title, planned, speed, opponents, shlex.join(words))
