"""What players think of the moves that they tried."""

import pytest

from seedfolio.programs.built_in import load_built_in


@pytest.mark.parametrize(
    ("game", "player", "tries"),
    [
        ("domineering:4x4", "uct:simulations=50", 50),
        pytest.param("domineering:4x4", "rave:simulations=50", 50, marks=pytest.mark.slow),
        pytest.param("phantom-tic-tac-toe", "flat:playouts=50", 50, marks=pytest.mark.slow),
        pytest.param(
            "breakthrough:5x5", "uct:simulations=50,leaf=evaluation", 50, marks=pytest.mark.slow
        ),
    ],
)
def test_the_most_visited_move_is_played_and_all_simulations_count(game, player, tries):
    program = load_built_in(game, player)
    room = program.workspace()
    move = program.choose((), 7, 0, room)
    found = program.bound.thoughts(room)
    assert {each.move for each in found} <= set(program.game.position(()).moves)
    assert sum(each.visits for each in found) == tries
    assert all(0 <= each.success <= 1 for each in found)
    key = (lambda each: each.success) if "flat" in player else (lambda each: each.visits)
    best = max(map(key, found))
    assert move in {each.move for each in found if key(each) == best}
