"""Who knows the rules of a game: one interface for games and for the judges of engines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from seedfolio.engines.interface import IllegalMoveError, Judge
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE
from seedfolio.opponents.seat import Seat


class Referee(Protocol):
    """The rules. A history is all moves so far, by number."""

    def mover(self, history: Sequence[int]) -> int | None:
        """Return the colour to move, or CHANCE; None when the game is over."""
        ...

    def legal(self, history: Sequence[int]) -> Sequence[int]:
        """Return the moves that may be legal now; none when the game is over."""
        ...

    def points(self, history: Sequence[int]) -> int | None:
        """Return the points of the first player; None before the game is over.

        They are half points, unless the game is played for payoffs.
        """
        ...

    def name(self, history: Sequence[int], move: int) -> str:
        """Return the name of a move after `history`."""
        ...

    def parse(self, history: Sequence[int], text: str) -> int:
        """Return the move with a name; SpecificationError if there is none."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...


class GameReferee:
    """The rules of a game of Seedfolio."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def mover(self, history: Sequence[int]) -> int | None:
        """Return the colour to move, or CHANCE; None when the game is over."""
        position = self._game.position(history)
        return position.mover if position.moves else None

    def legal(self, history: Sequence[int]) -> Sequence[int]:
        """Return the legal moves, or in games that refuse some the moves to try."""
        return self._game.position(history).moves

    def points(self, history: Sequence[int]) -> int | None:
        """Return the points of the first player; None before the game is over."""
        return self._game.position(history).score

    def name(self, history: Sequence[int], move: int) -> str:
        """Return the name of a move, which is the same in every position."""
        return self._game.move_name(move)

    def parse(self, history: Sequence[int], text: str) -> int:
        """Return the move with a name; SpecificationError if there is none."""
        return self._game.parse_move(text)

    def close(self) -> None:
        """Do nothing: there is no process."""


class JudgeReferee:
    """The judge of an external engine."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def mover(self, history: Sequence[int]) -> int | None:
        """Return the colour to move; None when the game is over."""
        judge = self._after(history)
        return judge.mover if judge.points() is None else None

    def legal(self, history: Sequence[int]) -> Sequence[int]:
        """Return the moves that may be legal now: in Go all points."""
        judge = self._after(history)
        return judge.numbers() if judge.points() is None else ()

    def points(self, history: Sequence[int]) -> int | None:
        """Return the half points of the first player; None before the game is over."""
        return self._after(history).points()

    def name(self, history: Sequence[int], move: int) -> str:
        """Return the name of a move after `history`."""
        return self._named(self._after(history), move)

    def parse(self, history: Sequence[int], text: str) -> int:
        """Return the move with a name; SpecificationError if there is none."""
        try:
            return self._after(history).number(text.lower())
        except IllegalMoveError as illegal:
            raise SpecificationError(f"{text} is not legal now") from illegal

    def close(self) -> None:
        """End the judge."""
        self._judge.close()

    def _after(self, history: Sequence[int]) -> Judge:
        self._judge.new_game()
        for move in history:
            self._judge.play(self._named(self._judge, move), known=True)
        return self._judge

    def _named(self, judge: Judge, move: int) -> str:
        try:
            return judge.name(move)
        except IllegalMoveError as illegal:
            raise SpecificationError(f"{illegal} is not a legal move") from illegal


def play_out(
    referee: Referee, seats: Sequence[Seat], stopped: Callable[[], bool] = lambda: False
) -> tuple[int, ...] | None:
    """Return the moves of a whole game between two seats; None if it is stopped on the way.

    The first seat draws for chance: all seats of a game have the same luck.
    """
    history: tuple[int, ...] = ()
    while (mover := referee.mover(history)) is not None:
        if stopped():
            return None
        seat = seats[max(mover, 0)]
        move = seat.draw_chance(history) if mover == CHANCE else seat.choose(history)
        history = (*history, move)
    return history
