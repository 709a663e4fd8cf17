"""How many books a budget is best spent on: success on unseen seeds, and games a second.

    python -m experiments.many_books domineering:7x7 uct:simulations=100 --games 90000 -b 1 -b 2

A line for each number of books: success in percent at K' = 1, 2, 4, 8 and 16, with standard errors,
the seconds of learning, games a second, and the share of that time in which a GPU played.
"""

from __future__ import annotations

import time
from typing import Annotated

import typer

from seedfolio.arena.cuda.arena import CudaArena, why_not_cuda
from seedfolio.arena.threads import ThreadArena
from seedfolio.evaluation.books import evaluate_books
from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.learner import Budget
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.programs.load import load_program
from seedfolio.study.session import Session
from seedfolio.study.store import Study


def main(
    game: str,
    player: str,
    games: Annotated[list[int], typer.Option(help="Games of all books together.")],
    books: Annotated[list[int], typer.Option("--books", "-b", help="Numbers of books.")],
    opponents: int = 300,
    own: Annotated[
        int | None, typer.Option(min=2, help="Our arms that meet each opponent; else as in boost.")
    ] = None,
) -> None:
    """Learn books of each number from each number of games, and evaluate them."""
    program = load_program(game, player)
    arena = CudaArena() if why_not_cuda() is None else ThreadArena()
    for budget in games:
        for number in books:
            with Study.temporary(program.identity()) as study:
                session = Session(study, arena, program)
                busy, began = _busy(arena), time.perf_counter()
                learnt = BookLearner(number).learn(session, Budget(budget))
                seconds = time.perf_counter() - began
                share = (_busy(arena) - busy) / seconds
                plays = learnt.plays
                assert isinstance(plays, BookPortfolio), "BookLearner learns books"
                found = evaluate_books(session, plays, opponents, own)
            columns = " ".join(f"{each.text:>9}" for each in found.success)
            print(
                f"{game} {budget:>9,} games, {number:>2} books: {columns}  "
                f"{seconds:.1f} s, {learnt.games / seconds:,.0f} games/s, GPU {share:.0%}, "
                f"entries {plays.sizes}",
                flush=True,
            )


def _busy(arena: object) -> float:
    timing = getattr(arena, "timing", None)
    return 0.0 if timing is None else float(timing.busy)


if __name__ == "__main__":
    typer.run(main)
