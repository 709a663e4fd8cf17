"""Learning online: how soon a UCBT player finds out how to beat the opponent at hand.

As in "Automatically Reinforcing a Game AI" (St-Pierre et al.), Fig. 6 to 8: UCBT holds some arms of
one colour and plays game after game against a portfolio of the other colour, against one arm that
never changes, or against one that does, now and then: for that there are variants of UCBT, which
forget. The games come out of the matrix of a study. So this is learning against a known
set of arms, with arms of the same study: it shows how well a portfolio resists an opponent that
learns. It is not success on unseen seeds.

Two losing rates are told. *Played* is that of the games since the power of two before. *Settled* is
that of the arm of the best mean so far, if UCBT played only it from then on, which the paper calls
the recommended variant. The two differ while UCBT still tries other arms, twice or three times each
before it leaves them alone. A draw is half a loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Progress, Silent
from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.evaluation.online_games import PLAIN, OnlineRuns, Variant, learn_online, marks_of
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.learning.nash import Nash
from seedfolio.learning.uniform import Uniform
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.arms import TrainingArms
from seedfolio.study.matrices import Rectangle, training_scores
from seedfolio.study.store import UNPLAYED, Study

MOST_GAMES = 2**24
CHANGE = 1024
"""Games after which the opponent that changes does so."""

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """The losing rate of UCBT against one opponent after each number of games."""

    opponent: str
    played: tuple[Estimate, ...]
    """In the games since the power of two before."""
    settled: tuple[Estimate, ...]
    """If it played on with the arm of the best mean so far."""
    least: float
    """The losing rate of its best arm against this opponent: the most that can be learnt."""


@dataclass(frozen=True)
class OnlinePlay:
    """UCBT of one colour against portfolios and single arms of the other."""

    colour: int
    """Of UCBT: 0 for the first player."""
    arms: int
    """How many arms UCBT holds."""
    repetitions: int
    games: tuple[int, ...]
    """1, 2, 4, ... and the number of games that were asked for."""
    portfolios: tuple[Curve, ...]
    fixed: tuple[Curve, ...]
    """Against each single arm."""
    fixed_mean: Curve
    """The mean over these."""
    changing: Curve
    """Against a single arm, another one after every `change` games."""
    change: int
    variant: str = PLAIN.name
    """Which UCBT plays."""


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


def play_online(
    study: Study,
    opponents: Mapping[str, Portfolio],
    arms: TrainingArms,
    games: int,
    repetitions: int = 20,
    key: int = 0,
    progress: Progress | None = None,
    variant: Variant = PLAIN,
    change: int = CHANGE,
) -> tuple[OnlinePlay, OnlinePlay]:
    """Let UCBT with `arms` play each of `opponents`, and each of the other colour's `arms`.

    And one that plays a single one of those, and draws another after every `change` games. Return
    it as first and as second player. The cells of `online_rectangles` must be in the study.
    The means and errors are over `repetitions`, which differ in the luck of UCBT and of the draw
    from a portfolio.
    """
    if not 1 <= games <= MOST_GAMES:
        raise SpecificationError(f"{games} games of online play are not 1 to {MOST_GAMES}")
    if repetitions < 1:
        raise SpecificationError(f"{repetitions} repetitions are too few; ask for 1 or more")
    if change < 1:
        raise SpecificationError(f"a change after {change} games cannot be; give 1 or more")
    # Every opponent is met with the same luck, so that none depends on which others there are.
    keys = [
        np.array([mix_int(mix_int(key + colour) + each) for each in range(repetitions)], np.uint64)
        for colour in (0, 1)
    ]
    progress = progress or Silent()
    progress.begin(
        f"{variant.name} online", 2 * games * repetitions * (len(opponents) + len(arms) + 1)
    )
    try:
        first, second = (
            _play_colour(
                study, opponents, arms, games, keys[colour], colour, progress, variant, change
            )
            for colour in (0, 1)
        )
    finally:
        progress.end()
    return first, second


def _play_colour(
    study: Study,
    opponents: Mapping[str, Portfolio],
    arms: TrainingArms,
    games: int,
    keys: NDArray[np.uint64],
    colour: int,
    progress: Progress,
    variant: Variant,
    change: int,
) -> OnlinePlay:
    def runs_against(opponent: Distribution, change: int = 0) -> OnlineRuns:
        seeds = np.array(opponent.arms, np.uint64)
        successes = _successes(study, arms, seeds, colour)
        weights, luck = np.array(opponent.weights), study.full > 2
        runs = learn_online(successes, weights, games, keys, luck, variant, change)
        progress.advance(games * len(keys))
        return runs

    seeds = arms.seeds().tolist()
    fixed = [runs_against(Distribution((seed,), (1.0,))) for seed in seeds]
    any_arm = Distribution(tuple(seeds), (1 / len(seeds),) * len(seeds))
    mean = OnlineRuns(
        np.mean([runs.played for runs in fixed], axis=0),
        np.mean([runs.settled for runs in fixed], axis=0),
        float(np.mean([runs.least for runs in fixed])),
    )
    return OnlinePlay(
        colour,
        len(arms),
        len(keys),
        tuple(marks_of(games).tolist()),
        tuple(_curve(name, runs_against(each[1 - colour])) for name, each in opponents.items()),
        tuple(_curve(f"seed {seed}", runs) for seed, runs in zip(seeds, fixed, strict=True)),
        _curve("one fixed seed", mean),
        _curve("a seed that changes", runs_against(any_arm, change)),
        change,
        variant.name,
    )


def _successes(study: Study, arms: TrainingArms, seeds: NDArray[np.uint64], colour: int) -> _Floats:
    """Return the success of our arms of `colour` (rows) against the opponent's (columns)."""
    cells = study.results(*((arms.seeds(), seeds) if colour == 0 else (seeds, arms.seeds())))
    if (cells == UNPLAYED).any():
        raise ValueError("online play needs cells that were not played")
    return cells / study.full if colour == 0 else 1 - cells.T / study.full


def _curve(opponent: str, runs: OnlineRuns) -> Curve:
    return Curve(opponent, _estimates(runs.played), _estimates(runs.settled), runs.least)


def _estimates(rates: _Floats) -> tuple[Estimate, ...]:
    repetitions = len(rates)
    if repetitions == 1:
        return tuple(Estimate(float(rate), nan) for rate in rates[0])
    errors = rates.std(axis=0, ddof=1) / sqrt(repetitions)
    means = rates.mean(axis=0)
    return tuple(Estimate(float(m), float(e)) for m, e in zip(means, errors, strict=True))
