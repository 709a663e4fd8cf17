"""Matrices from elsewhere: what is read, what is refused, and what is learnt of them."""

import numpy as np
import pytest
from linear_program import row_strategy
from one_line import one_line, refused

from seedfolio import SeedfolioError, learn, nash
from seedfolio.boosting.learn import payoffs_of
from seedfolio.learning.registry import matrix_learner

RANDOM = np.random.default_rng(4)


@pytest.mark.parametrize(
    "matrix",
    [
        RANDOM.integers(-2, 3, (20, 30)),
        np.kron([[1, -1], [-2, 3]], np.ones((3, 4))),
        1 / np.add.outer(np.arange(1, 13), np.arange(12)),
        1e9 + RANDOM.normal(size=(9, 5)),
        RANDOM.normal(size=(12, 12)) * 1e-200,
        RANDOM.random((15, 2)) < 0.5,
        [[7]],
    ],
)
def test_nash_is_the_equilibrium_and_its_certificate_is_true(matrix):
    found, payoffs = nash(matrix), np.asarray(matrix, float)
    span = np.ptp(payoffs) or 1
    assert found.lower == pytest.approx((found.row @ payoffs).min(), abs=1e-9 * span)
    assert found.upper == pytest.approx((payoffs @ found.column).max(), abs=1e-9 * span)
    assert 0 <= found.gap <= 1e-9 * span + 1e-15 * abs(payoffs).max()
    _, value = row_strategy((payoffs - payoffs.min()) / span)
    assert (found.value - payoffs.min()) / span == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        ([[1, 2], [3]], "row 2 of the matrix has 1 numbers, and row 1 has 2"),
        ([], "needs rows and columns"),
        ([[]], "needs rows and columns"),
        ([1, 2], "needs rows and columns"),
        ([[1, "a"]], "has numbers only"),
        ([[1j]], "real numbers"),
        ([[1, np.nan]], "finite results"),
        ([[1, None]], "finite results"),
        ([[1, np.inf]], "row 1, column 2 of the matrix is infinite"),
        ([[1e308, -1e308]], "differ by more"),
    ],
)
def test_what_is_no_matrix_game_gets_a_line(matrix, said):
    with one_line(said, SeedfolioError):
        nash(matrix)


