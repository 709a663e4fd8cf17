"""Every file of docs/examples and the notebook are run, and the pages show what they print."""

import re

import pytest
from doc_pages import ROOT
from waiting import ran

from seedfolio import ThreadArena, boost, load_program, replay
from seedfolio.report.table import MIXTURE

EXAMPLES = ROOT / "docs/examples"


def printed(name, *arguments):
    done = ran(EXAMPLES / name, *arguments)
    assert done.returncode == 0, done.stderr
    _, *rows = done.stdout.splitlines()
    return [row.split() for row in rows]


def rows_of_table(page, corner):
    table = re.search(rf"^\| {corner} .*\n\|[-: |]+\n((?:\|.*\n)+)", page, re.MULTILINE)
    return [[word.strip() for word in line.split("|")[1:-1]] for line in table[1].splitlines()]


def run_game_luck(name, folder):
    rows = printed(name)
    page = (ROOT / "docs/numbers.md").read_text(encoding="utf-8")
    shown = rows_of_table(page, "games a cell")
    morra, pig = ([row[1:] for row in rows if row[0] == game] for game in ("morra", "pig"))
    assert shown == [[*one, *other[1:]] for one, other in zip(morra, pig, strict=True)]


def run_group_luck(name, folder):
    rows = printed(name)
    page = (ROOT / "docs/notes/books.md").read_text(encoding="utf-8")
    groups, one = ([row[-3:] for row in rows if row[0] == kind] for kind in ("groups", "one"))
    shown = rows_of_table(page, r"our arms \| groups")
    assert shown == [[*first, *second[1:]] for first, second in zip(groups, one, strict=True)]


def run_mixture_luck(name, folder):
    sizes = {"k": 32, "kt": 2, "opponents": 20, "learners": ["best-seed"]}
    path = folder / "a.study"
    outcome = boost("nim", "table", **sizes, study=path, arena=ThreadArena(1))
    rows = printed(name, str(path), "32", "20")
    assert [int(row[0]) for row in rows] == [2, 4, 8, 16, 32]
    plain, corrected = map(float, rows[-1][1:])
    (mixture,) = (row.estimates[-1].mean for row in outcome.rows if row.name == MIXTURE)
    assert plain < corrected == round(100 * mixture, 1)


def run_player(name, folder):
    """It plays, and on docs/add-a-player.md as shown there: tests/docs/test_docs_run.py."""
    program = load_program("domineering:4x4", str(EXAMPLES / name))
    assert len(replay(program, 0, 1).moves) > 4


RUNS = {
    "game_luck.py": run_game_luck,
    "group_luck.py": run_group_luck,
    "mobility.py": run_player,
    "mixture_luck.py": run_mixture_luck,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_an_example_runs(name, tmp_path):
    RUNS[name](name, tmp_path)


def test_no_example_is_left_out():
    there = {path.name for path in EXAMPLES.iterdir() if path.name != "__pycache__"}
    games = {"three_in_a_row.py", "dark_three.py"}  # tests/games/test_add_a_game.py runs them
    assert there == {*RUNS, *games}, "each file of docs/examples needs an entry in RUNS"


@pytest.mark.slow  # what it needs comes with `make test-all`
def test_the_notebook_runs_and_its_outputs_are_real(tmp_path):
    import nbformat
    from notebook_run import PATH, run_notebook, shown

    written = nbformat.read(PATH, as_version=4)
    assert shown(run_notebook(tmp_path)) == shown(written)
    assert list(tmp_path.iterdir()) == []  # its study is in memory
    outputs = [output for cell in shown(written) for output in cell]
    assert sum("<table>" in output for output in outputs) >= 3
    assert (outputs.count("a picture"), sum("<svg" in output for output in outputs)) == (3, 1)
    assert not any("Error" in output for output in outputs)
    first = next(cell for cell in written.cells if "boost(" in cell.source)
    html = [output.data.get("text/html", "") for output in first.outputs]
    job, *done = [text for text in html if "<progress" in text]
    assert "to learn from" in job
    assert any("seeds against each other" in text for text in done)
    assert all("taken" in text for text in done)
