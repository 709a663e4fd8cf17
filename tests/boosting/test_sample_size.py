"""The planner: its formulas by hand and against simulation, its speed against a clock of ours."""

import re
from math import exp, pi

import numpy as np
import pytest

from seedfolio import SpecificationError, ThreadArena, load_program
from seedfolio.arena import Block
from seedfolio.boosting import plan as planner
from seedfolio.boosting.budget import duration, measure_speed
from seedfolio.boosting.plan import Plan, Planned, Spread, arms_needed, make_plan, opponents_needed
from seedfolio.learning.halving import Halving
from seedfolio.study.arms import TrainingArms, training_rectangles


def test_the_rule_by_hand():
    # The paper's largest: log(2 * 9000 / 0.05) = 12.7939, / 1800 = 0.0071077, root 0.0843
    assert planner.precision(9000, 900, 0.05) == pytest.approx(0.084307, abs=1e-6)
    # log(2 / 0.5) = 1.386294, / 2 / 0.01 = 69.3
    assert opponents_needed(1, 0.2, 0.5) == 70  # the paper's rule: a bound of half of epsilon
    # Chosen so that it comes out even: -log(delta / 2K) = 2
    assert opponents_needed(1, 0.2, 2 * exp(-2)) == 100


@pytest.mark.parametrize("k", [1, 30, 5000])
@pytest.mark.parametrize("epsilon", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-300])
def test_opponents_are_just_enough(k, epsilon, delta):
    kt = opponents_needed(k, epsilon, delta)
    assert planner.precision(k, kt, delta) <= epsilon / 2 + 1e-12
    assert kt == 1 or planner.precision(k, kt - 1, delta) > epsilon / 2


@pytest.mark.parametrize("epsilon", [0.05, 0.1, 0.4, 0.9])
def test_arms_are_the_fewest_that_can_be(epsilon):
    least = arms_needed(epsilon, 0.05)
    enough = [k for k in range(1, least + 5) if opponents_needed(k, epsilon, 0.05) <= k]
    assert enough[0] == least


@pytest.mark.parametrize(
    ("k", "kt", "delta"), [(50, 400, 0.2), (500, 100, 0.05), (1000, 200, 0.01)]
)
def test_the_promise_holds_and_seven_tenths_of_it_would_not(k, kt, delta):
    """Simulated with arms that win half their games, where means spread most."""
    tries = 1000
    means = np.random.default_rng(3).binomial(kt, 0.5, (tries, k)) / kt
    worst = np.abs(means - 0.5).max(axis=1)
    assert np.mean(worst > planner.precision(k, kt, delta)) < delta
    assert np.mean(worst > 0.7 * planner.precision(k, kt, delta)) > delta


def test_bernstein_holds_and_is_better_where_results_vary_little():
    k, kt, delta, chance = 200, 100, 0.05, 0.05
    bound = planner.bernstein(k, kt, delta, chance * (1 - chance))
    assert bound < 0.8 * planner.precision(k, kt, delta)
    means = np.random.default_rng(3).binomial(kt, chance, (1000, k)) / kt
    assert np.mean(np.abs(means - chance).max(axis=1) > bound) < delta
    assert planner.bernstein(k, kt, delta, 0.25) > planner.precision(k, kt, delta)
    few = np.where(np.arange(64)[:, None] == 5, np.arange(64) % 2, np.eye(64))  # 5 varies most
    assert Spread.of(few).variance == 0.25  # a bound for all seeds is that of the worst
    assert Spread.of(few.T, colours=1).variance < 0.1  # of a seat, as the first player


def test_the_expected_best_comes_from_the_spread_without_luck():
    """Measured means of 64 games spread by 6 points of luck alone; the true ones by 4, or by 0."""
    assert planner.best_of(1) == pytest.approx(0, abs=1e-6)
    assert planner.best_of(2) == pytest.approx(pi**-0.5, abs=1e-4)
    random = np.random.default_rng(4)
    found = {}
    for spread in (0.04, 0.0):
        matrices = [
            random.random((64, 64))
            < 0.5 + spread * (random.normal(size=(64, 1)) + random.normal(size=64))
            for _ in range(100)
        ]
        found[spread] = [Spread.of(each.astype(float)) for each in matrices]
    assert np.mean([each.deviation for each in found[0.04]]) == pytest.approx(0.04, abs=0.006)
    assert np.mean([each.deviation for each in found[0.0]]) < 0.015
    best = 0.5 + 0.04 * random.normal(size=(2000, 500)).max(axis=1).mean()
    told = 0.5 + np.mean([each.best_gain(500) for each in found[0.04]])
    assert told == pytest.approx(best, abs=0.02)
    # Of 500 seeds the one with the best of 64 results: part of its lead is luck.
    true = 0.5 + 0.04 * random.normal(size=(2000, 500))
    chosen = random.binomial(64, np.clip(true, 0, 1)).argmax(axis=1)
    gain = np.mean([each.best_gain(500, 64) for each in found[0.04]])
    assert gain == pytest.approx(np.mean(true[np.arange(2000), chosen]) - 0.5, abs=0.015)
    assert Spread((0.0, 0.04), (0.5, 0.5), 0.25, 4096).best_gain(500) > 0  # of one colour alone


