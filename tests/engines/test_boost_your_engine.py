"""The page `docs/boost-your-engine.md`, run as written."""

import re
import sys
from pathlib import Path

import pytest
from external import program_of
from needed import need

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
from doc_pages import ROOT, blocks, matches, steps
from test_docs_run import run

PAGE = ROOT / "docs/boost-your-engine.md"


def files():
    text = PAGE.read_text(encoding="utf-8")
    names = re.findall(r"[Ss]ave (?:this|it) as `([\w.]+)`|and this as `([\w.]+)`", text)
    contents = [
        block.text
        for block in blocks(PAGE)
        if block.kind in ("toml", "python") and "load_portfolio" not in block.text
    ]
    return dict(zip([one or other for one, other in names], contents, strict=False))


def shorter(text):
    """The games of GNU Go are smaller and shorter here: there is no time for whole ones."""
    changes = {"moves = 150": "moves = 4", "board = 5": "board = 4", "go 5x5": "go 4x4"}
    for written, meant in changes.items():
        text = text.replace(written, meant)
    return text


@pytest.fixture
def folder(tmp_path):
    for name, content in files().items():
        (tmp_path / name).write_text(shorter(content))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gnugo", "bot"])
def test_a_session_runs_as_written(name, folder):
    if name == "gnugo":
        need("gnugo")
    ran = 0
    for step in steps(PAGE):
        if re.search(rf"\b{name}(\.toml|\.study|-nash.json)", step.text):
            printed = run(step, folder)
            ran += 1
            if step.printed is not None:
                assert matches(shorter(step.printed), printed), f"line {step.line}:\n{printed}"
    assert ran >= 2


@pytest.mark.slow
def test_the_specifications_can_be_read(open_spiel, tmp_path):
    assert list(files()) == ["gnugo.toml", "bot.py", "bot.toml"]
    texts = [block.text for block in blocks(PAGE) if block.kind == "toml"]
    variants, chess, opponents, openings, rules = (
        next(text for text in texts if mark in text)
        for mark in (
            "--cosmic-gnugo",
            "stockfish",
            "[[opponents]]",
            "[openings]\nmoves",
            "[adjudica",
        )
    )
    go = files()["gnugo.toml"].replace('setup = ["set_random_seed {seed}"]\n', "")
    for text, arms in ((go + variants, 32), (chess, 62)):
        found = program_of(tmp_path, text).specification.all_arms
        assert found.training == found.unseen == arms
    without_file = opponents.rpartition("[[opponents]]")[0]
    assert program_of(tmp_path, without_file).opponents == ("level 1", "level 10")
    program = program_of(tmp_path, chess + openings + rules)
    assert (len(program.openings.learning), len(program.openings.judging)) == (2, 2)
    table = program.specification.adjudication
    assert (table.resign.moves, table.draw.after) == (3, 60)
