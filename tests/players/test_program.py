"""A program's games depend on its two seeds, and on nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from reference_uct import history_hash

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.program import Program

SEEDS = np.arange(6, dtype=np.uint64)


@pytest.fixture(scope="module")
def program() -> Program:
    return Program(load_game("domineering:6x5"), load_player("uct:simulations=30"))


def test_a_game_is_the_same_alone_and_in_any_batch(program: Program) -> None:
    rows, columns = (side.reshape(-1) for side in np.meshgrid(SEEDS, SEEDS))
    scores, histories = program.play(rows, columns, program.workspace())
    assert len(set(histories.tolist())) > 30
    order = np.random.default_rng(0).permutation(len(rows))
    workspace = program.workspace()
    workspace[:] = -1
    again = program.play(rows[order], columns[order], workspace)
    assert (again[0] == scores[order]).all()
    assert (again[1] == histories[order]).all()
    for cell in range(0, len(rows), 5):
        alone = program.play(rows[cell : cell + 1], columns[cell : cell + 1], workspace)
        assert (alone[0][0], alone[1][0]) == (scores[cell], histories[cell])


def test_choosing_move_by_move_plays_the_same_game(program: Program) -> None:
    rows, columns = SEEDS, SEEDS[::-1].copy()
    scores, histories = program.play(rows, columns, program.workspace())
    for cell in range(len(rows)):
        history: list[int] = []
        while (position := program.game.position(history)).score is None:
            seed = columns[cell] if position.mover else rows[cell]
            history.append(program.choose(history, int(seed)))
        assert (position.score, history_hash(history)) == (scores[cell], histories[cell])


def test_no_games_at_all(program: Program) -> None:
    none = np.zeros(0, np.uint64)
    scores, histories = program.play(none, none, program.workspace())
    assert len(scores) == len(histories) == 0


def test_no_move_after_the_end(program: Program) -> None:
    history: list[int] = []
    while moves := program.game.position(history).moves:
        history.append(moves[0])
    with pytest.raises(SpecificationError, match="domineering 6x5: the game is over"):
        program.choose(history, 0)


def test_the_largest_seed_is_a_seed(program: Program) -> None:
    assert program.choose([], 2**48 - 1) in program.game.position([]).moves


def test_a_symmetry_that_there_is_not_is_refused(program: Program) -> None:
    with pytest.raises(SpecificationError, match="is under symmetry 65535, and there are 3"):
        program.choose([], 2**64 - 1)


def test_behaviour_tells_programs_apart() -> None:
    texts = ["uct:simulations=30", "uct:simulations=31", "uct:simulations=30,exploration=0.7"]
    game = load_game("domineering:6x5")
    behaviours = [Program(game, load_player(text)).behaviour for text in texts]
    assert len(set(behaviours)) == 3
    assert Program(load_game("domineering:6x5"), load_player(texts[0])).behaviour == behaviours[0]


def test_identity_names_game_player_and_behaviour(program: Program) -> None:
    identity = program.identity()
    assert identity["game"] == {
        "name": "domineering",
        "version": 1,
        "parameters": {"rows": 6, "columns": 5},
    }
    assert identity["player"] == {
        "name": "uct",
        "version": 1,
        "parameters": {"simulations": 30, "exploration": "1.4"},
    }
    assert program.behaviour in identity.values()


@pytest.mark.parametrize(
    ("text", "parameters", "short"),
    [
        ("uct", ("100", "1.4"), "uct:simulations=100"),
        ("uct:simulations=7", ("7", "1.4"), "uct:simulations=7"),
        ("uct:exploration=1.40", ("100", "1.4"), "uct:simulations=100"),
        ("uct:exploration=0.50", ("100", "0.5"), "uct:simulations=100,exploration=0.5"),
        ("uct:exploration=1e1", ("100", "10"), "uct:simulations=100,exploration=10"),
        ("uct:exploration=-0", ("100", "0"), "uct:simulations=100,exploration=0"),
    ],
)
def test_players_have_one_short_form(text: str, parameters: tuple[str, str], short: str) -> None:
    player = load_player(text)
    assert tuple(map(str, player.parameters.values())) == parameters
    assert player.text == short
    assert load_player(short) == player


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("utc", "unknown player 'utc'; did you mean uct"),
        ("mcts", "unknown player 'mcts'; there are uct"),
        ("uct:simulation=5", "uct has no parameter 'simulation'"),
        ("uct:simulations=many", "uct: simulations must be a number, not 'many'"),
        ("uct:simulations=0", "uct: simulations=0 is not between"),
        ("uct:simulations=1000000", "uct: simulations=1000000 is not between"),
        ("uct:exploration=-1", "uct: exploration=-1 is not between"),
        ("uct:exploration=nan", "uct: exploration=NaN is not between"),
        ("uct:exploration=inf", "uct: exploration=Infinity is not between"),
    ],
)
def test_players_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(SpecificationError, match=message) as caught:
        load_player(text)
    assert "\n" not in str(caught.value)
