"""Learning, repeated: other seeds each time, and the error over the learnings."""

import numpy as np
import pytest

from seedfolio import Estimate, Row, SpecificationError, ThreadArena, load_program
from seedfolio.boosting.repetitions import ShiftedArena, over_learnings, seeds_apart
from seedfolio.boosting.request import Request


def test_a_shifted_arena_plays_other_seeds_under_the_numbers_asked_for():
    program = load_program("domineering:4x4", "uct:simulations=5")
    rows, columns = np.arange(40, dtype=np.uint64), np.arange(40, dtype=np.uint64) + 2**32
    columns[-1] = 2**33 - 5  # after the last unseen seed comes the first
    plain, shift = ThreadArena(1), 3 << 20
    found = {
        (int(row), int(column)): int(points)
        for block in ShiftedArena(plain, shift).play(program, rows, columns)
        for row, column, points in zip(block.rows, block.columns, block.results, strict=True)
    }
    others = columns + shift
    others[-1] = 2**32 + shift - 5
    expected = {
        (int(row) - shift, int(column) - shift): int(points)
        for block in plain.play(program, rows + shift, others)
        for row, column, points in zip(block.rows, block.columns, block.results, strict=True)
    }
    expected[39, 2**33 - 5] = expected.pop((39, 2**32 - 5))
    assert found == expected
    assert sorted(found) == list(zip(rows.tolist(), columns.tolist(), strict=True))


def test_a_large_study_has_its_seeds_further_apart():
    program = load_program("domineering:4x4", "uct:simulations=5")
    small = Request(k=380, kt=380, opponents=100, learners=("nash",))
    book = Request(k=380, kt=380, opponents=100, learners=("book",), budget=8_000_000)
    assert seeds_apart(program, [small], 256) == 2**20
    assert seeds_apart(program, [small, book], 32) == 2**23
    assert seeds_apart(program, [small.model_copy(update={"opponents": 2**19})], 2) == 2**23
    with pytest.raises(SpecificationError, match=r"33 repetitions .* 8,000,000 .* 32 or fewer"):
        seeds_apart(program, [book], 33)


def row(name, *means):
    return Row(name, "1+1", [Estimate(mean, 0.01) for mean in means], "learner", 0.3)


def test_means_and_errors_over_learnings():
    found = over_learnings(
        [
            [row("a", 0.6, 0.5, 0.4, 0.3, 0.2), row("b", *[0.5] * 5)],
            [row("a", 0.7, 0.5, 0.2, 0.3, 0.2), row("b", *[0.7] * 5)],
            [row("a", 0.8, 0.5, 0.6, 0.3, 0.2), row("b", *[0.9] * 5)],
        ]
    )
    assert [each.name for each in found] == ["a", "b"]
    assert found[0].estimates[0].mean == pytest.approx(0.7)
    assert found[0].estimates[0].error == pytest.approx(np.std([0.6, 0.7, 0.8], ddof=1) / 3**0.5)
    assert found[0].estimates[1].text == "50.0"  # always the same: no error is known
    assert found[1].estimates[4].mean == pytest.approx(0.7)
    assert found[0].best_response is None  # it belongs to one learning
    exact = Row("a", "", [Estimate(0.5, 0.0)], "baseline")
    assert over_learnings([[exact]] * 3)[0].estimates[0].text == "50.0±0.0"
