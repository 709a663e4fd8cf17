"""Closed standard streams and little memory: the end of the input, or one line."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from sparing import levels
from waiting import PATIENCE, ran

from seedfolio import SpecificationError, play
from seedfolio.__main__ import LEAST_MEMORY

PROGRAM = ["domineering:4x4", "-p", "uct:simulations=5"]
GO = ["go:5x5", "-p", "table"]
TEACH = ["teach", *PROGRAM, "--name", "a", "--file", "a.teach"]


def through_a_shell(folder, words, redirection):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "seedfolio", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("redirection", "left"),
    [
        ("<&-", "You left at move 1"),
        ("</dev/null >&-", ""),
        ("<&- 2>&-", "You left at move 1"),
        ("<&- >&- 2>&-", ""),
    ],
)
def test_nowhere_to_read_or_print(redirection, left, tmp_path):
    code, out, err = through_a_shell(tmp_path, ["play", *PROGRAM], redirection)
    assert (code, err) == (0, "")
    assert (left in out) if left else out == ""


@levels("redirection", ["2>/dev/full"], slow=["2</dev/null", "<&- 2>&-"])
def test_an_error_that_nobody_can_read(redirection, tmp_path):
    if "full" in redirection and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    assert through_a_shell(tmp_path, ["show", "nothing"], redirection) == (2, "", "")


def test_no_output_and_no_input(tmp_path, monkeypatch):
    code, out, err = through_a_shell(tmp_path, ["--version"], "1</dev/null")
    assert (code, out, err) == (2, "", "error: [Errno 9] Bad file descriptor\n")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SpecificationError, match="there is no standard input"):
        play("domineering:4x4", "uct:simulations=5")


SMALL = ["-p", "uct:simulations=5", "--k", "12", "--kt", "6", "--opponents", "17", "--quiet"]
COMMAND = ["boost", "domineering:4x4", *SMALL, "-l", "best-seed", "--threads", "1"]


def limited(size, *words, cwd):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (size, size))

    return ran("-m", "seedfolio", *words, cwd=cwd, preexec_fn=limit)


@pytest.mark.parametrize("size", [200 * 2**20, LEAST_MEMORY - 1])
def test_too_little_to_begin(size, tmp_path):
    done = limited(size, *COMMAND, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: this process may have")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_the_least_is_enough_for_a_small_study(tmp_path):
    done = limited(LEAST_MEMORY, *COMMAND, "--study", "a.study", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
