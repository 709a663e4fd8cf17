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
from seedfolio.serving.screen import Screen
from seedfolio.serving.typed_moves import typed_move

HELP = "type a move, or: moves (list them), undo, resign, help, quit"
HELP_WITHOUT_UNDO = "type a move, or: moves (list them), resign, help, quit"


def play_game(
    opponent: Opponent,
    person: int,
    key: int | None,
    *,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
    screen: Screen | None = None,
) -> PlayedGame:
    """Play one game; the person moves as colour `person`.

    It ends early when the person resigns, on `quit`, at the end of input and on an interrupt. The
    chance of the game and the program's arm come from `key`, fresh random bits if None.
    """
    game = opponent.program.game
    sides = game.rules.board.colours
    drawn = secrets.randbits(64) if key is None else key
    arm = opponent.new_game(1 - person, drawn)
    shown = Screen() if screen is None else screen
    players = f"you are {sides[person]}, {opponent.name} is {sides[1 - person]}."
    say(shown.wrapped(f"{game.title}: {players}"))
    table = _Table(game, arm, person, ask, say, shown)
    try:
        table.play()
    except (EOFError, KeyboardInterrupt):
        say("")  # the line of the prompt is not at its end
        table.leave()
    return PlayedGame(table.history, arm, table.resigned)


@dataclass(frozen=True)
class PlayedGame:
    """A game with a person, over or not."""

    history: list[int]
    arm: ArmInPlay
    """What the program played."""
    resigned: bool
    """Whether the person has resigned."""


@dataclass
class _Table:
    """One game in progress."""

    game: Game
    arm: ArmInPlay
    person: int
    ask: Callable[[str], str]
    say: Callable[[str], None]
    screen: Screen
    history: list[int] = field(default_factory=list)
    resigned: bool = False

    @property
    def can_undo(self) -> bool:
        """Whether undo reveals nothing that is hidden from a player: a stone, a die."""
        return not self.game.rules.hides and not self.game.rules.chance

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        game, say = self.game, self.say
        say(HELP if self.can_undo else HELP_WITHOUT_UNDO)
        while (position := game.position(self.history)).moves:
            if position.mover == CHANCE:
                self._chance_draws()
            elif position.mover != self.person:
                self._program_moves()
            else:
                say(f"\n{self._board(self.person)}")
                if not self._person_decides(position):
                    return
        say("\nThe game is over. The whole board:" if game.rules.hides else "")
        say(self._board(None))
        points = position.score if self.person == 0 else 2 - (position.score or 0)
        say({2: "You win.", 1: "A draw.", 0: "The program wins."}[points or 0])
        say(f"It played {self.arm.name}.")

    def leave(self) -> None:
        """Say that the person has left."""
        number = len(self.game.information(self.history, self.person).events) + 1
        self.say(f"You left at move {number}; the program played {self.arm.name}.")

    def _board(self, colour: int | None) -> str:
        """Return the board as a colour sees it, with the last move that it knows marked."""
        game = self.game
        last = self._last_known() if colour is not None else self.history[-1:]
        cells = [cell for move in last for cell in game.rules.board.cells_of(game.move_name(move))]
        return self.screen.board(game.rules.board, game.picture(self.history, colour), cells)

    def _last_known(self) -> list[int]:
        """Return the last move that the person knows: with hidden information, their own."""
        if not self.game.rules.hides:
            return self.history[-1:]
        for length in reversed(range(len(self.history))):
            before, after = self.history[:length], self.history[: length + 1]
            own = self.game.position(before).mover == self.person
            if own and not self.game.position(after).refused:
                return [self.history[length]]
        return []

    def _help(self) -> None:
        self.say(HELP if self.can_undo else HELP_WITHOUT_UNDO)
        names = [name for name in self.game.rules.move_names if name]
        example = f"Moves look like {names[0]} and {names[-1]}."
        self.say(self.screen.wrapped(self.game.rules.how_to_move or example))
        if any(self.game.rules.board.cells_of(name) for name in names[:1]):
            self.say("On the board, [ ] marks the last move, and ( ) a cell that it left empty.")

    def _chance_draws(self) -> None:
        move = self.arm.draw_chance(self.history)
        told = self._tells(move)
        self.history.append(move)
        if told:
            self.say(f"Chance: {self.game.move_name(move)}.")

    def _program_moves(self) -> None:
        """Let the program move or try; print what the person may notice."""
        move = self.arm.choose(self.history)
        before, name = self.history[:], self.game.move_name(move)
        told = self._tells(move)
        self.history.append(move)
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
        """Add one decision of the person to the history; return False if they end the game."""
        game, say = self.game, self.say
        while True:
            text = self.ask("your move> ").strip()
            match text.lower():
                case "quit" | "exit":
                    self.leave()
                    return False
                case "resign":
                    self.resigned = True
                    say(f"You resign. The program wins. It played {self.arm.name}.")
                    return False
                case "" | "help":
                    self._help()
                case "moves":
                    names = " ".join(game.move_name(move) for move in position.moves)
                    say(self.screen.wrapped(names))
                case "undo":
                    if self._undo():
                        return True
                case _:
                    try:
                        move = typed_move(text, game, position)
                    except SpecificationError as error:
                        say(str(error))
                        continue
                    self._person_moves(move)
                    return True

    def _person_moves(self, move: int) -> None:
        self.history.append(move)
        if self.game.position(self.history).refused:
            self.say(f"refused: {self.game.move_name(move)}; try another.")

    def _undo(self) -> bool:
        """Take back the person's last move and all later ones; return whether there was one."""
        if not self.can_undo:
            self.say("There is no undo in games with hidden information or chance.")
            return False
        for length in reversed(range(len(self.history))):
            if self.game.position(self.history[:length]).mover == self.person:
                del self.history[length:]
                return True
        self.say("You have no move to take back.")
        return False
