"""Cells go in, in any order and shape, and the same matrix comes out."""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedfolio.errors import StudyError
from seedfolio.study.runs import LONGEST_RUN
from seedfolio.study.sqlite_file import write_ahead
from seedfolio.study.store import UNPLAYED, Study

IDENTITY = {"game": {"name": "domineering", "size": 7}}

# Neighbours, so that runs meet and overlap; around the place where runs are cut; and unseen arms.
SEEDS = [*range(6), *range(LONGEST_RUN - 2, LONGEST_RUN + 3), *range(2**32 - 1, 2**32 + 3)]


def u64(*seeds):
    return np.array(seeds, dtype=np.uint64)


def u8(*results):
    return np.array(results, dtype=np.uint8)


def result_of(row, column):
    return (row * 7 + column * 5 + row * column) % 3


def record(study, cells):
    rows, columns = (u64(*(cell[i] for cell in cells)) for i in (0, 1))
    study.record(rows, columns, u8(*(result_of(*cell) for cell in cells)))


seeds = st.sampled_from(SEEDS)
scattered = st.lists(st.tuples(seeds, seeds), max_size=20)
blocks = st.builds(
    lambda rows, columns: [(r, c) for r in rows for c in columns],
    st.lists(seeds, max_size=len(SEEDS)),
    st.lists(seeds, max_size=len(SEEDS)),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(scattered | blocks, max_size=6), st.permutations(SEEDS), st.permutations(SEEDS))
def test_any_batches_give_the_same_matrix(batches, rows, columns):
    played = set()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.study"
        with Study.open(path, IDENTITY) as study:
            for batch in batches:
                record(study, batch)
                played.update(batch)
                assert study.count() == len(played)
        with Study.read(path) as study:
            found = study.results(u64(*rows), u64(*columns))
            missing = study.missing(u64(*rows), u64(*columns))
    wanted = [[result_of(r, c) if (r, c) in played else UNPLAYED for c in columns] for r in rows]
    assert found.dtype == np.uint8
    assert found.tolist() == wanted
    assert missing.dtype == np.bool_
    assert missing.tolist() == [[cell == UNPLAYED for cell in line] for line in wanted]


def lines(rng, arms):
    """Return sets of arms to ask for: many and few, near each other and not, some never played."""
    return [
        arms,
        arms[50:90],
        arms[::3],
        rng.choice(arms, 10, replace=False),
        np.append(rng.choice(arms, 70), u64(2**32)),  # in any order, some twice
    ]


@pytest.mark.parametrize(
    ("share", "direction"), [(0.05, "both"), (0.9, "both"), (0.9, "row"), (0.9, "column")]
)
def test_a_matrix_is_what_looking_up_each_of_its_cells_says(tmp_path, share, direction):
    rng = np.random.default_rng(5)
    arms = np.arange(LONGEST_RUN - 80, LONGEST_RUN + 80, dtype=np.uint64)
    truth = rng.integers(0, 3, (160, 160), dtype=np.uint8)
    truth[rng.random(truth.shape) >= share] = UNPLAYED
    known = np.full_like(truth, UNPLAYED)
    with Study.open(tmp_path / "a.study", IDENTITY) as study:
        for number, strip in enumerate(np.array_split(np.arange(160), 32)):
            upright = direction == "column" or (direction == "both" and number % 2 == 1)
            rows, columns = (arms, arms[strip]) if upright else (arms[strip], arms)
            at = np.s_[:, strip] if upright else np.s_[strip]
            known[at] = truth[at]
            i, j = np.nonzero((truth[at] != UNPLAYED) & study.missing(rows, columns))
            study.record(rows[i], columns[j], truth[at][i, j], new=True)
        assert study.count() == np.count_nonzero(known != UNPLAYED)
        assert np.array_equal(study.results(arms, arms), known)
        for rows in lines(rng, arms):
            for columns in lines(rng, arms):
                i, j = np.indices((len(rows), len(columns))).reshape(2, -1)
                found = study.lookup(rows[i], columns[j]).reshape(len(rows), len(columns))
                assert np.array_equal(study.results(rows, columns), found)
                inside = np.ix_(rows < 2**32, columns < 2**32)
                at = np.ix_(*(each[each < 2**32] - arms[0] for each in (rows, columns)))
                assert np.array_equal(found[inside], known[at])
    with closing(sqlite3.connect(tmp_path / "a.study")) as connection:
        kept = {along for (along,) in connection.execute("SELECT DISTINCT along FROM run")}
    # Cells that hardly ever meet take as many runs in either direction.
    assert share < 0.5 or kept == ({"row", "column"} if direction == "both" else {direction})


