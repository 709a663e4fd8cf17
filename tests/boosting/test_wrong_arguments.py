"""Wrong arguments from Python: one sentence names the parameter, before anything is written."""

from pathlib import Path

import pytest
from case_files import cases

import seedfolio
from seedfolio import SpecificationError, load_game

GAME, PLAYER = "domineering:4x4", "uct:simulations=5"
PROGRAM = {"GAME": GAME, "PLAYER": PLAYER}
NAMES = "boost", "check", "compare", "online", "reproduce", "ThreadArena"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("call", "message"), cases(__file__, "wrong arguments"))
def test_wrong_arguments(call, message):
    with pytest.raises(SpecificationError) as raised:
        eval(call, {name: getattr(seedfolio, name) for name in NAMES} | PROGRAM)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_game_may_come_as_text_path_or_object():
    game = load_game(GAME)
    records = [seedfolio.replay(each, 3, 5, PLAYER) for each in (GAME, game)]
    assert records[0].moves == records[1].moves
    with pytest.raises(SpecificationError, match="there is no game file"):
        load_game(Path("nothing.py"))
