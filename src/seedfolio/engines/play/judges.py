"""Judges: they know the rules of a game between external engines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from seedfolio.engines.endings import EngineFaultError, OwnFailureError
from seedfolio.engines.interface import Arm, IllegalMoveError, Limits
from seedfolio.engines.protocols.gtp import COLOURS, GtpConnection, GtpSetup, start_game
from seedfolio.engines.protocols.process import Launch
from seedfolio.engines.specification.positions import game_from, position_in
from seedfolio.errors import EngineError
from seedfolio.games.board import GO_LETTERS, PASS
from seedfolio.games.game import Game

_SCORE = re.compile(r"[BW]\+\d+(\.\d+)?|0(\.0+)?", re.ASCII)
_REFEREE = Arm(0, {})


class BuiltInJudge:
    """The rules of a game of Seedfolio."""

    score = ""

    def __init__(self, game: Game) -> None:
        self._usual = game
        self.new_game()

    def new_game(self) -> None:
        """Begin at the start."""
        self._begin(self._usual)

    def _begin(self, game: Game) -> None:
        self._game = game
        self._history: list[int] = []
        self._position = game.position(())

    @property
    def mover(self) -> int:
        """The colour to move."""
        return self._position.mover

    def play(self, move: str, known: bool) -> None:
        """Play a move; IllegalMoveError if the rules do not allow it."""
        fen = position_in(move)
        if fen is not None and self._game is self._usual and not self._history:
            self._begin(game_from(fen))
            return
        self._history.append(self.number(move))
        self._position = self._game.position(self._history)

    def points(self) -> int | None:
        """Return the half points of the first player, or None before the game is over."""
        return self._position.score

    def number(self, move: str) -> int:
        """Return the number of a move in the game; IllegalMoveError if it is not legal now."""
        names = {self._game.move_name(each).lower(): each for each in self._position.moves}
        if move not in names:
            raise IllegalMoveError(move)
        return names[move]

    def name(self, number: int) -> str:
        """Return the move with a number; IllegalMoveError if it is not legal now."""
        if number not in self._position.moves:
            raise IllegalMoveError(f"number {number}")
        return self._game.move_name(number).lower()

    def numbers(self) -> Sequence[int]:
        """Return the numbers of all legal moves."""
        return self._position.moves

    def close(self) -> None:
        """Do nothing: there is no process."""

    def kill(self) -> None:
        """Do nothing: there is no process."""


class GoJudge:
    """The rules of Go and the score, from a separate GTP engine, the referee.

    The referee starts when it is first needed, and gets the moves only when there is a question
    about the position.
    """

    def __init__(self, launch: Launch, setup: GtpSetup, limits: Limits) -> None:
        self._launch = launch
        self._setup = setup
        self._limits = limits
        self._connection: GtpConnection | None = None
        self._killed = False
        self._moves: list[str] = []
        self.score = ""
        self._told: int | None = None
        """How many of the moves the referee knows; None before it has begun this game."""

    def new_game(self) -> None:
        """Begin at the start."""
        self._moves = []
        self.score = ""
        self._told = None

    @property
    def mover(self) -> int:
        """The colour to move."""
        return len(self._moves) % 2

    def play(self, move: str, known: bool) -> None:
        """Play a move; IllegalMoveError if the rules do not allow it."""
        if move != PASS and not self._on_board(move):
            raise IllegalMoveError(move)
        if not known and move != PASS:
            try:
                connection = self._set_up()
                success, _ = connection.try_command(f"play {COLOURS[self.mover]} {move}")
            except EngineFaultError as fault:
                raise self._failed(fault) from fault
            if not success:
                raise IllegalMoveError(move)
            self._told = len(self._moves) + 1
        self._moves.append(move)

    def points(self) -> int | None:
        """Return the half points of the first player after two passes, else None."""
        if self._moves[-2:] != [PASS, PASS]:
            return None
        self.score = self.final_score()
        return {"B": 2, "W": 0}.get(self.score[0], 1)

    def number(self, move: str) -> int:
        """Return the number of a point, row by row from below; passing comes last."""
        size = self._setup.board or 0
        if move == PASS:
            return size * size
        if not self._on_board(move):
            raise IllegalMoveError(move)
        return (int(move[1:]) - 1) * size + GO_LETTERS.lower().index(move[0])

    def name(self, number: int) -> str:
        """Return the point with a number, or passing."""
        size = self._setup.board or 0
        if not 0 <= number <= size * size:
            raise IllegalMoveError(f"number {number}")
        if number == size * size:
            return PASS
        return f"{GO_LETTERS[number % size].lower()}{number // size + 1}"

    def numbers(self) -> Sequence[int]:
        """Return the numbers of all points, and of passing."""
        return range((self._setup.board or 0) ** 2 + 1)

    def final_score(self) -> str:
        """Return the score of the position as GTP writes it: `B+3.5`, `W+1`, or `0`."""
        try:
            answer = self._set_up().ask("final_score", "move").strip().upper()
        except EngineFaultError as fault:
            raise self._failed(fault) from fault
        if not _SCORE.fullmatch(answer):
            raise OwnFailureError(
                f"the referee, {self._launch.text}, gives no score but {answer!r}"
            )
        return answer

    def close(self) -> None:
        """End the referee."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def kill(self) -> None:
        """End the referee at once, from any thread."""
        self._killed = True
        connection = self._connection
        if connection is not None:
            connection.kill()

    def _on_board(self, move: str) -> bool:
        size = self._setup.board or 0
        column, row = move[:1], move[1:]
        return column in GO_LETTERS[:size].lower() and row.isdecimal() and 1 <= int(row) <= size

    def _set_up(self) -> GtpConnection:
        """Return the referee with all moves on its board."""
        if self._connection is None:
            self._connection = self._connect()
            if self._killed:  # meanwhile
                self._connection.kill()
        if self._told is None:
            start_game(self._connection, self._setup, _REFEREE)
            self._told = 0
        for ply in range(self._told, len(self._moves)):
            self._connection.ask(f"play {COLOURS[ply % 2]} {self._moves[ply]}")
        self._told = len(self._moves)
        return self._connection

    def _connect(self) -> GtpConnection:
        try:
            return GtpConnection(self._launch, self._limits)
        except EngineFaultError:
            raise  # it has started
        except EngineError as error:
            raise EngineError(
                f"the referee: {error}, or install GNU Go (Debian: apt-get install gnugo)"
            ) from error

    def _failed(self, fault: EngineFaultError) -> OwnFailureError:
        if self._connection is not None:
            self._connection.close(polite=False)
            self._connection = None
        return OwnFailureError(f"the referee: {fault}")
