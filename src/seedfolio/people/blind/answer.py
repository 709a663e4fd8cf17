"""The answer of a program in a blind game: the same searches, whichever of the two plays.

A book answers at once, some seeds search longer than others, and a program whose tries are refused
searches again. Who sees that in the times may know which program plays. So what is done for an
answer follows from the position and the key of the game, and not from the program:

- A move from a book costs a search, too. The same seed searches without the book.
- Both programs work out the whole answer, refused tries included, and that of one is thrown away.
- Where both have the same seed and nothing is hidden, one search gives the moves of both: outside
  of its book, a program plays as without it. So it is with books, which draw seeds as the original
  does. An answer then takes as long as the original's does everywhere, and in the book some
  microseconds more, for looking there.
- An engine knows the moves of its game, and must start again where its own move was thrown away.
  With a book that is so in most positions of the book and nowhere else. So with a book all engines
  start for each answer, and hear the moves so far. Without one, the engine that plays continues its
  game as in any match, and the other one starts again when it would have moved otherwise.

Nothing is caught: a search that fails does so for both programs, and at the same moment. Who would
resign does so when the searches of both are done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from seedfolio.opponents.game_in_progress import GameInProgress
from seedfolio.opponents.seat import ResignedError, Seat

Arms = tuple[Seat, Seat]
"""Those of the original and of the boosted program for one game."""
_Choose = Callable[[Sequence[int]], int]


def answered(now: GameInProgress, arms: Arms, program: int) -> GameInProgress:
    """Return the game after all moves of chance and of this program, until the visitor's turn.

    ResignedError if the program resigns.
    """
    original, boosted = arms
    if original.number == boosted.number and not now.table.rules.hides:
        after = _after_answer(now, _choosing(boosted, own=program == 0))
    else:
        both = [_after_answer(now, _choosing(each)) for each in arms]
        after = both[program]
    if boosted.has_book:
        for each in arms:
            each.close()
    if after is None:
        raise ResignedError(f"{arms[program].name} resigns")
    return after


def _choosing(seat: Seat, *, own: bool = False) -> _Choose:
    """Return how a seat chooses after a search; with `own`, what it would play without its book."""

    def choose(history: Sequence[int]) -> int:
        found = seat.searched(history)
        move = found.own if own else found.played
        if move is None:
            raise ResignedError(f"{seat.name} resigns")
        return move

    return choose


def _after_answer(now: GameInProgress, choose: _Choose) -> GameInProgress | None:
    """Return the game after an answer; None if the program resigns."""
    try:
        *_, after = now, *now.answers(choose)
    except ResignedError:
        return None
    return after
