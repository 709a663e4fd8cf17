"""The answer of a program in a blind game: the same searches, whichever of the two plays.

A book answers at once, some seeds search longer than others, and a program whose tries are refused
searches again. Who sees that in the times may know which program plays. So the searches for an
answer depend on the position and on the key of the game, and not on the program:

- A move from a book costs a search, too. The same arm searches without its book, and the result is
  thrown away.
- Both programs work out the whole answer, refused tries included, and that of one is thrown away.
  One of them is enough where their arms have the same seed and nothing is hidden: a book draws its
  seeds as the original does. Then each move costs one search of this seed, as the original's does.

Nothing is caught: if a search fails, it fails for both programs, and at the same moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seedfolio.players.program import Program
from seedfolio.serving.game_in_progress import PERSON, PROGRAM, GameInProgress
from seedfolio.serving.opponent import ArmInPlay

Arms = tuple[ArmInPlay, ArmInPlay]
"""Those of the original and of the boosted program for one game."""


def answered(now: GameInProgress, arms: Arms, program: int) -> GameInProgress:
    """Return the game after all moves of chance and of this program, until the visitor's turn."""
    plain = arms[0].program
    if arms[0].number == arms[1].number and not now.table.rules.hides:
        return _after_answer(now, arms[program], plain)
    return [_after_answer(now, arm, plain) for arm in arms][program]


def searched_move(arm: ArmInPlay, plain: Program, history: Sequence[int]) -> int:
    """Return the move of an arm after a search; `plain` is its program without a book."""
    move, from_book = arm.program.choose_noting(history, arm.number, arm.luck)
    if from_book:
        plain.choose(history, arm.number, arm.luck)
    return move


def _after_answer(now: GameInProgress, arm: ArmInPlay, plain: Program) -> GameInProgress:
    while now.turn is not None and now.turn != PERSON:
        if now.turn == PROGRAM:
            now = replace(now, history=(*now.history, searched_move(arm, plain, now.history)))
        else:
            now = now.step()
    return now
