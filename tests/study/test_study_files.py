"""A file is written whole or not at all; exports hold the matrix and its seeds."""

import json
import os
import sqlite3
import stat
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from seedfolio.core.files import atomic_write, create_private
from seedfolio.errors import StudyError
from seedfolio.study.export import export_csv, export_npz
from seedfolio.study.sqlite_file import write_ahead
from seedfolio.study.store import UNPLAYED, Study

IDENTITY = {"game": "domineering", "player": {"simulations": 100}}
ROWS = np.array([5, 2, 2**32], dtype=np.uint64)
COLUMNS = np.array([1, 9], dtype=np.uint64)
RESULTS = [[0, 1], [2, UNPLAYED], [UNPLAYED, UNPLAYED]]


def sample(path):
    study = Study.open(path, IDENTITY)
    study.record(ROWS[[0, 0, 1]], COLUMNS[[0, 1, 0]], np.array([0, 1, 2], dtype=np.uint8))
    return study


def test_a_file_whose_mode_another_process_changes_is_tried_again(tmp_path):
    connection, asked = sqlite3.connect(tmp_path / "a.study"), []

    def busy_once(statement):
        asked.append(statement)
        if len(asked) == 1:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return connection.execute(statement)

    write_ahead(tmp_path / "a.study", SimpleNamespace(execute=busy_once))
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_the_owner_has_every_file_whatever_the_umask_is(tmp_path, request):
    before = os.umask(0o777)
    request.addfinalizer(lambda: os.umask(before))
    atomic_write(tmp_path / "a", b"x")
    create_private(tmp_path / "b")
    with sample(tmp_path / "a.study") as study:
        export_csv(study, ROWS, COLUMNS, tmp_path / "a.csv")
        made = {each.name: stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()}
    study_files = {f"a.study{suffix}" for suffix in ("", "-wal", "-shm", "-lock")}
    assert made == dict.fromkeys({"a", "b", "a.csv"} | study_files, 0o600)


@pytest.mark.parametrize("there", [True, False])
def test_a_symbolic_link_is_refused(tmp_path, there):
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    if there:
        target.write_bytes(b"mine")
    with pytest.raises(StudyError, match="is a symbolic link; name the file itself, or delete"):
        atomic_write(link, b"x")
    assert link.is_symlink()
    assert target.read_bytes() == b"mine" if there else not target.exists()
    assert sorted(tmp_path.iterdir()) == [link, target] if there else [link]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError])
def test_bytes_and_functions_are_written_and_one_that_fails_leaves_what_was_there(
    tmp_path, failure
):
    path = tmp_path / "a"
    atomic_write(path, b"one")
    assert path.read_bytes() == b"one"
    atomic_write(path, lambda file: file.write(b"old"))
    (tmp_path / "plain").write_bytes(b"")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    (tmp_path / "plain").unlink()

    def write(file):
        file.write(b"half of the new")
        raise failure

    with pytest.raises(failure):
        atomic_write(path, write)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_writer_that_the_disk_refuses(tmp_path):
    def write(file):
        with Path("/dev/full").open("wb", buffering=0) as full:
            full.write(b"x")

    with pytest.raises(StudyError, match="No space left on device"):
        atomic_write(tmp_path / "a", write)
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.iterdir())
    for name, said in [
        ("missing/a", "does not exist; create it first"),
        ("file/a", "Not a directory"),
        ("folder", "not a regular file"),
        ("pipe", "not a regular file"),
        ("x" * 300, "File name too long"),
    ]:
        with pytest.raises(StudyError, match=said) as raised:
            atomic_write(tmp_path / name, b"x")
        assert str(tmp_path / name) in str(raised.value)
        assert "\n" not in str(raised.value)
    assert sorted(tmp_path.iterdir()) == before
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_folder_that_takes_no_files(tmp_path):
    folder = Path("/proc")
    if not (folder / "self").exists():
        pytest.skip("there is no /proc")
    for write in (lambda path: atomic_write(path, b"x"), lambda path: Study.open(path, {})):
        with pytest.raises(StudyError, match="accepts no files") as raised:
            write(folder / "x.study")
        assert "does not exist" not in str(raised.value)


def test_csv(tmp_path):
    with sample(tmp_path / "a.study") as study:
        export_csv(study, ROWS, COLUMNS, tmp_path / "a.csv")
    text = (tmp_path / "a.csv").read_text()
    assert text == f"first\\second (half points of 2),1,9\n5,0,1\n2,2,\n{2**32},,\n"
    with Study.open(tmp_path / "b.study", {"repeats": 16}) as study:
        study.record(ROWS[:2], COLUMNS, np.array([17, 32], dtype=np.uint8))
        export_csv(study, ROWS[:2], COLUMNS, tmp_path / "b.csv")
        export_npz(study, ROWS[:2], COLUMNS, tmp_path / "b.npz")
    assert "half points of 32" in (tmp_path / "b.csv").read_text().splitlines()[0]
    assert np.load(tmp_path / "b.npz")["full"] == 32


def test_npz(tmp_path):
    with sample(tmp_path / "a.study") as study:
        export_npz(study, ROWS, COLUMNS, tmp_path / "a.npz")
        export_npz(study, ROWS, COLUMNS, tmp_path / "again")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
        assert sorted(arrays) == ["columns", "full", "half_points", "identity", "rows"]
        assert arrays["rows"].dtype == arrays["columns"].dtype == np.uint64
        assert arrays["rows"].tolist() == ROWS.tolist()
        assert arrays["columns"].tolist() == COLUMNS.tolist()
        assert arrays["half_points"].dtype == np.uint8
        assert arrays["half_points"].tolist() == RESULTS
        assert arrays["full"] == 2
        assert json.loads(str(arrays["identity"])) == IDENTITY
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "again").read_bytes()


def test_rules_that_play_differently_without_a_new_version(tmp_path):
    path = tmp_path / "a.study"
    Study.open(path, {**IDENTITY, "sample games": "1f"}).close()
    with pytest.raises(StudyError, match="play differently than when this study was made: raise"):
        Study.open(path, {**IDENTITY, "sample games": "2f"})
    with pytest.raises(StudyError, match="is a different study: game is"):
        Study.open(path, {"game": "go", "player": IDENTITY["player"], "sample games": "2f"})