VALUES = [[0.75, np.nan, 0], [1, 0.5, 0.25]]
GAMES = [[2, 0, 1], [1, 2, 4]]
PGN = '[White "{}"]\n[Black "{}"]\n[Result "{}"]\n\n1. e4 {{[%clk 0:01]}} {}\n\n'
ENDED = "Finished game {} ({} vs {}): {} {{mate}}\n"
PLAYED = [
    *(("A", "X", "1-0"), ("A", "X", "1/2-1/2"), ("A", "Z", "0-1"), ("B", "X", "1-0")),
    *(("B", "Y", "1-0"), ("B", "Y", "0-1"), ("B", "Z", "1-0"), ("A", "Y", "*")),
    *[("B", "Z", "0-1")] * 3,
]
FILES = {
    "wide.csv": ",X,Y,Z\nA,1.5/2,,0/1\nB,1/1,1/2,1/4\n",
    "wide.tsv": "\tX\tY\tZ\n\nA\t0.75\t-\t0\nB\t1\t.5\t.25\n",
    "bare.csv": "0.75;nan;0\n1;0.5;0.25\n",
    "half.csv": "first\\second (half points of 4),X,Y,Z\nA,3,,0\nB,4,2,1\n",
    "list.csv": "row,column,points,games\nA,X,1.5,2\nA,Z,0,1\nB,X,1,1\nB,Y,1,2\nB,Z,1,4\n",
    "games.csv": "white,black,result\n"
    + "".join(f"{w},{b},{r}\n" for w, b, r in PLAYED if r != "*"),
    "games.pgn": "".join(PGN.format(*each, each[2]) for each in PLAYED),
    "fast.log": "".join(ENDED.format(k, *each) for k, each in enumerate(PLAYED, 1)),
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_holds_the_same_matrix(name, tmp_path):
    (tmp_path / name).write_text(FILES[name])
    found = payoffs_of(tmp_path / name)
    column = {name: k for k, name in enumerate(found.columns)}
    order = [column.get(each, k) for k, each in enumerate("XYZ")]
    assert found.values[:, order] == pytest.approx(np.array(VALUES), nan_ok=True)
    assert (found.low, found.high, found.missing) == (0, 1, 1)
    if name != "bare.csv":
        assert (found.rows, sorted(found.columns)) == (("A", "B"), ["X", "Y", "Z"])
    if found.games is not None:
        assert found.games[:, order].tolist() == GAMES


def test_arrays_and_programs_that_say_no_colour(tmp_path):
    np.savez(tmp_path / "a.npz", matrix=np.nan_to_num(VALUES), games=GAMES, rows=["A", "B"])
    assert payoffs_of(tmp_path / "a.npz").values == pytest.approx(np.array(VALUES), nan_ok=True)
    text = "Score of A vs B: 1 - 0 - 0 [1]\nScore of A vs B: 2 - 1 - 1 [0.6] 4\n"
    fast = "Results of B vs C (8+0.1, 1t):\nElo: 1\nGames: 4, Wins: 4, Losses: 0, Draws: 0, X: 4\n"
    (tmp_path / "b.txt").write_text(text + fast)
    found = payoffs_of(tmp_path / "b.txt")
    assert found.values[:2] == pytest.approx(
        np.array([[0.5, 0.625, np.nan], [0.375, 0.5, 1]]), nan_ok=True
    )


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "", "is empty"),
        ("a.csv", ",X\n", "no results below"),
        ("a.csv", ",X,Y\nA,1\n", "line 2 has 1 results, and the first line has 2"),
        ("a.csv", ",X\nA,two\n", "line 2: 'two' is neither"),
        ("a.csv", ",X,X\nA,1,2\n", "two columns have the name 'X'"),
        ("a.csv", ",X,Y\nA,1,\nB,0,\n", "Y has no result in its column"),
        ("a.csv", ",X\nA,inf\n", "infinite"),
        ("a.csv", "row,column\nA,B\n", "either points"),
        ("a.csv", "row,column,success\nA,B\n", "line 2 is not a result"),
        ("a.npz", "no", "is not of NumPy"),
        ("a.pgn", '[White "A"]\n[Result "1-0"]\n\n', "game 1 has no tag Black"),
        ("a.pgn", PGN.format("A", "B", "2-0", ""), "game 1 has the result '2-0'"),
        ("a.pgn", "", "has no finished game"),
        ("a.txt", "Hello\n", "has neither lines"),
        ("a.doc", "", "is no matrix"),
    ],
)
def test_a_wrong_file_gets_a_line(name, content, said, tmp_path):
    (tmp_path / name).write_text(content)
    refused("learn", name, cwd=tmp_path, saying=said)


def test_missing_cells_follow_from_strengths_and_colours_can_be_one(tmp_path):
    true = np.add.outer([0.1, 0.3, 0.25, 0.4], [0.2, 0.3, 0.1])
    holed = np.where(np.eye(4, 3), np.nan, true)
    assert payoffs_of(holed).success == pytest.approx(true, abs=1e-9)
    (tmp_path / "a.csv").write_text("row,column,points,games\nA,B,3,4\nB,A,1,1\nC,A,1,1\nB,C,2,2\n")
    learnt = learn(tmp_path / "a.csv", together=True)
    table = [[0.5, 0.6, 0], [0.4, 0.5, 1], [1, 0, 0.5]]
    assert learnt.payoffs.values == pytest.approx(np.array(table))
    assert all(each.first == pytest.approx(each.second) for each in learnt.portfolios.values())


def test_every_learner_of_payoffs_learns_what_it_learns_of_half_points():
    points = RANDOM.integers(0, 3, (24, 18), dtype=np.uint8)
    learnt = learn(points - 1.0)  # from -1 to 1
    for name, each in learnt.portfolios.items():
        weights = matrix_learner(name).weigh(points, 2, 0).weights
        found = [each.first.get(row, 0) for row in learnt.payoffs.rows]
        assert found == pytest.approx(weights, abs=2e-3), name
    assert learnt.value.upper == pytest.approx(nash(points - 1.0).value, abs=1e-9)
    assert "0% is a payoff of -1" in learnt.caption


def test_games_of_open_spiel():
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.egt.heuristic_payoff_table import from_matrix_game

    rock = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0.0]])
    for given in (pyspiel.load_matrix_game("matrix_rps"), from_matrix_game(rock), [rock, -rock]):
        assert payoffs_of(given).values == pytest.approx(rock)
    with pytest.raises(SeedfolioError, match="do not add up"):
        payoffs_of(pyspiel.load_matrix_game("matrix_pd"))
