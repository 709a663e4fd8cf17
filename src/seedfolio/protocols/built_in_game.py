"""One game of a built-in program that is served to others by a protocol."""

from __future__ import annotations

from seedfolio.errors import SpecificationError
from seedfolio.games.board import PASS
from seedfolio.games.game import Game
from seedfolio.games.go.area import margin_text
from seedfolio.opponents.seat import CompiledSeat
from seedfolio.protocols.go_limits import GoLimits


class BuiltInGame:
    """A game of a built-in player.

    Protocols allow more than the rules: a colour may move twice in a row, or go on after both have
    passed. In games with a pass, we insert or remove passes to make such moves legal. In games
    that refuse tries, the program tries until a move is legal; it sees only its own view.
    """

    def __init__(self, game: Game, arms: tuple[CompiledSeat, CompiledSeat]) -> None:
        self._game = game
        self._arms = arms
        self._moves: list[str] = []
        self._histories: list[tuple[int, ...]] = [()]
        """The history by the rules after each move, with refused tries and inserted passes."""
        names = [name.lower() for name in game.rules.move_names]
        self._pass = names.index(PASS) if PASS in names else None

    @property
    def arms(self) -> tuple[str, str]:
        """The names of its arms, as first and as second player."""
        return self._arms[0].name, self._arms[1].name

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves so far, without refused tries."""
        return tuple(self._moves)

    @property
    def history(self) -> tuple[int, ...]:
        """The history by the rules."""
        return self._histories[-1]

    @property
    def mover(self) -> int | None:
        """The colour to move; None when the game is over."""
        position = self._game.position(self.history)
        return position.mover if position.moves else None

    def play(self, colour: int, move: str) -> None:
        """Play a move of `colour`, which anybody may have chosen."""
        number = self._game.parse_move(move)
        if number == self._pass and self.mover is None:
            self._keep(number, self.history)  # one more pass changes nothing
            return
        history = self._turn_of(colour, self.history)
        if number not in self._game.position(history).moves:
            raise SpecificationError(f"{self._game.move_name(number)} is not legal now")
        history = (*history, number)
        if self._game.position(history).refused:
            raise SpecificationError(f"{self._game.move_name(number)} is refused by the rules")
        self._keep(number, history)

    def choose(self, colour: int, limits: GoLimits | None = None) -> str:
        """Return the move of the program as `colour`; the move counts as played."""
        if self.mover is None and self._pass is not None:
            return self._keep(self._pass, self.history)
        history = self._turn_of(colour, self.history)
        while True:
            arm = self._arms[colour]
            move = arm.choose(history) if limits is None else limits.choose(arm, history)
            history = (*history, move)
            if not self._game.position(history).refused:
                return self._keep(move, history)

    def undo(self) -> None:
        """Take back the last move and the refused tries before it."""
        if not self._moves:
            raise SpecificationError("there is no move to take back")
        self._moves.pop()
        self._histories.pop()

    def draw(self) -> str:
        """Return the whole board as text."""
        return self._game.draw(self.history)

    def refused(self) -> tuple[str, ...]:
        """Return the refused tries before the last move."""
        if not self._moves:
            return ()
        before, after = self._histories[-2:]
        game = self._game
        return tuple(
            game.move_name(after[k - 1])
            for k in range(len(before) + 1, len(after))
            if game.position(after[:k]).refused
        )

    def final_score(self) -> str:
        """Return the result as GTP writes it; in Go, the score of the current board."""
        text = margin_text(self._game, self.history)
        if text is not None:
            return text
        points = self._game.position(self.history).score
        if points is None:
            raise SpecificationError("the game is not over")
        return ("W+1", "0", "B+1")[points]

    def other_commands(self) -> tuple[str, ...]:
        """Return nothing: there is no other program."""
        return ()

    def pass_on(self, command: str) -> str:
        """Refuse: there is no other program."""
        raise SpecificationError("unknown command")

    def close(self) -> None:
        """Do nothing: there is no process."""

    def _keep(self, number: int, history: tuple[int, ...]) -> str:
        self._moves.append(self._game.move_name(number))
        self._histories.append(history)
        return self._moves[-1]

    def _turn_of(self, colour: int, history: tuple[int, ...]) -> tuple[int, ...]:
        """Return `history`, changed so that it is the turn of `colour`."""
        position = self._game.position(history)
        if not position.moves:
            return self._turn_of(colour, self._resumed(history))
        if position.mover == colour:
            return history
        if self._pass is None or self._pass not in position.moves:
            side = ("Black", "White")[position.mover]
            passing = "" if self._pass is None else ", and a pass is not legal"
            raise SpecificationError(f"it is the turn of {side}{passing}")
        return self._turn_of(colour, (*history, self._pass))

    def _resumed(self, history: tuple[int, ...]) -> tuple[int, ...]:
        """Return a history that ends with two passes without them and all between them.

        The only difference to the rules: a ko from before the passes still counts.
        """
        ends = [k for k, move in enumerate(history) if move == self._pass]
        if len(ends) < 2 or ends[-1] != len(history) - 1:
            raise SpecificationError("the game is over")
        first = ends[-2]
        between = range(first + 2, len(history))
        if not all(self._game.position(history[:k]).refused for k in between):
            raise SpecificationError("the game is over")
        return history[:first]
