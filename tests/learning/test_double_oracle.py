"""Double oracle: the equilibrium of the whole matrix, from a part of its cells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from synthetic_arena import Matrix, differing, from_matrix, run, value

from seedfolio.core.seeds import HELD_BACK_SEEDS
from seedfolio.errors import SpecificationError
from seedfolio.learning.double_oracle import DoubleOracle
from seedfolio.learning.exploration import Choice

PLENTY = 10**6


def guarantees(choice: Choice, matrix: Matrix) -> tuple[float, float]:
    """What both portfolios are sure of on the matrix, as success of the first player."""
    weights = np.zeros(len(matrix)), np.zeros(len(matrix))
    for colour in (0, 1):
        weights[colour][list(choice.portfolio[colour].arms)] = choice.portfolio[colour].weights
    return float((weights[0] @ matrix).min() / 2), float((matrix @ weights[1]).max() / 2)


@given(
    matrix=st.integers(1, 24).flatmap(
        lambda size: arrays(np.uint8, (size, size), elements=st.integers(0, 2))
    ),
    key=st.integers(0, 2**64 - 1),
)
@settings(max_examples=40, deadline=None)
def test_small_games_are_solved(matrix: Matrix, key: int) -> None:
    exploration = DoubleOracle(arms=len(matrix)).begin(PLENTY, 2, key)
    run(exploration, from_matrix(matrix))
    lower, upper = guarantees(exploration.choice(), matrix)
    true = value(matrix / 2)
    assert true - 0.0011 <= lower <= true + 1e-9
    assert true - 1e-9 <= upper <= true + 0.0011
    first, second = exploration.choice().value or ()
    # Arms that have not met all opponents are only known to be no better than so.
    assert true - 0.0031 <= first.lower <= lower + 1e-9
    assert upper - 1e-9 <= first.upper <= true + 0.0031
    assert (second.lower, second.upper) == pytest.approx((1 - first.upper, 1 - first.lower))


def test_the_value_is_bracketed_at_every_moment() -> None:
    matrix = differing(32, 32, 7)
    exploration = DoubleOracle(arms=32).begin(PLENTY, 2, 1)
    gaps = []
    while run(exploration, from_matrix(matrix), asks=1):
        choice = exploration.choice()
        if choice.value is None:
            continue
        # Opened are the first arms: 16, then 32.
        bounds = choice.value[0]
        values = [value(matrix[:k, :k] / 2) for k in (16, 32)]
        assert any(bounds.lower - 1e-9 <= each <= bounds.upper + 1e-9 for each in values)
        gaps.append(bounds.upper - bounds.lower)
    assert gaps[0] > 0.1
    assert gaps[-1] < 0.0021


def test_rock_paper_scissors() -> None:
    matrix = np.array([[1, 0, 2], [2, 1, 0], [0, 2, 1]], dtype=np.uint8)
    exploration = DoubleOracle(arms=3).begin(PLENTY, 2, 0)
    run(exploration, from_matrix(matrix))
    choice = exploration.choice()
    assert choice.portfolio.first.weights == pytest.approx([1 / 3] * 3)
    assert choice.portfolio.second.weights == pytest.approx([1 / 3] * 3)
    assert choice.first.lower < 0.5 < choice.first.upper


def test_rock_paper_scissors_hidden_among_weaker_arms() -> None:
    matrix = np.tril(np.full((200, 200), 2, np.uint8))  # a later arm beats an earlier one
    matrix[np.diag_indices(200)] = 1
    matrix[197:, 197:] = [[1, 0, 2], [2, 1, 0], [0, 2, 1]]
    exploration = DoubleOracle(arms=200).begin(PLENTY, 2, 0)
    run(exploration, from_matrix(matrix))
    assert exploration.choice().portfolio.first.arms == (197, 198, 199)
    assert exploration.choice().portfolio.second.weights == pytest.approx([1 / 3] * 3)


def test_where_seeds_differ_it_plays_few_of_the_cells() -> None:
    matrix = differing(512, 512, 1, strength=1.2)
    exploration = DoubleOracle(arms=256).begin(PLENTY, 2, 0)
    played = run(exploration, from_matrix(matrix))
    assert len(set(played)) == len(played)
    assert sum(max(cell) < 256 for cell in played) < 0.2 * 256**2
    lower, upper = guarantees(exploration.choice(), matrix[:256, :256])
    true = value(matrix[:256, :256] / 2)
    assert true - 0.0011 <= lower <= true <= upper <= true + 0.0011


def test_with_the_same_cells_it_opens_more_arms_than_a_square_has() -> None:
    exploration = DoubleOracle().begin(10_000, 2, 0)
    played = run(exploration, from_matrix(differing(1024, 1024, 2, strength=1.2)))
    assert 9_000 < len(played) <= 10_000
    assert max(max(cell) for cell in played if max(cell) < HELD_BACK_SEEDS[0]) > 150


@given(cells=st.integers(0, 400), seed=st.integers(0, 5))
@settings(max_examples=50, deadline=None)
def test_it_never_asks_for_more_than_it_may(cells: int, seed: int) -> None:
    exploration = DoubleOracle().begin(cells, 2, seed)
    played = run(exploration, from_matrix(differing(64, 64, seed)))
    assert len(set(played)) == len(played) <= cells
    choice = exploration.choice()
    for bounds in (choice.first, choice.second):
        assert 0 <= bounds.lower <= bounds.upper <= 1
    if cells >= 40:
        assert len(choice.portfolio.first) >= 1
        assert choice.first.upper - choice.first.lower < 1 or choice.first.upper in (0, 1)


def test_it_can_choose_at_every_moment_and_the_certificates_hold() -> None:
    # Every arm of the first player wins by its own chance alone.
    chances = np.linspace(0.2, 0.8, 512)
    wins = np.random.default_rng(0).random((512, 512)) < chances[:, None]
    exploration = DoubleOracle().begin(12_000, 2, 3)
    choices = []
    while (asked := exploration.ask()) is not None:
        choices.append(exploration.choice())
        rows, columns = asked.rows.astype(int) % 512, asked.columns.astype(int) % 512
        exploration.tell(2 * wins[rows, columns].astype(np.uint8))
    choices.append(exploration.choice())
    for choice in choices:
        ours = choice.portfolio.first
        truth = float(np.array(ours.weights) @ chances[list(ours.arms)])
        assert choice.first.lower <= truth <= choice.first.upper
    assert choices[0].first.upper - choices[0].first.lower == 1
    assert choices[-1].first.upper - choices[-1].first.lower < 0.3
    assert choices[-1].first.lower > choices[0].first.lower


@pytest.mark.parametrize("result", [0, 1, 2])
def test_equal_arms(result: int) -> None:
    exploration = DoubleOracle().begin(2000, 2, 0)
    run(exploration, from_matrix(np.full((64, 64), result, np.uint8)))
    choice = exploration.choice()
    assert choice.first.lower <= result / 2 <= choice.first.upper
    assert sum(choice.portfolio.first.weights) == pytest.approx(1)


def test_the_same_key_and_results_ask_for_the_same_and_another_key_measures_otherwise() -> None:
    points = from_matrix(differing(256, 256, 3))
    first, again, other = (run(DoubleOracle().begin(5000, 2, key), points) for key in (1, 1, 2))
    assert first == again != other


def test_names() -> None:
    assert DoubleOracle().name == "double-oracle"
    assert DoubleOracle(0.01, 50).name == "double-oracle:gap=0.01,arms=50"
    with pytest.raises(SpecificationError, match="gap between 0 and 1, not 0"):
        DoubleOracle(gap=0)
    with pytest.raises(SpecificationError, match="1 to 32768 arms, or 0 to choose, not -1"):
        DoubleOracle(arms=-1)
