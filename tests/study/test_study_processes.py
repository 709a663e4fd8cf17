"""Two processes at one study, one that is killed, and a disk that refuses."""

import os
import signal
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from case_files import programs
from waiting import PATIENCE, ran

from seedfolio import Study, StudyError
from seedfolio.study import sqlite_file

IDENTITY = {"game": "domineering"}
WIDTH = 100
COLUMNS = np.arange(0, 2 * WIDTH, 2, dtype=np.uint64)

PRELUDE, HOLDER, FORK, OPENER, FULL_DISK, LARGE = programs(__file__)


def start(code, path, *arguments):
    words = [sys.executable, "-c", PRELUDE + code, str(path), *arguments]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def output(code, path, *arguments):
    with start(code, path, *arguments) as process:
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return out.splitlines()


def first_line(process):
    return process.stdout.readline().strip()


def check_blocks(study):
    """Return how many blocks there are, all whole and as they were written."""
    blocks, rest = divmod(study.count(), WIDTH)
    assert rest == 0
    numbers = np.arange(blocks, dtype=np.uint64)
    expected = (numbers[:, None] * np.uint64(7) + COLUMNS) % np.uint64(3)
    assert np.array_equal(study.results(numbers, COLUMNS), expected)
    return blocks


def test_a_second_writer_is_refused_at_once_and_a_reader_is_not(tmp_path):
    path = tmp_path / "a.study"
    with start(HOLDER, path) as holder:
        assert first_line(holder) == "open"
        with pytest.raises(StudyError) as raised:
            Study.open(path, IDENTITY)
        for said in (str(path), f"pid {holder.pid}", "choose another file"):
            assert said in str(raised.value)
        with Study.read(path) as study:
            assert check_blocks(study) == 1
            holder.communicate()
            assert study.count() == WIDTH
            # Closed by its writer, the study is whole in its one file though a reader still looks.
            assert (tmp_path / "a.study-wal").stat().st_size == 0
    assert holder.returncode == 0
    assert list(tmp_path.iterdir()) == [path]
    Study.open(path, IDENTITY).close()


def test_this_process_is_refused_too(tmp_path):
    path = tmp_path / "a.study"
    with Study.open(path, IDENTITY) as study:
        with pytest.raises(StudyError, match=rf"in use .*pid {os.getpid()}\)"):
            Study.open(path, IDENTITY)
        with Study.read(path):
            pass
        # Neither refusal nor reader may have loosened the lock.
        (said,) = output(OPENER, path)
        assert f"(pid {os.getpid()})" in said
        study.log_request("x")
    assert output(OPENER, path) == []


def test_the_lock_vanishes_with_its_process(tmp_path):
    path = tmp_path / "a.study"
    with start(HOLDER, path) as holder:
        assert first_line(holder) == "open"
        holder.kill()
        holder.wait()
    with Study.read(path) as study:
        assert study.count() == WIDTH
    with Study.open(path, IDENTITY) as study:
        assert study.count() == WIDTH
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_does_not_keep_the_lock(tmp_path):
    path = tmp_path / "a.study"
    code = HOLDER.replace('print("open", flush=True)', f"\n{FORK}")
    with start(code, path) as holder:
        child = int(first_line(holder))
        holder.kill()
        holder.wait()
        try:
            os.kill(child, 0)  # still there
            Study.open(path, IDENTITY).close()
        finally:
            os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize("limit", [0, 100_000])
def test_no_room_to_write(tmp_path, limit):
    path = tmp_path / "a.study"
    said, kept = output(FULL_DISK, path, str(limit))
    assert str(path) in said
    if not path.exists():
        assert int(kept) == 0
        assert list(tmp_path.iterdir()) == []
        return
    with Study.open(path, IDENTITY) as study:
        assert check_blocks(study) == int(kept)
    assert limit < 100_000 or int(kept) > 0


def test_another_program_in_the_middle_of_writing(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_file, "BUSY_SECONDS", 0.05)
    path = tmp_path / "a.study"
    with Study.open(path, IDENTITY) as study:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StudyError, match="locked by another program"):
            study.log_request("x")
        other.execute("ROLLBACK")
        other.close()
        study.log_request("x")
        assert study.requests() == ["x"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to tell the peak of memory")
def test_fifteen_million_cells(tmp_path):
    path = tmp_path / "a.study"
    done = ran("-c", LARGE, path)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_size < 30_000_000
    assert int(done.stdout.split()[1]) < 1024**2  # kibibytes
