"""Wrong arguments from Python: one sentence names the parameter, before anything is written."""

from pathlib import Path

import pytest

from seedfolio import (
    SpecificationError,
    ThreadArena,
    boost,
    compare,
    load_game,
    online,
    replay,
    reproduce,
)

GAME, PLAYER = "domineering:4x4", "uct:simulations=5"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"k": "8"}, "`k` must be a whole number, not '8'"),
        ({"k": 8.5}, "`k` must be a whole number, not 8.5"),
        ({"k": True}, "`k` must be a whole number, not True"),
        ({"k": 0}, "`k` must be 1 or more"),
        ({"budget": 1.5}, "`budget` must be a whole number, not 1.5"),
        ({"minutes": "1"}, "`minutes` must be a number, not '1'"),
        ({"minutes": -1}, "`minutes` must be above 0"),
        ({"budget": 10, "minutes": 1}, "give `budget` or `minutes`, not both"),
        ({"kt": 5, "budget": 100}, "leave out `kt`: with `budget` or `minutes`"),
        ({"learners": ["nash", 3]}, "`learners` must be names such as nash, not 3"),
        ({"learners": []}, "`learners` is empty"),
        ({"learners": "nsh"}, "did you mean nash?"),
        ({"learners": "nash:ratio=0.5"}, "ratio is for a `budget`"),
        ({"arena": "cpu"}, "unknown arena 'cpu'; `arena` must be auto, threads, cuda or ray"),
        ({"arena": ThreadArena(1), "threads": 2}, "`threads` is for an arena given by name"),
        ({"threads": 0}, "`threads` must be 1 or more, not 0"),
        ({"despite_check": True}, "leave out `despite_check`"),
        ({"symmetries": True, "player": None, "game": "nim"}, "leave out `symmetries`"),
    ],
)
def test_boost_refuses(given, message):
    game, player = given.pop("game", GAME), given.pop("player", PLAYER)
    with pytest.raises(SpecificationError) as raised:
        boost(game, player, **given)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_game_may_come_as_text_path_or_object():
    game = load_game(GAME)
    records = [replay(each, 3, 5, PLAYER) for each in (GAME, game)]
    assert records[0].moves == records[1].moves
    with pytest.raises(SpecificationError, match="there is no game file"):
        load_game(Path("nothing.py"))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: boost(GAME, 5), "`player` must be a text such as uct"),
        (lambda: boost("a-nash.json"), "a-nash.json is a .*; name a game"),
        (lambda: boost("a.study"), "a.study is a .*; name a game"),
        (lambda: compare(GAME, PLAYER, budget="100"), "`budget` must be a whole number"),
        (lambda: online("a.study", arms=0), "`arms` must be 1 to"),
        (lambda: reproduce("table3", boards="nim"), "'nim' is not in Table 3"),
    ],
)
def test_others_refuse_too(wrong, said):
    with pytest.raises(SpecificationError, match=said):
        wrong()
