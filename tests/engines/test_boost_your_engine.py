"""The page `docs/boost-your-engine.md`, run as written."""

import re
import sys
from pathlib import Path

import pytest
from external import need, need_open_spiel, program_of
from sgfmill import sgf
from sgfmill.common import format_vertex

from seedfolio.study.store import Study

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
                assert matches(shorter(step.printed), printed), (
                    f"line {step.line} now prints\n{printed}"
                )
    assert ran >= 2
    if name == "gnugo":
        records_are_those_of_the_study(folder)


def records_are_those_of_the_study(folder):
    with Study.read(folder / "studies/gnugo.study") as study:
        games = list(study.engine_games().games())
    assert len(list((folder / "games").glob("*.sgf"))) == len(games)
    for game in games:
        names = [str(arm) if arm < 2**32 else f"unseen{arm - 2**32}" for arm in game.arms]
        record = sgf.Sgf_game.from_bytes((folder / f"games/{'-'.join(names)}.sgf").read_bytes())
        assert (record.get_size(), record.get_komi()) == (4, 6.5)
        moves = [node.get_move()[1] for node in record.get_main_sequence()[1:]]
        assert tuple(format_vertex(point).lower() for point in moves) == game.moves


def test_the_specifications_can_be_read(tmp_path):
    need_open_spiel()
    assert list(files()) == ["gnugo.toml", "bot.py", "bot.toml"]
    assert len(files()["bot.py"].splitlines()) <= 35
    texts = [block.text for block in blocks(PAGE) if block.kind == "toml"]
    (variants,) = (text for text in texts if "--cosmic-gnugo" in text)
    (chess,) = (text for text in texts if "stockfish" in text)
    go = files()["gnugo.toml"].replace('setup = ["set_random_seed {seed}"]\n', "")
    arms = program_of(tmp_path, go + variants).specification.all_arms
    assert arms.training == arms.unseen == 32
    arms = program_of(tmp_path, chess).specification.all_arms
    assert arms.training == arms.unseen == 62
    (opponents,) = (text for text in texts if "[[opponents]]" in text)
    without_file = opponents.rpartition("[[opponents]]")[0]
    assert program_of(tmp_path, without_file).opponents == ("level 1", "level 10")
    (openings,) = (text for text in texts if "[openings]" in text and "moves" in text.split()[1])
    found = program_of(tmp_path, chess + openings).openings
    assert (len(found.learning), len(found.judging)) == (2, 2)
    (rules,) = (text for text in texts if text.startswith("[adjudication]"))
    table = program_of(tmp_path, chess + rules).specification.adjudication
    assert (table.resign.moves, table.draw.after) == (3, 60)
