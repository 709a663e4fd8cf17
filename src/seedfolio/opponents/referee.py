"""Who knows the rules of a game: one interface for games and for the judges of engines."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.engines.clock import GameClocks
from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.interface import IllegalMoveError, Judge
from seedfolio.engines.play.adjudication import Adjudicator
from seedfolio.engines.play.book_side import looked_up
from seedfolio.engines.record import GameRecord
from seedfolio.engines.specification.positions import position_in
from seedfolio.errors import SpecificationError
from seedfolio.games.board import PASS
from seedfolio.games.game import Game
from seedfolio.games.go.area import margin_text
from seedfolio.games.rules import CHANCE
from seedfolio.opponents.go_limits import limits_by, no_limits
from seedfolio.opponents.seat import ResignedError, Seat

History = tuple[int, ...]
_OPENING = "book"
"""What is noted of the moves of an opening, as in fastchess."""
SKIPPED = -1
"""In a history of Go: a colour moved twice in a row, and the other had no turn between."""
_WON_BY = ("W+1", "0", "B+1")
"""Results as GTP writes them, by the half points of the first player."""


class WrongOpeningError(SpecificationError):
    """An opening has an illegal move."""


class Referee(Protocol):
    """The rules. A history is all moves so far, by number.

    Protocols such as GTP allow more than the rules: a colour may move twice in a row, or after both
    have passed. `turn_of` and `pass_at_end` make such moves legal where a game has a pass.
    """

    def mover(self, history: Sequence[int]) -> int | None:
        """Return the colour to move, or CHANCE; None when the game is over."""
        ...

    def legal(self, history: Sequence[int]) -> Sequence[int]:
        """Return the moves that may be legal now; none when the game is over."""
        ...

    def allows(self, history: Sequence[int], move: int) -> bool:
        """Tell whether a move, or a try, is legal now."""
        ...

    def refused(self, history: Sequence[int]) -> bool:
        """Tell whether the last move was a try that the rules refuse."""
        ...

    def points(self, history: Sequence[int]) -> int | None:
        """Return the points of the first player; None before the game is over.

        They are half points, unless the game is played for payoffs.
        """
        ...

    def score(self, history: Sequence[int]) -> str | None:
        """Return the result as GTP writes it: `B+3.5`, `W+1`, or `0`; None before the end."""
        ...

    def name(self, history: Sequence[int], move: int) -> str:
        """Return the name of a move after `history`."""
        ...

    def parse(self, history: Sequence[int], text: str) -> int:
        """Return the move with a name; SpecificationError if there is none."""
        ...

    def turn_of(self, colour: int, history: History) -> History:
        """Return `history`, changed so that it is the turn of `colour`.

        SpecificationError if the rules do not allow it.
        """
        ...

    def pass_at_end(self, history: Sequence[int]) -> int | None:
        """Return the pass if the game is over and one more pass changes nothing; else None."""
        ...

    def draw(self, history: Sequence[int]) -> str:
        """Return the whole board as text, or else the moves."""
        ...

    def close(self) -> None:
        """End all processes; they start again when needed."""
        ...


class GameReferee:
    """The rules of a game of Seedfolio."""

    def __init__(self, game: Game) -> None:
        self._game = game
        names = [name.lower() for name in game.rules.move_names]
        self._pass = names.index(PASS) if PASS in names else None

    def mover(self, history: Sequence[int]) -> int | None:
        """Return the colour to move, or CHANCE; None when the game is over."""
        position = self._game.position(history)
        return position.mover if position.moves else None

    def legal(self, history: Sequence[int]) -> Sequence[int]:
        """Return the legal moves, or in games that refuse some the moves to try."""
        return self._game.position(history).moves

    def allows(self, history: Sequence[int], move: int) -> bool:
        """Tell whether a move, or a try, is legal now."""
        return move in self.legal(history)

    def refused(self, history: Sequence[int]) -> bool:
        """Tell whether the last move was a try that the rules refuse."""
        return self._game.position(history).refused

    def points(self, history: Sequence[int]) -> int | None:
        """Return the points of the first player; None before the game is over."""
        return self._game.position(history).score

    def score(self, history: Sequence[int]) -> str | None:
        """Return the result as GTP writes it; in Go, the score of the current board."""
        text = margin_text(self._game, history)
        points = self.points(history) if text is None else None
        return text if points is None else _WON_BY[points]

    def name(self, history: Sequence[int], move: int) -> str:
        """Return the name of a move, which is the same in every position."""
        return self._game.move_name(move)

    def parse(self, history: Sequence[int], text: str) -> int:
        """Return the move with a name; SpecificationError if there is none."""
        return self._game.parse_move(text)

    def turn_of(self, colour: int, history: History) -> History:
        """Return `history` with a pass of the other colour, or without the passes at its end."""
        mover = self.mover(history)
        if mover is None:
            return self.turn_of(colour, self._resumed(history))
        if mover == colour:
            return history
        if self._pass is None or not self.allows(history, self._pass):
            passing = "" if self._pass is None else ", and a pass is not legal"
            raise SpecificationError(f"it is the turn of {('Black', 'White')[mover]}{passing}")
        return self.turn_of(colour, (*history, self._pass))

    def _resumed(self, history: History) -> History:
        """Return a history that ends with two passes without them and all between them.

        The only difference to the rules: a ko from before the passes still counts.
        """
        ends = [k for k, move in enumerate(history) if move == self._pass]
        if len(ends) < 2 or ends[-1] != len(history) - 1:
            raise SpecificationError("the game is over")
        first = ends[-2]
        if not all(self.refused(history[:k]) for k in range(first + 2, len(history))):
            raise SpecificationError("the game is over")
        return history[:first]

    def pass_at_end(self, history: Sequence[int]) -> int | None:
        """Return the pass if the game has one and is over; else None."""
        return self._pass if self.mover(history) is None else None

    def draw(self, history: Sequence[int]) -> str:
        """Return the whole board as text."""
        return self._game.draw(history)

    def close(self) -> None:
        """Do nothing: there is no process."""


class JudgeReferee:
    """The judge of an external engine, for one game at a time.

    In Go a colour may move at any time, as in GTP, and moves have the numbers that they have in
    Seedfolio's game; `board` is the size.
    """

    def __init__(self, judge: Judge, board: int | None = None, start: str = "") -> None:
        self._judge = judge
        self._board = board
        self._start = start
        """The position from which the game begins, as it stands before the moves of an opening."""
        self._begin()

    def mover(self, history: Sequence[int]) -> int | None:
        """Return the colour to move; None when the game is over."""
        judge = self._after(history)
        return judge.mover if judge.points() is None else None

    def legal(self, history: Sequence[int]) -> Sequence[int]:
        """Return the moves that may be legal now: in Go all points, also after two passes."""
        judge = self._after(history)
        over = self._board is None and judge.points() is not None
        return () if over else [self._ours(number) for number in judge.numbers()]

    def allows(self, history: Sequence[int], move: int) -> bool:
        """Tell whether a move is legal now; in Go the judge's process knows."""
        self._after(history)
        try:
            self._play(move, known=False)
        except IllegalMoveError:
            return False
        return True

    def refused(self, history: Sequence[int]) -> bool:
        """Return False: no engine plays a game with hidden information."""
        return False

    def points(self, history: Sequence[int]) -> int | None:
        """Return the half points of the first player; None before the game is over."""
        return self._after(history).points()

    def score(self, history: Sequence[int]) -> str | None:
        """Return the result as GTP writes it; None before the game is over."""
        points = self.points(history)
        return None if points is None else self._judge.score or _WON_BY[points]

    def name(self, history: Sequence[int], move: int) -> str:
        """Return the name of a move after `history`, in Go in capital letters."""
        self._after(history)
        try:
            name = self._named(move)
        except IllegalMoveError as illegal:
            raise SpecificationError(f"{illegal} is not a legal move") from illegal
        return name if self._board is None else name.upper()

    def parse(self, history: Sequence[int], text: str) -> int:
        """Return the move with a name; SpecificationError if there is none."""
        try:
            return self.number(history, text.lower())
        except IllegalMoveError as illegal:
            raise SpecificationError(f"{text} is not legal now") from illegal

    def number(self, history: Sequence[int], move: str) -> int:
        """Return the move that an engine names; IllegalMoveError if there is none."""
        return self._ours(self._after(history).number(move))

    def turn_of(self, colour: int, history: History) -> History:
        """Return `history`; in Go, the other colour perhaps loses its turn."""
        if self._board is not None:
            return history if self._after(history).mover == colour else (*history, SKIPPED)
        mover = self.mover(history)
        if mover is None:
            raise SpecificationError("the game is over")
        if mover != colour:
            raise SpecificationError("it is the other colour's turn")
        return history

    def pass_at_end(self, history: Sequence[int]) -> int | None:
        """Return None: no engine's game has ended while there is a pass."""
        return None

    def draw(self, history: Sequence[int]) -> str:
        """Return the moves: a judge has no board to show."""
        return " ".join(name for _, name in self.told(history))

    def told(self, history: Sequence[int]) -> list[tuple[int, str]]:
        """Return the moves as engines hear them, each with its mover."""
        self._after(history)
        return [(mover, name) for mover, name, _ in self._played if name]

    def book_move(
        self, history: Sequence[int], words: NDArray[np.uint64], colour: int, luck: int
    ) -> str | None:
        """Return the move of a colour's book; None if it has none, or if a move was out of turn."""
        judge = self._after(history)
        if SKIPPED in self._known or judge.mover != colour:
            return None
        played = [(mover, number) for mover, _, number in self._played]
        found = looked_up(words, colour, luck, played)
        return None if found is None else judge.name(found)

    def close(self) -> None:
        """End the judge; it starts again when needed."""
        self._judge.close()
        self._begin()

    def _begin(self) -> None:
        self._judge.new_game()
        if self._start:
            self._judge.play(self._start, known=True)
        self._known: History = ()
        self._played: list[tuple[int, str, int]] = []
        """Each mover and move, by name and by the judge's number."""

    def _after(self, history: Sequence[int]) -> Judge:
        """Return the judge after `history`, most of which it often knows."""
        moves = tuple(history)
        if moves[: len(self._known)] != self._known:
            self._begin()
        for move in moves[len(self._known) :]:
            try:
                self._play(move, known=True)
            except IllegalMoveError as illegal:
                raise SpecificationError(f"{illegal} is not a legal move") from illegal
        return self._judge

    def _play(self, move: int, known: bool) -> None:
        mover = self._judge.mover
        if move == SKIPPED:
            name, number = "", SKIPPED
            self._judge.play(PASS, known=True)
        else:
            name = self._named(move)
            number = self._judge.number(name)
            self._judge.play(name, known)
        self._known = (*self._known, move)
        self._played.append((mover, name, number))

    def _named(self, move: int) -> str:
        if self._board is None:
            return self._judge.name(move)
        row, column = divmod(move, self._board + 1)
        if column == self._board:
            raise IllegalMoveError(f"number {move}")
        return self._judge.name(row * self._board + column)

    def _ours(self, number: int) -> int:
        if self._board is None:
            return number
        row, column = divmod(number, self._board)
        return row * (self._board + 1) + column


