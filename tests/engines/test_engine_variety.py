"""Arms that play alike are counted, and standard errors know of them."""

from math import isnan

import numpy as np
import pytest
from external import left_behind, scripted_text

from seedfolio import boost, show
from seedfolio.evaluation.exploiters import (
    exploiter_success,
    fixed_arm_successes,
    mixture_successes,
)
from seedfolio.study.repeated_arms import Variety, alike, variety

VALUES = np.array([0.1, 0.4, 0.5, 0.9, 0.7, 0.2])


def test_rows_and_columns_that_play_alike_are_found():
    games = {(0, 8): ("a",), (0, 9): ("b",), (1, 8): ("a",), (1, 9): ("b",), (2, 8): ("a",)}
    games[2, 9] = ("c",)
    rows, columns = alike(games, [0, 1, 2], [8, 9])
    assert rows.tolist() == [0, 0, 1]
    assert columns.tolist() == [0, 1]
    del games[1, 9]  # a game that is missing is like no other
    assert alike(games, [0, 1, 2], [8, 9])[0].tolist() == [0, 1, 2]


def test_both_colours_are_counted():
    games = {(one, other): ("a",) for one in (0, 1) for other in (8, 9)}
    games |= {(other, one): (f"{other}",) for one in (0, 1) for other in (8, 9)}
    found = variety(games, [0, 1], ([8, 9], [8, 9]))
    assert found == Variety(2, (1, 1), 2, (2, 1))
    assert found.has_duplicates


@pytest.mark.parametrize("copies", [2, 5])
def test_copies_of_opponents_make_no_error_smaller(copies):
    groups = np.repeat(np.arange(6), copies)
    once = exploiter_success(VALUES, 1)
    more = exploiter_success(np.repeat(VALUES, copies), 1, groups=groups)
    assert more.mean == pytest.approx(once.mean)
    assert more.error == pytest.approx(once.error)
    assert exploiter_success(np.repeat(VALUES, copies), 1).error < once.error
    one = exploiter_success(np.full(20, 0.5), 1, groups=np.zeros(20, np.intp))
    assert isnan(one.error)  # of a single opponent under many names


def test_groups_of_one_are_no_groups():
    matrix = np.random.default_rng(1).random((5, 6))
    alone = np.arange(5), np.arange(6)
    for k in (1, 2, 4):
        (one,), (other,) = (fixed_arm_successes(matrix, (k,), 0.0, each) for each in (None, alone))
        assert one.error == pytest.approx(other.error)
        (one,), (other,) = (mixture_successes(matrix, (k,), each) for each in (None, alone))
        assert one.error == pytest.approx(other.error)
        grouped = exploiter_success(VALUES, k, groups=np.arange(6))
        assert grouped.error == pytest.approx(exploiter_success(VALUES, k).error)


@pytest.mark.slow
def test_a_study_says_how_many_arms_are_different(tmp_path):
    """40 arms of options, of which an eighth have an effect."""
    more = 'environ = { NOISE = "{noise}" }'
    text = scripted_text(tmp_path, "well", seed="{number}", more=more)
    text = text.replace('numbering = "plain"', "")
    text += '[arms.grid]\nnumber = "1..5"\nnoise = "1..8"\n'
    (tmp_path / "engine.toml").write_text(text)
    sizes = {"k": 8, "kt": 2, "opponents": 17, "learners": ["best-half"]}
    outcome = boost(tmp_path / "engine.toml", **sizes, study=tmp_path / "a.study")
    found = outcome.variety
    assert (found.arms, found.opponents) == (8, 17)
    assert max(found.different) <= 5
    assert max(found.different_opponents) <= 5
    assert "Some arms play the same games" in outcome.caption
    assert "arms        8 of each colour, different: " in found.text
    assert show(tmp_path / "a.study").variety == found
    # Five opponents at most are behind the 17, and the error is theirs.
    spread = outcome.rows[-1].estimates[0].error
    assert isnan(spread) or spread > 0.5 / 17**0.5 / 2
    assert not left_behind(tmp_path)
