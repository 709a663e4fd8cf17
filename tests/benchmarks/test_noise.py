"""Benchmarks judge with their noise: a requirement is missed only beyond the interval."""

import random

import pytest
from benchmarks.noise import Interval, judge, median_interval


def test_a_requirement_within_the_noise_is_not_missed():
    """A busy machine measured +2.1% for a book, where 1% is allowed."""
    busy = Interval(0.021, -0.023, 0.039)
    assert judge(busy, at_most=0.01) == "unclear"
    assert judge(busy, at_most=0.03) == "met"
    assert judge(Interval(0.021, 0.012, 0.039), at_most=0.01) == "missed"


@pytest.mark.parametrize(
    ("interval", "verdict"),
    [
        ((25, 20, 30), "met"),
        ((20, 19, 21), "met"),
        ((19, 17, 21), "unclear"),
        ((18, 17, 19), "missed"),
    ],
)
def test_a_ratio(interval, verdict):
    assert judge(Interval(*interval), at_least=20) == verdict


@pytest.mark.parametrize(("number", "low", "high"), [(1, 0, 0), (5, 0, 4), (6, 0, 5), (25, 7, 17)])
def test_the_interval_is_that_of_the_sign_test(number, low, high):
    """Of 25 values it leaves out seven at either end, which is in every table of that test."""
    values = list(range(number))
    random.Random(1).shuffle(values)
    assert median_interval(values) == Interval((number - 1) / 2, low, high)


def test_the_interval_covers_the_median_as_often_as_it_says():
    luck = random.Random(2026)
    hits = 0
    for _ in range(2000):
        found = median_interval([luck.expovariate(1) for _ in range(25)])
        hits += found.low <= 0.6931 <= found.high
    assert 0.945 <= hits / 2000 <= 0.975  # 95.7% by the binomial distribution
