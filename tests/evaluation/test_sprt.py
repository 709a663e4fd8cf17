"""The sequential test of the scores of pairs, against the numbers of fastchess."""

from math import inf

import numpy as np
import pytest

from seedfolio import SpecificationError
from seedfolio.evaluation.sprt import ERROR, PAIR_SCORES, PairScores, Sprt, parse_sprt


@pytest.mark.parametrize(
    ("counts", "bounds", "model", "ratio"),
    [
        # What fastchess (74deac23) computes of the same counts.
        ([365, 16618, 36229, 16974, 390], (0, 2), "normalized", 2.250368),
        ([127, 4883, 10712, 5150, 104], (-1.75, 0.25), "normalized", 3.010154),
        ([0, 0, 0, 0, 5550], (0, 5), "normalized", 111.797555),
        ([1, 8, 20, 15, 6], (0, 30), "normalized", 1.721776),
        ([0, 1, 0, 0, 4], (0, 60), "normalized", 0.886372),
        ([223, 9863, 21279, 10037, 246], (0.5, 2.5), "logistic", -3.074423),
        ([871, 26175, 55983, 26678, 821], (0, 2), "logistic", -4.979612),
        ([1, 8, 20, 15, 6], (0, 30), "logistic", 2.271347),
        ([0, 0, 3, 0, 0], (0, 30), "logistic", -0.264331),
        ([12, 30, 61, 44, 20], (-30, 30), "logistic", 8.351984),
    ],
)
def test_the_ratio_is_that_of_fastchess(counts, bounds, model, ratio):
    # fastchess ends its search for the logistic distribution at a thousandth.
    assert Sprt(*bounds, model=model).ratio(counts) == pytest.approx(ratio, rel=3e-4)


@pytest.mark.parametrize(
    ("counts", "elo", "error", "superiority"),
    [
        ([365, 16618, 36229, 16974, 390], 1.96, 1.81, 0.9831),
        ([1, 8, 20, 15, 6], 87.83, 68.10, 0.9943),
        ([12, 30, 61, 44, 20], 40.67, 37.26, 0.9838),
    ],
)
def test_normalized_elo_and_superiority_are_those_of_fastchess(counts, elo, error, superiority):
    scores = PairScores(tuple(counts), sum(counts))
    assert scores.normalized_elo == pytest.approx(elo, abs=0.005)
    assert scores.normalized_error == pytest.approx(error, abs=0.005)
    assert scores.superiority == pytest.approx(superiority, abs=5e-5)


@pytest.mark.parametrize("bounds", [(0, 5), (-200, 200)])
def test_a_few_pairs_of_any_kind_have_a_ratio(bounds):
    random = np.random.default_rng(0)
    counts = [random.multinomial(1 + n % 200, random.dirichlet([0.3] * 5)) for n in range(2000)]
    for model in ("logistic", "normalized"):
        assert np.isfinite(Sprt(*bounds, model=model).ratio(counts)).all()


def test_pairs_that_are_all_alike():
    won, even = PairScores((0, 0, 0, 0, 3), 3), PairScores((0, 0, 3, 0, 0), 3)
    assert (won.normalized_elo, won.superiority) == (inf, 15 / 16)
    assert PairScores((0, 20, 0, 0, 0), 1).superiority == 0.25  # one pair, again and again
    nearly = PairScores((0, 0, 0, 1, 1), 2)  # two won pairs, the better result, are as sure
    assert nearly.superiority == PairScores((0, 0, 0, 0, 2), 2).superiority == 7 / 8
    assert (even.normalized_elo, even.superiority) == (0, 0.5)
    sprt = Sprt(0, 30)
    ratios = sprt.ratio([[0, 0, 0, 0, n] for n in range(80)])
    decisions = [sprt.decision(each) for each in ratios]
    assert decisions[:30] == [None] * 30  # each pair says little about such small differences
    assert decisions[-1] == "elo1"
    assert sprt.decision(sprt.ratio([80, 0, 0, 0, 0])) == "elo0"
    assert sprt.ratio(np.zeros(5)) == 0


def test_bounds():
    assert parse_sprt("0,30") == (0, 30)
    for text in ("0", "0,30,60", "a,b", ""):
        with pytest.raises(SpecificationError, match="such as 0,30"):
            parse_sprt(text)
    for bounds in [(30, 0), (0, 0), (0, inf), (0, 5000), ("0", 30)]:
        with pytest.raises(SpecificationError, match="two differences in Elo"):
            Sprt(*bounds)
    for errors in ({"alpha": 0}, {"beta": 0.5}, {"alpha": "a"}):
        with pytest.raises(SpecificationError, match="must be a probability above 0"):
            Sprt(0, 5, **errors)
    with pytest.raises(SpecificationError, match="must be logistic or normalized, not 'bayesian'"):
        Sprt(0, 5, model="bayesian")
    with pytest.raises(SpecificationError, match="from -200 to 200, not 201"):
        Sprt(0, 201, model="normalized")
    low, high = Sprt(0, 5, alpha=0.1, beta=ERROR).bounds
    assert (low, high) == (pytest.approx(np.log(0.05 / 0.9)), pytest.approx(np.log(9.5)))
    assert len(PAIR_SCORES) == 5
