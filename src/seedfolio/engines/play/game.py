"""One game between two arms of external engines."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import is_opposing
from seedfolio.engines.clock import GameClocks
from seedfolio.engines.endings import (
    SOUND,
    Ending,
    EngineFaultError,
    OwnFailureError,
)
from seedfolio.engines.interface import RESIGN, Arm, Engine, IllegalMoveError, Judge
from seedfolio.engines.play.adjudication import Adjudicator
from seedfolio.engines.play.answers import BEGINNING, RESULT, Answers, contradiction, history_after
from seedfolio.engines.play.book_side import BookSide, Proposal, Trail
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.protocols.gtp import GtpEngine
from seedfolio.engines.protocols.uci import UciEngine
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError


def answer_after(
    engine: Engine, arm: Arm, movers: Sequence[int], moves: Sequence[str], *, scored: bool = False
) -> str:
    """Return the answer of an engine as `arm` after it gets all moves, each with its mover.

    `movers` has one more entry: the colour to move. If `scored`, the score follows the move.
    """
    engine.new_game(arm)
    for mover, move in zip(movers, moves, strict=False):
        engine.told(mover, move)
    return _answer(engine, movers[len(moves)], scored)


def _answer(engine: Engine, colour: int, scored: bool) -> str:
    move = engine.choose(colour)
    return f"{move} {engine.score}".rstrip() if scored else move


@dataclass
class _Seat:
    """An arm in a game; its engine starts when an answer is not known."""

    arm: Arm
    pool: EnginePool
    anew: bool = False
    """Whether each answer comes from a new process and so depends only on the moves so far."""
    engine: Engine | None = None
    knows: int = 0
    """How many moves of the game the engine has."""
    asked: int = 0
    book: BookSide | None = None
    proposer: Arm | None = None
    """An arm that is also asked what it would play in place of the book."""
    scored: bool = False
    """Whether an answer is a move and its score."""
    clocks: GameClocks | None = None

    def choose(self, movers: Sequence[int], moves: Sequence[str]) -> str:
        """Return the engine's answer after the moves, each with its mover."""
        if self.engine is None:
            self.engine = self.pool.engine(self.arm)
            self.engine.new_game(self.arm)
        while self.knows < len(moves):
            self.engine.told(movers[self.knows], moves[self.knows])
            self.knows += 1
        self.asked += 1
        answer = self._answer_in_time(self.engine, movers[-1])
        self.knows += 1
        if self.anew:
            self.leave(healthy=True)
        return answer

    def _answer_in_time(self, engine: Engine, colour: int) -> str:
        """Return the engine's answer; EngineFaultError if its clock runs out."""
        if self.clocks is None:
            return _answer(engine, colour, self.scored)
        assert isinstance(engine, GtpEngine | UciEngine)  # no others have clocks
        engine.times = self.clocks.times(colour)
        began = time.monotonic()
        try:
            answer = _answer(engine, colour, self.scored)
        except EngineFaultError as fault:
            if fault.ending is Ending.TIMEOUT:
                raise EngineFaultError(Ending.TIME_LOSS, str(fault)) from fault
            raise
        taken = time.monotonic() - began
        if not self.clocks.spend(colour, taken):
            late = f"{self.arm.name} takes {taken:.3f} s for move {self.knows + 1}"
            raise EngineFaultError(Ending.TIME_LOSS, late)
        return answer

    def would_choose(self, arm: Arm, movers: Sequence[int], moves: Sequence[str]) -> str:
        """Return what an arm would play, without a move on the board of this game."""
        self.asked += 1
        with self.pool.lend(arm, new=self.anew) as engine:
            return answer_after(engine, arm, movers, moves, scored=self.scored)

    def answer_anew(self, arm: Arm, movers: Sequence[int], moves: Sequence[str]) -> str:
        """Return the answer of a new process as `arm`, or a text about its fault."""
        self.asked += 1
        try:
            with self.pool.lend(arm, new=True) as engine:
                return answer_after(engine, arm, movers, moves, scored=self.scored)
        except EngineFaultError as fault:
            return f"nothing ({fault})"

    def leave(self, healthy: bool) -> None:
        """Give the engine back, or end it."""
        if self.engine is not None:
            engine, self.engine, self.knows = self.engine, None, 0
            if healthy:
                self.pool.give_back(engine, self.arm)
            else:
                self.pool.discard(engine)


