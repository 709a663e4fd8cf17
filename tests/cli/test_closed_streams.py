"""Standard streams that are closed, or of no use: the end of the input, or one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

from seedfolio import SpecificationError, play

PROGRAM = ["domineering:4x4", "-p", "uct:simulations=5"]
GO = ["go:5x5", "-p", "table"]
TEACH = ["teach", *PROGRAM, "--name", "a", "--file", "a.teach"]


def ran(folder: Path, words: list[str], redirection: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "seedfolio", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", [["play", *PROGRAM], ["gtp", *GO], TEACH])
def test_no_standard_input_is_its_end(words: list[str], tmp_path: Path) -> None:
    words, other = [*words, "--key", "1"], tmp_path / "other"
    other.mkdir()
    closed = ran(tmp_path, words, "<&-")
    assert closed == ran(other, words, "</dev/null")
    code, _, err = closed
    assert (code, err) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("redirection", "left"), [(">&-", ""), ("2>&-", "You left at move 1"), ("<&- >&- 2>&-", "")]
)
def test_nowhere_to_print(redirection: str, left: str, tmp_path: Path) -> None:
    redirection = redirection if "<" in redirection else f"</dev/null {redirection}"
    code, out, err = ran(tmp_path, ["play", *PROGRAM], redirection)
    assert (code, err) == (0, "")
    assert (left in out) if left else out == ""


@pytest.mark.parametrize("redirection", ["2</dev/null", "2>/dev/full", "<&- 2>&-"])
def test_an_error_that_nobody_can_read(redirection: str, tmp_path: Path) -> None:
    if "full" in redirection and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    assert ran(tmp_path, ["show", "nothing"], redirection) == (2, "", "")


def test_output_that_cannot_be_written(tmp_path: Path) -> None:
    code, out, err = ran(tmp_path, ["--version"], "1</dev/null")
    assert (code, out, err) == (2, "", "error: [Errno 9] Bad file descriptor\n")


def test_a_program_without_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SpecificationError, match="there is no standard input"):
        play("domineering:4x4", "uct:simulations=5")
