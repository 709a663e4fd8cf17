"""The verdict: what beats the original for certain is recommended, and nothing else."""

from dataclasses import replace
from math import nan

import pytest

from seedfolio.boosting.verdict import gain_of, verdict_of
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report.table import FIXED_SEED, MIXTURE, Row


def row(name, first, last, error=0.01, group="learner"):
    middle = [Estimate((first + last) / 2, error)] * 3
    errors = (0.0, error) if group == "baseline" else (error, error)
    estimates = [Estimate(first, errors[0]), *middle, Estimate(last, errors[1])]
    return Row(name, "1+1", estimates, group)


ORIGINAL = [row(FIXED_SEED, 0.5, 0.0, group="baseline"), row(MIXTURE, 0.5, 0.4, group="baseline")]


def test_one_that_wins_both_columns_is_the_best():
    found = verdict_of([*ORIGINAL, row("book", 0.75, 0.5), row("best-seed", 0.8, 0.0)])
    assert found.stranger.name == "best-seed"
    assert found.prepared.name == "book"
    assert found.best == "book"
    first, second, third = found.text.splitlines()
    assert first.startswith("Against strangers: use best-seed, 80.0±1.0% where the original has 50")
    assert "Only there: the best of 16 opponents holds it to 0.0±1.0%." in first
    assert second.startswith("Against the best of 16 opponents (K'=16): use book, 50.0±1.0%")
    assert third.startswith(
        "The opponents that measured best-seed also chose it among 2. If all were equal, about 0.6"
    )
    assert found.as_data()["best"] == "book"


def test_what_is_recommended_is_measured_again():
    rows = [*ORIGINAL, row("book", 0.75, 0.5), row("nash", 0.6, 0.3)]
    found = verdict_of(rows, [row("book", 0.74, 0.49, error=0.02)])
    assert found.text.splitlines()[2] == (
        "Measured again on fresh seeds, which had no part in the choice: book, 74.0±2.0% (+24.0 "
        "points, 95% interval +19.9 to +27.7), at K'=16 49.0±2.0% (+9.0 points, 95% interval +4.6 "
        "to +13.4)."
    )
    assert found.as_data()["stranger"]["fresh"]["gain"] == pytest.approx(0.24)
    again = [row("book", 0.74, 0.49), row("nash", 0.6, 0.3)]
    found = verdict_of([*ORIGINAL, row("book", 0.6, 0.5), row("nash", 0.7, 0.3)], again)
    assert found.text.splitlines()[2].endswith(
        "; book, at K'=16 49.0±1.0% (+9.0 points, 95% interval +6.2 to +11.8)."
    )
    few = [replace(each, estimates=each.estimates[:1]) for each in (*rows, *again)]
    assert len(verdict_of(few[:4], few[4:]).text.split("book, ")) == 3  # no second column
    alone = verdict_of([*ORIGINAL, row("book", 0.75, 0.5)])
    assert len(alone.text.splitlines()) == 2  # nothing was chosen
    near = verdict_of([*ORIGINAL, row("book", 0.99, 0.5, error=0.02)])
    assert 0.49 < near.stranger.high <= 0.5  # no success is above 100%


def test_nothing_below_the_original_is_ever_the_best():
    found = verdict_of([*ORIGINAL, row("nash", 0.51, 0.2), row("best-half", 0.49, 0.39)])
    assert found.stranger is None
    assert found.prepared is None
    assert found.best is None
    assert "keep the original. Nothing beat it beyond the error (best: nash, +1.0" in found.text
    assert "Try more games, or the learner book." in found.text
    with_book = verdict_of([*ORIGINAL, row("book", 0.5, 0.4)])
    assert with_book.text.splitlines()[0].endswith("Try more games.")


def test_a_gain_within_the_error_is_none():
    sure = verdict_of([*ORIGINAL, row("nash", 0.53, 0.4)])
    assert sure.stranger.name == "nash"
    assert sure.best == "nash"
    assert verdict_of([*ORIGINAL, row("best-seed", 0.6, 0.0)]).best == "best-seed"
    assert verdict_of([*ORIGINAL, row("nash", 0.53, 0.4, error=0.02)]).best is None
    # With more rows the best of them is the luckiest, and more is needed.
    others = [row(f"other {n}", 0.5, 0.4) for n in range(9)]
    assert verdict_of([*ORIGINAL, row("nash", 0.525, 0.4), *others]).best is None
    assert verdict_of([*ORIGINAL, row("nash", 0.525, 0.4)]).best == "nash"

    gain = verdict_of([*ORIGINAL, row("nash", 0.6, 0.4)]).stranger
    assert gain.mean == pytest.approx(0.1)
    assert gain.low < 0.1 < gain.high
    assert gain.high - gain.low == pytest.approx(2 * 1.96 * 0.01, rel=1e-3)
    assert verdict_of(ORIGINAL) is None
    assert verdict_of([row("nash", 0.6, 0.4)]) is None


def test_the_error_over_learnings_is_over_as_many_whatever_the_opponents():
    rows = [row(MIXTURE, 0.5, 0.4, group="baseline"), row("book", 0.75, 0.6)]
    gains = [
        gain_of(*(replace(each, learnings=number) for each in reversed(rows)), -1)
        for number in (2, 5, 20)
    ]
    widths = [each.high - each.low for each in gains]
    # Two errors of 1 with as many degrees of freedom each: Welch's are twice as many.
    assert widths == pytest.approx([2 * 2**0.5 * 0.01 * t for t in (4.303, 2.306, 2.024)], rel=0.01)


def test_an_unknown_error_recommends_nothing():
    found = verdict_of([*ORIGINAL, row("nash", 0.9, 0.9, error=nan)])
    assert (found.stranger, found.prepared, found.best) == (None, None, None)
    assert "nash, +40.0 points, whose error is not known" in found.text
    assert found.tried[0].as_data() == {
        "portfolio": "nash",
        "gain": pytest.approx(0.4),
        "low": None,
        "high": None,
    }
