"""What is no study is refused by name and left as it was; damage never passes for data."""

import os
import random
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from refusals import IDENTITY, OPENERS, changed, opened, refusal

from seedfolio.errors import StudyError
from seedfolio.study.store import UNPLAYED, Study

NOBODY = 65534
ARMS = np.arange(40, dtype=np.uint64)
MATRIX = np.random.default_rng(0).integers(0, 3, (40, 40), dtype=np.uint8)


def write_study(path):
    with Study.open(path, IDENTITY) as study:
        rows, columns = np.meshgrid(ARMS[:30], ARMS, indexing="ij")
        study.record(rows.ravel(), columns.ravel(), MATRIX[:30].ravel())
        for column in range(40):
            study.record(ARMS[30:], np.full(10, column, dtype=np.uint64), MATRIX[30:, column])
        study.save_portfolio("nash", '{"seeds": [1, 2]}' * 300)
        study.save_evaluation("nash", "{}")
        study.log_request("{}")


def made_with(statement):
    def make(path):
        write_study(path)
        changed(path, statement)

    return make


def make_foreign_with_log(path):
    """Leave a database with a log beside it, as a killed program does."""
    live = path.with_name("live")
    with sqlite3.connect(live) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE mine (x)")
    log = live.with_name("live-wal").read_bytes()
    main = live.read_bytes()
    connection.close()
    live.unlink()
    path.write_bytes(main)
    path.with_name(path.name + "-wal").write_bytes(log)


def make_half(path):
    write_study(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@OPENERS
@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: path.write_bytes(b"seed,wins\n1,2\n" * 1000), "it is not an SQLite file"),
        (lambda path: path.write_bytes(b"x"), "not a"),
        (Path.touch, "is empty, not a study"),
        (lambda path: changed(path, "CREATE TABLE mine (x)"), "is an SQLite file of another"),
        (make_foreign_with_log, "is an SQLite file of another program"),
        (made_with("PRAGMA user_version = 7"), "newer seedfolio (schema 7, this one knows 1)"),
        (made_with("DELETE FROM identity"), "is damaged (its identity is missing)"),
        (make_half, "is damaged"),
        (Path.mkdir, "is a folder"),
        (os.mkfifo, "is not a regular file"),
    ],
)
def test_what_is_no_sound_study_is_refused_and_left_alone(tmp_path, opener, make, said):
    path = tmp_path / "a.study"
    make(path)
    before = {p: p.read_bytes() if p.is_file() else None for p in tmp_path.iterdir()}
    assert said in refusal(opener, path)
    assert {p: p.read_bytes() if p.is_file() else None for p in tmp_path.iterdir()} == before


def test_places_without_a_study(tmp_path):
    path = tmp_path / "nowhere" / "a.study"
    assert f"the folder {path.parent} does not exist; create it" in refusal(opened, path)
    for missing in (path, tmp_path / "a.study"):
        assert "there is no study" in refusal(Study.read, missing)
    assert "File name too long" in refusal(opened, tmp_path / ("x" * 300))
    assert "File name too long" in refusal(opened, tmp_path / ("x" * 253))  # with "-lock" it is
    assert list(tmp_path.iterdir()) == []


def test_odd_names_are_names(tmp_path):
    for name in ("a b?mode=memory#x%20.study", "é.study", "-wal", os.fsdecode(b"\xff.study")):
        path = tmp_path / name
        write_study(path)
        with Study.read(path) as study:
            assert study.count() == MATRIX.size
        assert list(tmp_path.iterdir()) == [path]
        path.unlink()


def test_a_symbolic_link_is_read_and_not_written(tmp_path):
    link, path = tmp_path / "link", tmp_path / "a.study"
    link.symlink_to(path)
    assert "is a symbolic link; name the file itself" in refusal(opened, link)
    assert not path.exists()
    write_study(path)
    before = path.read_bytes()
    assert "is a symbolic link; name the file itself" in refusal(opened, link)
    assert path.read_bytes() == before
    folder = tmp_path / "folder"
    folder.symlink_to(tmp_path)  # a link to a folder is followed
    with Study.open(path, IDENTITY), pytest.raises(StudyError, match="in use"):
        Study.open(folder / "a.study", IDENTITY)
    folder.unlink()
    with Study.read(link) as study:
        assert study.path == path
        assert study.count() == MATRIX.size
    assert sorted(tmp_path.iterdir()) == [path, link]


