"""What a book keeps against an opponent who learns, for several values of `book:hold`.

    python -m experiments.holding breakthrough:5x5@uct:simulations=10 --games 100000

A line for the original and one for each value (0: the usual book): success in percent against an
unseen seed of the original (K'=1) and against the best of 16, and against the strongest opponent of
`seedfolio exploit`, who learns from as many games, with its 95% interval; then against each kind of
them, on the seeds that choose the strongest.
"""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from seedfolio import boost, exploit
from seedfolio.core.table import percent
from seedfolio.errors import SpecificationError
from seedfolio.learning.registry import find_learner
from seedfolio.matches.exploit import Exploit


def main(
    program: str,
    games: Annotated[int, typer.Option(help="Games of the book, and of each opponent.")],
    hold: Annotated[
        list[str] | None, typer.Option(help="A value, or `original`; repeat it for several.")
    ] = None,
    opponents: int = 300,
) -> None:
    """Learn a book for each value, and learn against it."""
    values = hold or ["original", "0", "0.1", "0.25", "0.5", "0.75", "0.9"]
    try:
        learners = [None if value == "original" else _learner(value) for value in values]
    except (ValueError, SpecificationError) as error:
        raise typer.BadParameter(str(error)) from None
    asked: dict[str, Any] = {"opponents": opponents, "study": ":memory:", "progress": False}
    print(f"{program}, {games:,} games", flush=True)
    for value, learner in zip(values, learners, strict=True):
        if learner is None:
            print("original   K'=1 50.0", end=" ", flush=True)
            print(_left(exploit(program, budget=games, **asked)), flush=True)
            continue
        began = time.perf_counter()
        boosted = boost(program, learners=learner, budget=games, **asked)
        (row,) = (row for row in boosted.rows if row.name == learner)
        first, last = row.estimates[0].text, row.estimates[-1].text
        seconds = time.perf_counter() - began
        print(f"hold {value:<5} K'=1 {first}, K'=16 {last}, {seconds:.0f} s", end=" ", flush=True)
        rival = exploit(boosted.portfolios[learner], budget=games, **asked)
        print(_left(rival), flush=True)


def _learner(value: str) -> str:
    """Return the learner with a value of `hold`; 0 is the usual book."""
    learner = f"book:hold={float(value):g}" if float(value) else "book"
    find_learner(learner)
    return learner


def _left(rival: Exploit) -> str:
    found = rival.success
    low, high = percent(1 - found.high), percent(1 - found.low)
    kinds = ", ".join(
        f"{row.name} {percent(1 - row.estimates[0].mean)}"
        for row in rival.boost.rows
        if row.name in rival.boost.games
    )
    return f"learns {percent(1 - found.mean)} ({low} to {high}): {kinds}"


if __name__ == "__main__":
    typer.run(main)
