"""The plan of a blind series: balanced, unpredictable, and committed to."""

import hashlib
from collections import Counter

import pytest

from seedfolio.errors import SpecificationError
from seedfolio.people.blind.answer_times import AnswerTimes
from seedfolio.people.blind.design import SeriesPlan


def test_all_orders_are_equally_likely():
    orders = Counter(
        tuple((each.program, each.colour) for each in SeriesPlan.draw("t", 4).games)
        for _ in range(4800)
    )
    assert len(orders) == 24
    # The 0.9999 quantile of chi-squared with 23 degrees of freedom.
    assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 57


def test_blocks_of_four_and_a_commitment_that_is_the_hash_of_the_text():
    plan = SeriesPlan.draw("t", 8)
    for begin in (0, 4):
        block = {(each.program, each.colour) for each in plan.games[begin : begin + 4]}
        assert block == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert len({each.key for each in plan.games}) == 8
    assert plan.commitment == hashlib.sha256(plan.text.encode()).hexdigest()
    assert SeriesPlan.parse(plan.text) == plan
    assert SeriesPlan.draw("t", 8).commitment != plan.commitment
    assert len(plan.nonce) == 64


def test_what_is_no_plan():
    text = SeriesPlan.draw("t", 4).text
    changed = (text.replace(*each) for each in (("seedfolio", "another"), ("first", "third", 1)))
    for other in (*changed, text + "\n", ""):
        with pytest.raises(SpecificationError, match="not the plan"):
            SeriesPlan.parse(other)
    for games in (0, 3, 6, 44, -4, 4.0, True):
        with pytest.raises(SpecificationError, match="`games` must be"):
            SeriesPlan.draw("t", games)


def test_answers_are_due_at_moments_that_do_not_depend_on_the_work():
    times = AnswerTimes(0.8, 1.6)
    quick = [times.due(100.0, 100.001, key) - 100 for key in range(2000)]
    slower = [times.due(100.0, 100.7, key) - 100 for key in range(2000)]
    assert quick == slower
    assert min(quick) >= 0.8
    assert max(quick) <= 1.6
    assert sum(quick) / 2000 == pytest.approx(1.2, abs=0.03)
    for key in range(100):  # work that takes longer is due at the next moment
        first = times.due(0.0, 0.0, key)
        second = times.due(0.0, first + 0.001, key)
        assert 0.8 <= second - first <= 1.6
    assert len({times.due(0.0, 0.0) for _ in range(10)}) == 10
    for least, most in ((0, 1), (2, 1), (1, float("nan"))):
        with pytest.raises(SpecificationError, match="answer times"):
            AnswerTimes(least, most)
