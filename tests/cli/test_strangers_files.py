"""Portfolios from elsewhere: looking never runs anything, playing asks first."""

import json
import shutil
from pathlib import Path

import pytest

from seedfolio import PortfolioError, load_boosted, trusting
from seedfolio.cli import run
from seedfolio.core import trust
from seedfolio.core.trust import is_trusted, remember
from seedfolio.portfolios.file import load_portfolio

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "three_in_a_row.py"
OLD = Path(__file__).parents[1] / "book" / "old_files" / "perfect-1.json"
SMALL = ["-p", "uct:simulations=5", "--k", "8", "--kt", "5", "--opponents", "17", "--quiet"]
EVIL = "from pathlib import Path\nPath('it-ran').touch()\nraise SystemExit\n"


@pytest.fixture(autouse=True)
def _somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(trust, "_run_here", set())


def stranger(**changes):
    """Write a portfolio that names a Python file or an engine."""
    data = json.loads(load_portfolio(OLD).text())
    for name, value in changes.items():
        data[name] = data[name] | value if isinstance(data[name], dict) else value
    Path("p.json").write_text(json.dumps(data))


ENGINE = {
    "file": "bot.toml",
    "specification": {
        "game": {"name": "domineering:4x4"},
        "player": {"protocol": "gtp", "command": ["touch", "it-ran", "{seed}"]},
    },
    "digest": "",
    "identity": "a bot",
    "arms": {},
}


@pytest.mark.parametrize("part", ["game", "player"])
def test_python_files_do_not_run(part, capsys):
    Path("evil.py").write_text(EVIL)
    stranger(**{part: {"source": "evil.py"}})
    commands = [["play", "p.json"], ["uci", "p.json"], ["replay", "p.json", "1", "2"]]
    commands += [["match", "p.json", "p.json"], ["worth", "p.json"]]
    commands += [["book", "show", "p.json"]] if part == "game" else []
    for words in commands:
        assert run(words) == 2, words
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert f"would run the Python file {Path('evil.py').resolve()}" in err, words
        assert "--trust" in err
    assert run(["show", "p.json"]) == 0
    assert run(["show", "p.json", "--json"]) == 0
    assert not Path("it-ran").exists()


def test_engines_do_not_run(capsys):
    from seedfolio.engines.specification import parse_specification

    digest = parse_specification(ENGINE["specification"], "it").digest
    stranger(engine=ENGINE | {"digest": digest})
    Path("bot.toml").write_text("")
    for words in (["gtp", "p.json"], ["uci", "p.json"], ["match", "p.json", "p.json"]):
        assert run(words) == 2
        assert "would run the command touch it-ran" in capsys.readouterr().err, words
    assert run(["show", "p.json"]) == 0
    assert not Path("it-ran").exists()
    assert run(["gtp", "--trust", "p.json"]) == 2
    assert "would run" not in capsys.readouterr().err
    assert Path("it-ran").exists()


def test_trust_is_for_the_same_content_at_the_same_place(tmp_path):
    file, copy = tmp_path / "game.py", tmp_path / "copy.py"
    file.write_text("one")
    assert not is_trusted(file)
    remember(file)
    trust._run_here.clear()
    assert is_trusted(file)
    shutil.copy(file, copy)
    assert not is_trusted(copy)
    file.write_text("two")
    assert not is_trusted(file)
    remember(file)
    assert (tmp_path / "state" / "seedfolio" / "trusted").read_text().count("\n") == 2
    with trusting():
        assert is_trusted(copy)
    assert not is_trusted(copy)


def test_a_list_that_cannot_be_written_lasts_for_the_process(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nothing")
    file = tmp_path / "game.py"
    file.write_text("one")
    remember(file)
    assert is_trusted(file)
    trust._run_here.clear()
    assert not is_trusted(file)


@pytest.mark.long
def test_what_a_study_was_made_with_is_played():
    shutil.copy(EXAMPLE, "mine.py")
    assert run(["boost", "mine.py", *SMALL, "-l", "best-seed", "--study", "a.study"]) == 0
    trust._run_here.clear()
    load_boosted("a-best-seed.json")
    shutil.move("mine.py", "elsewhere.py")
    shutil.copy("elsewhere.py", "mine.py")
    load_boosted("a-best-seed.json")  # the same content at the same place
    with Path("mine.py").open("a") as file:
        file.write("# changed")
    with pytest.raises(PortfolioError, match=r"would run .*mine\.py"):
        load_boosted("a-best-seed.json")
    assert run(["replay", "a-best-seed.json", "1", "2", "--trust"]) == 0