def test_remains_of_a_deleted_study_are_not_replayed_into_a_new_one(tmp_path):
    path = tmp_path / "a.study"
    with Study.open(path, IDENTITY) as study:
        study.log_request("x")
        log = (tmp_path / "a.study-wal").read_bytes()
    path.unlink()
    (tmp_path / "a.study-wal").write_bytes(log)
    assert "belongs to a study that is no longer" in refusal(opened, path)
    assert (tmp_path / "a.study-wal").read_bytes() == log
    assert list(tmp_path.iterdir()) == [tmp_path / "a.study-wal"]


@OPENERS
def test_an_sqlite_without_strict_tables(tmp_path, opener, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    assert "older than 3.37" in refusal(opener, tmp_path / "a.study")
    assert list(tmp_path.iterdir()) == []


@contextmanager
def without_privileges():
    """Give an empty folder, inside as somebody whom permissions bind, even when run by root."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        user = os.geteuid()
        if user == 0:
            os.chown(folder, NOBODY, -1)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            if user == 0:
                os.seteuid(0)
            folder.chmod(0o777)


@pytest.mark.parametrize(
    ("folder_mode", "mode", "writing", "reading"),
    [
        (0o555, 0o600, "Permission denied in its folder", ""),
        (0o777, 0o000, "check permissions", "check permissions"),
        (0o777, 0o444, "check permissions", ""),
        (0o000, 0o600, "Permission denied", "Permission denied"),
    ],
)
def test_permissions(folder_mode, mode, writing, reading):
    """What a user may not write is refused by name; what may be read is read."""
    with without_privileges() as folder:
        path = folder / "a.study"
        write_study(path)
        path.chmod(mode)
        folder.chmod(folder_mode)
        assert writing in refusal(opened, path)
        if reading:
            assert reading in refusal(Study.read, path)
        else:
            with Study.read(path) as study:
                assert np.array_equal(study.results(ARMS, ARMS), MATRIX)
        if folder_mode == 0o555:
            assert writing in refusal(opened, folder / "new")
        folder.chmod(0o777)
        assert mode == 0o444 or list(folder.iterdir()) == [path]


def cells_found(path, opener):
    """Count what a damaged study still shows, all of it right; None where it is refused."""
    try:
        study = opener(path)
    except StudyError:
        return None
    with study:
        try:
            found = study.results(ARMS, ARMS)
            texts = (study.portfolios(), study.evaluations(), study.requests(), study.identity)
            count = study.count()
        except StudyError:
            return None
    assert ((found == MATRIX) | (found == UNPLAYED)).all()
    assert texts == ({"nash": '{"seeds": [1, 2]}' * 300}, {"nash": "{}"}, ["{}"], IDENTITY)
    assert count >= 0
    return int((found != UNPLAYED).sum())


@OPENERS
def test_truncated_anywhere(tmp_path, opener):
    write_study(tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()
    for length in [*range(0, 600, 73), *range(600, len(whole), 1507), len(whole) - 1]:
        path = tmp_path / f"{length}.study"
        path.write_bytes(whole[:length])
        found = cells_found(path, opener)
        # The last page of a file may hold nothing; a study without it is still complete.
        assert found in ((None,) if length <= len(whole) - 4096 else (None, MATRIX.size)), length


@OPENERS
def test_flipped_bytes(tmp_path, opener):
    write_study(tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()
    draw = random.Random(1)
    found = []
    for number in range(80):
        at = draw.randrange(len(whole)) if number % 2 else draw.randrange(2000)
        flipped = bytearray(whole)
        flipped[at] ^= draw.choice((1, 2, 4, 8, 16, 32, 64, 128, 255))
        path = tmp_path / f"{number}.study"
        path.write_bytes(flipped)
        found.append(cells_found(path, opener))
    # Nothing was wrong; most of what was not refused hit room that holds nothing.
    assert found.count(None) > 10
    assert found.count(None) + found.count(MATRIX.size) >= 78


def test_a_changed_result_fails_its_checksum(tmp_path):
    path = tmp_path / "a.study"
    write_study(path)
    other = f"CAST(x'0{MATRIX[5, 0] ^ 1}' || substr(results, 2) AS BLOB)"
    changed(path, f"UPDATE run SET results = {other} WHERE along = 'row' AND fixed = 5")
    with opened(path) as study:
        for use in (
            lambda: study.results(ARMS, ARMS),
            lambda: study.record(ARMS[5:6], ARMS[:1], MATRIX[5, :1]),
        ):
            with pytest.raises(StudyError, match="the run along row 5 from 0 fails its checksum"):
                use()
        assert np.array_equal(study.results(ARMS[:5], ARMS), MATRIX[:5])
