"""Stopping at any moment: SIGKILL, SIGINT and a second process on the same study."""

import random
import signal
import time

import numpy as np
import pytest
from waiting import end_command, start_command, wait_for_games

from seedfolio.study.arms import TrainingArms
from seedfolio.study.store import Study

COMMAND = [
    "boost",
    "domineering:5x5",
    "-p",
    "uct:simulations=100",
    "--k",
    "260",
    "--kt",
    "60",
    "--opponents",
    "17",
    "-l",
    "best-seed",
    "-l",
    "nash",
]
SEEDS = TrainingArms(0, 260).seeds()


def start(folder, *extra):
    return start_command([*COMMAND, "--study", "a.study", *extra], folder)


def finish(process):
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def matrix(folder):
    with Study.read(folder / "a.study") as study:
        return study.results(SEEDS, SEEDS)


@pytest.mark.slow
def test_twenty_kills_at_random_moments_leave_the_same_matrix(tmp_path):
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    straight.mkdir()
    broken.mkdir()
    code, expected_table, err = finish(start(straight, "--threads", "1"))
    assert code == 0, err

    began = time.monotonic()
    finish(start(straight, "--threads", "1"))
    ready = time.monotonic() - began  # how long it takes here until there is a game to be played

    moments = random.Random(1)
    known = np.full((260, 260), 255, np.uint8)
    for kill in range(20):
        process = start(broken, "--threads", str(1 + kill % 2))
        time.sleep(moments.uniform(0.3, ready + 0.4))
        process.kill()
        process.communicate()
        if (broken / "a.study").exists():
            now = matrix(broken)
            kept = known != 255
            assert (now[kept] == known[kept]).all(), "a result was lost or changed"
            known = now
    assert (known != 255).any(), "every kill came before the first game"
    code, table, err = finish(start(broken))
    assert code == 0, err
    assert (matrix(broken) == matrix(straight)).all()
    assert table == expected_table
    for name in ("a-nash.json", "a-best-seed.json"):
        assert (broken / name).read_bytes() == (straight / name).read_bytes()


@pytest.mark.slow
def test_interrupts_at_random_moments_get_one_line_and_code_130(tmp_path):
    moments = random.Random(2)
    interrupted = finished = 0
    for _ in range(8):
        folder = tmp_path / str(finished)  # a new study once one is complete
        folder.mkdir(exist_ok=True)
        process = start(folder, "--quiet")
        time.sleep(moments.uniform(0.15, 2.0))
        process.send_signal(signal.SIGINT)
        code, out, err = finish(process)
        if code == 0:
            finished += 1
            continue
        assert "Traceback" not in err, err
        # Python ends itself by the signal if it came before the first line of ours had run, or
        # while text was run as code, as modules do that make classes.
        assert code in (130, -signal.SIGINT), (out, err)
        if code == -signal.SIGINT and not err:
            continue
        assert len(err.strip().splitlines()) == 1, err
        assert "Go on with: seedfolio boost domineering:5x5" in err
        interrupted += 1
    assert interrupted > 2, f"{finished} of 8 finished before they were interrupted"
    code, _, err = finish(start(folder))
    assert code == 0, err


def test_a_second_process_is_refused_and_the_first_goes_on(tmp_path):
    first = start(tmp_path, "--threads", "1")
    try:
        wait_for_games(tmp_path / "a.study", first)
        code, _, err = finish(start(tmp_path))
        assert code == 2
        assert "in use by another" in err
        assert len(err.strip().splitlines()) == 1
        assert first.poll() is None
    finally:
        first.kill()
        first.communicate()
    with Study.read(tmp_path / "a.study") as study:
        assert study.count() > 0


def test_sigterm_gets_one_line_and_code_143(tmp_path):
    code, err = end_command([*COMMAND, "--quiet"], tmp_path, signal.SIGTERM)
    assert code == 143
    assert len(err.strip().splitlines()) == 1, err
    assert err.startswith("terminated; every finished block of games is kept. Go on with: ")
    assert not (tmp_path / "a.study-lock").exists()


def test_an_interrupted_comparison_says_how_to_go_on(tmp_path):
    words = ["compare", *COMMAND[1:4], "-b", "90000", "-l", "best-seed", "--quiet"]
    code, err = end_command(words, tmp_path, signal.SIGINT)
    assert code == 130
    assert "Go on with: seedfolio compare domineering:5x5" in err
