"""UCT against a plain second implementation and exact arithmetic, and what it must be good at."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest
from reference_uct import ReferenceUct, check_games
from sparing import levels

from seedfolio import Program, load_game
from seedfolio.players.fixedpoint import ucb_tables
from seedfolio.players.uct import Uct
from seedfolio.programs.built_in import load_built_in

DOMINEERING, BREAKTHROUGH = "domineering:4x4", "breakthrough:5x5,pawn_rows=1"


@levels(
    ("board", "simulations", "exploration"),
    [(DOMINEERING, 60, "1.4"), (DOMINEERING, 1, "1.4")],  # one simulation is a random move
    slow=[
        *((DOMINEERING, 100, "0.5"), ("domineering:9x8", 3, "1.4"), (BREAKTHROUGH, 25, "1.4")),
        (BREAKTHROUGH, 25, "0"),
    ],
    long=[("atari-go:5x5", 30, "100")],
)
def test_plays_the_same_games_as_the_reference(board, simulations, exploration):
    game = load_game(board)
    player = Uct(simulations=simulations, exploration=Decimal(exploration))
    reference = ReferenceUct(game, player.simulations, player.exploration)
    check_games(Program(game, player), reference.play, [0, 7, 2**40 + 3], [1, 7, 2**63 + 1])


VISITS = 2000
EXPLORATION = Decimal("1.4")
RECIPROCAL, INVERSE_ROOT, ROOT_LOG = ucb_tables(VISITS, EXPLORATION).reshape(3, VISITS + 1)


@pytest.mark.parametrize("exploration", ["0", "0.1", "1.4", "100"])
def test_roots_of_logarithms_are_rounded_down(exploration):
    table = ucb_tables(300, Decimal(exploration)).reshape(3, 301)[2]
    with localcontext() as context:
        context.prec = 80
        for n in range(1, 301):
            exact = Decimal(exploration) * Decimal(n).ln().sqrt() * 65536
            assert 0 <= exact - int(table[n]) < 1


def test_reciprocals_and_inverse_roots_are_rounded_down():
    for n in range(1, VISITS + 1):
        assert 0 <= Fraction(2**31, n) - int(RECIPROCAL[n]) < 1
        # r <= 2**16 / sqrt(n) < r + 1, squared to stay in integers.
        assert int(INVERSE_ROOT[n]) ** 2 * n <= 2**32 < (int(INVERSE_ROOT[n]) + 1) ** 2 * n


def test_together_they_are_ucb1_in_tables_of_any_size():
    for n in (1, 2, 10, 100, VISITS):
        for v in (1, 2, 7, n):
            for w in (0, v, 2 * v):
                value = w * int(RECIPROCAL[v]) + int(ROOT_LOG[n]) * int(INVERSE_ROOT[v])
                exact = w / (2 * v) + float(EXPLORATION) * sqrt(log(n) / v)
                assert value / 2**32 == pytest.approx(exact, abs=1e-4)
    small = ucb_tables(50, EXPLORATION).reshape(3, 51)
    assert (small == np.stack([RECIPROCAL, INVERSE_ROOT, ROOT_LOG])[:, :51]).all()


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
