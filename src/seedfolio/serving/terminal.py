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
HELP_TO_RESIGN = "type a move, or: moves (list them), resign, help, quit (your game is kept)"


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
    table = TerminalGame(GameInProgress(game, arm, person), ask, say)
    table.play()
    return list(table.now.history), arm


def _keep_nothing(history: tuple[int, ...]) -> None:
    """Do nothing: the game is not kept."""


@dataclass
class TerminalGame:
    """A person at the terminal, with one game in progress."""

    now: GameInProgress
    ask: Callable[[str], str]
    say: Callable[[str], None]
    counts: bool = False
    """Whether the game counts: no move is taken back, and the person may resign."""
    keep: Callable[[tuple[int, ...]], None] = _keep_nothing
    """Called with the history after every move."""
    resigned: bool = False

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
                self._person_leaves()
                return
        game = self.now.game
        say("\nThe game is over. The whole board:" if game.rules.hides else "")
        say(game.draw(self.now.history))
        say({2: "You win.", 1: "A draw.", 0: "The program wins."}[self.now.points or 0])
        say(f"It played {self.now.arm.name}.")

    def _help(self) -> None:
        if self.counts:
            self.say(HELP_TO_RESIGN)
        else:
            self.say(HELP if self.now.can_undo else HELP_WITHOUT_UNDO)

    def _person_leaves(self) -> None:
        if self.resigned:
            self.say(f"You resign. It played {self.now.arm.name}.")
            return
        number = len(self.now.seen.events) + 1
        # Who comes back to a game that counts does not know its arm.
        arm = "your game is kept" if self.counts else f"the program played {self.now.arm.name}"
        self.say(f"You left at move {number}; {arm}.")

    def _proceed(self, after: GameInProgress) -> None:
        """Go on with the game; print what the person notices and does not know yet."""
        self.now = after
        self.keep(after.history)
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
                case "resign" if self.counts:
                    self.resigned = True
                    return False
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
        if self.counts or not self.now.can_undo:
            why = "that count" if self.counts else "with hidden information or chance"
            self.say(f"There is no undo in games {why}.")
            return False
        before = self.now.undone()
        if before is None:
            self.say("You have no move to take back.")
            return False
        self.now = before
        return True
