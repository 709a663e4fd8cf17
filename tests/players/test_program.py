"""A program's games depend on its two seeds, and on nothing else."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from case_files import cases
from one_line import one_line
from reference_uct import history_hash
from walking import played_out

from seedfolio import Program, SpecificationError, load_player
from seedfolio.games import BUILT_IN, load_game

GAME = load_game("domineering:4x4")
PROGRAM = Program(GAME, load_player("uct:simulations=30"))
SEEDS = np.arange(6, dtype=np.uint64)


def test_a_game_is_the_same_alone_and_in_any_batch():
    rows, columns = (side.reshape(-1) for side in np.meshgrid(SEEDS, SEEDS))
    scores, histories = PROGRAM.play(rows, columns, PROGRAM.workspace())
    assert len(set(histories.tolist())) > 20
    order = np.random.default_rng(0).permutation(len(rows))
    workspace = PROGRAM.workspace()
    workspace[:] = -1
    again = PROGRAM.play(rows[order], columns[order], workspace)
    assert (again[0] == scores[order]).all()
    assert (again[1] == histories[order]).all()
    for cell in range(0, len(rows), 5):
        alone = PROGRAM.play(rows[cell : cell + 1], columns[cell : cell + 1], workspace)
        assert (alone[0][0], alone[1][0]) == (scores[cell], histories[cell])
    none = np.zeros(0, np.uint64)
    assert [len(each) for each in PROGRAM.play(none, none, workspace)] == [0, 0]


def test_choosing_move_by_move_plays_the_same_game():
    rows, columns = SEEDS, SEEDS[::-1].copy()
    scores, histories = PROGRAM.play(rows, columns, PROGRAM.workspace())
    for cell in range(len(rows)):
        arms = int(rows[cell]), int(columns[cell])
        history, position = played_out(GAME, *(partial(PROGRAM.choose, arm=arm) for arm in arms))
        assert (position.score, history_hash(history)) == (scores[cell], histories[cell])
    with pytest.raises(SpecificationError, match="domineering 4x4: the game is over"):
        PROGRAM.choose(history, 0)
    assert PROGRAM.choose([], 2**48 - 1) in GAME.position([]).moves
    with pytest.raises(SpecificationError, match="is under symmetry 65535, and there are 3"):
        PROGRAM.choose([], 2**64 - 1)


def test_identity_and_behaviour_tell_programs_apart():
    identity = PROGRAM.identity()
    assert identity["game"] == {
        "name": "domineering",
        "version": 1,
        "parameters": {"rows": 4, "columns": 4},
    }
    assert identity["player"]["parameters"] == {"simulations": 30, "exploration": "1.4"}
    assert PROGRAM.behaviour in identity.values()
    texts = ["uct:simulations=30", "uct:simulations=31", "uct:simulations=30,exploration=0.7"]
    behaviours = [Program(GAME, load_player(text)).behaviour for text in texts]
    assert len(set(behaviours)) == 3
    assert PROGRAM.behaviour == behaviours[0]


@pytest.mark.parametrize(
    ("text", "parameters", "short"),
    [
        ("uct", ("100", "1.4"), "uct:simulations=100"),
        ("uct:exploration=1.40", ("100", "1.4"), "uct:simulations=100"),
        ("uct:exploration=0.50", ("100", "0.5"), "uct:simulations=100,exploration=0.5"),
        ("uct:exploration=1e1", ("100", "10"), "uct:simulations=100,exploration=10"),
        ("uct:exploration=-0", ("100", "0"), "uct:simulations=100,exploration=0"),
        ("uct:simulations=9,leaf=evaluation", ("9", "1.4", "evaluation"), ""),
        ("alphabeta:depth=3,noise=0", ("3", "0"), ""),
        ("flat:playouts=20,each=1", ("20", "1"), ""),
        ("flat:playouts=20,each=1,again=1", ("20", "1", "1"), ""),
        ("table", ("0",), "table:noise=0"),
        ("table:noise=50", ("50",), ""),
        ("rave:bias=0.50", None, "rave:simulations=1000,bias=0.5"),
        ("rave:simulations=50,grave=20,bias=0.5,exploration=0.1", None, ""),
    ],
)
def test_players_have_one_short_form(text, parameters, short):
    player = load_player(text)
    assert player.text in (short or text, text)
    assert load_player(player.text) == load_player(short or text) == player
    if parameters is not None:
        assert tuple(map(str, player.parameters.values())) == parameters


@pytest.mark.parametrize(("text", "message"), cases(__file__, "players that do not exist"))
def test_players_that_do_not_exist(text, message):
    with one_line(message):
        load_player(text)


@pytest.mark.parametrize(("both", "message"), cases(__file__, "not played", str.split))
def test_what_a_player_does_not_play(both, message):
    player, game = both
    with pytest.raises(SpecificationError, match=message):
        load_player(player).bind(load_game(game))


def test_every_game_names_the_exploration_of_its_player():
    players = {load_game(name).rules.player for name in BUILT_IN}
    unnamed = [text for text in players if text.startswith("uct") and "exploration=" not in text]
    assert unnamed == []


@pytest.mark.parametrize(
    ("player", "most"), [("uct", 16 + 6), ("uct:leaf=evaluation", 16 + 9), ("rave", 16 + 71)]
)
def test_a_simulation_has_room_for_a_list_of_moves_and_one_node(player, most):
    few, many = (
        replace(load_player(player), simulations=number).bind(GAME).workspace  # type: ignore[type-var]
        for number in (100, 101)
    )
    assert GAME.rules.max_moves == 16
    assert many - few <= most
