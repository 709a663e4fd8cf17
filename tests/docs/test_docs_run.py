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
ADD_A_PLAYER = ROOT / "docs/add-a-player.md"
EXAMPLE = ROOT / "docs/examples/mobility.py"


def run(step, folder):
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


HIDDEN, CHOSEN = "phantom-tic-tac-toe", "chosen.study"
"""In the steps of parts of the tutorials that need no others."""
MARKS = {
    ("tutorial", None): pytest.mark.slow,
    ("tutorial-researchers", None): pytest.mark.slow,
    ("tutorial-researchers", CHOSEN): pytest.mark.long,
    ("learners", None): pytest.mark.slow,
    ("overfitting", None): pytest.mark.long,
    **{(page, None): pytest.mark.slow for page in ("add-a-learner", "match", "seats", "tune")},
    ("web", None): pytest.mark.slow,
    **{(page, None): pytest.mark.long for page in ("book", "exploit")},
}


def part_of(page, step):
    apart = {"tutorial": [HIDDEN], "tutorial-researchers": [CHOSEN]}.get(page.stem, [])
    return next((each for each in apart if each in step.text), None)


@pytest.mark.parametrize(
    ("page", "part"),
    [
        pytest.param(page, part, id=f"{page.name}-{part}", marks=MARKS.get((page.stem, part), ()))
        for page, part in dict.fromkeys((p, part_of(p, s)) for p in RUN for s in steps(p))
    ],
)
def test_a_page_runs_as_written(page, part, tmp_path):
    check_page(page, [step for step in steps(page) if part_of(page, step) == part], tmp_path)


@pytest.mark.slow
def test_the_page_on_players_shows_the_example_and_runs_as_written(tmp_path):
    first = next(block for block in blocks(ADD_A_PLAYER) if block.kind == "python")
    assert first.text == EXAMPLE.read_text(encoding="utf-8")
    shutil.copy(EXAMPLE, tmp_path)
    shown = [step for step in steps(ADD_A_PLAYER) if step.printed is not None]
    assert [step.kind for step in shown] == ["command", "python"]
    check_page(ADD_A_PLAYER, shown, tmp_path)


@pytest.mark.slow
def test_the_tutorial_shows_what_an_interrupt_prints(tmp_path):
    shown = [block.text for block in blocks(ROOT / "docs/tutorial.md") if "^C" in block.text]
    command, *_, answer = shown[0].splitlines()
    _, _, *arguments = shlex.split(command)
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
