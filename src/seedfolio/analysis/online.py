"""Online learning: how soon a UCBT player learns to beat its present opponent.

As in "Automatically Reinforcing a Game AI" (St-Pierre et al.), Fig. 6 to 8: UCBT has some arms of
one colour and plays game after game against a portfolio of the other colour, against one fixed arm,
or against an arm that changes now and then. For the last there are variants of UCBT that forget.
The results come from the matrix of a study; those of a book, which is not in it, are played. So
this is learning against a known set of arms, with arms of the same study: it shows how well a
portfolio resists an opponent that learns. It is not success on unseen arms.

There are two losing rates. *Played* is that of the games since the last power of two. *Settled* is
that of the arm with the best mean so far, if UCBT played only this arm from then on; the paper
calls it the recommended variant. The two differ while UCBT still tries other arms, twice or three
times each. A draw is half a loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.online_games import PLAIN, OnlineRuns, Variant, learn_online, marks_of
from seedfolio.arena import Progress, Silent
from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.books import OWN_SEEDS, book_success, own_arms
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.learning.by_mean import Uniform
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.learning.nash import Nash
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.arms import Rectangle, TrainingArms, success_of, training_scores
from seedfolio.study.session import Session
from seedfolio.study.store import UNPLAYED, Study

MOST_ONLINE_GAMES = 2**24
CHANGE = 1024
"""Games after which the changing opponent draws another arm."""

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """The losing rate of UCBT against one opponent after each number of games."""

    opponent: str
    played: tuple[Estimate, ...]
    """In the games since the last power of two."""
    settled: tuple[Estimate, ...]
    """If it continued with the arm of the best mean so far."""
    least: float
    """The losing rate of its best arm against this opponent: the most that can be learnt."""


@dataclass(frozen=True)
class OnlinePlay:
    """UCBT of one colour against portfolios and single arms of the other."""

    colour: int
    """Of UCBT: 0 for the first player."""
    arms: int
    """How many arms UCBT has."""
    repetitions: int
    games: tuple[int, ...]
    """1, 2, 4, ... and the number of all games."""
    portfolios: tuple[Curve, ...]
    fixed: tuple[Curve, ...]
    """Against each single arm."""
    fixed_mean: Curve
    """The mean over these."""
    changing: Curve
    """Against a single arm, another one after every `change` games."""
    change: int
    variant: str = PLAIN.name
    """The variant of UCBT."""


def known_opponents(
    study: Study, k: int, kt: int, saved: Mapping[str, Portfolio]
) -> dict[str, Portfolio]:
    """Return the opponents of a study of K and Kt by name: nash, uniform, and what it has saved."""
    arms = TrainingArms(0, k)
    scores = training_scores(study, arms, kt)

    def learnt(learner: MatrixLearner) -> Portfolio:
        first, second = (
            learner.weigh(scores[colour], study.full, key=colour).weights for colour in (0, 1)
        )
        seeds = arms.seeds()
        return Portfolio(Distribution.of(seeds, first), Distribution.of(seeds, second))

    nash = saved["nash"] if "nash" in saved else learnt(Nash())
    return {"nash": nash, "uniform": learnt(Uniform()), **saved}


def online_rectangles(opponents: Mapping[str, Portfolio], arms: TrainingArms) -> list[Rectangle]:
    """Return the cells that online play with `arms` needs: rectangles that do not overlap."""
    held = arms.seeds()
    first, second = (
        np.setdiff1d(
            np.array([seed for each in opponents.values() for seed in each[colour].arms], "u8"),
            held,
        )
        for colour in (0, 1)
    )
    return [(held, held), (held, second), (first, held)]


@dataclass(frozen=True)
class Met:
    """What arms score against a program of the other colour that draws what it plays."""

    successes: _Floats
    """Of each arm (rows) against each thing that is drawn (columns)."""
    weights: _Floats
    """How often each of these is drawn."""


def play_books(
    session: Session, books: Mapping[str, BookPortfolio], arms: TrainingArms
) -> dict[str, tuple[Met, Met]]:
    """Play the games of `arms`, as first and as second player, against each of the books.

    A book that has arms behind it plays on with these, another with many that learning never met.
    """
    behind = [each.behind[side].arms for each in books.values() if each.behind for side in (0, 1)]
    fresh = 2 * OWN_SEEDS * sum(each.behind is None for each in books.values())
    with session.task("seeds against books", (fresh + sum(map(len, behind))) * len(arms)):
        return {
            name: (_against(session, each, 0, arms), _against(session, each, 1, arms))
            for name, each in books.items()
        }


def _against(session: Session, plays: BookPortfolio, colour: int, arms: TrainingArms) -> Met:
    """Return what our arms of `colour` score against the book of the other colour."""
    if plays.behind is None:
        drawn = [own_arms(session.program, OWN_SEEDS).seeds()]
        weights = np.full(OWN_SEEDS, 1 / OWN_SEEDS)
    else:
        drawn = [np.array([arm], np.uint64) for arm in plays.behind[1 - colour].arms]
        weights = np.array(plays.behind[1 - colour].weights)
    lost = [book_success(session, plays, 1 - colour, each, arms.seeds()) for each in drawn]
    return Met(1 - np.concatenate(lost).T, weights)


@dataclass(frozen=True)
class OnlineSetting:
    """How UCBT plays: how long, how often, and by which rule."""

    games: int
    """Against each opponent."""
    repetitions: int = 20
    """They differ in the random choices of UCBT and in the draws from a portfolio."""
    key: int = 0
    variant: Variant = PLAIN
    change: int = CHANGE
    """Games after which the changing opponent draws another arm."""

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MOST_ONLINE_GAMES:
            raise SpecificationError(
                f"`games` must be 1 to {MOST_ONLINE_GAMES:,}, not {self.games:,}"
            )
        if self.repetitions < 1:
            raise SpecificationError(f"`repetitions` must be 1 or more, not {self.repetitions}")
        if self.change < 1:
            raise SpecificationError(f"`change` must be 1 or more, not {self.change}")

    def keys(self, colour: int) -> NDArray[np.uint64]:
        """Return the key of each repetition with UCBT as `colour`.

        The same for every opponent, so that no result depends on which other opponents there are.
        """
        own = mix_int(self.key + colour)
        return np.array([mix_int(own + each) for each in range(self.repetitions)], np.uint64)


def play_online(
    study: Study,
    opponents: Mapping[str, Portfolio],
    arms: TrainingArms,
    setting: OnlineSetting,
    *,
    progress: Progress | None = None,
    books: Mapping[str, tuple[Met, Met]] | None = None,
) -> tuple[OnlinePlay, OnlinePlay]:
    """Let UCBT with `arms` play each of `opponents`, and each of the other colour's `arms`.

    Also the `books`, as `play_books` returns them, and an opponent that plays one of those arms,
    and draws another after every `setting.change` games. Return UCBT as first and as second player.
    The cells of `online_rectangles` must be in the study. The means and errors are over the
    repetitions.
    """
    progress, books = progress or Silent(), books or {}
    met = len(books) + len(opponents) + len(arms) + 1
    progress.begin(f"{setting.variant.name} online", 2 * setting.games * setting.repetitions * met)
    table = _Table(study, arms, setting, progress, books)
    try:
        return table.play(opponents, 0), table.play(opponents, 1)
    finally:
        progress.end()


@dataclass(frozen=True)
class _Table:
    """All that online play needs: the study, the arms, the setting."""

    study: Study
    arms: TrainingArms
    setting: OnlineSetting
    progress: Progress
    books: Mapping[str, tuple[Met, Met]]

    def play(self, opponents: Mapping[str, Portfolio], colour: int) -> OnlinePlay:
        """Let UCBT play all opponents as one colour."""
        seeds = self.arms.seeds().tolist()
        fixed = [self._runs_against(Distribution((seed,), (1.0,)), colour) for seed in seeds]
        any_arm = Distribution(tuple(seeds), (1 / len(seeds),) * len(seeds))
        mean = OnlineRuns(
            np.mean([runs.played for runs in fixed], axis=0),
            np.mean([runs.settled for runs in fixed], axis=0),
            float(np.mean([runs.least for runs in fixed])),
        )
        portfolios = [
            _curve(name, self._runs_against(each[1 - colour], colour))
            for name, each in opponents.items()
        ]
        portfolios += [
            _curve(name, self._runs(each[colour], colour)) for name, each in self.books.items()
        ]
        changing = self._runs_against(any_arm, colour, self.setting.change)
        return OnlinePlay(
            colour=colour,
            arms=len(self.arms),
            repetitions=self.setting.repetitions,
            games=tuple(marks_of(self.setting.games).tolist()),
            portfolios=tuple(portfolios),
            fixed=tuple(
                _curve(f"seed {seed}", runs) for seed, runs in zip(seeds, fixed, strict=True)
            ),
            fixed_mean=_curve("one fixed seed", mean),
            changing=_curve("a seed that changes", changing),
            change=self.setting.change,
            variant=self.setting.variant.name,
        )

    def _runs_against(self, opponent: Distribution, colour: int, change: int = 0) -> OnlineRuns:
        seeds = np.array(opponent.arms, np.uint64)
        successes = _successes(self.study, self.arms, seeds, colour)
        return self._runs(Met(successes, np.array(opponent.weights)), colour, change)

    def _runs(self, met: Met, colour: int, change: int = 0) -> OnlineRuns:
        runs = learn_online(
            met.successes,
            met.weights,
            self.setting.games,
            self.setting.keys(colour),
            luck=self.study.repeats > 1,
            variant=self.setting.variant,
            change=change,
        )
        self.progress.advance(self.setting.games * self.setting.repetitions)
        return runs


def _successes(study: Study, arms: TrainingArms, seeds: NDArray[np.uint64], colour: int) -> _Floats:
    """Return the success of our arms of `colour` (rows) against the opponent's (columns)."""
    cells = study.results(*((arms.seeds(), seeds) if colour == 0 else (seeds, arms.seeds())))
    if (cells == UNPLAYED).any():
        raise ValueError("online play needs cells that were not played")
    return success_of(colour, cells, study.full)


def _curve(opponent: str, runs: OnlineRuns) -> Curve:
    return Curve(opponent, _estimates(runs.played), _estimates(runs.settled), runs.least)


def _estimates(rates: _Floats) -> tuple[Estimate, ...]:
    repetitions = len(rates)
    if repetitions == 1:
        return tuple(Estimate(float(rate), nan) for rate in rates[0])
    errors = rates.std(axis=0, ddof=1) / sqrt(repetitions)
    means = rates.mean(axis=0)
    return tuple(Estimate(float(m), float(e)) for m, e in zip(means, errors, strict=True))
