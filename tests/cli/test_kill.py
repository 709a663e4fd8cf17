"""Ending at any event: SIGKILL, SIGINT, SIGTERM, and a second process on the same study."""

import os
import signal

import numpy as np
import pytest
from case_files import programs
from sparing import one_in
from waiting import end_command, finish, killed, ran, start_and_stop, start_command, wait_until

from seedfolio.study.arms import TrainingArms
from seedfolio.study.store import Study

ARMS = 260
PROGRAM = ["domineering:4x4", "-p", "uct:simulations=5"]
COMMAND = [
    *("boost", *PROGRAM, "-l", "best-seed", "-l", "nash", "--study", "a.study"),
    *("--k", str(ARMS), "--kt", "60", "--opponents", "17"),
]
SHORT = ["boost", *PROGRAM, "--k", "20", "--kt", "10", "--opponents", "17", "-l", "best-seed"]
SEEDS = TrainingArms(0, ARMS).seeds()

KILLS = [
    # The study is created, and the request is noted in it.
    *("before rename 1", "after rename 1", "before save 1", "after save 1"),
    # There are more than 360 times 100 cells to play: enough for all these events.
    *("before record 1", "after record 1", "before commit 2", "after record 3"),
    *("before record 8", "after record 21", "before commit 13", "before record 34"),
    *("after record 5", "before commit 30", "after record 40", "before record 55"),
    # Portfolios and table go into the study together, then portfolios into files.
    *("before save 1", "after save 3", "before rename 1", "after rename 1"),
]
INTERRUPTS = [
    *("before import 1", "before import 40", "before rename 1", "after rename 1"),
    *("before save 1", "after record 1", "before record 20", "after record 30"),
    *("after save 2", "before rename 1", "after rename 1"),
]


def cells(folder):
    with Study.read(folder / "a.study") as study:
        return study.count()


def matrix(folder):
    with Study.read(folder / "a.study") as study:
        return study.results(SEEDS, SEEDS)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """A folder in which the command ran to its end, and the table that it printed."""
    folder = tmp_path_factory.mktemp("straight")
    code, table, err = finish(start_command([*COMMAND, "--threads", "1"], folder))
    assert code == 0, err
    return folder, table


@pytest.mark.parametrize(
    "kills",
    [
        [KILLS[0], KILLS[14]],
        pytest.param(KILLS[::4], marks=pytest.mark.slow),
        pytest.param(KILLS, marks=pytest.mark.long),
    ],
    ids=["two", "some", "all"],
)
def test_kills_at_different_events_leave_the_same_matrix(kills, uninterrupted, tmp_path):
    (straight, expected_table), broken = uninterrupted, tmp_path
    known, count = np.full((ARMS, ARMS), 255, np.uint8), 0
    for number, event in enumerate(kills):
        killed([*COMMAND, "--threads", str(1 + number % 2)], broken, *event.split())
        if number == 0:
            assert not (broken / "a.study").exists()
            continue
        now = matrix(broken)
        kept = known != 255
        assert (now[kept] == known[kept]).all(), "a result was lost or changed"
        known, before, count = now, count, cells(broken)
        assert count >= before + event.startswith("after record"), "what was recorded is not there"
    code, table, err = finish(start_command(COMMAND, broken))
    assert code == 0, err
    assert cells(broken) == cells(straight)
    assert (matrix(broken) == matrix(straight)).all()
    assert table == expected_table
    for name in ("a-nash.json", "a-best-seed.json"):
        assert (broken / name).read_bytes() == (straight / name).read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("events", one_in(2, [INTERRUPTS[1::4], INTERRUPTS]), ids=["some", "all"])
def test_interrupts_at_different_events_get_one_line_and_code_130(events, tmp_path):
    for event in events:
        words = [*COMMAND, "--quiet"]
        code, out, err = finish(start_command(words, tmp_path, *event.split(), "SIGINT"))
        assert code == 130, (event, out, err)
        assert len(err.strip().splitlines()) == 1, (event, err)
        assert "Go on with: seedfolio boost domineering:4x4" in err
        left = [path.name for path in tmp_path.iterdir() if path.suffix not in (".study", ".json")]
        assert not left, event
    code, _, err = finish(start_command(COMMAND, tmp_path))
    assert code == 0, err


@pytest.mark.slow
def test_a_second_process_is_refused_and_the_first_goes_on(tmp_path):
    first = start_and_stop([*SHORT, "--study", "a.study"], tmp_path)
    try:
        played = cells(tmp_path)
        assert played > 0
        code, _, err = finish(start_command([*SHORT, "--study", "a.study"], tmp_path))
        assert code == 2
        assert "in use by another" in err
        assert (len(err.strip().splitlines()), cells(tmp_path)) == (1, played)
        first.send_signal(signal.SIGCONT)
        wait_until(lambda: cells(tmp_path) > played, "the first process goes on")
    finally:
        first.kill()
        first.communicate()


@pytest.mark.parametrize(
    ("sent", "words", "expected", "how"),
    [
        (signal.SIGTERM, SHORT, 143, "terminated"),
        pytest.param(signal.SIGHUP, SHORT, 143, "terminated", marks=pytest.mark.slow),
        (
            signal.SIGINT,
            ["compare", *PROGRAM, "-b", "90000", "-l", "best-seed"],
            130,
            "interrupted",
        ),
    ],
)
def test_a_signal_gets_one_line_that_says_how_to_go_on(sent, words, expected, how, tmp_path):
    code, err = end_command([*words, "--quiet"], tmp_path, sent)
    assert code == expected
    assert len(err.strip().splitlines()) == 1, err
    kept = "every finished block of games is kept. Go on with: seedfolio"
    assert err.startswith(f"{how}; {kept} {words[0]} domineering:4x4")
    assert not (tmp_path / "a.study-lock").exists()


AT_IMPORT, TWICE = programs(__file__)


def interrupted(*words, **environ):
    """Run Python where SIGINT is answered as usual."""
    answering = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    return ran(*words, environ=environ, **answering)


def test_an_interrupt_in_the_first_moments_and_a_second_one(tmp_path):
    """Before `main` answers it, the process ends by the signal; after, with a line."""
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    for module in ("signal", "seedfolio.version", "typer"):
        done = interrupted("-m", "seedfolio", "boost", PYTHONPATH=paths, INTERRUPT_AT=module)
        assert done.returncode in (130, -signal.SIGINT), done
        assert done.stdout == ""
        assert done.stderr == "" or done.stderr.startswith("interrupted")
        assert done.stderr.count("\n") <= 1
    done = interrupted("-c", TWICE)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.startswith("interrupted; every finished block")
    assert done.stderr.count("\n") == 1
