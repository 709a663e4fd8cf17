"""Two processes at one study, kill -9 at any moment, and a disk that refuses."""

import os
import signal
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from waiting import PATIENCE

from seedfolio.errors import StudyError
from seedfolio.study import sqlite_file
from seedfolio.study.store import Study

IDENTITY = {"game": "domineering"}
WIDTH = 100
COLUMNS = np.arange(0, 2 * WIDTH, 2, dtype=np.uint64)

PRELUDE = """
import resource, sys, time
from pathlib import Path
import numpy as np
from seedfolio.errors import StudyError
from seedfolio.study.store import Study
identity = {"game": "domineering"}
path = Path(sys.argv[1])
width = 100
columns = np.arange(0, 2 * width, 2, dtype=np.uint64)  # with gaps: a hundred runs a block
def block(number):
    rows = np.full(width, number, dtype=np.uint64)
    return rows, columns, ((number * 7 + columns) % 3).astype(np.uint8)
"""

KILLED = """
import os, signal, sqlite3
left = int(sys.argv[2])
def count(statement):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
connect = sqlite3.connect
def connect_and_count(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.set_trace_callback(count)
    return connection
sqlite3.connect = connect_and_count
"""
"""A writer that begins with this kills itself right before one of its statements of SQL."""

WRITER = """
with Study.open(path, identity) as study:
    print("open", flush=True)
    number = study.count() // width
    while True:
        assert study.missing(block(number)[0][:1], columns).all(), "played twice"
        study.record(*block(number))
        print(number, flush=True)
        number += 1
"""

HOLDER = """
with Study.open(path, identity) as study:
    study.record(*block(0))
    print("open", flush=True)
    sys.stdin.read()
"""

OPENER = """
try:
    Study.open(path, identity).close()
except StudyError as error:
    print(error)
"""

FULL_DISK = """
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
kept = 0
try:
    with Study.open(path, identity) as study:
        try:
            while True:
                study.record(*block(kept))
                kept += 1
        finally:
            assert study.count() == kept * width
except StudyError as error:
    print(error)
print(kept)
"""


def start(code, path, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + code, str(path), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def output(code, path, *arguments):
    with start(code, path, *arguments) as process:
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return out.splitlines()


def first_line(process):
    assert process.stdout is not None
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


@pytest.mark.slow
def test_looking_on_while_another_process_writes(tmp_path):
    path = tmp_path / "a.study"
    with start(WRITER, path) as writer:
        assert first_line(writer) == "open"
        seen = 0
        while seen < 800:  # SQLite empties its log into the file twice or so on the way
            with Study.read(path) as study:
                before, seen = seen, check_blocks(study)
                assert seen >= before
        writer.kill()


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
    code = HOLDER.replace(
        'print("open", flush=True)',
        """
    import os
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(1000)
        os._exit(0)
""",
    )
    with start(code, path) as holder:
        child = int(first_line(holder))
        holder.kill()
        holder.wait()
        try:
            os.kill(child, 0)  # still there
            Study.open(path, IDENTITY).close()
        finally:
            os.kill(child, signal.SIGKILL)


def check_after_kill(writer, path, said):
    """Check the study of a writer that was killed; return how many blocks were acknowledged."""
    with writer:
        assert writer.stdout is not None
        said = [*said, *writer.stdout.read().splitlines()]
    assert writer.returncode == -signal.SIGKILL
    acknowledged = 1 + max((int(line) for line in said if line != "open"), default=-1)
    if path.exists():
        with Study.open(path, IDENTITY) as study:
            assert check_blocks(study) >= acknowledged
    return acknowledged


@pytest.mark.slow
def test_kill_before_any_statement_loses_nothing_acknowledged(tmp_path):
    path = tmp_path / "a.study"
    # It is created and opened by about 20 statements, and a block takes a little more than 100.
    numbers = [1, 7, 13, 18, 20, 21, 70, *range(124, 134, 4), 1234, 1700]
    blocks = [check_after_kill(start(KILLED + WRITER, path, str(n)), path, []) for n in numbers]
    assert max(blocks) > 20


@pytest.mark.slow
def test_kill_at_any_moment_loses_nothing_acknowledged(tmp_path):
    """The moment is that at which this process gets to it, after some lines of the other."""
    path = tmp_path / "a.study"
    for lines in (0, 1, 1, 2, 4, 20):
        writer = start(WRITER, path)
        said = [first_line(writer) for _ in range(lines)]
        writer.kill()
        blocks = check_after_kill(writer, path, said)
    assert blocks > 20


@pytest.mark.parametrize("limit", [0, 20_000, 100_000])
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
