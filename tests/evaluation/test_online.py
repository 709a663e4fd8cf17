"""Online play: the compiled games against UCBT itself, known matrices, and a real study."""

from itertools import product

import numpy as np
import pytest
from sessions import session_for

from seedfolio import SpecificationError, load_program
from seedfolio.analysis.online import (
    CHANGE,
    OnlineSetting,
    known_opponents,
    online_rectangles,
    play_books,
    play_online,
)
from seedfolio.analysis.online_games import PLAIN, Variant, learn_online, marks_of
from seedfolio.analysis.ucbt import Ucbt, Widening
from seedfolio.core.randomness import mix_int
from seedfolio.evaluation.books import OWN_SEEDS, own_arms
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.arms import TrainingArms, training_scores

GOLDEN = 0x9E3779B97F4A7C15


def keys(count):
    return np.array([mix_int(number) for number in range(count)], np.uint64)


def coins(rows, columns, chance, seed=1):
    return (np.random.default_rng(seed).random((rows, columns)) < chance).astype(np.float64)


def slowly(successes, weights, games, key, luck, variant=PLAIN, change=0):
    """Play a repetition with `Ucbt`; return losing rates and best arms (of now, if it changes)."""
    player = Ucbt(len(successes), discount=variant.discount, widening=variant.widening)
    opponent = Distribution.of(np.arange(len(weights), dtype=np.uint64), weights)
    lost, played, best = 0.0, [], []
    rates = 1 - (successes * weights).sum(axis=1)
    for game in range(1, games + 1):
        own = mix_int(key + GOLDEN * game)
        parts = [mix_int(own + GOLDEN * (part + 1)) for part in range(3)]
        arm = player.choose(parts[0])
        if change == 0 or (game - 1) % change == 0:
            column = opponent.draw(parts[1])
        reward = successes[arm, column]
        if luck:
            reward = float((mix_int(parts[2]) >> 11) / 2**53 < reward)
        player.update(arm, reward)
        lost += 1 - reward
        if game in marks_of(games):
            played.append(lost)
            settled = player.best()
            best.append(1 - successes[settled, column] if change else rates[settled])
    return np.diff(played, prepend=0) / np.diff(marks_of(games), prepend=0), best


# Successes that are no simple fractions, so that scores are equal only for equal arms.
UNEVEN = 0.1 + 0.8 * np.random.default_rng(3).random((15, 6))


@pytest.mark.parametrize(
    ("successes", "variant", "change", "luck"),
    [
        *((coins(*shape), PLAIN, 0, False) for shape in ((1, 1, 1.0), (12, 9, 0.5))),
        *((0.1 + 0.75 * coins(*size), PLAIN, 0, True) for size in ((6, 1, 0.4), (40, 3, 0.1))),
        (UNEVEN, PLAIN, 64, False),
        (UNEVEN, Variant(0.9), 150, True),
        (UNEVEN, Variant(0.5), 0, False),  # brought up to date after 331 games
        (UNEVEN, Variant(widening=Widening()), 0, True),
        (UNEVEN, Variant(widening=Widening(0.3, 0.8)), 50, False),
        (UNEVEN, Variant(0.98, Widening(2, 0.4)), 200, True),
    ],
)
def test_the_compiled_games_are_those_of_ucbt(successes, variant, change, luck):
    games, near = (500, 1e-12) if variant == PLAIN and change == 0 else (900, 1e-9)
    weights = np.arange(1, successes.shape[1] + 1.0)
    weights /= weights.sum()
    given = {"luck": luck, "variant": variant, "change": change}
    runs = learn_online(successes, weights, games, keys(2), **given)
    for row, key in enumerate(keys(2).tolist()):
        played, best = slowly(successes, weights, games, key, **given)
        assert runs.played[row] == pytest.approx(played, abs=near)
        assert runs.settled[row] == pytest.approx(best)


def test_what_an_opponent_that_changes_leaves_at_least():
    successes = np.array([[1.0, 0.25], [0.5, 0.75]])
    runs = learn_online(
        successes, np.array([0.5, 0.5]), 64, keys(1), luck=False, variant=PLAIN, change=8
    )
    assert runs.least == pytest.approx((0 + 0.25) / 2)
    never = learn_online(np.zeros((5, 1)), np.ones(1), 256, keys(3), luck=False)
    assert (never.played == 1).all()
    assert (never.settled == 1).all()
    assert never.least == 1


@pytest.fixture(scope="module")
def study():
    session = session_for(load_program("domineering:4x4", "uct:simulations=5"))
    session.matrices(12, 5)
    return session.study


