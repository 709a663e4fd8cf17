"""One side of one game of an external engine: a process, and the book that it plays first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from seedfolio.core.display import Brief
from seedfolio.core.randomness import mix_int
from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.interface import RESIGN, Engine, IllegalMoveError, Times
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.protocols.gtp import GtpEngine
from seedfolio.engines.protocols.uci import UciEngine
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.opponents.referee import SKIPPED, JudgeReferee, illegal_move
from seedfolio.opponents.seat import ResignedError, Searched, SearchLimits

_STRAYED = -2
"""After the moves that an engine knows: it also got commands that may have changed its state."""


@dataclass(frozen=True, repr=False)
class EngineSeat(Brief):
    """An arm of an external engine. The engine starts when it is first needed.

    A pool keeps it for the next move, with the moves that it knows. It starts again where these
    are not the moves of the game, as after an undo.
    """

    program: EngineProgram
    """The engine, with its books, where there are any."""
    number: int
    colour: int
    key: int
    """64 random bits: those of the game. They also draw among several books."""
    pool: EnginePool = field(compare=False)
    start: str = ""
    """The position from which the game begins, if not the usual one; then the book is left out."""
    called: str = ""
    """What people call it, if not by its arm."""
    _said: list[str] = field(default_factory=list, compare=False)
    """The scores that came with its moves."""
    _opinions: list[str] = field(default_factory=list, compare=False)

    def _summary(self) -> str:
        return f"{self.program!r}, {self.name}"

    @cached_property
    def rules(self) -> JudgeReferee:
        """The names and the movers of moves; it starts no process for these."""
        board = self.program.specification.game.board
        return JudgeReferee(self.program.make_judge(), board, self.start)

    @property
    def name(self) -> str:
        """What people call the arm."""
        return self.called or self.program.arm(self.number).name

    @property
    def score(self) -> str:
        """What the engine said of its position with its last move; empty: nothing."""
        return self._said[-1] if self._said else ""

    @property
    def opinion(self) -> str:
        """What the engine said of its last move, for people; empty: nothing."""
        return self._opinions[-1] if self._opinions else ""

    @property
    def has_book(self) -> bool:
        """Whether it has a book."""
        return self.program.books is not None

    def choose(self, history: Sequence[int], limits: SearchLimits | None = None) -> int:
        """Return the move after `history`; ResignedError if it resigns.

        EngineFaultError if the engine fails, EngineError if it does not start.
        """
        before = tuple(history)
        planned = self.planned(before)
        self._said.clear()
        self._opinions.clear()
        if planned is not None:
            self._opinions.append("book")
            return self.rules.parse(before, planned)
        return self._asked(before, None if limits is None else limits.times)

    def searched(self, history: Sequence[int]) -> Searched:
        """Search for a move after `history`, also where the book has one."""
        before = tuple(history)
        planned = self.planned(before)
        try:
            own = self._asked(before, None)
        except ResignedError:
            own = None
        return Searched(own, own if planned is None else self.rules.parse(before, planned))

    def is_in_book(self, history: Sequence[int]) -> bool:
        """Tell whether the move after `history` is from the book."""
        return self.planned(history) is not None

    def planned(self, history: Sequence[int]) -> str | None:
        """Return the book's move; None if it has none, or if a move was out of turn."""
        books = self.program.books
        if books is None or self.start:
            return None
        return self.rules.book_move(history, books.words, self.colour, mix_int(self.key))

    def planned_after(self, moves: Sequence[str]) -> str | None:
        """Return the book's move after moves by name; None if it has none, or one is illegal."""
        if not self.has_book:
            return None
        history: tuple[int, ...] = ()
        try:
            for move in moves:
                history = (*history, self.rules.parse(history, move))
        except SpecificationError:
            return None
        return self.planned(history)

    def named(self, name: str) -> Self:
        """Return the seat under a name that does not tell its arm."""
        return replace(self, called=name)

    def draw_chance(self, history: Sequence[int]) -> int:
        """Raise EngineError: external engines play no games of chance."""
        raise EngineError(f"{self.program.name} plays no games of chance")

    def follow(self, history: Sequence[int]) -> None:
        """Tell the engine all moves so far; SpecificationError if it refuses the last one."""
        moves = tuple(history)
        try:
            self._keep(self._engine_after(moves), moves)
        except EngineFaultError as fault:
            if fault.ending is not Ending.PROTOCOL_ERROR:
                raise
            raise self._refusal(moves) from fault
        except IllegalMoveError as illegal:
            raise self._refusal(moves) from illegal

    def _refusal(self, history: tuple[int, ...]) -> SpecificationError:
        _, move = self.rules.told(history)[-1]
        return SpecificationError(f"{move} is not legal now")

    def commands(self, history: Sequence[int]) -> tuple[str, ...]:
        """Return the names of all commands of the engine, if it speaks GTP and lists them."""
        if self.program.specification.player.protocol != "gtp":
            return ()
        success, text = self._try(tuple(history), "list_commands", harmless=True)
        return tuple(text.split()) if success else ()

    def ask(self, history: Sequence[int], command: str, *, harmless: bool = False) -> str:
        """Return the engine's answer to one of its own commands.

        Unless it is `harmless`, the engine starts again before its next move.
        """
        success, text = self._try(tuple(history), command, harmless)
        if not success:
            raise SpecificationError(text or f"{command.split()[0]} has failed")
        return text

    def close(self) -> None:
        """End the engine; it starts again when needed."""
        engine, _ = self.pool.resume(self._game)
        if engine is not None:
            self.pool.give_back(engine, self.program.arm(self.number))

    @property
    def _game(self) -> tuple[int, int, int]:
        return self.number, self.colour, self.key

    def _keep(self, engine: Engine, known: tuple[int, ...]) -> None:
        self.pool.keep(engine, self._game, known)

    def _asked(self, history: tuple[int, ...], times: Times | None) -> int:
        try:
            return self._engine_move(history, times)
        except IllegalMoveError as illegal:
            moves = [name for _, name in self.rules.told(history)]
            said = illegal_move(self.name, str(illegal), moves)
            raise EngineFaultError(Ending.ILLEGAL_MOVE, said) from illegal

    def _engine_move(self, history: tuple[int, ...], times: Times | None) -> int:
        engine = self._engine_after(history)
        if isinstance(engine, GtpEngine | UciEngine):
            engine.times = times or self.program.times
        try:
            move = engine.choose(self.colour)
            number = None if move == RESIGN else self.rules.number(history, move)
        except BaseException:
            self.pool.discard(engine)
            raise
        self._said.append(engine.score)
        self._opinions.append(engine.opinion)
        if number is None:
            self.pool.give_back(engine, self.program.arm(self.number))
            raise ResignedError(f"{engine.identity} resigns")
        self._keep(engine, (*history, number))
        return number

    def _try(self, history: tuple[int, ...], command: str, harmless: bool) -> tuple[bool, str]:
        engine, known = self.pool.resume(self._game)
        if engine is not None and known not in (history, (*history, _STRAYED)):
            self._keep(engine, known)
            engine = None
        if engine is None:
            engine, known = self._engine_after(history), history
        assert isinstance(engine, GtpEngine)  # others have no commands
        try:
            answer = engine.connection.try_command(command, "move")
        except BaseException:
            self.pool.discard(engine)
            raise
        self._keep(engine, known if harmless else (*history, _STRAYED))
        return answer

    def _engine_after(self, history: tuple[int, ...]) -> Engine:
        """Lend a running engine that knows all moves of the game."""
        told, arm = self.rules.told(history), self.program.arm(self.number)
        engine, known = self.pool.resume(self._game)
        if engine is not None and history[: len(known)] != known:
            self.pool.discard(engine)
            engine = None
        is_new = engine is None
        if engine is None:
            engine, known = self.pool.engine(arm, new=True), ()
        try:
            if is_new:
                engine.new_game(arm)
                if self.start:
                    engine.told(0, self.start)
            for mover, move in told[len(known) - known.count(SKIPPED) :]:
                engine.told(mover, move)
        except BaseException:
            self.pool.discard(engine)
            raise
        return engine
