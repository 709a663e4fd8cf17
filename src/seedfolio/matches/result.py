"""The result of a match: who scored what against whom, as a table, text and data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Displayed
from seedfolio.core.table import Table, percent
from seedfolio.engines.record import GameRecord
from seedfolio.evaluation.intervals import SuccessInterval, Z, student
from seedfolio.evaluation.sprt import LOGISTIC, PAIR_SCORES, PairScores, Sprt
from seedfolio.opponents.adaptive import SUCCESS_OVER_TIME, halves, over_time

_HALVES = "success", "first_half", "last_half"
_COUNTS = "W/D/L: games won, drawn and lost."
_CAPTION = (
    "A draw counts half. Every two games are a pair, one with each colour; the 95% intervals are "
    "computed from the scores of pairs."
)


@dataclass(frozen=True)
class Pairing:
    """The games between two programs of a match, from the view of the first."""

    first: int
    second: int
    """The places of the two in the match, from 0."""
    points: tuple[int, ...]
    """The half points of the first program in each game; it has the first move in every other."""
    kinds: tuple[int, ...] = ()
    """A number for each game, the same for games with the same moves; none where arms are always
    fresh."""
    openings: tuple[int, ...] = ()
    """The number of the opening of each pair; none without openings."""

    @property
    def counts(self) -> tuple[int, int, int]:
        """Wins, draws and losses of the first program."""
        return self.points.count(2), self.points.count(1), self.points.count(0)

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each pair of games, from 0 to 1."""
        pairs = zip(self.points[::2], self.points[1::2], strict=True)
        return tuple((one + other) / 4 for one, other in pairs)

    @property
    def repeats(self) -> int:
        """How many games repeat an earlier one, with the same moves."""
        return len(self.kinds) - len({(number % 2, kind) for number, kind in enumerate(self.kinds)})

    @property
    def success(self) -> SuccessInterval:
        """The success of the first program."""
        if not self.repeats:
            return SuccessInterval.of(self.scores)
        mean, _, error, fewest = self._clustered
        games = mean * (1 - mean) / error if error else fewest
        # The two games of an opening depend on each other, and openings may be few.
        few = student(max(1, fewest - 1)) if self.openings else Z
        return SuccessInterval.of_mean(mean, games, float(few))

    @property
    def pair_scores(self) -> PairScores:
        """How often pairs of games have each of the five scores."""
        number = len(self.points) / 2
        counts = np.array(self.pentanomial)
        if not self.repeats:
            return PairScores(tuple(map(float, counts)), number)
        _, spread, error, fewest = self._clustered
        if not self.openings:  # the two games of a pair have nothing in common
            first, second = (
                np.bincount(np.array(self.points[colour::2], np.intp), minlength=3)
                for colour in (0, 1)
            )
            counts = np.convolve(first, second) / number
        return PairScores(tuple(map(float, counts)), spread / error if error else fewest)

    def ratio(self, sprt: Sprt) -> float:
        """Return the logarithm of the likelihood ratio; 0 without games."""
        if not self.points:
            return 0.0
        scores = self.pair_scores
        return float(sprt.ratio(scores.shares * scores.different))

    @property
    def pentanomial(self) -> tuple[int, ...]:
        """How many pairs have 0, 1, 2, 3 and 4 half points."""
        return tuple(np.bincount(self._pair_points, minlength=len(PAIR_SCORES)).tolist())

    @property
    def even_pairs(self) -> tuple[int, int]:
        """How many pairs are a win and a loss, and how many are two draws."""
        pairs = list(zip(self.points[::2], self.points[1::2], strict=True))
        drawn = pairs.count((1, 1))
        return self._pair_points.count(2) - drawn, drawn

    @property
    def _pair_points(self) -> list[int]:
        return [one + other for one, other in zip(self.points[::2], self.points[1::2], strict=True)]

    @property
    def _clustered(self) -> tuple[float, float, float, float]:
        """Return the mean score of a pair, its variance, the variance of the mean, and the number
        of pairs of different games.

        Every game counts for the mean. For its error equal games are one, or with openings all
        pairs of one opening.
        """
        if self.openings:
            scores = np.array(self._pair_points) / 4
            found = _clusters(scores, self.openings)
            return found.mean, float(scores.var()), found.error, found.number
        one, other = (
            _clusters(np.array(self.points[colour::2]) / 2, self.kinds[colour::2])
            for colour in (0, 1)
        )
        spread, error = (one.spread + other.spread) / 4, (one.error + other.error) / 4
        return (one.mean + other.mean) / 2, spread, error, min(one.number, other.number)


