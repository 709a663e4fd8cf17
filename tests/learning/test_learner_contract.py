"""What every learner does: few games, equal arms, one best arm, resuming; and its texts."""

from pathlib import Path

import numpy as np
import pytest
from sparing import levels
from synthetic_arena import differing, exploring_learner, from_matrix, run

from seedfolio.errors import SpecificationError
from seedfolio.learning.exploration import MOST_ARMS
from seedfolio.learning.registry import LEARNERS, find_learner, matrix_learner

OF_ARMS = [name for name in LEARNERS if name != "book"]
VARIANTS = [
    *OF_ARMS,
    *("auto:exploiters=1", "auto:exploiters=2", "halving:keep=3", "halving-brackets:keep=2"),
    *("exp3:power=0.7,batch=7", "exp3-widening:most=8,batch=3", "exp3:k=1", "halving:arms=1"),
    *("nash:ratio=0.5", "gk:eps=0.5,arms=40", "auto:arms=1", "auto:exploiters=1,arms=3"),
]
CERTAIN = [
    *("auto:exploiters=1", "auto:exploiters=16", "halving", "halving-brackets", "best-seed"),
    *("nash", "best-half:ratio=0.5", "double-oracle", "gk:eps=0.3,arms=60", "exp3:k=200"),
    "ucb-widening:each=8",
]
ALWAYS_ALL = ("ucb-widening", "exp3", "exp3-widening")
"""Learners that play as many cells as there are."""


@pytest.mark.parametrize("name", VARIANTS)
def test_it_keeps_to_its_cells_and_resumes(name):
    learner, points = exploring_learner(name), from_matrix(differing(64, 64, 1))
    for cells in (0, 1, 2, 3, 41, 300):
        whole, stopped = learner.begin(cells, 2, 3), learner.begin(cells, 2, 3)
        before = whole.choice()
        assert (before.first.lower, before.first.upper) == (0, 1)
        asked = run(whole, points)
        assert len(set(asked)) <= cells
        assert name.partition(":")[0] not in ALWAYS_ALL or len(asked) == cells
        begun = []
        for _ in range(5):
            choice = stopped.choice()
            assert choice == stopped.choice()
            assert len(choice.portfolio.first) >= 1
            for bounds in (choice.first, choice.second):
                assert 0 <= bounds.lower <= bounds.upper <= 1
            first, again = stopped.ask(), stopped.ask()
            if first is not None:
                assert first.rows.tolist() == again.rows.tolist()
                assert first.columns.tolist() == again.columns.tolist()
            begun += run(stopped, points, asks=2)
        assert begun + run(stopped, points) == asked
        assert stopped.choice() == whole.choice()


@pytest.mark.parametrize("name", ["auto", "halving", "ucb-widening", "exp3", "exp3-widening"])
def test_another_key_asks_for_other_games(name):
    points = from_matrix(differing(256, 256, 2))
    cells = [run(exploring_learner(name).begin(3000, 2, key), points) for key in (1, 2)]
    assert cells[0] != cells[1]


@pytest.mark.parametrize("name", VARIANTS)
@levels("points", [0, 2], slow=[1])
def test_all_losses_all_draws_and_all_wins(name, points):
    """There is nothing to learn, and what is said of it is true; also of one arm alone."""
    for matrix in (np.full((64, 64), points, np.uint8), np.full((1, 1), points, np.uint8)):
        for cells in (5, 700):
            exploration = exploring_learner(name).begin(cells, 2, 5)
            run(exploration, from_matrix(matrix))
            choice = exploration.choice()
            for side in (choice.portfolio.first, choice.portfolio.second):
                assert sum(side.weights) == pytest.approx(1)
            for bounds, truth in ((choice.first, points / 2), (choice.second, 1 - points / 2)):
                assert bounds.lower - 1e-12 <= truth <= bounds.upper + 1e-12
        if choice.value is not None and not name.startswith("exploiter"):
            for bounds, truth in zip(choice.value, (points / 2, 1 - points / 2), strict=True):
                assert (bounds.lower, bounds.upper) == pytest.approx((truth, truth), abs=0.002)


