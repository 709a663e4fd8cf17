"""Every session and every program of the documentation, run as written."""

import io
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from unittest import mock

import pytest
from doc_pages import ROOT, RUN, blocks, matches, steps
from in_process import seedfolio
from ray_nodes import RayNodes, free_ports
from waiting import end_command

BIN = str(Path(sys.executable).parent)
SHELL = {"COLUMNS": "90", "PATH": os.pathsep.join((BIN, os.environ["PATH"]))}
ADD_A_PLAYER = ROOT / "docs/add-a-player.md"
EXAMPLE = ROOT / "docs/examples/mobility.py"


def run(step, folder):
    environment = {
        k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "TTY_COMPATIBLE")
    }
    with (
        mock.patch.dict(os.environ, {**environment, **SHELL}, clear=True),
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


HOW_TO = "add-a-learner", "engine", "match", "seats", "tune", "web"
HIDDEN, CHOSEN = "phantom-tic-tac-toe", "chosen.study"
"""In the steps of parts of the tutorials that need no others."""
MARKS = {
    ("tutorial", None): pytest.mark.slow,
    ("tutorial-researchers", None): pytest.mark.slow,
    ("tutorial-researchers", CHOSEN): pytest.mark.long,
    ("learners", None): pytest.mark.slow,
    ("overfitting", None): pytest.mark.long,
    **{(page, None): pytest.mark.slow for page in HOW_TO},
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


TRIES = 'ray() { for n in 1 2 3 4 5 6; do command ray "$@" && return; done; false; }'
"""Ray gives up where a machine is too busy for its own limits."""


@pytest.mark.long
def test_two_nodes_on_a_laptop_play_as_written(tmp_path):
    page = ROOT / "docs/where-games-run.md"
    (shown,) = (block.text for block in blocks(page) if "ray stop" in block.text)
    first, *lines, last = shown.splitlines()
    assert (first.split()[0], last.split()[:2]) == ("pip", ["ray", "stop"])
    with RayNodes() as nodes:  # it ends these nodes only; `ray stop` ends those of other tests, too
        own = {key: value for key, value in nodes.environ.items() if not key.startswith("RAY_")}
        environment = {**own, **SHELL, "HOME": str(tmp_path), "RAY_TMPDIR": str(nodes.folder)}
        script = "\n".join((TRIES, *lines)).replace("6379", str(free_ports(1)[0]))
        done = subprocess.run(
            ["bash", "-ec", script], env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert "2 nodes, 2 cores" in done.stderr
        assert "use book" in done.stdout


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