def test_online_play_of_a_study(study):
    opponents = known_opponents(study, 12, 5, {})
    assert list(opponents) == ["nash", "uniform"]
    arms = TrainingArms(0, 5)
    assert not any(study.missing(*each).any() for each in online_rectangles(opponents, arms))
    plays = play_online(study, opponents, arms, OnlineSetting(300, 4))
    assert plays == play_online(study, opponents, arms, OnlineSetting(300, 4))
    scores = training_scores(study, TrainingArms(0, 12), 5)
    alone = play_online(study, {"uniform": opponents["uniform"]}, arms, OnlineSetting(300, 4))
    variant = Variant(0.99, Widening(2))
    changed = play_online(study, opponents, arms, OnlineSetting(300, 4, variant=variant))
    for colour, play in enumerate(plays):
        # An opponent is met alike whatever others there are.
        assert alone[colour].portfolios[0] == play.portfolios[1]
        assert changed[colour].variant == "UCBT, discount 0.99, widening 2 N^0.5"
        assert changed[colour].changing != play.changing
        assert (play.colour, play.arms, play.repetitions) == (colour, 5, 4)
        assert play.games == (1, 2, 4, 8, 16, 32, 64, 128, 256, 300)
        ours = 1 - scores[1 - colour].T / 2  # our 5 arms against all 12 of the other colour
        for curve in play.portfolios:
            other = opponents[curve.opponent][1 - colour]
            weights = np.zeros(12)
            weights[list(other.arms)] = other.weights
            assert curve.least == pytest.approx(1 - (ours @ weights).max())
            assert len(curve.played) == len(curve.settled) == len(play.games)
        assert [curve.opponent for curve in play.fixed] == [f"seed {seed}" for seed in range(5)]
        assert [curve.least for curve in play.fixed] == (1 - ours.max(axis=0)[:5]).tolist()
        for mark in range(len(play.games)):
            means = [curve.played[mark].mean for curve in play.fixed]
            assert play.fixed_mean.played[mark].mean == pytest.approx(np.mean(means))
        assert play.changing.least == pytest.approx(play.fixed_mean.least)
        assert (play.change, play.variant) == (CHANGE, "UCBT")

    saved = {name: Portfolio(*[Distribution((7,), (1.0,))] * 2) for name in ("nash", "best-seed")}
    opponents = known_opponents(study, 12, 5, saved)
    assert list(opponents) == ["nash", "uniform", "best-seed"]
    assert opponents["nash"] is saved["nash"]


@pytest.mark.parametrize("behind", [None, (3, 9)], ids=["fresh arms", "arms behind"])
def test_the_games_with_a_book_are_those_of_what_plays_on(behind):
    """A book without entries plays as what plays on where it ends."""
    session, arms = session_for(load_program("domineering:4x4", "uct:simulations=5")), 6
    drawn = None
    if behind is None:
        theirs, weights = own_arms(session.program, OWN_SEEDS).seeds(), [1 / OWN_SEEDS] * OWN_SEEDS
    else:
        theirs, weights = np.array(behind, np.uint64), [0.25, 0.75]
        drawn = Portfolio(*[Distribution(behind, tuple(weights))] * 2)
    book = BookPortfolio(ORIGINAL, ORIGINAL, symmetric=False, behind=drawn)
    (found,) = play_books(session, {"book": book}, TrainingArms(0, arms)).values()
    ours = np.repeat(np.arange(arms, dtype=np.uint64), len(theirs))
    met = np.tile(theirs, arms)
    for colour, each in enumerate(found):
        cells = (ours, met) if colour == 0 else (met, ours)
        points = session.program.play(*cells, session.program.workspace())[0] / 2
        expected = (points if colour == 0 else 1 - points).reshape(arms, -1)
        assert np.array_equal(each.successes, expected)
        assert each.weights.tolist() == weights


def test_rectangles_cover_what_is_needed_once_and_what_cannot_be_is_refused(study):
    portfolio = Portfolio(Distribution((1, 9), (0.5, 0.5)), Distribution((8, 2), (0.5, 0.5)))
    rectangles = online_rectangles({"a": portfolio, "b": portfolio}, TrainingArms(0, 3))
    cells = [cell for each in rectangles for cell in product(*(part.tolist() for part in each))]
    needed = *product(range(3), (0, 1, 2, 8)), *product((9,), range(3))
    assert sorted(cells) == list(needed)
    for setting, words in [
        ({"games": 2**25}, "`games` must be 1 to 16,777,216, not 33,554,432"),
        ({"games": 8, "repetitions": 0}, "`repetitions` must be 1 or more, not 0"),
        ({"games": 8, "change": 0}, "`change` must be 1 or more, not 0"),
    ]:
        with pytest.raises(SpecificationError, match=words):
            OnlineSetting(**setting)
    for discount in (0.0, 1.5, float("nan")):
        with pytest.raises(SpecificationError, match="discount"):
            Variant(discount)
    opponents = known_opponents(study, 12, 5, {})
    with pytest.raises(ValueError, match="not played"):
        play_online(study, opponents, TrainingArms(0, 6), OnlineSetting(8))