@pytest.mark.parametrize("name", CERTAIN)
def test_certificates_hold_at_every_moment(name):
    """Every arm of the first player wins by its chance alone: the truth of a mixture is known."""
    chances = np.random.default_rng(0).uniform(0.3, 0.6, 512)
    missed = 0
    for key in range(3):
        wins = np.random.default_rng(key).random((512, 512)) < chances[:, None]
        cells = 40_000 if name.startswith("exp3") else 4096  # it learns the least from a game
        exploration, points = exploring_learner(name).begin(cells, 2, key), from_matrix(2 * wins)
        asks, widths = [1, 2, 4, None], []
        while asks:
            run(exploration, points, asks.pop(0))
            choice = exploration.choice()
            ours, bounds = choice.portfolio.first, choice.first
            truth = np.array(ours.weights) @ chances[np.array(ours.arms) % 512]
            missed += not bounds.lower - 1e-12 <= truth <= bounds.upper + 1e-12
            widths.append(bounds.upper - bounds.lower)
        assert widths[-1] < min(0.9, widths[0] + 1e-12), widths
    assert missed <= 1


@pytest.mark.parametrize("colour", [0, 1])
@pytest.mark.parametrize("name", sorted(set(OF_ARMS) - {"uniform", "best-half", "top"}))
def test_an_arm_that_always_wins_is_all_that_is_drawn(name, colour):
    """Arm 3 of 8; the opponent has a best arm, too, where he does not meet it."""
    matrix = np.full((8, 8), 1, np.uint8)
    matrix[:, 5] = 0
    matrix[3] = 2
    exploration = exploring_learner(name).begin(1500, 2, 9)
    run(exploration, from_matrix(2 - matrix.T if colour else matrix))
    drawn = exploration.choice().portfolio[colour]
    weights = np.bincount([seed % 8 for seed in drawn.arms], drawn.weights, 8)
    assert weights[3] > (0.9 if name in ("gk", "regret-matching") else 0.999)


USUAL, CANONICAL, REFUSED = (
    Path(__file__).with_name("learner_texts.txt").read_text(encoding="utf-8").split("\n\n")
)
"""Of those refused the last parameter has each of the numbers; MANY is one above the most arms."""


@pytest.mark.parametrize("text", USUAL.split())
def test_usual_parameters_are_not_in_the_name(text):
    assert find_learner(text).name == text.partition(":")[0]


def test_every_learner_has_its_usual_parameters_here():
    known = {
        ":".join(filter(None, [name, ",".join(f"{k}={v}" for k, v in entry.parameters.items())]))
        for name, entry in LEARNERS.items()
    }
    assert known == set(USUAL.split())


@pytest.mark.parametrize("text", CANONICAL.split())
def test_the_name_has_the_other_parameters_in_their_order(text):
    name, _, given = text.partition(":")
    turned = f"{name}:{','.join(reversed(given.split(',')))}"
    assert find_learner(text).name == find_learner(turned).name == text


@pytest.mark.parametrize("text", REFUSED.replace("MANY", str(MOST_ARMS + 1)).split())
def test_numbers_out_of_range_are_refused(text):
    parameter, _, numbers = text.rpartition("=")
    name, last = parameter.partition(":")[0], parameter.rpartition(":")[2].rpartition(",")[2]
    for number in numbers.split("|"):
        with pytest.raises(SpecificationError) as refusal:
            find_learner(f"{parameter}={number}")
        said = str(refusal.value)
        assert said.count(f"not {number}") == 1
        assert last in said
        assert name in said or last == "ratio"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("nahs", ["'nahs'", "did you mean nash?", "auto, nash, "]),
        ("", ["unknown learner ''", "auto, nash, "]),
        ("nash:alpha=1", ["nash", "'alpha'", "ratio"]),
        ("halving:ratio=0.5", ["'ratio'", "keep, arms"]),
        ("sparse-nash:alpha=half", ["alpha", "a number", "'half'"]),
        ("sparse-nash:alpha", ["alpha", "a number", "''"]),
        ("top:n=2.5", ["n of learner top", "whole number", "'2.5'"]),
        ("nash:ratio=0.5", ["nash:ratio=0.5", "whole matrix", "these do: nash, "]),
        ("book", ["book", "whole matrix"]),
    ],
)
def test_what_names_no_learner_of_a_matrix_is_refused_in_one_line(text, named):
    with pytest.raises(SpecificationError) as refusal:
        matrix_learner(text)
    assert all(words in str(refusal.value) for words in named)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", LEARNERS)
def test_texts_are_numbers_of_the_right_kind_and_a_short_summary(name):
    entry = LEARNERS[name]
    assert 0 < len(entry.summary) < 70
    assert not entry.summary.startswith(("its ", "the same "))  # as the one above
    assert not entry.takes_matrix or matrix_learner(name) == find_learner(name)
    for key, default in entry.parameters.items():
        assert type(getattr(find_learner(f"{name}:{key}={default!r}"), key)) is type(default)
