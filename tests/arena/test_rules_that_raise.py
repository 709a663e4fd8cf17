"""Rules that raise an error in a rare position end the work, in one line that tells where."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from waiting import PATIENCE

from seedfolio.arena.threads import ThreadArena
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.program import Program

# Two players append 0 or 1 in turn; the rules cannot stand a game of five ones.
GAME = """
from numba import int64
from seedfolio.core.compiler import compiled
from seedfolio.games.board import Board
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

class Unlucky(Exception):
    pass

@game("bits", version=1, summary="append bits")
def bits(most: int = 4) -> Rules:
    @compiled
    def start():
        return int64(0), int64(0)

    @compiled
    def mover(state):
        return state[1] % 2

    @compiled
    def moves(state, out, at):
        if state[1] == 5:
            return 0
        out[at], out[at + 1] = 0, 1
        return 2

    @compiled
    def play(state, move):
        return state[0] + move, state[1] + 1

    @compiled
    def score(state):
        if state[0] > most:
            raise Unlucky("too many\\nones")
        return 2 * (state[0] % 2)

    @compiled
    def cells(state, out):
        out[0] = 0

    return Rules(
        start=start, mover=mover, moves=moves, play=play, score=score, cells=cells,
        move_names=["zero", "one"], max_moves=2, max_plies=5, board=Board(1, 1, "."),
    )
"""
LINE = 1 + GAME[: GAME.index("raise Unlucky")].count("\n")
ROWS, COLUMNS = (axis.ravel() for axis in np.indices((20, 20)).astype(np.uint64))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("games") / "bits.py"
    file.write_text(GAME)
    return file


@pytest.fixture(scope="module")
def program(path: Path) -> Program:
    return Program(load_game(str(path)), load_player("uct:simulations=1"))


def message(path: Path, where: str) -> str:
    return (
        "bits: the rules raise Unlucky: too many ones, with uct:simulations=1 and "
        f"{where}; correct line {LINE} of {path}"
    )


def failing_cells(program: Program) -> list[int]:
    """Return the cells that fail when each is played on its own."""
    failing = []
    for cell in range(len(ROWS)):
        alone = slice(cell, cell + 1)
        try:
            program.play(ROWS[alone], COLUMNS[alone], program.workspace())
        except SpecificationError:
            failing.append(cell)
    return failing


def test_the_message_names_the_game_the_seeds_and_the_line(program: Program, path: Path) -> None:
    failing = failing_cells(program)
    assert 0 < failing[0] < failing[-1] < len(ROWS), "this needs sound games before the first"
    with pytest.raises(SpecificationError) as caught:
        program.play(ROWS, COLUMNS, program.workspace())
    first = failing[0]
    assert str(caught.value) == message(path, f"seeds {ROWS[first]} and {COLUMNS[first]}")


def test_the_arena_says_the_same(program: Program, path: Path) -> None:
    failing = failing_cells(program)
    expected = [message(path, f"seeds {ROWS[cell]} and {COLUMNS[cell]}") for cell in failing]
    for arena in (ThreadArena(2, block=1), ThreadArena(2, block=64), ThreadArena(2)):
        with pytest.raises(SpecificationError) as caught:
            list(arena.play(program, ROWS, COLUMNS))
        assert str(caught.value) in expected


def test_choosing_a_move_names_the_moves_before(program: Program, path: Path) -> None:
    searching = Program(program.game, load_player("uct:simulations=50"))  # tries every move
    with pytest.raises(SpecificationError) as caught:
        searching.choose([1, 1, 1, 1], 7)
    expected = message(path, "seed 7 after one one one one")
    assert str(caught.value) == expected.replace("simulations=1 ", "simulations=50 ")


# In a process of its own: threads that wait for ever would keep this one from ending.
EVERY_BLOCK_RAISES = """
import sys
import numpy as np
from seedfolio.arena.threads import ThreadArena
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.program import Program

program = Program(load_game(sys.argv[1]), load_player("uct:simulations=50"))
seeds = np.arange(100, dtype=np.uint64)
for threads in (1, 2, 3) * 5:
    try:
        list(ThreadArena(threads, block=1).play(program, seeds, seeds))
    except SpecificationError as error:
        print(error)
"""


def test_the_arena_ends_when_every_block_raises(path: Path) -> None:
    command = [sys.executable, "-c", EVERY_BLOCK_RAISES, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.count("bits: the rules raise Unlucky") == 15


@pytest.mark.parametrize("columns", [COLUMNS[:1], COLUMNS[:0], COLUMNS.reshape(20, 20)])
def test_sides_of_other_lengths_are_refused(program: Program, columns: NDArray[np.uint64]) -> None:
    with pytest.raises(ValueError, match=r"rows of shape \(400,\) against columns of"):
        program.play(ROWS, columns, program.workspace())