@dataclass(frozen=True)
class _Clusters:
    mean: float
    spread: float
    """The variance of one score, where all of a cluster are the same."""
    error: float
    """The variance of the mean."""
    number: int


def _clusters(scores: NDArray[np.float64], kinds: Sequence[int]) -> _Clusters:
    """Return what scores say of which those of a kind count as one."""
    _, kind, counts = np.unique(kinds, return_inverse=True, return_counts=True)
    shares, means = counts / counts.sum(), np.bincount(kind, scores) / counts
    mean = float(shares @ means)
    few = len(shares) / max(1, len(shares) - 1)
    spread, error = (few * float(each @ (means - mean) ** 2) for each in (shares, shares**2))
    return _Clusters(mean, spread, error, len(shares))


@dataclass(frozen=True)
class Forfeits:
    """Games that a program has lost by the same kind of fault, not on the board."""

    program: str
    ending: str
    games: int
    detail: str
    """What went wrong in the first of them."""

    @classmethod
    def of(cls, games: Sequence[GameRecord]) -> tuple[Forfeits, ...]:
        """Count forfeited games by program and fault."""
        found: dict[tuple[str, str], list[GameRecord]] = {}
        for game in games:
            loser = game.players[0 if game.points == 0 else 1]
            found.setdefault((loser, game.ending.value), []).append(game)
        return tuple(cls(*kind, len(each), each[0].detail) for kind, each in found.items())

    @property
    def text(self) -> str:
        """A sentence."""
        games = "1 game" if self.games == 1 else f"{self.games} games"
        return f"{self.program} forfeited {games} by {self.ending}: {self.detail}."


