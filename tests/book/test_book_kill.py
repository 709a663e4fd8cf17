"""SIGKILL while a book is learnt: the same command goes on to the same book."""

import random
import subprocess
import sys
import time

import numpy as np
import pytest
from booked import PERFECT

BUDGET = 60_000
COMMAND = [
    "boost",
    PERFECT[0],
    "--player",
    PERFECT[1],
    "--learner",
    "book",
    "--budget",
    str(BUDGET),
    "--k",
    "20",
    "--opponents",
    "17",
    "--study",
    "a.study",
    "--quiet",
]


def start(folder, threads):
    folder.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "seedfolio", *COMMAND, "--threads", str(threads)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")
    return out


def games_kept(folder):
    path = folder / "a-book.npz"
    if not path.exists():
        return 0
    with np.load(path) as file:
        return int(file["games"])


def wait_for_more(folder, process, games):
    """Wait until the process has kept what more than `games` games have shown."""
    deadline = time.monotonic() + 120
    while games_kept(folder) <= games:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.slow
def test_kills_leave_the_same_book(tmp_path):
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    expected = finish(start(straight, 2))
    moments = random.Random(1)
    for _ in range(2):
        kept = games_kept(broken)
        process = start(broken, 1)
        wait_for_more(broken, process, kept)
        time.sleep(moments.uniform(0, 0.2))
        process.kill()
        process.communicate()
    assert 0 < games_kept(broken) < BUDGET, "there is something left to do"
    assert finish(start(broken, 1)) == expected
    assert (broken / "a-book.json").read_bytes() == (straight / "a-book.json").read_bytes()
