"""What players think of the moves that they tried."""

from sparing import levels

from seedfolio.programs.built_in import load_built_in


@levels(
    ("game", "player"),
    [("domineering:4x4", "uct:simulations=50")],
    slow=[
        ("domineering:4x4", "rave:simulations=50"),
        ("phantom-tic-tac-toe", "flat:playouts=50"),
        ("breakthrough:5x5,pawn_rows=1", "uct:simulations=50,leaf=evaluation"),
    ],
)
def test_the_most_visited_move_is_played_and_all_simulations_count(game, player):
    program = load_built_in(game, player)
    room = program.workspace()
    move = program.choose((), 7, 0, room)
    found = program.bound.thoughts(room)
    assert {each.move for each in found} <= set(program.game.position(()).moves)
    assert sum(each.visits for each in found) == 50
    assert all(0 <= each.success <= 1 for each in found)
    key = (lambda each: each.success) if "flat" in player else (lambda each: each.visits)
    best = max(map(key, found))
    assert move in {each.move for each in found if key(each) == best}
