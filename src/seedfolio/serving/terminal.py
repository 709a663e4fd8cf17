"""A game between a person and a program, in the terminal.

The person sees only what their colour may see, and the whole board at the end of the game.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from seedfolio.errors import SpecificationError
from seedfolio.games.board import PASS
from seedfolio.games.game import Game, Position
from seedfolio.games.rules import CHANCE
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
    table = Table(game, arm, person, ask, say)
    table.play()
    return table.history, arm


def _nothing(history: list[int]) -> None:
    """Keep no moves."""


@dataclass
class Table:
    """One game in progress."""

    game: Game
    arm: ArmInPlay
    person: int
    ask: Callable[[str], str]
    say: Callable[[str], None]
    history: list[int] = field(default_factory=list)
    counts: bool = False
    """Whether the game counts: no move is taken back, and a person may resign."""
    changed: Callable[[list[int]], None] = _nothing
    """Called with the history after every move."""
    resigned: bool = False

    @property
    def can_undo(self) -> bool:
        """Whether undo reveals nothing that is hidden from a player: a stone, a die."""
        return not (self.game.rules.hides or self.game.rules.chance or self.counts)

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        game, say = self.game, self.say
        self._help()
        while (position := game.position(self.history)).moves:
            if position.mover == CHANCE:
                self._chance_draws()
            elif position.mover != self.person:
                self._program_moves()
            else:
                say(f"\n{game.draw(self.history, self.person)}")
                if not self._person_decides(position):
                    self._person_leaves()
                    return
        say("\nThe game is over. The whole board:" if game.rules.hides else "")
        say(game.draw(self.history))
        points = position.score if self.person == 0 else 2 - (position.score or 0)
        say({2: "You win.", 1: "A draw.", 0: "The program wins."}[points or 0])
        say(f"It played {self.arm.name}.")

    def _help(self) -> None:
        unmoved = HELP_TO_RESIGN if self.counts else HELP_WITHOUT_UNDO
        self.say(HELP if self.can_undo else unmoved)

    def _person_leaves(self) -> None:
        if self.resigned:
            self.say(f"You resign. It played {self.arm.name}.")
            return
        number = len(self.game.information(self.history, self.person).events) + 1
        # Who comes back to a game that counts must not know its arm.
        arm = "your game is kept" if self.counts else f"the program played {self.arm.name}"
        self.say(f"You left at move {number}; {arm}.")

    def _add(self, move: int) -> None:
        self.history.append(move)
        self.changed(self.history)

    def _chance_draws(self) -> None:
        move = self.arm.draw_chance(self.history)
        told = self._tells(move)
        self._add(move)
        if told:
            self.say(f"Chance: {self.game.move_name(move)}.")

    def _program_moves(self) -> None:
        """Let the program move or try; print what the person may notice."""
        move = self.arm.choose(self.history)
        before, name = self.history[:], self.game.move_name(move)
        told = self._tells(move)
        self._add(move)
        if not self.game.rules.hides:
            self.say(f"The program plays {name}.")
        elif name.lower() == PASS and told:
            self.say("The program passes.")
        elif self._events(before) != self._events(self.history):
            refused = self.game.position(self.history).refused
            self.say("A try of the program was refused." if refused else "The program has moved.")

    def _events(self, history: list[int]) -> tuple[int, ...]:
        return self.game.information(history, self.person).events

    def _tells(self, move: int) -> bool:
        """Tell whether the person can know the move from what they notice."""
        if not self.game.rules.hides:
            return True
        others = [other for other in self.game.position(self.history).moves if other != move]
        noticed = self._events([*self.history, move])
        silent = noticed == self._events(self.history)
        return not silent and all(self._events([*self.history, m]) != noticed for m in others)

    def _person_decides(self, position: Position) -> bool:
        """Add one decision of the person to the history; return False if they leave."""
        game, say = self.game, self.say
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
                    say(" ".join(game.move_name(move) for move in position.moves))
                case "resign" if self.counts:
                    self.resigned = True
                    return False
                case "undo":
                    if self._undo():
                        return True
                case _:
                    try:
                        move = game.parse_move(text)
                    except SpecificationError as error:
                        say(str(error))
                        continue
                    if move in position.moves:
                        self._person_moves(move)
                        return True
                    say(f"{game.move_name(move)} is not legal now; type moves to list legal moves.")

    def _person_moves(self, move: int) -> None:
        self._add(move)
        if self.game.position(self.history).refused:
            self.say(f"refused: {self.game.move_name(move)}; try another.")

    def _undo(self) -> bool:
        """Take back the person's last move and all later ones; return whether there was one."""
        if not self.can_undo:
            why = "that count" if self.counts else "with hidden information or chance"
            self.say(f"There is no undo in games {why}.")
            return False
        for length in reversed(range(len(self.history))):
            if self.game.position(self.history[:length]).mover == self.person:
                del self.history[length:]
                return True
        self.say("You have no move to take back.")
        return False
