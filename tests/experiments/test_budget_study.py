"""The budget study, from games to tables, on a board so small that it takes seconds."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from seedfolio.arena import Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.learning.exploration import follow
from seedfolio.learning.matrix import GrowingMatrix, MatrixLearner
from seedfolio.learning.registry import find_learner
from seedfolio.study.arms import TrainingArms, UnseenArms

sys.path.insert(0, str(Path(__file__).parents[2]))
budget = importlib.import_module("experiments.budget")
games_files = importlib.import_module("experiments.budget_games")
learning = importlib.import_module("experiments.budget_learning")
importlib.import_module("experiments.budget_report")

GAME = "nim"
SIZES = ["--arms", "32", "--unseen", "20"]
ARENA = ["--arena", "threads", "--threads", "1", "-q"]


def command(*arguments):
    done = CliRunner().invoke(budget.app, list(arguments))
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("budget")
    command("play", "--folder", str(path), "--game", GAME, *SIZES, "--repetitions", "2", *ARENA)
    return path


def exploring(name):
    """A learner that chooses its games, with as many arms as it likes."""
    learner = find_learner(name)
    return GrowingMatrix(learner) if isinstance(learner, MatrixLearner) else learner


def nothing_missing(table, rows, columns):
    """What the tables of these tests lack."""


def test_the_games_are_those_of_the_arms_they_are_said_to_be(folder):
    program = games_files.program_of(GAME)
    games = games_files.load(games_files.file_of(folder, GAME, 1))
    assert games.title == program.title
    ours, theirs = TrainingArms(32, 32).seeds(), UnseenArms(20, 20).seeds()
    tables = [(games.training, ours, ours), (games.first, ours, theirs)]
    for table, rows, columns in [*tables, (games.second, theirs, ours)]:
        assert table.shape == (len(rows), len(columns))
        for row, column in [(0, 0), (7, 3), (19, 11)]:
            cell = rows[row : row + 1], columns[column : column + 1]
            assert program.play(*cell, program.workspace())[0][0] == table[row, column]


def test_a_table_serves_as_a_study_does(folder):
    games = games_files.load(games_files.file_of(folder, GAME, 0))
    for name in ("halving", "nash", "exp3"):
        table, used, choices = games.training, [], []

        def looked_up(cells, table=table):
            return table[cells.rows.astype(int), cells.columns.astype(int)]

        for way in (0, 1):
            order = learning.in_order(32, 2)
            exploration = learning.Wrapped(exploring(name).begin(400, 2, 3), *order)
            if way:
                used.append(learning.follow_table(exploration, 400, table, nothing_missing))
            else:
                used.append(follow(exploration, 400, looked_up))
            choices.append(exploration.choice())
        assert used[0] == used[1] <= 400
        assert choices[0] == choices[1]
        assert max(choices[0].portfolio.first.arms) < 32


def test_evaluation_and_orders_by_hand():
    rows, columns = learning.in_order(32, 3)
    assert sorted(rows.tolist()) == sorted(columns.tolist()) == list(range(32))
    assert rows.tolist() != columns.tolist()
    assert [order.tolist() for order in learning.in_order(32, 0)] == [list(range(32))] * 2
    draw = np.random.default_rng(1)
    tables = [2 * draw.integers(0, 2, shape) for shape in ((4, 4), (4, 30), (30, 4))]
    games = games_files.Games("none", 2, *(table.astype(np.uint8) for table in tables))
    side = learning.Distribution((1, 3), (0.25, 0.75))
    success = learning.evaluate(learning.Portfolio(side, side), games, nothing_missing)
    first = (0.25 * tables[1][1] + 0.75 * tables[1][3]).mean() / 2
    second = 1 - (0.25 * tables[2][:, 1] + 0.75 * tables[2][:, 3]).mean() / 2
    assert success[0] == pytest.approx((first + second) / 2)
    assert list(success) == sorted(success, reverse=True)


def test_what_is_left_to_learning_is_played_when_it_is_needed(folder, tmp_path):
    given = ["--folder", str(tmp_path), "--game", GAME]
    command("play", *given, *SIZES, "--first", "1", "--repetitions", "1", *ARENA, "--lazily")
    path = games_files.file_of(tmp_path, GAME, 1)
    whole = games_files.load(games_files.file_of(folder, GAME, 1))
    command("learn", *given, *ARENA, "-l", "halving", "-b", "300")
    lazily = games_files.load(path)
    for table in ("training", "first", "second"):
        points = getattr(lazily, table)
        played = points != 255
        assert 0 < np.count_nonzero(played) < points.size
        assert (points == getattr(whole, table))[played].all()
    (result,) = learning.load_results(tmp_path, GAME)
    fill = games_files.Filling(whole, 1, games_files.program_of(GAME), ThreadArena(1), Silent())
    again = learning.try_learner("halving", 300, 1, whole, fill)
    assert (again.success, again.games) == (result.success, result.games)
    assert fill.played == 0


def test_learning_goes_on_where_it_was(folder):
    given = ["--folder", str(folder), "--game", GAME, "-l", "halving", "-l", "best-seed"]
    assert "halving" in command("learn", *given, "-b", "300")
    results = learning.load_results(folder, GAME)
    assert {each.place for each in results} == {
        (name, 300, repetition) for name in ("halving", "best-seed") for repetition in (0, 1)
    }
    assert command("learn", *given, "-b", "300") == ""
    command("learn", *given, "-b", "300", "-b", "1000")
    assert len(learning.load_results(folder, GAME)) == 8
