"""Random playouts of Havannah and Hex from the empty board: Seedfolio's, and OpenSpiel's in C++.

Run with `python -m benchmarks.hex_playouts`; it takes one core and about two minutes.
"""

import sys

from rich.console import Console
from rich.table import Table

from benchmarks.go_playouts import ROUNDS, SLICE, Tally, by_openspiel, by_seedfolio
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
both in this process, in turn for {SLICE:g} s each."""


def compare(board: str, table: Table) -> bool:
    """Measure both, add them to the table, and tell whether the required ratio is met."""
    play_ours = by_seedfolio(load_game(board), BATCH)
    play_theirs = by_openspiel(BOARDS[board], THEIR_BATCH)
    ours, theirs, ratios = Tally(), Tally(), []
    for _ in range(ROUNDS):
        one, other = Tally(), Tally()
        one.play(play_ours)
        other.play(play_theirs)
        ratios.append(one.rate / other.rate)
        for whole, part in ((ours, one), (theirs, other)):
            whole.playouts += part.playouts
            whole.seconds += part.seconds
    ratio = ours.rate / theirs.rate
    met = ratio >= REQUIRED
    verdict = f"{REQUIRED}, {'[green]met[/]' if met else '[red]missed[/]'}"
    rates = f"{ours.rate:,.0f}", f"{theirs.rate:,.0f}"
    spread = f"{min(ratios):.1f} to {max(ratios):.1f}"
    table.add_row(board, *rates, f"{ratio:.1f}", spread, verdict)
    return met


def main() -> bool:
    """Print the table; return whether every required ratio is met."""
    print(HEADER)
    table = Table("board")
    for heading in ("Seedfolio / s", "OpenSpiel / s", "ratio", "of each round", "required"):
        table.add_column(heading, justify="right")
    met = [compare(board, table) for board in BOARDS]
    Console().print(table)
    return all(met)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
