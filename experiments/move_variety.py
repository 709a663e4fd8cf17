"""How much a book should vary its moves: success on unseen seeds, of each colour and of both.

    python -m experiments.move_variety breakthrough:6x6 uct:simulations=100 --games 20000000 \
        --learning 0.10:12,0.06:8,0.03:4 --played 0.10:12,0.06:8,0:1

A pair for each of our turns, the last for all later ones: how much less success than the best a
move may have, and between how many moves the book draws at most. Lines for each variety in play:
success in percent at K' = 1, 2, 4, 8 and 16 with standard errors, and the entries.
"""

from __future__ import annotations

import time
from typing import Annotated

import typer

from seedfolio.arena.choice import AUTO, find_arena
from seedfolio.evaluation.books import evaluate_books
from seedfolio.learning.book.mixture import Measuring, mixed_books
from seedfolio.learning.book.self_play import Experience, SelfPlay
from seedfolio.learning.book.several_moves import MoveVariety
from seedfolio.programs.load import load_program
from seedfolio.study.session import Session
from seedfolio.study.store import Study


def main(
    game: str,
    player: str,
    games: Annotated[int, typer.Option(help="Games of all books together.")],
    learning: Annotated[str, typer.Option(help="Variety while the books are learnt.")],
    played: Annotated[list[str], typer.Option(help="Variety in play; repeat it for several.")],
    books: Annotated[int, typer.Option("--books", "-b", help="Books learnt apart.")] = 1,
    opponents: int = 1000,
    own: Annotated[
        int | None, typer.Option(min=2, help="Our arms that meet each opponent; else as in boost.")
    ] = None,
) -> None:
    """Learn books of one variety, and evaluate them with others."""
    program = load_program(game, player)
    with Study.temporary(program.identity()) as study:
        session = Session(study, find_arena(AUTO), program)
        play = SelfPlay(session, program.book.turned, variety=_variety(learning))
        began = time.perf_counter()
        *_, last = play.rounds(Experience.none(books, play.pace.caution), games)
        experience = last.experience()
        seconds = time.perf_counter() - began
        print(f"{game}, {games:,} games, {books} books, learning {learning}: {seconds:.1f} s")
        unmeasured = Measuring(0, 0, books)
        for text in played:
            plays = mixed_books(play, experience, unmeasured, 16, _variety(text))
            found = evaluate_books(session, plays, opponents, own)
            for name, success in (
                ("both", found.success),
                ("first", found.first),
                ("second", found.second),
            ):
                columns = " ".join(f"{each.text:>9}" for each in success)
                print(f"played {text:30} {name:6} {columns}  entries {plays.sizes}", flush=True)


def _variety(text: str) -> MoveVariety:
    pairs = [pair.split(":") for pair in text.split(",")]
    return MoveVariety(tuple(float(a) for a, _ in pairs), tuple(int(b) for _, b in pairs))


if __name__ == "__main__":
    typer.run(main)