_DRAW = 1


@dataclass
class _Game:
    """A game in progress."""

    seats: tuple[_Seat, _Seat]
    judge: Judge
    limit: int
    """A game with this many moves is a draw."""
    answers: Answers | None
    moves: list[str] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    """The colour of each move; during a move, also the colour to move."""
    history: bytes = BEGINNING
    score: str = ""
    """The score of a finished game of Go, such as `B+3.5`."""
    proposed: list[Proposal] = field(default_factory=list)
    adjudicator: Adjudicator | None = None
    scores: list[str] = field(default_factory=list)

    def open(self, opening: Sequence[str]) -> None:
        """Begin the game with given moves; SpecificationError if one is illegal."""
        self.judge.new_game()
        for move in opening:
            self.movers.append(self.judge.mover)
            try:
                self._play(move, known=False)
            except IllegalMoveError as illegal:
                line = " ".join(opening)
                raise SpecificationError(f"openings: {illegal} is illegal in {line}") from illegal

    def play(self) -> tuple[Ending, int, str]:
        """Play; return the ending, the half points of the first player, and what went wrong."""
        while True:
            points = self._points()
            if points is not None:
                return Ending.NORMAL, points, self.score
            if self.adjudicator is not None and (over := self.adjudicator.verdict(len(self.moves))):
                return *over, ""
            if len(self.moves) >= self.limit:
                return Ending.MOVE_LIMIT, _DRAW, ""
            colour = self.judge.mover
            self.movers.append(colour)
            lost = 2 * colour  # half points of the first player if this colour loses
            try:
                resigned = self._move(self.seats[colour])
            except EngineFaultError as fault:
                return fault.ending, lost, str(fault)
            except IllegalMoveError as illegal:
                name = self.seats[colour].arm.name
                after = f"after {' '.join(self.moves)}" if self.moves else "at the start"
                said = f"{name} plays {illegal}, which is illegal {after}"
                return Ending.ILLEGAL_MOVE, lost, said
            if resigned:
                return Ending.RESIGNATION, lost, ""

    def _points(self) -> int | None:
        if self.answers is None:
            points = self.judge.points()
            self.score = self.judge.score
            return points
        known = self.answers.get(RESULT, self.history)
        if known is not None:  # the half points, and the score in Go
            points_text, _, self.score = known.partition(" ")
            return int(points_text)
        points = self.judge.points()
        self.score = self.judge.score
        if points is not None:
            text = f"{points} {self.score}".strip()
            self.answers.put(RESULT, self.history, text, self.moves)
        return points

    def _known_answer(self, seat: _Seat, arm: Arm) -> str | None:
        """Return the known answer of an arm, confirmed if that is due."""
        if self.answers is None:
            return None
        number = arm.number
        known = self.answers.get(number, self.history)
        if known is not None and self.answers.is_due(number, self.history):
            again = seat.answer_anew(arm, self.movers, self.moves)
            if again != known:
                raise contradiction(number, known, again, self.moves)
        return known

    def _move(self, seat: _Seat) -> bool:
        """Let an arm move; tell whether it resigns instead."""
        planned = self._planned(seat)
        if planned is not None:
            self._play(planned, known=False)
            return False
        known = self._known_answer(seat, seat.arm)
        answer = known or seat.choose(self.movers, self.moves)
        history, moves = self.history, tuple(self.moves)
        # Only the answers of games with adjudication have a score.
        move, _, score = answer.partition(" ") if seat.scored else (answer, "", "")
        if move != RESIGN:
            self._play(move, known is not None, score)
        if known is None and self.answers is not None:
            self.answers.put(seat.arm.number, history, answer, moves)
        return move == RESIGN

    def _play(self, move: str, known: bool, score: str = "") -> None:
        """Play a move on the board; `known` says that it is legal, `score` what its mover says."""
        reading = [seat.book for seat in self.seats if seat.book is not None and seat.book.reading]
        number = self.judge.number(move) if reading else -1
        self.judge.play(move, known)
        for book in reading:
            book.notice(self.movers[-1], number)
        self.moves.append(move)
        self.scores.append(score)
        if self.adjudicator is not None:
            self.adjudicator.note(self.movers[-1], score)
        self.history = history_after(self.history, move)

    def _planned(self, seat: _Seat) -> str | None:
        """Return the move of the arm's book; note what the arm would play instead, if asked."""
        if seat.book is None:
            return None
        state, last, last_move = seat.book.state, seat.book.last, seat.book.last_move
        planned = seat.book.consult()
        if planned is None:
            return None
        # Only if an arm's answer depends on nothing but the moves so far.
        if seat.proposer is not None and self.answers is not None:
            answer = self._known_answer(seat, seat.proposer)
            if answer is None:
                answer = seat.would_choose(seat.proposer, self.movers, self.moves)
                self.answers.put(seat.proposer.number, self.history, answer, self.moves)
            move = answer.partition(" ")[0] if seat.scored else answer
            with suppress(IllegalMoveError):  # it would resign, or lose by this move
                where = seat.book.colour, state, self.judge.number(move)
                self.proposed.append(Proposal(*where, last, last_move, seat.proposer.number))
        return self.judge.name(planned)


