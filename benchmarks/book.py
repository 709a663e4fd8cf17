"""What a book costs where it does not help: time a move of a program with a book and without one.

Run with `python -m benchmarks.book`; it takes one core and about a minute.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.noise import coloured, judge, median_interval
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import Book, one_book, packed
from seedfolio.programs.built_in import load_built_in

PROGRAMS = [
    ("phantom-go:5x5", "flat:playouts=100"),
    ("domineering:7x7", "uct:simulations=100"),
    ("breakthrough:6x6", "uct:simulations=100"),
]
ENTRIES = 100_000
MOST = 0.01
"""How much more time a move may take."""
ROUNDS = 25
SLICE = 0.25
"""Seconds that each program plays in a round."""

HEADER = f"""\
The time that a book costs. Both colours have a book of {ENTRIES:,} entries, of which
none is ever met, so that all moves are searched for and the games are those of
the original. In whole games: as arenas play them; move by move: as people and
other programs are played, the game so far replayed for each move. In {ROUNDS} rounds
both play the same games one after the other; CPU time of one thread, the median
ratio and its 95% interval. A requirement within the interval is unclear, and not
missed. A move out of a book takes no search at all."""


def with_useless_book(program: Program) -> Program:
    random = np.random.default_rng(1)
    nothing = np.zeros(ENTRIES)
    books = []
    for _ in (0, 1):
        states = np.unique(random.integers(1, 2**64 - 1, ENTRIES, np.uint64))
        numbers = nothing.astype(np.int64)[: len(states)]
        words, values = numbers.astype(np.uint64), nothing[: len(states)]
        books.append(Book(states, numbers, numbers, numbers, values, values, words, words))
    return program.with_books(packed([one_book(book) for book in books]))


def whole_games(program: Program) -> Callable[[int, int], None]:
    workspace = program.workspace()

    def play(first: int, games: int) -> None:
        seeds = np.arange(first, first + games, dtype=np.uint64)
        program.play(seeds, seeds, workspace)

    return play


def move_by_move(program: Program) -> Callable[[int, int], None]:
    workspace = program.workspace()

    def play(first: int, games: int) -> None:
        for seed in range(first, first + games):
            history: list[int] = []
            while program.game.position(history).moves:
                history.append(program.choose(history, seed, 0, workspace))

    return play


def seconds(play: Callable[[int, int], None], first: int, games: int) -> float:
    began = time.thread_time()
    play(first, games)
    return time.thread_time() - began


def ratios(original: Callable[[int, int], None], booked: Callable[[int, int], None]) -> list[float]:
    for play in (original, booked):
        play(0, 1)  # compile first
    games = max(1, int(10 * SLICE / max(seconds(original, 0, 10), 1e-6)))
    found = []
    for number in range(ROUNDS):
        order = (original, booked) if number % 2 else (booked, original)
        taken = {play: seconds(play, number * games, games) for play in order}
        found.append(taken[booked] / taken[original])
    return found


def compare(game: str, player: str, table: Table) -> bool:
    """Measure a program, add it to the table, and tell whether the book costs little enough."""
    program = load_built_in(game, player)
    booked = with_useless_book(program)
    met = True
    for how, play in (("whole games", whole_games), ("move by move", move_by_move)):
        more = median_interval([each - 1 for each in ratios(play(program), play(booked))])
        verdict = judge(more, at_most=MOST)
        met = met and verdict != "missed"
        interval = f"{more.low:+.2%} {more.high:+.2%}"
        asked = f"{MOST:.1%}, {coloured(verdict)}"
        table.add_row(program.title, how, f"{more.middle:+.2%}", interval, asked)
    return met


def main() -> bool:
    """Print the table; return whether no book costs more than it may."""
    print(HEADER)
    table = Table("program", "played")
    for heading in ("more time a move", "95% interval", "at most"):
        table.add_column(heading, justify="right")
    met = [compare(*program, table) for program in PROGRAMS]
    Console().print(table)
    return all(met)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
