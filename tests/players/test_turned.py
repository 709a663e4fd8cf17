"""Arms under a symmetry of the board."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from walking import played_out

from seedfolio import SpecificationError, load_program
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.players.lookup import symmetry_tables, turned_side

SEEDS = np.arange(30, dtype=np.uint64)
PROGRAMS = [("domineering:4x4", "uct:simulations=20"), ("phantom-tic-tac-toe", "table")]
"""The second has hidden stones, and symmetries that are not their own inverses."""


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda param: param[0])
def program(request):
    return load_program(*request.param)


def turned(seeds, symmetry):
    return seeds | np.uint64(symmetry << SYMMETRY_SHIFT)


def test_tables_are_inverse_and_moves_come_back_to_the_board(program):
    images, origins = symmetry_tables(program.game)
    assert (images != origins).any() == program.game.rules.hides
    assert len(images) == len(program.game.rules.symmetries) + 1
    assert (np.take_along_axis(origins, images.astype(int), 1) == np.arange(images.shape[1])).all()
    outward = turned_side(program.game)["outward"]
    for symmetry, image in enumerate(images.tolist()):
        side = np.uint64(0), 0, np.uint64(0), symmetry
        assert [outward(side, each) for each in image] == [*range(len(image))]


def test_a_game_turned_for_both_is_the_same_game_turned(program):
    both = replace(program, turned=True)
    points, moves = program.play(SEEDS, SEEDS, program.workspace())
    assert np.array_equal((points, moves), both.play(SEEDS, SEEDS, both.workspace()))
    for symmetry in range(1, len(program.game.rules.symmetries) + 1):
        arms = turned(SEEDS, symmetry)
        images, other_moves = both.play(arms, arms, both.workspace())
        assert np.array_equal(points, images)
        assert (moves != other_moves).mean() > 0.9
    # Turned for one it is another game.
    others, _ = both.play(turned(SEEDS, 1), SEEDS, both.workspace())
    assert (points != others).any()


def test_choose_plays_what_the_match_plays(program):
    both = replace(program, turned=True)
    last = len(program.game.rules.symmetries)
    for seed in range(5):
        arms = seed | 1 << SYMMETRY_SHIFT, (seed + 1) | last << SYMMETRY_SHIFT
        _, position = played_out(program.game, *(partial(program.choose, arm=arm) for arm in arms))
        rows, columns = (np.array([arm], np.uint64) for arm in arms)
        points, _ = both.play(rows, columns, both.workspace())
        assert points[0] == position.score


@pytest.mark.parametrize("kept", [{"setup": (1,)}, {"repetition": object()}])
def test_a_game_that_keeps_more_than_its_moves_is_not_turned(kept):
    program = load_program("domineering:4x4", "uct:simulations=20")
    game = replace(program.game, rules=replace(program.game.rules, **kept))
    with pytest.raises(SpecificationError, match="leave out `symmetries`"):
        replace(program, game=game).with_symmetries()
