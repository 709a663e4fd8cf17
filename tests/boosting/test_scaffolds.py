"""`new game`, `new player` and `new learner`: files that work as they are, and never overwrite."""

from pathlib import Path

import pytest

from seedfolio import (
    SpecificationError,
    boost,
    check_game,
    load_game,
    new_game,
    new_learner,
    new_player,
)
from seedfolio.cli import run


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
def test_both_are_boosted_as_they_are():
    game, player = new_game("Our Game.py"), new_player("our_player.py")
    check_game(load_game(f"{game}:size=3"), games=50)
    sizes = {"k": 4, "kt": 2, "opponents": 17}
    boosted = boost(f"{game}:size=3", f"{player}:games=1", **sizes, learners=["best-seed"])
    file = boosted.portfolios["best-seed"]
    assert (file.game.name, file.player.name) == ("our-game", "our-player")


@pytest.mark.parametrize("kind", ["game", "player", "learner"])
def test_the_command(kind, capsys):
    assert run(["new", kind, "mine.py"]) == 0
    assert capsys.readouterr().out.startswith("wrote mine.py; try: seedfolio ")
    text = Path("mine.py").read_text()
    assert "NAME" not in text
    assert "FILE" not in text
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("write", [new_game, new_player, new_learner])
def test_nothing_is_overwritten_and_other_names_are_refused(write):
    path = Path("mine.py")
    path.write_text("mine")
    for name, said in [
        ("mine.py", r"mine\.py exists already; choose another name"),
        ("mine.txt", r"end it with \.py"),
        ("no/such/mine.py", "No such file or directory"),
    ]:
        with pytest.raises(SpecificationError, match=said):
            write(name)
    assert path.read_text() == "mine"
