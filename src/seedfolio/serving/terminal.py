"""A game between a person and a program, in the terminal.

The person sees only what their colour may see, and the whole board at the end of the game.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from seedfolio.errors import SpecificationError
from seedfolio.serving.game_in_progress import PERSON, GameInProgress
from seedfolio.serving.opponent import ArmInPlay, Opponent

HELP = "type a move, or: moves (list them), undo, help, quit"
HELP_WITHOUT_UNDO = "type a move, or: moves (list them), help, quit"


def play_game(
    opponent: Opponent,
    person: int,
    key: int | None,
    *,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
) -> tuple[list[int], ArmInPlay]:
    """Play one game; the person moves as colour `person`. Ends early on `quit` or end of input.

    The chance of the game and the program's arm come from `key`, fresh random bits if None.
    Return the moves, and the arm that the program played.
    """
    game = opponent.program.game
    sides = game.rules.board.colours
    drawn = secrets.randbits(64) if key is None else key
    arm = opponent.new_game(1 - person, drawn)
    say(f"{game.title}: you are {sides[person]}, {opponent.name} is {sides[1 - person]}.")
    table = _Table(GameInProgress(game, arm, person), ask, say)
    table.play()
    return list(table.now.history), arm


@dataclass
class _Table:
    """A person at the terminal, with one game in progress."""

    now: GameInProgress
    ask: Callable[[str], str]
    say: Callable[[str], None]

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        say = self.say
        self._help()
        while (turn := self.now.turn) is not None:
            if turn != PERSON:
                self._proceed(self.now.step())
                continue
            say(f"\n{self.now.text}")
            if not self._person_decides():
                number = len(self.now.seen.events) + 1
                say(f"You left at move {number}; the program played {self.now.arm.name}.")
                return
        game = self.now.game
        say("\nThe game is over. The whole board:" if game.rules.hides else "")
        say(game.draw(self.now.history))
        say({2: "You win.", 1: "A draw.", 0: "The program wins."}[self.now.points or 0])
        say(f"It played {self.now.arm.name}.")

    def _help(self) -> None:
        self.say(HELP if self.now.can_undo else HELP_WITHOUT_UNDO)

    def _proceed(self, after: GameInProgress) -> None:
        """Go on with the game; print what the person notices and does not know yet."""
        self.now = after
        notice = after.notice(len(after.history) - 1)
        if notice is not None and (notice.by != PERSON or after.position.refused):
            self.say(notice.text)

    def _person_decides(self) -> bool:
        """Add one decision of the person to the history; return False if they leave."""
        game, say = self.now.game, self.say
        while True:
            try:
                text = self.ask("your move> ").strip()
            except EOFError:
                return False
            match text.lower():
                case "quit" | "exit":
                    return False
                case "" | "help":
                    self._help()
                case "moves":
                    say(" ".join(game.move_name(move) for move in self.now.position.moves))
                case "undo":
                    if self._undo():
                        return True
                case _:
                    try:
                        game.parse_move(text)
                    except SpecificationError as error:
                        say(str(error))
                        continue
                    try:
                        after = self.now.play(text)
                    except SpecificationError as error:
                        say(f"{error}; type moves to list legal moves.")
                        continue
                    self._proceed(after)
                    return True

    def _undo(self) -> bool:
        """Take back the person's last move and all later ones; return whether there was one."""
        if not self.now.can_undo:
            self.say("There is no undo in games with hidden information or chance.")
            return False
        before = self.now.undone()
        if before is None:
            self.say("You have no move to take back.")
            return False
        self.now = before
        return True