def test_a_strip_of_either_direction_is_few_runs(tmp_path):
    many = np.arange(2 * LONGEST_RUN, dtype=np.uint64)
    ones = np.ones(len(many), dtype=np.uint8)
    with Study.open(tmp_path / "a.study", IDENTITY) as study:
        study.record(np.full_like(many, 7), many, ones)
        study.record(many, np.full_like(many, 7), ones)
        assert study.count() == 2 * len(many) - 1
    assert (tmp_path / "a.study").stat().st_size < 2 * len(many) + 12 * 4096
    with closing(sqlite3.connect(tmp_path / "a.study")) as connection:
        lengths = connection.execute("SELECT along, length(results) FROM run").fetchall()
    # The cell (7, 7) is in the row already, so the column is cut around it.
    columns = [("column", length) for length in (7, LONGEST_RUN - 8, LONGEST_RUN)]
    assert sorted(lengths) == [*columns, *[("row", LONGEST_RUN)] * 2]


@pytest.mark.parametrize("earlier", [[(3, 3)], [(3, 2), (3, 3), (3, 4)], [(2, 3), (3, 3), (4, 3)]])
@pytest.mark.parametrize("around", [[], [(3, 1), (3, 2), (3, 4)], [(1, 3), (2, 3), (4, 3)]])
def test_another_result_is_refused_and_nothing_of_its_block_kept(tmp_path, earlier, around):
    with Study.open(tmp_path / "a.study", IDENTITY) as study:
        record(study, earlier)
        before = study.results(u64(1, 2, 3, 4), u64(1, 2, 3, 4))
        wrong = (result_of(3, 3) + 1) % 3
        rows, columns = zip(*around, (3, 3), strict=True)
        results = [*(result_of(*cell) for cell in around), wrong]
        message = f"seed 3 against seed 3 gave {result_of(3, 3)} half points before and {wrong} now"
        with pytest.raises(StudyError, match=message):
            study.record(u64(*rows), u64(*columns), u8(*results))
        assert np.array_equal(study.results(u64(1, 2, 3, 4), u64(1, 2, 3, 4)), before)
        record(study, [(3, 3)])
        assert study.count() == len(earlier)


def test_a_block_that_contradicts_itself_is_refused(tmp_path):
    with Study.open(tmp_path / "a.study", IDENTITY) as study:
        with pytest.raises(StudyError, match="seed 5 against seed 6 gave 0 half points"):
            study.record(u64(5, 1, 5), u64(6, 1, 6), u8(0, 1, 2))
        assert study.count() == 0
        study.record(u64(5), u64(6), u8(1))
        for other in (0, 2):
            with pytest.raises(StudyError, match=f"gave 1 half points before and {other} now"):
                study.record(u64(5), u64(6), u8(other))


@pytest.mark.parametrize(
    ("rows", "columns", "results"),
    [
        *((u64(1), u64(1), results) for results in (u8(3), u8(UNPLAYED), np.array([0.5]))),
        *((rows, u64(1), u8(0)) for rows in (u64(2**63), np.array([-1]), np.array([1.0]))),
        *((u64(1, 2), u64(1), u8(0, 0)), (u64(1).reshape(1, 1), u64(1), u8(0))),
    ],
)
def test_what_is_no_cell_is_a_mistake_of_the_caller(tmp_path, rows, columns, results):
    with Study.open(tmp_path / "a.study", IDENTITY) as study:
        with pytest.raises(ValueError, match=r"seeds|results"):
            study.record(rows, columns, results)
        assert study.count() == 0


def test_sums_of_several_games_fit_up_to_what_the_identity_says(tmp_path):
    path = tmp_path / "a.study"
    with Study.open(path, IDENTITY | {"repeats": 127}) as study:
        assert study.full == 254
        study.record(u64(1, 2), u64(1, 1), u8(254, 0))
        last = 2**63 - 1
        study.record(u64(last, last - 1), u64(last, last), u8(2, 1))
        assert study.results(u64(last - 1, last), u64(last)).tolist() == [[1], [2]]
    with Study.read(path) as study:
        assert study.full == 254
        assert study.results(u64(1, 2, 3), u64(1)).tolist() == [[254], [0], [UNPLAYED]]
    with Study.open(tmp_path / "b.study", IDENTITY | {"repeats": 3}) as study:
        study.record(u64(1), u64(1), u8(6))
        with pytest.raises(ValueError, match="from 0 to 6"):
            study.record(u64(2), u64(1), u8(7))
        assert study.count() == 1
    for repeats in (0, 128, "many"):
        with pytest.raises(StudyError, match=f"{repeats} games a cell; change `repeats`"):
            Study.open(tmp_path / f"{repeats}.study", IDENTITY | {"repeats": repeats})
        assert not (tmp_path / f"{repeats}.study").exists()


def test_a_transaction_is_on_disk_when_it_ends(tmp_path):
    """Not only after a kill: after the power has failed as well."""
    with closing(sqlite3.connect(tmp_path / "a.study")) as connection:
        write_ahead(tmp_path / "a.study", connection)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
