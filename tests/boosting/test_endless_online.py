"""UCBT with seeds without end: it never comes to the last one it was given."""

from __future__ import annotations

from pathlib import Path

import pytest

from seedfolio import boost, online
from seedfolio.boosting.results import Boost
from seedfolio.errors import SpecificationError


@pytest.fixture(scope="module")
def boosted(tmp_path_factory: pytest.TempPathFactory) -> Boost:
    path: Path = tmp_path_factory.mktemp("study") / "a.study"
    sizes = {"k": 6, "kt": 6, "opponents": 17, "threads": 1}
    return boost("domineering:4x4", "uct:simulations=5", learners="nash", study=path, **sizes)


def test_endless_seeds_are_as_many_as_are_ever_opened(boosted: Boost) -> None:
    asked = {"games": 100, "repetitions": 3, "threads": 1}
    endless = online(boosted, endless=True, **asked).plays
    assert [play.arms for play in endless] == [10, 10]
    # With more seeds at hand, and the same widening, none of the others is ever played.
    more = online(boosted, arms=25, widening=1.0, **asked).plays
    for one, other in zip(endless, more, strict=True):
        assert one.variant == other.variant == "UCBT, widening 1 N^0.5"
        assert [curve.played for curve in one.portfolios if curve.opponent == "nash"] == [
            curve.played for curve in other.portfolios if curve.opponent == "nash"
        ]


def test_what_cannot_be_is_said(boosted: Boost) -> None:
    with pytest.raises(SpecificationError, match="`endless` has no number of arms"):
        online(boosted, endless=True, arms=5)
    with pytest.raises(SpecificationError, match="would open 12,800 arms"):
        online(boosted, endless=True, widening=100)
