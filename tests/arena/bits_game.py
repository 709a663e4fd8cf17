"""A game whose result can be anything that compiles, or does not, or raises an error."""

from pathlib import Path

from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.program import Program

# Two players append 0 or 1 in turn.
GAME = """
from numba import int64
from seedfolio.core.compiler import compiled
from seedfolio.games.board import Board
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

class Unlucky(Exception):
    pass

@game("bits", version=1, summary="append bits")
def bits() -> Rules:
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
        {score}

    @compiled
    def cells(state, out):
        out[0] = 0

    return Rules(
        start=start, mover=mover, moves=moves, play=play, score=score, cells=cells,
        move_names=["zero", "one"], max_moves=2, max_plies=5, board=Board(1, 1, "."),
    )
"""
LINE = 1 + GAME[: GAME.index("{score}")].count("\n")
"""Where the result is told."""


def bits(folder: Path, score: str, player: str) -> Program:
    """Return the game with these words for its result."""
    path = folder / "bits.py"
    path.write_text(GAME.format(score=score))
    return Program(load_game(str(path)), load_player(player))
