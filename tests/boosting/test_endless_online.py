"""UCBT with seeds without end: it never comes to the last one it was given."""

import pytest

from seedfolio import online
from seedfolio.errors import SpecificationError


def test_endless_seeds_are_as_many_as_are_ever_opened(made_copy):
    asked = {"games": 100, "repetitions": 3, "threads": 1}
    endless = online(made_copy.study, endless=True, **asked).plays
    assert [play.arms for play in endless] == [10, 10]
    # With more seeds at hand, and the same widening, none of the others is ever played.
    more = online(made_copy.study, arms=25, widening=1.0, **asked).plays
    for one, other in zip(endless, more, strict=True):
        assert one.variant == other.variant == "UCBT, widening 1 N^0.5"
        assert [curve.played for curve in one.portfolios if curve.opponent == "nash"] == [
            curve.played for curve in other.portfolios if curve.opponent == "nash"
        ]
    with pytest.raises(SpecificationError, match="`endless` has no number of arms"):
        online(made_copy.study, endless=True, arms=5)
    with pytest.raises(SpecificationError, match="would open 12,800 arms"):
        online(made_copy.study, endless=True, widening=100)
