"""What a book keeps against an opponent who learns, for several values of `book:hold`.

    python -m experiments.holding breakthrough:5x5@uct:simulations=10 --games 100000

A line for the original and one for each value (0: the usual book): success in percent against an
unseen seed of the original (K'=1), and against the strongest opponent of `seedfolio exploit`, who
learns from as many games, with its 95% interval.
"""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from seedfolio import boost, exploit
from seedfolio.core.table import percent
from seedfolio.matches.exploit import Exploit


def main(
    program: str,
    games: Annotated[int, typer.Option(help="Games of the book, and of each opponent.")],
    hold: Annotated[list[float] | None, typer.Option(help="Values; repeat it for several.")] = None,
    opponents: int = 300,
) -> None:
    """Learn a book for each value, and learn against it."""
    asked: dict[str, Any] = {"opponents": opponents, "study": ":memory:", "progress": False}
    rival = exploit(program, budget=games, **asked)
    print(f"{program}, {games:,} games")
    print(f"{'original':10} K'=1 50.0 {_left(rival)}", flush=True)
    for value in hold or (0, 0.1, 0.25, 0.5, 0.75, 0.9):
        began = time.perf_counter()
        learner = f"book:hold={value:g}" if value else "book"
        boosted = boost(program, learners=learner, budget=games, **asked)
        (row,) = (row for row in boosted.rows if row.name == learner)
        seconds = time.perf_counter() - began
        rival = exploit(boosted.portfolios[learner], budget=games, **asked)
        print(f"hold {value:<5g} K'=1 {row.estimates[0].text} {_left(rival)}, {seconds:.0f} s")


def _left(rival: Exploit) -> str:
    found = rival.success
    low, high = percent(1 - found.high), percent(1 - found.low)
    return f"learns {percent(1 - found.mean)} ({low} to {high}), {rival.strongest}"


if __name__ == "__main__":
    typer.run(main)
