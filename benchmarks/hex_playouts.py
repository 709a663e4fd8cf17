"""Random playouts of Havannah and Hex from the empty board: Seedfolio's, and OpenSpiel's in C++.

Run with `python -m benchmarks.hex_playouts`; it takes one core and about two minutes.
"""

import sys

from rich.console import Console
from rich.table import Table

from benchmarks.go_playouts import (
    ROUNDS,
    SLICE,
    add_row,
    by_openspiel,
    by_seedfolio,
    new_table,
    take_turns,
)
from seedfolio.games import load_game

REQUIRED = 20
"""How many times OpenSpiel's playouts a second are asked of us."""
BOARDS = {
    "havannah:base=4": "havannah(board_size=4)",
    "havannah:base=5": "havannah(board_size=5)",
    "havannah:base=8": "havannah(board_size=8)",
    "havannah:base=10": "havannah(board_size=10)",
    "hex:3x3": "hex(board_size=3)",
    "hex:9x9": "hex(board_size=9)",
    "hex:11x11": "hex(board_size=11)",
}
BATCH, THEIR_BATCH = 2_000, 100
"""Playouts between two looks at the clock."""

HEADER = f"""\
Havannah and Hex, random playouts from the empty board, on one core; all moves are
uniform. Ours of Hex fill the board, which does not change the winner. OpenSpiel:
RandomRolloutEvaluator, in C++, called by an MCTSBot for one simulation. CPU time,
both in this process, in turn for {SLICE:g} s each. The ratio is the median of {ROUNDS}
rounds with its 95% interval; a requirement within the interval is unclear, and
not missed."""


def compare(board: str, table: Table) -> bool:
    """Measure both, add them to the table, and tell whether the required ratio is not missed."""
    play_ours = by_seedfolio(load_game(board), BATCH)
    play_theirs = by_openspiel(BOARDS[board], THEIR_BATCH)
    return add_row(board, take_turns(play_ours, play_theirs), REQUIRED, table)


def main() -> bool:
    """Print the table; return whether no required ratio is missed."""
    print(HEADER)
    table = new_table()
    met = [compare(board, table) for board in BOARDS]
    Console().print(table)
    return all(met)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
