"""A study that is deleted, moved, replaced or copied while it is in use."""

import shutil

import numpy as np
import pytest

from seedfolio.errors import StudyError
from seedfolio.study.store import Study

IDENTITY = {"game": "domineering", "player": "uct"}
ARMS = np.arange(20, dtype=np.uint64)
ONES = np.ones(20, np.uint8)


def record(study, row):
    study.record(np.full(20, row, np.uint64), ARMS, ONES)


def delete(path):
    path.unlink()


def move(path):
    path.rename(path.with_name("b.study"))


def replace(path):
    shutil.copy(path, path.with_name("b.study"))
    path.with_name("b.study").replace(path)


@pytest.mark.parametrize("change", [delete, move, replace])
def test_writing_stops_with_a_line(change, tmp_path):
    path = tmp_path / "a.study"
    with Study.open(path, IDENTITY) as study:
        record(study, 0)
        change(path)
        with pytest.raises(StudyError, match="deleted, moved or replaced while it was in use"):
            record(study, 1)
        with pytest.raises(StudyError, match="in use"):
            study.save_portfolio("nash", "{}")
        if change is move:
            path.with_name("b.study").rename(path)
            record(study, 1)
            assert study.count() == 40


@pytest.mark.parametrize("with_log", [True, False])
def test_a_copy_of_a_study_in_use_is_a_study(with_log, tmp_path):
    """Without its log it may have fewer cells, but none that is wrong."""
    path, copy = tmp_path / "a.study", tmp_path / "copy.study"
    with Study.open(path, IDENTITY) as study:
        for row in range(10):
            record(study, row)
        shutil.copy(path, copy)
        if with_log:
            shutil.copy(f"{path}-wal", f"{copy}-wal")
        with Study.open(copy, IDENTITY) as other:
            assert other.count() == 200 if with_log else other.count() % 20 == 0
            known = int(other.count()) // 20
            for row in range(known, 12):
                record(other, row)
            assert other.count() == 240
        record(study, 10)
        assert study.count() == 220