def play_out(
    referee: Referee,
    seats: Sequence[Seat],
    *,
    opening: Sequence[str] = (),
    adjudicator: Adjudicator | None = None,
    clocks: GameClocks | None = None,
    limit: int | None = None,
    noted: bool = False,
    stopped: Callable[[], bool] = lambda: False,
) -> GameRecord | None:
    """Return a whole game between two seats; None if it is stopped on the way.

    It begins with the moves of `opening`; a position before them is known to all. At `limit` moves
    it is a draw. The first seat draws for chance: all seats of a game have the same luck. A program
    that fails loses. If `noted`, the record has what programs say of their moves.
    """
    names: list[str] = []
    notes: list[str] = []

    def record(ending: Ending, points: int, detail: str = "") -> GameRecord:
        return GameRecord(
            arms=(seats[0].number, seats[1].number),
            moves=tuple(names),
            points=points,
            ending=ending,
            detail=detail,
            notes=tuple(notes) if noted else (),
        )

    history = opened(referee, opening)
    names += opening
    notes += [_OPENING] * len(opening)
    while not stopped():
        mover = referee.mover(history)
        if mover is None:
            return record(Ending.NORMAL, referee.points(history) or 0)
        if adjudicator is not None and (over := adjudicator.verdict(len(names))) is not None:
            return record(*over)
        if limit is not None and len(history) >= limit:
            return record(Ending.MOVE_LIMIT, 1)
        seat = seats[max(mover, 0)]
        lost = 2 * mover  # half points of the first player if this colour loses
        try:
            if mover == CHANCE:
                move = seat.draw_chance(history)
            else:
                limits = None
                if clocks is not None:
                    seat.follow(history)  # a start of a process does not count
                    limits = limits_by(clocks.clock(mover), clocks.times(mover), clocks.reserve)
                elif noted or adjudicator is not None:
                    limits = no_limits()
                began = time.monotonic()
                move = seat.choose(history, limits)
                taken = time.monotonic() - began
                if clocks is not None and not clocks.spend(mover, taken):
                    late = f"{seat.name} takes {taken:.3f} s for move {len(names) + 1}"
                    return record(Ending.TIME_LOSS, lost, late)
        except ResignedError:
            return record(Ending.RESIGNATION, lost)
        except EngineFaultError as fault:
            return record(fault.ending, lost, str(fault))
        name = referee.name(history, move)
        if not referee.allows(history, move):
            return record(Ending.ILLEGAL_MOVE, lost, illegal_move(seat.name, name, names))
        names.append(name)
        history = (*history, move)
        notes.append("" if mover == CHANCE else f"{seat.opinion} {taken:.3f}s".strip())
        if adjudicator is not None and mover != CHANCE:
            adjudicator.note(mover, seat.score)
    return None


def opened(referee: Referee, opening: Sequence[str]) -> History:
    """Return the history after an opening; WrongOpeningError if a move is illegal."""
    history: History = ()
    for move in opening:
        if position_in(move) is not None:
            continue
        try:
            number = referee.parse(history, move)
            legal = referee.allows(history, number)
        except SpecificationError:
            legal = False
        if not legal:
            raise WrongOpeningError(f"openings: {move} is illegal in {' '.join(opening)}")
        history = (*history, number)
    return history


def illegal_move(player: str, move: str, moves: Sequence[str]) -> str:
    """Return in words that a program plays an illegal move."""
    after = f"after {' '.join(moves).lower()}" if moves else "at the start"
    return f"{player} plays {move.lower()}, which is illegal {after}"
