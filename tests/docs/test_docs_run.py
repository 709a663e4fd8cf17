"""Every session and every program of the documentation, run as written."""

import io
import os
import re
import shlex
import shutil
import signal
from contextlib import chdir, redirect_stdout
from unittest import mock

import pytest
from doc_pages import ROOT, RUN, blocks, matches, steps
from in_process import seedfolio
from waiting import end_command

COLUMNS = "90"
"""The width of the terminal that the pages show."""
ADD_A_PLAYER = ROOT / "docs/add-a-player.md"
EXAMPLE = ROOT / "docs/examples/mobility.py"


def run(step, folder):
    """Return what a step prints, in this process."""
    environment = {
        k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "TTY_COMPATIBLE")
    }
    with (
        mock.patch.dict(os.environ, {**environment, "COLUMNS": COLUMNS}, clear=True),
        mock.patch("rich._console", None),  # one for all has the width of its first user
    ):
        if step.kind == "python":
            printed = io.StringIO()
            with chdir(folder), redirect_stdout(printed):
                exec(compile(step.text, f"line {step.line}", "exec"), {"__name__": "__main__"})
            return printed.getvalue()
        program, *words = shlex.split(step.text)
        assert program == "seedfolio", f"only seedfolio is run, not {program}"
        done = seedfolio(*words, cwd=folder, text=step.typed)
        assert done.returncode == 0, f"line {step.line}: {step.text}\n{done.stderr}"
        return done.stdout


def check_page(page, shown, folder):
    for step in shown:
        printed = run(step, folder)
        if step.printed is not None:
            assert matches(step.without_echo, printed), (
                f"{page.name}:{step.line}: {step.text}\nnow prints\n{printed}"
            )


def apart(page, step):
    """Tell whether a step of the tutorial needs no others; these take as long as all the rest."""
    return page.stem == "tutorial" and "chosen.study" in step.text


@pytest.mark.parametrize(
    "page", [path for path in RUN if path.stem != "learners"], ids=lambda path: path.name
)
def test_a_page_runs_as_written(page, tmp_path):
    check_page(page, [step for step in steps(page) if not apart(page, step)], tmp_path)


@pytest.mark.slow
def test_the_rest_of_the_tutorial_runs_as_written(tmp_path):
    page = ROOT / "docs/tutorial.md"
    rest = [step for step in steps(page) if apart(page, step)]
    assert len(rest) == 2
    check_page(page, rest, tmp_path)


@pytest.mark.long
def test_the_comparison_of_all_learners_runs_as_written(tmp_path):
    page = ROOT / "docs/learners.md"
    check_page(page, steps(page), tmp_path)


def test_the_page_on_players_shows_the_example():
    first = next(block for block in blocks(ADD_A_PLAYER) if block.kind == "python")
    assert first.text == EXAMPLE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_on_players_runs_as_written(tmp_path):
    shutil.copy(EXAMPLE, tmp_path)
    shown = [step for step in steps(ADD_A_PLAYER) if step.printed is not None]
    assert [step.kind for step in shown] == ["command", "python"]
    check_page(ADD_A_PLAYER, shown, tmp_path)


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
    assert "seedfolio boost domineering:7x7" in readme
    command = ["boost", "domineering:7x7", "--quiet", "--study", "a.study"]
    for words in (command, ["show", "a.study", "--markdown"]):
        done = seedfolio(*words, cwd=tmp_path)
    assert done.stdout == shown
