"""The arms of both colours, halved against each other: how `auto` chooses seeds."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from math import log2
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import HELD_BACK_SEEDS
from seedfolio.core.table import percent
from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.learning.exploration import MOST_ARMS, Choice, ExploringLearner, nothing_known
from seedfolio.learning.learner import in_range
from seedfolio.learning.one_colour import confidence
from seedfolio.learning.solvers.exploiter_bounds import worst_weights
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.session import Cells

Numbers = NDArray[np.float64]
_FOLDS = 4


def worst_of(exploiters: int) -> float:
    """Return how many deviations the worst of `exploiters` normal numbers is below the mean."""
    if exploiters == 1:
        return 0.0
    # Blom's approximation of the mean of the largest.
    return NormalDist().inv_cdf((exploiters - 0.375) / (exploiters + 0.25))


def promising_number(
    strengths: Numbers, opponents: float, rest: float, exploiters: int
) -> tuple[int, Numbers]:
    """Return the best number of arms to draw from, and the expected success with 1, 2, 3, ...

    `strengths` are those of the arms, best first; an arm counts as no stronger than the one before
    it. m arms, drawn equally often, have the mean of their strengths. Between opponents whose
    strength has the variance `opponents`, their success has the variance opponents + rest / m: the
    more arms, the less an exploiter finds. Success is relative to that of an average arm.
    """
    number = np.arange(1, len(strengths) + 1)
    means = np.cumsum(np.minimum.accumulate(strengths)) / number
    hopes = means - worst_of(exploiters) * np.sqrt(opponents + rest / number)
    return int(np.argmax(hopes)) + 1, hopes


@dataclass(frozen=True)
class Weighed:
    """A way to draw, and its success against an exploiter among opponents it was not fitted to."""

    name: str
    weights: Numbers
    kept: float


def weigh(points: NDArray[np.uint8], full: int, number: int, exploiters: int) -> list[Weighed]:
    """Return ways to draw from arms (rows, best first) that met the same opponents, best way first.

    The ways: the first `number` equally often, or weights of the exploiter objective, or half of
    each. Cross-validation measures them: each part of the opponents meets weights that were fitted
    to the others. The objective is that of half as many exploiters, which overfits less. `points`
    are half points of our arms, 0 to `full`.
    """
    arms, opponents = points.shape
    equal = np.where(np.arange(arms) < number, 1 / number, 0.0)
    objective = ExploiterObjective(max(2, exploiters // 2))
    folds = np.arange(opponents) % _FOLDS
    unseen = np.zeros(opponents)
    for fold in range(_FOLDS):
        others = np.ascontiguousarray(points[:, folds != fold])
        weights = objective.weigh(others, full, key=0).weights
        unseen[folds == fold] = _success(weights, points[:, folds == fold], full)
    known = _success(equal, points, full)
    fitted = objective.weigh(points, full, key=0).weights
    ways = [
        Weighed(f"{number} equally often", equal, _kept(known, exploiters)),
        Weighed("as fitted to the games", fitted, _kept(unseen, exploiters)),
        Weighed("half of each", (equal + fitted) / 2, _kept((known + unseen) / 2, exploiters)),
    ]
    return sorted(ways, key=lambda way: -way.kept)


def _success(weights: Numbers, points: NDArray[np.uint8], full: int) -> Numbers:
    # Sums in a fixed order, so that they are the same on all machines.
    total: Numbers = (weights[:, None] * points).sum(axis=0) / full
    return total


def _kept(successes: Numbers, exploiters: int) -> float:
    """Return the mean success against the worst of `exploiters` of these opponents."""
    return float((np.sort(successes) * worst_weights(len(successes), exploiters)).sum())


Places = NDArray[np.intp]

# The prior: the success of arms of one colour varies by 0.01, as is usual. That is a tenth between
# a good arm and an average one. The prior counts as much as this many pairs of games.
_USUAL_VARIANCE = 0.01
_USUAL_PAIRS = 1000
_LEAST_VARIANCE = 1e-4
_LEAST_NOISE = 0.01
_SWEEPS = 5
_SHIFT, _COLUMN = 32, 2**32 - 1


@dataclass(frozen=True)
class Spread:
    """Variances of the success in a game."""

    arms: tuple[float, float]
    """Between the arms of each colour, by their strength."""
    rest: float
    """What strength does not explain."""


class Duels:
    """All games so far between the first arms of both colours, in successes of the first player.

    The model: success = level + strength of the arm - strength of its opponent + luck. Strengths
    are estimated together. Each is shrunk towards 0, depending on the spread of the arms and the
    number of its games (empirical Bayes). So arms that met different opponents are comparable, and
    the best of many is not overrated.
    """

    def __init__(self, arms: int) -> None:
        self._arms = arms
        self._known = np.zeros(0, np.uint64)
        self._asked = np.zeros(0, np.uint64)
        self._rows: Places = np.zeros(0, np.intp)
        self._columns: Places = np.zeros(0, np.intp)
        self._successes: Numbers = np.zeros(0)
        self._spread: Spread | None = None

    def ask(self, rows: Places, columns: Places) -> Cells:
        """Return those of the cells that were not played yet; `tell` takes their results."""
        keys = (rows.astype(np.uint64) << np.uint64(_SHIFT)) | columns.astype(np.uint64)
        self._asked = np.setdiff1d(keys, self._known)
        return Cells(self._asked >> np.uint64(_SHIFT), self._asked & np.uint64(_COLUMN))

    def tell(self, successes: Numbers) -> None:
        """Take the successes in the cells asked for last."""
        if len(successes) == 0:
            return
        rows = (self._asked >> np.uint64(_SHIFT)).astype(np.intp)
        columns = (self._asked & np.uint64(_COLUMN)).astype(np.intp)
        self._known = np.union1d(self._known, self._asked)
        self._rows = np.concatenate([self._rows, rows])
        self._columns = np.concatenate([self._columns, columns])
        self._successes = np.concatenate([self._successes, successes])
        if self._spread is None:
            self._spread = self._first_spread()

    @property
    def spread(self) -> Spread:
        """How much arms differ, by the games of the first round, before any arm dropped out."""
        return self._spread or Spread((_USUAL_VARIANCE, _USUAL_VARIANCE), 0.25)

    def strengths(self) -> tuple[Numbers, Numbers]:
        """Return how much more than an average arm every arm of each colour wins."""
        places = self._rows, self._columns
        counts = self._count(places[0]), self._count(places[1])
        of = [np.zeros(self._arms), np.zeros(self._arms)]
        if len(self._successes):
            level = float(self._successes.mean())
            ridges = [self.spread.rest / variance for variance in self.spread.arms]
            for _ in range(_SWEEPS):
                for colour in (1, 0):
                    mine, other = places[colour], places[1 - colour]
                    sign = 1 if colour == 0 else -1
                    left = sign * (self._successes - level) + of[1 - colour][other]
                    sums = np.bincount(mine, weights=left, minlength=self._arms)
                    of[colour] = sums / (counts[colour] + ridges[colour])
        return of[0], of[1]

    def level(self, colour: int) -> float:
        """Return the success of an average arm of a colour."""
        mean = float(self._successes.mean()) if len(self._successes) else 0.5
        return mean if colour == 0 else 1 - mean

    def _count(self, places: Places) -> Places:
        return np.bincount(places, minlength=self._arms)

    def _first_spread(self) -> Spread:
        left = self._successes - self._successes.mean()
        arms = []
        for places in (self._rows, self._columns):
            counts = self._count(places)
            sums = np.bincount(places, weights=left, minlength=self._arms)
            squares = np.bincount(places, weights=left**2, minlength=self._arms)
            pairs = float((counts * (counts - 1)).sum()) / 2
            products = float((sums**2 - squares).sum()) / 2
            shared = _USUAL_VARIANCE * _USUAL_PAIRS + products
            arms.append(max(_LEAST_VARIANCE, shared / (_USUAL_PAIRS + pairs)))
        total = float((left**2).mean())
        return Spread((arms[0], arms[1]), max(_LEAST_NOISE, total - arms[0] - arms[1]))


def spread_out(ours: Places, theirs: Places, each: int) -> tuple[Places, Places]:
    """Return games in which each of our arms meets `each` of theirs, and these about equally often.

    Neighbouring arms meet neighbouring opponents, so pass both in a random order.
    """
    each = min(each, len(theirs))
    number = np.arange(len(ours))
    begins = np.repeat(number * len(theirs) // len(ours), each)
    met = (begins + np.tile(np.arange(each), len(ours))) % len(theirs)
    return np.repeat(ours, each), theirs[met]


MOST_EXPLOITERS = 256
_PER_MEASURED, _MOST_MEASURED = 20, 4000  # one game in 20, up to 4000, measures the outcome
_SHARED = 4  # while more than one arm in 4 is left, the arms meet each other
_WEIGHED = 64  # arms of each colour
_WEIGHING = 0.4  # share of the games, if there are enough
_FEWEST_WEIGHED = 200  # opponents for each arm
_AT_ONCE = 2**16  # cells; an exploration can be stopped only between two calls for cells

_USUAL_EXPLOITERS = 16

_Points = NDArray[np.uint8]
_Flow = Generator[Cells, _Points, None]


@dataclass(frozen=True)
class HalvingDuels(ExploringLearner):
    """Halve the arms of both colours against each other, then choose how many to draw from.

    Sequential halving ("Almost optimal exploration in multi-armed bandits", Karnin, Koren, Somekh
    2013) of both colours at once. At first the remaining arms meet each other, so each game teaches
    both colours. Once fewer than one arm in `exploiters` remains, or one in four, they meet the
    best of the other colour instead, one in `exploiters` of all. So they learn to beat the
    opponents that an exploiter would choose, or any opponent without an exploiter. Strengths are
    estimated together, see `Duels`. `arms` of each colour begin; 0 chooses as many as the games
    allow.

    The games also show how much arms differ, and that decides how many of the best to draw from:
    one against a stranger (`exploiters` 1); more against an exploiter who picks the
    best of several opponents, and the more, the less arms differ. Unless given, it guards against
    16: one arm is stronger against strangers, but a person who tries 16 opponents finds one that
    beats it.

    With enough games, the best 64 meet new opponents and get weights from these games, if
    cross-validation says that it pays.

    It uses all games of its budget. One in twenty, up to 4000, measures the outcome against
    opponents that learning never meets: they give the certificate (Hoeffding). Nothing else is
    guaranteed. It may miss the best arm, since arms that drop out early met other opponents than
    those that stay.
    """

    short = "auto"

    exploiters: int = 0
    arms: int = 0

    def __post_init__(self) -> None:
        if self.exploiters:
            zero = f"0 for a guard against {_USUAL_EXPLOITERS} and for books"
            wanted = f"auto: exploiters must be {{}}, or {zero}"
            in_range(wanted, self.exploiters, 1, MOST_EXPLOITERS)
        in_range("auto: arms must be {}", self.arms, 0, MOST_ARMS)

    def begin(self, cells: int, full: int, key: int) -> DuelsExploration:
        """Begin an exploration of at most `cells` cells."""
        return DuelsExploration(self, cells, full, key)


class DuelsExploration:
    """The stages of `HalvingDuels`: rounds, weights, a measured outcome."""

    def __init__(self, learner: HalvingDuels, cells: int, full: int, key: int) -> None:
        self._exploiters = learner.exploiters or _USUAL_EXPLOITERS
        self._full, self._key = full, mix_int(key)
        self._luck = np.random.Philox(key=self._key)
        self._measuring = min(cells // _PER_MEASURED, _MOST_MEASURED)
        self._left = cells - self._measuring
        weighing = int(_WEIGHING * self._left)
        enough = self._exploiters > 1 and weighing >= 2 * _WEIGHED * _FEWEST_WEIGHED
        self._weighing = weighing if enough else 0
        self._keep = 1 if self._exploiters == 1 else 2 * self._exploiters
        self._arms = self._beginning(self._left - self._weighing, learner.arms or MOST_ARMS)
        self._duels = Duels(self._arms)
        everyone = np.arange(self._arms)
        self._active: list[Places] = [everyone, everyone]
        self._reasons = ["", ""]
        self._choice = nothing_known()
        self._flow = self._stages()
        self._cells = next(self._flow, None)

    def ask(self) -> Cells | None:
        """Return the next cells."""
        return self._cells

    def tell(self, points: _Points) -> None:
        """Go on to the next cells."""
        try:
            self._cells = self._flow.send(points)
        except StopIteration:
            self._cells = None

    def choice(self) -> Choice:
        """Return what it would play now."""
        return self._choice

    def _beginning(self, games: int, most: int) -> int:
        """Return the number of arms of each colour to begin with.

        As many as can all play in each round if half drop out: once if only the best arm matters,
        twice if their differences matter too.
        """
        each = 1 if self._exploiters == 1 else 2
        count = max(1, min(self._keep, most, games // each))
        while 2 * count <= most and 2 * count * each * self._rounds(2 * count) <= games:
            count *= 2
        return count

    def _rounds(self, arms: int) -> int:
        return max(1, round(log2(max(1, arms / self._keep))))

    def _stages(self) -> _Flow:
        """Play the rounds, weigh, and measure."""
        rounds = self._rounds(self._arms)
        for turn in range(rounds):
            yield from self._round((self._left - self._weighing) // (rounds - turn))
        if self._weighing:
            # With more arms weights matter little, and the games for each are too few to fit them.
            crowded = [len(side) > _WEIGHED for side in self._sides]
            if any(crowded):
                yield from self._round(self._weighing // 2 * sum(crowded))
            for colour in (0, 1):
                if not crowded[colour]:
                    yield from self._weigh(colour)
        yield from self._measure()

    @property
    def _sides(self) -> list[Distribution]:
        return [self._choice.portfolio[colour] for colour in (0, 1)]

    def _round(self, games: int) -> _Flow:
        """Play a round of about `games` games, and drop arms."""
        points = yield from self._play(self._duels.ask(*self._pairings(games)))
        self._duels.tell(points / self._full)
        self._drop()

    def _play(self, cells: Cells) -> Generator[Cells, _Points, _Points]:
        """Ask for cells, some at a time; return their results."""
        self._left -= len(cells)
        told = []
        for start in range(0, len(cells), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            told.append((yield Cells(cells.rows[part], cells.columns[part])))
        return np.concatenate(told) if told else np.zeros(0, np.uint8)

    def _pairings(self, games: int) -> tuple[Places, Places]:
        """Return the rows and columns of a round of at most `games` games."""
        active = [self._mixed(each) for each in self._active]
        reach = -(-self._arms // max(_SHARED, self._exploiters))
        more, fewer = (0, 1) if len(active[0]) >= len(active[1]) else (1, 0)
        each = games // len(active[more])
        if len(active[fewer]) >= max(reach, each):  # enough are left to meet each other
            pairs = spread_out(active[more], active[fewer], each)
            return pairs if more == 0 else pairs[::-1]
        strengths = self._duels.strengths()
        reach = -(-self._arms // self._exploiters)
        sides = []
        for colour in (0, 1):
            each = games // 2 // len(active[colour])
            best = np.argsort(-strengths[1 - colour], kind="stable")
            met = self._mixed(best[: max(reach, each, len(active[1 - colour]))])
            sides.append(spread_out(active[colour], met, each))
        (rows, columns), (also_columns, also_rows) = sides
        return np.concatenate([rows, also_rows]), np.concatenate([columns, also_columns])

    def _drop(self) -> None:
        """Drop the worse half of each colour, but keep all arms that are worth drawing from."""
        sides = []
        for colour, strengths in enumerate(self._duels.strengths()):
            best, number, promise = self._promising(colour, strengths)
            sides.append(_equally(best[:number]))
            half = -(-len(self._active[colour]) // 2)
            self._active[colour] = best[: max(self._keep, number, half)]
            self._reasons[colour] = promise
        self._choice = replace(self._choice, portfolio=Portfolio(*sides), note=self._note())

    def _promising(self, colour: int, strengths: Numbers) -> tuple[Places, int, str]:
        """Return all arms, best first, how many of them to draw from, and why.

        Arms that dropped out come last: they have played few games.
        """
        dropped = np.ones(self._arms, np.bool_)
        dropped[self._active[colour]] = False
        best = np.lexsort((-strengths, dropped))
        spread = self._duels.spread
        number, hopes = promising_number(
            strengths[best], spread.arms[1 - colour], spread.rest, self._exploiters
        )
        level = self._duels.level(colour)
        if self._exploiters == 1:
            promises = [_percent(level + each) for each in strengths[best[:2]]]
            promise = ", the next ".join(promises)
            return best, number, f"the strongest of {self._arms:,} seeds, which promises {promise}"
        others = [each for each in (number // 2, 2 * number) if 1 <= each <= len(hopes)]
        promise = "".join(
            f", {each} promise {_percent(level + hopes[each - 1])}" for each in others
        )
        chosen = f"{number} of {self._arms:,} seeds equally often"
        hope = _percent(level + hopes[number - 1])
        kept = f"{hope} against the best of {self._exploiters} opponents"
        return best, number, f"{chosen}: they promise {kept}{promise}"

    def _weigh(self, colour: int) -> _Flow:
        """Let the best arms meet new opponents, and take the weights that do best there."""
        best, number, _ = self._promising(colour, self._duels.strengths()[colour])
        arms = best[:_WEIGHED]
        count = self._weighing // 2 // len(arms)
        ours = np.repeat(arms, count).astype(np.uint64)
        theirs = np.tile(np.arange(self._arms, self._arms + count), len(arms)).astype(np.uint64)
        cells = Cells(ours, theirs) if colour == 0 else Cells(theirs, ours)
        table = (yield from self._play(cells)).reshape(len(arms), count)
        table = table if colour == 0 else self._full - table
        ways = weigh(table, self._full, min(number, len(arms)), self._exploiters)
        sides = self._sides
        sides[colour] = Distribution.of(arms.astype(np.uint64), ways[0].weights)
        self._reasons[colour] = _choice(ways, len(arms), count, self._exploiters)
        self._choice = replace(self._choice, portfolio=Portfolio(*sides), note=self._note())

    def _measure(self) -> _Flow:
        """Play against opponents that learning never met, half of the games as each colour."""
        games = self._measuring // 2
        if games == 0:
            return
        portfolio = self._choice.portfolio
        ours = [
            [portfolio[colour].draw(self._lot(2 * game + colour)) for game in range(games)]
            for colour in (0, 1)
        ]
        theirs = HELD_BACK_SEEDS[:games]
        cells = Cells(
            np.array([*ours[0], *theirs], np.uint64), np.array([*theirs, *ours[1]], np.uint64)
        )
        successes = (yield from self._play(cells)) / self._full
        means = float(successes[:games].mean()), float(1 - successes[games:].mean())
        first, second = (confidence(mean, games, 1) for mean in means)
        note = (
            f"{self._choice.note}; what was chosen won {_percent(means[0])} as first and "
            f"{_percent(means[1])} as second player of {games:,} games each "
            "against seeds that learning had not met"
        )
        self._choice = replace(self._choice, first=first, second=second, note=note)

    def _note(self) -> str:
        first, second = self._reasons
        return f"first player: {first}; second player: {second}"

    def _mixed(self, arms: Places) -> Places:
        """Return arms in a random order."""
        return arms[np.argsort(self._luck.random_raw(len(arms)), kind="stable")]

    def _lot(self, number: int) -> int:
        return mix_int(self._key + number)


def _percent(success: float) -> str:
    # An estimate is the sum of a level and a strength, and may lie outside 0 to 1.
    return f"{percent(min(1.0, max(0.0, success)))}%"


def _equally(arms: Places) -> Distribution:
    return Distribution.of(arms.astype(np.uint64), np.full(len(arms), 1 / len(arms)))


def _choice(ways: list[Weighed], arms: int, opponents: int, exploiters: int) -> str:
    """Return what was chosen, and by how much."""
    chosen, *others = ways
    rest = ", ".join(f"{each.name} {100 * each.kept:.1f}%" for each in others)
    return (
        f"of the best {arms} seeds {chosen.name}: against the best of {exploiters} of {opponents} "
        f"new opponents that keeps {100 * chosen.kept:.1f}%, {rest}"
    )
