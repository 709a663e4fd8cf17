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

Nothing is caught: a search that fails does so for both programs, and at the same moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from seedfolio.opponents.game_in_progress import GameInProgress
from seedfolio.opponents.seat import CompiledSeat
from seedfolio.players.program import Program

Arms = tuple[CompiledSeat, CompiledSeat]
"""Those of the original and of the boosted program for one game."""


def answered(now: GameInProgress, arms: Arms, program: int) -> GameInProgress:
    """Return the game after all moves of chance and of this program, until the visitor's turn."""
    original, boosted = arms
    plain = original.program
    if original.number == boosted.number and not now.table.rules.hides:
        return _after_answer(now, lambda history: searched(boosted, plain, history)[program])
    both = [_after_answer(now, lambda history: searched(original, plain, history)[1])]
    both += [_after_answer(now, lambda history: searched(boosted, plain, history)[1])]
    return both[program]


def searched(arm: CompiledSeat, plain: Program, history: Sequence[int]) -> tuple[int, int]:
    """Return the moves of an arm without its book and with it, after one search.

    `plain` is its program without a book.
    """
    room = plain.workspace()  # one for both: it takes longer to make than a look into the book
    move, from_book = arm.program.choose_noting(history, arm.number, arm.luck, room)
    own = plain.choose(history, arm.number, arm.luck, room) if from_book else move
    return own, move


def _after_answer(now: GameInProgress, move: Callable[[Sequence[int]], int]) -> GameInProgress:
    *_, after = now, *now.answers(move)
    return after