def play_game(
    program: EngineProgram,
    pool: EnginePool,
    first: int,
    second: int,
    *,
    number: int = 0,
    answers: Answers | None = None,
) -> GameRecord:
    """Play one game of arm `first` against arm `second`; use and extend `answers` if given.

    A game that ends with a timeout is played once more, and counts then. EngineError if an engine
    does not start, or contradicts a known answer.
    """
    once = partial(_play_once, program, pool, first, second, number=number, answers=answers)
    record = once()
    return replace(once(), late=record.detail) if record.ending is Ending.TIMEOUT else record


def _play_once(
    program: EngineProgram,
    pool: EnginePool,
    first: int,
    second: int,
    *,
    number: int,
    answers: Answers | None,
) -> GameRecord:
    table = program.specification.adjudication
    arms, clocks = (program.arm(first), program.arm(second)), program.clocks()
    seats = _seat(arms[0], pool, answers, clocks), _seat(arms[1], pool, answers, clocks)
    if program.books is not None:
        luck = mix_int(mix_int(first) + second)
        for colour, seat in enumerate(seats):
            seat.book = BookSide(program.books.words, colour, luck)
            if program.proposing and not is_opposing((first, second)[colour]):
                seat.proposer = program.arm(program.proposer((second, first)[colour]))
    judge = pool.judge()
    adjudicator = None if table is None else Adjudicator(table)
    game = _Game(seats, judge, program.specification.game.moves, answers, adjudicator=adjudicator)
    began, ending, points, detail = time.monotonic(), Ending.VOID, _DRAW, ""
    try:
        game.open(program.opening(first, second))
        ending, points, detail = game.play()
    except OwnFailureError as failure:
        detail = str(failure)
    finally:
        try:
            for seat in seats:
                # After a fault the other engine is sound, but which one failed matters little.
                seat.leave(healthy=ending in SOUND)
        finally:
            pool.give_back_judge(judge)
    return GameRecord(
        arms=(first, second),
        number=number,
        ending=ending,
        points=points,
        moves=tuple(game.moves),
        asked=seats[0].asked + seats[1].asked,
        seconds=time.monotonic() - began,
        detail=detail,
        books=None if program.books is None else program.books.digest,
        left=_left(seats),
        proposed=tuple(game.proposed),
        scores=tuple(game.scores) if adjudicator is not None else (),
    )


def _seat(arm: Arm, pool: EnginePool, answers: Answers | None, clocks: GameClocks | None) -> _Seat:
    anew = answers is not None and not pool.reuses(arm)
    scored = pool.program.specification.adjudication is not None
    return _Seat(arm, pool, anew, scored=scored, clocks=clocks)


def _left(seats: tuple[_Seat, _Seat]) -> tuple[Trail, Trail] | None:
    first, second = (seat.book for seat in seats)
    return None if first is None or second is None else (first.trail, second.trail)