def test_a_plan_promises_only_what_is_useful():
    spread = Spread((0.05, 0.05), (0.5, 0.5), variance=0.25, games=4096)
    small = Planned("it", Plan(500, 100, 0.05), 1000.0, 113_000, "run", 90_000, spread)
    assert "promise    none: the sizes are too small." in small.text
    assert "44.5 (Hoeffding) or" in small.text
    assert "180,000 to learn from, 90,000 of them for a book;" in small.text
    assert (
        "the best of K is\n           about 15.2 points above the mean, the best of 2K"
        in small.text
    )
    assert "\n           the best by results against Kt opponents about 10.7\n" in small.text
    near = Spread((0.2, 0.2), (0.9, 0.1), 0.25, 4096)  # no success is above 1
    assert near.best_gain(500) == pytest.approx((0.1 + 0.607) / 2, abs=1e-3)
    large = Planned("it", Plan(5000, 5000, 0.05), 1000.0, 113_000, "run", 0, spread)
    assert "95% sure that the seed with the best mean is at most" in large.text
    assert max(map(len, (small.text + large.text).splitlines())) <= 80


def test_one_of_the_best_is_among_the_arms_as_often_as_said():
    plan = Plan(40, 40, 0.1)
    best_of_40 = np.random.default_rng(4).random((20000, 40)).min(axis=1)
    missed = np.mean(best_of_40 > plan.best_share)
    assert missed == pytest.approx(0.1, abs=4 * (0.09 / 20000) ** 0.5)


@pytest.mark.parametrize(("k", "kt"), [(500, 100), (7, 7), (1, 1)])
def test_games_are_those_that_boost_plays(k, kt):
    cells = sum(
        len(rows) * len(columns) for rows, columns in training_rectangles(TrainingArms(0, k), kt)
    )
    assert Plan(k, kt, 0.05).games == cells
    assert Plan(k, kt, 0.05, repeats=16).games == 16 * cells


@pytest.mark.parametrize("k", [1, 2, 64, 4096])
def test_halving_needs_what_is_said(k):
    """With that budget it plays every arm of both colours; with less not as many."""

    def arms_played(cells):
        asked = Halving().begin(cells, 2, 0).ask()
        return len(np.unique(asked.rows)), len(np.unique(asked.columns))

    games = Plan(k, k, 0.05).halving_games
    assert min(arms_played(games)) >= k
    if k > 2:
        assert min(arms_played(games - 2)) < k


def test_plans():
    plan = make_plan(delta=0.05, epsilon=0.1)
    assert plan.k == plan.kt == arms_needed(0.1, 0.05)
    assert plan.epsilon <= 0.1
    wide = make_plan(delta=0.05, epsilon=0.1, k=9000, repeats=4)
    assert (wide.k, wide.kt, wide.repeats) == (9000, opponents_needed(9000, 0.1, 0.05), 4)
    told = make_plan(delta=0.1, k=500, kt=100)
    assert told.epsilon == 2 * planner.precision(500, 100, 0.1)
    assert told.as_data()["games"] == 2 * 500 * 100 - 100**2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"delta": 1.0, "epsilon": 0.1}, "delta = 1.0"),
        ({"delta": float("nan"), "epsilon": 0.1}, "delta = nan"),
        ({"epsilon": 0.0}, "epsilon = 0.0"),
        ({"epsilon": 1e-200}, "epsilon = 1e-200"),
        ({"epsilon": 1e-5}, "more than there are"),
        ({"epsilon": 0.1, "k": 0}, "K = 0"),
        ({"epsilon": 0.1, "kt": 5}, "leave out `kt` or `epsilon`"),
        ({"k": 5}, "both `k` and `kt`"),
        ({"k": 5, "kt": 6}, "Kt = 6"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(given, words):
    with pytest.raises(SpecificationError, match=re.escape(words)) as caught:
        make_plan(**{"delta": 0.05, **given})
    assert "\n" not in str(caught.value)


def test_too_few_arms_are_told_what_would_do():
    with pytest.raises(SpecificationError) as caught:
        make_plan(delta=0.05, epsilon=0.05, k=500)
    k, epsilon = re.search(
        r"a `k` of (\d+) or more, or an `epsilon` of (\S+) or more", str(caught.value)
    ).groups()
    assert make_plan(delta=0.05, epsilon=0.05, k=int(k)).epsilon <= 0.05
    assert make_plan(delta=0.05, epsilon=float(epsilon), k=500).k == 500


def test_speed_is_that_of_the_arena_without_its_start_and_durations_have_words():
    found = {seconds: duration(seconds) for seconds in (0, 1.6, 119, 120, 6000, 9000, 86400 * 9999)}
    texts = "1 second, 2 seconds, 119 seconds, 2.0 minutes, 100 minutes, 2.5 hours, 9,999 days"
    assert ", ".join(found.values()) == texts
    arena = Metronome(cells=50)
    program = load_program("pig", repeats=3)
    assert measure_speed(program, arena, seconds=4, clock=arena.clock) == 150
    assert arena.played == 5
    few = Metronome(cells=50, blocks=3)
    assert measure_speed(program, few, seconds=4, clock=few.clock) == 150
    one = Metronome(cells=1, blocks=1)
    with pytest.raises(SpecificationError, match="too fast"):
        measure_speed(program, one, clock=one.clock)
    real = load_program("domineering:4x4", "uct:simulations=5")
    assert measure_speed(real, ThreadArena(1), seconds=0.1) > 0


class Metronome:
    """An arena that plays a block of `cells` in each second of its own clock, the first in ten."""

    def __init__(self, cells, blocks=10**6):
        self.now, self.played = 0.0, 0
        self.cells, self.blocks = cells, blocks

    def clock(self):
        return self.now

    def play(self, program, rows, columns):
        for number in range(self.blocks):
            self.now += 1.0 if number else 10.0
            self.played += 1
            part = rows[: self.cells]
            yield Block(part, part, np.zeros(len(part), np.uint8))
