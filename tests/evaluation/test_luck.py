"""Luck in the cells: what it does to an exploiter's score, and that the correction undoes it."""

from dataclasses import replace

import numpy as np
import pytest
from one_exploiter import fixed_arm_success
from sessions import session_for

from seedfolio.evaluation.exploiters import exploiter_success
from seedfolio.evaluation.luck import Luck, measure_luck, shrunk
from seedfolio.evaluation.unseen import weighted_success
from seedfolio.players.program import DEFAULT_REPEATS
from seedfolio.programs.load import load_program

EXPERIMENTS, OPPONENTS, GAMES, EXPLOITER = 150, 100, 16, 16


def chances(random, arms, strength, style):
    opponent = random.normal(0.5, strength, OPPONENTS)
    return np.clip(opponent + random.normal(0, style, (arms, OPPONENTS)), 0, 1)


def played(random, chance):
    return random.binomial(GAMES, chance) / GAMES


@pytest.mark.parametrize(
    ("arms", "strength", "style"), [(1, 0.05, 0.0), (6, 0.0, 0.3), (40, 0.03, 0.1)]
)
def test_a_portfolio_is_evaluated_as_if_its_true_success_were_known(arms, strength, style):
    random = np.random.default_rng(arms)
    weights = random.dirichlet(np.ones(arms))
    truth, raw, corrected = [], [], []
    for _ in range(EXPERIMENTS):
        chance = chances(random, arms, strength, style)
        cells = played(random, chance)
        truth.append(exploiter_success(weights @ chance, EXPLOITER).mean)
        raw.append(exploiter_success(weights @ cells, EXPLOITER).mean)
        corrected.append(weighted_success(weights, cells, Luck(GAMES))[-1].mean)
    before, after = np.mean(raw) - np.mean(truth), np.mean(corrected) - np.mean(truth)
    assert before < -0.01
    # Close to 0 the noise is less than on average, and somewhat too much is taken off.
    assert abs(after) < max(0.006, -before / 3)


def test_single_arms_are_evaluated_as_if_their_true_success_were_known():
    random = np.random.default_rng(3)
    truth, raw, corrected = [], [], []
    for _ in range(EXPERIMENTS // 4):
        chance = chances(random, 50, 0.05, 0.1)
        cells = played(random, chance)
        noise = float(Luck(GAMES).noise(cells).mean())
        truth.append(fixed_arm_success(chance, EXPLOITER).mean)
        raw.append(fixed_arm_success(cells, EXPLOITER).mean)
        corrected.append(fixed_arm_success(cells, EXPLOITER, noise).mean)
    assert np.mean(raw) - np.mean(truth) < -0.08
    assert abs(np.mean(corrected) - np.mean(truth)) < 0.01


def test_draws_make_less_noise():
    random = np.random.default_rng(6)
    for draws, chances in (
        (0.0, [0.5, 0, 0.5]),
        (0.0, [0.03, 0, 0.97]),
        (0.5, [0.25, 0.5, 0.25]),
        (0.2, [0.1, 0.2, 0.7]),
        (1.0, [0, 1, 0]),
    ):
        half_points = random.choice([0, 1, 2], (100_000, GAMES), p=chances)
        cells = half_points.mean(axis=1) / 2
        noise = Luck(GAMES, draws).noise(cells).mean()
        assert noise == pytest.approx(cells.var(), rel=0.02, abs=1e-12)


def test_draws_are_counted_in_single_games():
    assert measure_luck(session_for(load_program("nim"))) == Luck()
    assert measure_luck(session_for(load_program("pig"))) == Luck(DEFAULT_REPEATS, 0.0)
    morra = load_program("morra", repeats=5)
    single = replace(morra, repeats=1)
    seeds = np.random.default_rng(1).integers(0, 2**32, (2, 4000), dtype=np.uint64)
    results, _ = single.play(seeds[0], seeds[1], single.workspace())
    found = measure_luck(session_for(morra))
    assert found.repeats == 5
    assert 0.1 < found.draws < 0.3
    assert found.draws == pytest.approx(np.mean(results == 1), abs=0.03)


def test_without_luck_nothing_changes_and_a_spread_that_luck_explains_is_gone():
    cells = np.array([[0.0, 1.0, 0.5, 1.0] * 10] * 3)
    assert Luck().noise(cells).tolist() == np.zeros_like(cells).tolist()
    assert shrunk(cells, 0.0) is cells
    assert weighted_success(np.full(3, 1 / 3), cells, Luck())[2] == exploiter_success(cells[0], 4)
    # Games that always end the same way leave no luck, however many are played.
    certain = np.array([[0.0, 1.0] * 20])
    assert Luck(GAMES).noise(certain).max() == 0
    values = np.array([0.4, 0.5, 0.6, 0.5])
    assert shrunk(values, 1.0).tolist() == pytest.approx([0.5] * 4)
    assert shrunk(values[:1], 1.0).tolist() == [0.4]
    assert exploiter_success(values, 4, noise=1.0).mean == pytest.approx(0.5)
