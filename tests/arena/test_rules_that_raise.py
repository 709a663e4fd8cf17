"""Rules that raise an error in a rare position end the work, in one line that tells where."""

import numpy as np
import pytest
from bits_game import LINE, bits
from case_files import programs
from waiting import ran

from seedfolio.arena.threads import ThreadArena
from seedfolio.errors import SpecificationError
from seedfolio.players import load_player
from seedfolio.players.program import Program

SCORE = """
        if state[0] > 4:
            raise Unlucky("too many\\nones")
        return 2 * (state[0] % 2)"""
"""The rules cannot stand a game of five ones."""
ROWS, COLUMNS = (axis.ravel() for axis in np.indices((20, 20)).astype(np.uint64))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return bits(tmp_path_factory.mktemp("games"), SCORE, "uct:simulations=1")


def message(program, where):
    return (
        f"bits: the rules raise Unlucky: too many ones, with {program.player.text} and {where}; "
        f"correct line {LINE + 2} of {program.game.source}"
    )


def failing_cells(program):
    """Return the cells that fail when each is played on its own."""
    failing = []
    for cell in range(len(ROWS)):
        alone = slice(cell, cell + 1)
        try:
            program.play(ROWS[alone], COLUMNS[alone], program.workspace())
        except SpecificationError:
            failing.append(cell)
    return failing


def test_the_message_names_the_game_the_seeds_and_the_line(program):
    failing = failing_cells(program)
    assert 0 < failing[0] < failing[-1] < len(ROWS), "this needs sound games before the first"
    expected = [message(program, f"seeds {ROWS[cell]} and {COLUMNS[cell]}") for cell in failing]
    with pytest.raises(SpecificationError) as caught:
        program.play(ROWS, COLUMNS, program.workspace())
    assert str(caught.value) == expected[0]
    for arena in (ThreadArena(2, block=1), ThreadArena(2, block=64), ThreadArena(2)):
        with pytest.raises(SpecificationError) as caught:
            list(arena.play(program, ROWS, COLUMNS))
        assert str(caught.value) in expected


@pytest.mark.slow
def test_choosing_a_move_names_the_moves_before(program):
    searching = Program(program.game, load_player("uct:simulations=50"))  # tries every move
    with pytest.raises(SpecificationError) as caught:
        searching.choose([1, 1, 1, 1], 7)
    assert str(caught.value) == message(searching, "seed 7 after one one one one")


# In a process of its own: threads that wait for ever would keep this one from ending.
(EVERY_BLOCK_RAISES,) = programs(__file__)


def test_the_arena_ends_when_every_block_raises(program):
    done = ran("-c", EVERY_BLOCK_RAISES, program.game.source)
    assert done.stdout.count("bits: the rules raise Unlucky") == 15


@pytest.mark.parametrize("columns", [COLUMNS[:1], COLUMNS[:0], COLUMNS.reshape(20, 20)])
def test_sides_of_other_lengths_are_refused(program, columns):
    with pytest.raises(ValueError, match=r"rows of shape \(400,\) against columns of"):
        program.play(ROWS, columns, program.workspace())
