"""The page `docs/boost-your-engine.md`, run as written."""

import re
import sys
from pathlib import Path

import pytest
from outside import need, need_open_spiel, program_of

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
from doc_pages import ROOT, blocks, matches, steps
from test_docs_run import run

PAGE = ROOT / "docs/boost-your-engine.md"


def files():
    """Return the files that the reader is asked to save, by name."""
    text = PAGE.read_text(encoding="utf-8")
    names = re.findall(r"[Ss]ave (?:this|it) as `([\w.]+)`|and this as `([\w.]+)`", text)
    contents = [
        block.text
        for block in blocks(PAGE)
        if block.kind in ("toml", "python") and "load_portfolio" not in block.text
    ]
    return dict(zip([one or other for one, other in names], contents, strict=False))


@pytest.fixture
def folder(tmp_path):
    for name, content in files().items():
        (tmp_path / name).write_text(content)
    return tmp_path


def test_the_files_are_found():
    assert list(files()) == ["gnugo.toml", "bot.py", "bot.toml"]
    assert len(files()["bot.py"].splitlines()) <= 35


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gnugo", "bot"])
def test_a_session_runs_as_written(name, folder):
    if name == "gnugo":
        need("gnugo")
    ran = 0
    for step in steps(PAGE):
        if f"{name}.toml" in step.text or f"{name}-nash.json" in step.text:
            printed = run(step, folder)
            ran += 1
            if step.printed is not None:
                assert matches(step.printed, printed), f"line {step.line} now prints\n{printed}"
    assert ran >= 2


def test_the_other_specifications_can_be_read(tmp_path):
    need_open_spiel()
    texts = [block.text for block in blocks(PAGE) if block.kind == "toml"]
    variants, chess = texts[-2:]
    go = files()["gnugo.toml"].replace('setup = ["set_random_seed {seed}"]\n', "")
    arms = program_of(tmp_path, go + variants).specification.all_arms
    assert arms.training + arms.unseen == 32
    arms = program_of(tmp_path, chess).specification.all_arms
    assert arms.training + arms.unseen == 62
