"""A book in front of the same program with more simulations, and in front of fewer.

    python -m experiments.book_transfer studies/domineering-7x7-...-book.json -s 1000 -s 10000

A line for each number of simulations: success in percent at K'=1 and 16 of that program with the
book, against unseen seeds of that program without, and of that program itself. The book was learnt
for the program in its file.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.options import ArenaOption, ThreadsOption
from seedfolio.arena.choice import find_arena
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.books import evaluate_books
from seedfolio.players.program import thinking
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio
from seedfolio.portfolios.file import load_portfolio
from seedfolio.study.session import Session
from seedfolio.study.store import Study


def main(
    file: Annotated[Path, typer.Argument(help="A portfolio file with a book.")],
    simulations: Annotated[list[int], typer.Option("--simulations", "-s")],
    opponents: Annotated[int, typer.Option(min=17, help="Unseen seeds of each colour.")] = 100,
    own: Annotated[int, typer.Option(min=2, help="Our seeds that meet each opponent.")] = 32,
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
) -> None:
    """Print a row for each number of simulations."""
    portfolio = load_portfolio(file)
    if portfolio.book is None:
        raise SpecificationError(f"{file} holds no book")
    learnt = portfolio.program(file.parent)
    book = portfolio.book.portfolio(learnt.game)
    playing = find_arena(arena, threads)
    print("| simulations | book, K'=1 | K'=16 | original, K'=1 | K'=16 |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for number in simulations:
        player: Any = learnt.player
        program = thinking(learnt, replace(player, simulations=number))
        texts = []
        with Study.temporary(program.identity()) as study:
            session = Session(study, playing, program)
            for plays in (book, BookPortfolio(ORIGINAL, ORIGINAL)):
                success = evaluate_books(session, plays, opponents, own).success
                texts += [success[0].text, success[-1].text]
        print(f"| {number:,} | {' | '.join(texts)} |", flush=True)


if __name__ == "__main__":
    typer.run(main)