@dataclass(frozen=True, repr=False)
class Match(Displayed):
    """Games between programs, each pair of them with both colours equally often.

    >>> from seedfolio import match
    >>> programs = "domineering:4x4@uct:simulations=20", "domineering:4x4@uct:simulations=5"
    >>> played = match(*programs, games=20)
    >>> played.names
    ('uct:simulations=20', 'uct:simulations=5')
    >>> (pairing,) = played.pairings
    >>> sum(pairing.counts)
    20
    """

    title: str
    """The game."""
    names: tuple[str, ...]
    """The programs, in the order in which they were given."""
    pairings: tuple[Pairing, ...]
    key: int
    sprt: Sprt | None = None
    record: Path | None = None
    """The file with every game."""
    forfeits: tuple[Forfeits, ...] = ()
    """Games that external engines lost by a fault; they count as losses."""
    late: int = 0
    """How many games were played once more, because an engine answered too late."""
    timed: bool = False
    """Whether clocks decided, so that another run may have other games."""
    learning: tuple[str, ...] = ()
    """The programs that learnt from game to game: intervals do not hold for their games."""

    @property
    def games(self) -> int:
        """How many games were played in all."""
        return sum(len(pairing.points) for pairing in self.pairings)

    @property
    def ratio(self) -> float | None:
        """The logarithm of the likelihood ratio of the sequential test, if there is one."""
        return None if self.sprt is None else self.pairings[0].ratio(self.sprt)

    @property
    def decision(self) -> str | None:
        """What the sequential test accepts: elo0, elo1, or None if it has not decided."""
        ratio = self.ratio
        return None if self.sprt is None or ratio is None else self.sprt.decision(ratio)

    def overall(self, number: int) -> SuccessInterval:
        """Return the success of one of the programs against all others together."""
        if any(each.repeats for each in self.pairings):
            return self._overall_of_repeated(number)
        scores: list[float] = []
        for pairing in self.pairings:
            if pairing.first == number:
                scores += pairing.scores
            elif pairing.second == number:
                scores += (1 - score for score in pairing.scores)
        return SuccessInterval.of(scores)

    def _overall_of_repeated(self, number: int) -> SuccessInterval:
        """Return the mean of the pairings, as uncertain as their different games."""
        mine = self._with(number)
        found = [each.success if each.first == number else each.success.turned() for each in mine]
        mean = sum(each.mean for each in found) / len(found)
        games = sum(each.pair_scores.different for each in mine)
        return SuccessInterval.of_mean(mean, games)

    def table(self) -> Table:
        """Return the table: of two programs, or of each against each."""
        if self.learning:
            return self._table_of_learning()
        return self._table_of_two() if len(self.names) == 2 else self._table_of_many()

    @property
    def text(self) -> str:
        """A sentence for each pairing, and what the sequential test says."""
        lines = [self._sentence(pairing) for pairing in self.pairings]
        return "\n".join([*lines, *filter(None, [self.verdict]), *self._faults])

    @property
    def _faults(self) -> list[str]:
        repeats = sum(pairing.repeats for pairing in self.pairings)
        same = (
            f"Of {self.games} games, {self.games - repeats} are different, as the arms are few and "
            "always play the same; for the intervals and the test, equal games are one."
        )
        again = "1 game was" if self.late == 1 else f"{self.late} games were"
        if self.learning:
            names = " and ".join(self.learning)
            verb = "learns" if len(self.learning) == 1 else "learn"
            same = f"{names} {verb} from game to game: games depend on each other, and there is no "
            same += "interval."
        late = [f"{again} played once more after a timeout."] if self.late else []
        clocks = ["With clocks, another run may have other games."] if self.timed else []
        return [
            *([same] if repeats or self.learning else []),
            *clocks,
            *(each.text for each in self.forfeits),
            *late,
        ]

    @property
    def verdict(self) -> str:
        """What the sequential test says; empty without one."""
        if self.sprt is None or self.ratio is None:
            return ""
        sprt, decision = self.sprt, self.decision
        low, high = _signed(sprt.elo0), _signed(sprt.elo1)
        found = "not decided" if decision is None else f"accepts Elo {_accepted(sprt, decision)}"
        unit = "Elo" if sprt.model == LOGISTIC else "normalized Elo"
        bounds = " to ".join(f"{each:.2f}" for each in sprt.bounds)
        return (
            f"SPRT of {unit} {low} against {high}, alpha {100 * sprt.alpha:g}%, beta "
            f"{100 * sprt.beta:g}%: {found} after {self.games} games (log likelihood ratio "
            f"{self.ratio:.2f}, bounds {bounds})"
        )

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data; an infinite Elo is None."""
        data: dict[str, Any] = {
            "game": self.title,
            "programs": list(self.names),
            "key": self.key,
            "games": self.games,
            "pairings": [self._pairing_data(pairing) for pairing in self.pairings],
            "overall": [self.overall(number).as_data() for number in self._judged],
            "sprt": None,
            "record": None if self.record is None else str(self.record),
            "forfeits": [asdict(each) for each in self.forfeits],
            "late": self.late,
            "timed": self.timed,
        }
        if self.sprt is not None:
            low, high = self.sprt.bounds
            found = {"low": low, "high": high, "ratio": self.ratio, "accepted": self.decision}
            data["sprt"] = {**asdict(self.sprt), **found}
        return {**data, "learning": list(self.learning)} if self.learning else data

    @property
    def _judged(self) -> range:
        """The programs that have an interval: none if games depend on each other."""
        return range(0 if self.learning else len(self.names))

    def _summary(self) -> str:
        return f"{self.title}: {self.text.partition(chr(10))[0]}"

    def _parts(self) -> list[Table | str]:
        if self.learning:
            return [self.table()]
        if len(self.names) == 2:
            return [self.table(), self.summary()]
        return [self.table(), self.ranking()]

    def summary(self) -> str:
        """Return the lines in which fastchess tells the result of a match of two programs."""
        (pairing,) = self.pairings
        scores, (wins, draws, losses) = pairing.pair_scores, pairing.counts
        elo, low, high = pairing.success.elo
        pairs, points = pairing.pentanomial, wins + draws / 2
        won, lost = pairs[3] + pairs[4], pairs[0] + pairs[1]
        return "\n".join(
            [
                f"Elo: {elo + 0:.2f} +/- {(high - low) / 2:.2f}, nElo: {scores.normalized_elo:.2f} "
                f"+/- {scores.normalized_error:.2f}",
                f"LOS: {percent(scores.superiority)} %, DrawRatio: "
                f"{_percent(pairs[2], sum(pairs))} %, PairsRatio: {_ratio(won, lost)}",
                f"Games: {self.games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: "
                f"{points:.1f} ({percent(pairing.success.mean)} %)",
                f"Ptnml(0-2): {list(pairs)}, WL/DD Ratio: {_ratio(*pairing.even_pairs)}",
                *([] if self.sprt is None else [self._llr(self.sprt)]),
            ]
        )

    def _llr(self, sprt: Sprt) -> str:
        low, high = sprt.bounds
        return f"LLR: {self.ratio:.2f} ({low:.2f}, {high:.2f}) [{sprt.elo0:.2f}, {sprt.elo1:.2f}]"

    def ranking(self) -> Table:
        """Return the programs from the best to the worst, in the columns of fastchess."""
        found = []
        for number, name in enumerate(self.names):
            pairs = self._pentanomial(number)
            if not sum(pairs):
                continue
            success = self.overall(number)
            elo, low, high = success.elo
            cells = [elo_text(elo), f"{(high - low) / 2:.0f}" if isfinite(high - low) else "inf"]
            games = 2 * sum(pairs)
            drawn = sum(each.counts[1] for each in self._with(number))
            more = [str(games), percent(success.mean), _percent(drawn, games), str(list(pairs))]
            found.append((success.mean, [name, *cells, *more]))
        found.sort(key=lambda each: -each[0])
        return Table(
            ["rank", "program", "Elo", "+/-", "games", "score in %", "draws in %", "Ptnml(0-2)"],
            [[str(rank), *cells] for rank, (_, cells) in enumerate(found, 1)],
            title=self.title,
            caption="Against all others it met. Ptnml: pairs of games with 0, 1/2, 1, 3/2 and 2 "
            "points.",
        )

    def _with(self, number: int) -> list[Pairing]:
        return [each for each in self.pairings if number in (each.first, each.second)]

    def _pentanomial(self, number: int) -> tuple[int, ...]:
        sides = [
            each.pentanomial if each.first == number else each.pentanomial[::-1]
            for each in self._with(number)
        ]
        return tuple(map(sum, zip(*sides, strict=True))) if sides else (0,) * len(PAIR_SCORES)

    def _records(self) -> list[dict[str, Any]]:
        return [self._pairing_data(pairing) for pairing in self.pairings]

    def _pairing_data(self, pairing: Pairing) -> dict[str, Any]:
        wins, draws, losses = pairing.counts
        names = {"first": self.names[pairing.first], "second": self.names[pairing.second]}
        different = len(pairing.points) - pairing.repeats
        counts = {
            "games": len(pairing.points),
            "different": different,
            "wins": wins,
            "draws": draws,
            "losses": losses,
        }
        if self.learning:
            return {**names, **counts, **dict(zip(_HALVES, halves(pairing.points), strict=True))}
        scores = pairing.pair_scores
        pairs = {
            "pentanomial": list(pairing.pentanomial),
            "normalized_elo": _finite(scores.normalized_elo),
            "normalized_error": scores.normalized_error,
            "los": scores.superiority,
        }
        return {**names, **counts, **pairing.success.as_data(), **pairs}

    def _sentence(self, pairing: Pairing) -> str:
        wins, draws, losses = pairing.counts
        if self.learning:
            all_games, begin, end = over_time(pairing.points)
            return (
                f"{self.names[pairing.first]} against {self.names[pairing.second]}: {wins} wins, "
                f"{draws} draws, {losses} losses; success {all_games}%, {begin}% in the first half "
                f"and {end}% in the last"
            )
        success = pairing.success
        elo, low, high = map(elo_text, success.elo)
        return (
            f"{self.names[pairing.first]} against {self.names[pairing.second]}: "
            f"{wins} wins, {draws} draws, {losses} losses; "
            f"success {percent(success.mean)}%, 95% interval {interval_text(success)}; "
            f"Elo {elo}, 95% interval {low} to {high}"
        )

    def _table_of_learning(self) -> Table:
        rows = [
            [
                self.names[pairing.first],
                self.names[pairing.second],
                "/".join(map(str, pairing.counts)),
                *over_time(pairing.points),
            ]
            for pairing in self.pairings
        ]
        return Table(
            ["program", "against", "W/D/L", *SUCCESS_OVER_TIME],
            rows,
            title=self.title,
            caption=" ".join([_COUNTS, *self._faults]),
            words=(0, 1),
            firm=True,
        )

    def _table_of_two(self) -> Table:
        (pairing,) = self.pairings
        wins, draws, losses = pairing.counts
        mine = pairing.success
        sides = (mine, (wins, draws, losses)), (mine.turned(), (losses, draws, wins))
        rows = []
        for name, (success, counts) in zip(self.names, sides, strict=True):
            elo, low, high = map(elo_text, success.elo)
            cells = [percent(success.mean), interval_text(success), elo, f"{low} to {high}"]
            rows.append([name, "/".join(map(str, counts)), *cells])
        said = filter(None, [_COUNTS, _CAPTION, self.verdict, *self._faults])
        return Table(
            ["program", "W/D/L", "success in %", "95% interval", "Elo", "95% interval"],
            rows,
            title=self.title,
            caption=" ".join(said),
            firm=True,
        )

    def _table_of_many(self) -> Table:
        means = {(each.first, each.second): each.success.mean for each in self.pairings}
        means |= {(two, one): 1 - mean for (one, two), mean in means.items()}
        places = range(len(self.names))
        rows = []
        for number, name in enumerate(self.names):
            cells = [
                percent(means[number, each]) if (number, each) in means else "" for each in places
            ]
            overall = self.overall(number)
            last = percent(overall.mean), interval_text(overall)
            rows.append([f"{number + 1} {name}", *cells, *last])
        said = "Success in % against each other, and overall.", _CAPTION, *self._faults
        return Table(
            ["program", *(str(number + 1) for number in places), "overall", "95% interval"],
            rows,
            title=self.title,
            caption=" ".join(said),
        )


def interval_text(success: SuccessInterval) -> str:
    """Return the interval of a success in percent."""
    return f"{percent(success.low)} to {percent(success.high)}"


def elo_text(difference: float) -> str:
    """Return a difference in Elo with its sign: `+35`, `-inf`."""
    rounded = round(difference) if isfinite(difference) else difference
    return f"{rounded:+}" if rounded else "0"


def _percent(part: int, whole: int) -> str:
    return percent(part / whole) if whole else "-"


def _ratio(one: int, other: int) -> str:
    return f"{one / other:.2f}" if other else "inf" if one else "nan"


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def _accepted(sprt: Sprt, decision: str) -> str:
    low, high = _signed(sprt.elo0), _signed(sprt.elo1)
    return f"{low} or less" if decision == "elo0" else f"{high} or more"


def _signed(difference: float) -> str:
    return f"{difference:+g}" if difference else "0"
