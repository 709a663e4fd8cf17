"""The page "Add a player": its example is the file, and all that it runs prints what it shows."""

import shutil

import pytest
from doc_pages import ROOT, blocks, matches, steps
from test_docs_run import run

PAGE = ROOT / "docs/add-a-player.md"
EXAMPLE = ROOT / "docs/examples/mobility.py"


def test_the_page_shows_the_example():
    first = next(block for block in blocks(PAGE) if block.kind == "python")
    assert first.text == EXAMPLE.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_runs_as_written(tmp_path):
    shutil.copy(EXAMPLE, tmp_path)
    shown = [step for step in steps(PAGE) if step.printed is not None]
    assert [step.kind for step in shown] == ["command", "python"]
    for step in shown:
        printed = run(step, tmp_path)
        assert matches(step.printed, printed), printed
