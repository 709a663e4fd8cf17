"""Every session and every program of the documentation, run as written."""

import os
import re
import shlex
import signal
import subprocess
import sys

import pytest
from doc_pages import ROOT, RUN, blocks, matches, steps
from waiting import PATIENCE, end_command

COLUMNS = "90"
"""The width of the terminal that the pages show."""


def environment():
    inherited = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "TTY_COMPATIBLE")}
    return {**inherited, "COLUMNS": COLUMNS, "PYTHONIOENCODING": "utf-8"}


def interpreter(step):
    """Return the command that runs a step."""
    if step.kind == "python":
        return [sys.executable, "-c", step.text]
    program, *arguments = shlex.split(step.text)
    assert program == "seedfolio", f"only seedfolio is run, not {program}"
    return [sys.executable, "-m", "seedfolio", *arguments]


def run(step, folder):
    done = subprocess.run(
        interpreter(step),
        cwd=folder,
        env=environment(),
        input=step.typed,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"line {step.line}: {step.text}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize(
    "page",
    [
        # A comparison of all learners, with many games.
        pytest.param(path, marks=pytest.mark.long if path.stem == "learners" else pytest.mark.slow)
        for path in RUN
    ],
    ids=lambda path: path.name,
)
def test_a_page_runs_as_written(page, tmp_path):
    for step in steps(page):
        printed = run(step, tmp_path)
        if step.printed is not None:
            assert matches(step.without_echo, printed), (
                f"{page.name}:{step.line}: {step.text}\nnow prints\n{printed}"
            )


def tutorial_interrupt():
    """Return the command that the tutorial interrupts, and the line that answers."""
    for block in blocks(ROOT / "docs/tutorial.md"):
        if block.kind == "text" and "^C" in block.text:
            command, *_, answer = block.text.splitlines()
            return shlex.split(command.removeprefix("$ ")), answer
    raise AssertionError("the tutorial interrupts nothing")


def test_the_tutorial_shows_what_an_interrupt_prints(tmp_path):
    (_, *arguments), answer = tutorial_interrupt()
    code, errors = end_command(arguments, tmp_path, signal.SIGINT)
    assert code == 130
    said = errors.splitlines()[-1].replace(" --study a.study --threads 1", "")
    assert said == answer


@pytest.mark.long
def test_the_table_in_the_readme_is_what_its_command_finds(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^\| success in % .*\n(?:\|.*\n)+", readme, re.MULTILINE)
    command = ["boost", "domineering:7x7", "--quiet", "--study", "a.study"]
    assert "seedfolio boost domineering:7x7" in readme
    for arguments in (command, ["show", "a.study", "--markdown"]):
        done = subprocess.run(
            [sys.executable, "-m", "seedfolio", *arguments],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=True,
        )
    assert done.stdout == shown
