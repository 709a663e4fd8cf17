"""One game of an external engine that is served to others: its processes, and who judges moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from seedfolio.engines.endings import Ending, EngineFaultError, OwnFailureError
from seedfolio.engines.interface import RESIGN, Engine, IllegalMoveError, Judge
from seedfolio.engines.play.judges import GoJudge
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.protocols.gtp import GtpEngine
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.games.board import PASS
from seedfolio.opponents.engine_seat import BookReader
from seedfolio.protocols.go_limits import GoLimits

_CHANGE_THE_GAME = frozenset(
    [
        "black",
        "fixed_handicap",
        "genmove_black",
        "genmove_white",
        "gg-undo",
        "gogui-play_sequence",
        "gogui-setup",
        "gogui-setup_player",
        "kgs-genmove_cleanup",
        "loadsgf",
        "place_free_handicap",
        "set_free_handicap",
        "set_position",
        "white",
    ]
)
"""Commands of known engines that would change their game but not ours."""
_ANALYZE = "analyze"
"""End of the names of commands that answer until the next command."""


class ExternalGame:
    """One game, with a separate engine for each colour, started when first needed.

    Where Seedfolio knows the rules, engines get only legal moves. In Go the engines themselves
    judge moves: GTP allows more than a study does, and a referee is one more process.

    SpecificationError for impossible moves, EngineError for faults of an engine.
    """

    def __init__(
        self, program: EngineProgram, arms: tuple[int, int], books: BookReader | None = None
    ) -> None:
        self._program = program
        self._books = books
        self._numbers = arms
        self._engines: list[Engine | None] = [None, None]
        self._played: list[tuple[int, str]] = []
        self._speaks = 0
        """The colour whose engine answers other commands: the last that moved."""
        self._strayed: set[int] = set()
        """Colours whose engines got commands that may have changed their state."""

    @property
    def arms(self) -> tuple[str, str]:
        """The names of its arms, as first and as second player."""
        first, second = self._numbers
        return self._program.arm(first).name, self._program.arm(second).name

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves so far."""
        return tuple(move for _, move in self._played)

    @property
    def mover(self) -> int | None:
        """The colour to move; None when the game is over."""
        with self._judge() as judge:
            return judge.mover if judge.points() is None else None

    def play(self, colour: int, move: str) -> None:
        """Play a move of `colour`, which anybody may have chosen."""
        move = move.lower()
        self._check(colour, move)
        # In Go the engine of the other colour decides whether the move is legal.
        engine = self._engine(1 - colour)
        try:
            engine.told(colour, move)
        except IllegalMoveError as illegal:
            raise SpecificationError(f"{move} is not legal now") from illegal
        except EngineFaultError as fault:
            self.close()
            if fault.ending is Ending.PROTOCOL_ERROR:
                raise SpecificationError(f"{move} is not legal now") from fault
            raise EngineError(str(fault)) from fault
        self._tell(colour, colour, move)
        self._played.append((colour, move))

    def choose(self, colour: int, limits: GoLimits | None = None) -> str:
        """Return the move of the book or the engine as `colour`; the move counts as played."""
        self._check(colour)
        move = None if self._books is None else self._books.move_after(self._played, colour)
        if move is not None:
            self._tell(colour, colour, move)
        else:
            move = self._engine_move(colour)
            if move == RESIGN:
                return move
        self._tell(1 - colour, colour, move)
        self._played.append((colour, move))
        return move.upper() if self._program.specification.game.is_go else move

    def _engine_move(self, colour: int) -> str:
        """Return the move of the engine, which is on its own board, or RESIGN."""
        try:
            move = self._engine(colour).choose(colour)
        except EngineFaultError as fault:
            self.close()
            raise EngineError(str(fault)) from fault
        self._speaks = colour
        if move == RESIGN:
            return move
        try:
            self._check(colour, move)
        except SpecificationError as error:
            self.close()  # the illegal move is on its own board
            raise EngineError(f"{self.arms[colour]} plays {move}, which is illegal") from error
        return move

    def undo(self) -> None:
        """Take back the last move; the engines start again."""
        if not self._played:
            raise SpecificationError("there is no move to take back")
        self._played.pop()
        self.close()

    def refused(self) -> tuple[str, ...]:
        """Return nothing: no game here has hidden information."""
        return ()

    def draw(self) -> str:
        """Return the board as the engine draws it, or else the moves so far."""
        if "showboard" in self._known:
            return self._ask("showboard").lstrip("\n")
        return " ".join(self.moves)

    def final_score(self) -> str:
        """Return the result as GTP writes it, by the referee that also scored the study.

        Before the end of the game, return the estimate of the engine if it gives one.
        """
        with self._judge() as judge:
            points = judge.points()
            if points is not None:
                named = ("W+1", "0", "B+1")[points]
                return judge.final_score() if isinstance(judge, GoJudge) else named
        if "final_score" in self._known:
            self._strayed.add(self._speaks)  # the estimate may use its random numbers
            return self._ask("final_score")
        raise SpecificationError("the game is not over")

    def other_commands(self) -> tuple[str, ...]:
        """Return the names of the engine's commands that do not change the game."""
        return tuple(
            name
            for name in self._known
            if name not in _CHANGE_THE_GAME and not name.endswith(_ANALYZE)
        )

    def pass_on(self, command: str) -> str:
        """Return the engine's answer to one of its own commands.

        The command may change its state, so the engine starts again before the next move.
        """
        name = command.split()[0] if command.split() else ""
        if name not in self.other_commands():
            raise SpecificationError("unknown command")
        self._strayed.add(self._speaks)
        return self._ask(command)

    def close(self) -> None:
        """End the engines; they start again when needed."""
        for colour in (0, 1):
            self._end(colour)

    @cached_property
    def _known(self) -> tuple[str, ...]:
        """The names of all commands of the engine, if it speaks GTP and lists them."""
        engine = self._engine(self._speaks, as_it_is=True)
        if not isinstance(engine, GtpEngine):
            return ()
        success, text = self._try("list_commands")
        return tuple(text.split()) if success else ()

    def _ask(self, command: str) -> str:
        success, text = self._try(command)
        if not success:
            raise SpecificationError(text or f"{command.split()[0]} has failed")
        return text

    def _try(self, command: str) -> tuple[bool, str]:
        engine = self._engine(self._speaks, as_it_is=True)
        assert isinstance(engine, GtpEngine)  # others have no commands
        try:
            return engine.connection.try_command(command, "move")
        except EngineFaultError as fault:
            self.close()
            raise EngineError(str(fault)) from fault

    def _check(self, colour: int, move: str | None = None) -> None:
        """Refuse a turn or a move of `colour` that the rules do not allow."""
        if self._program.specification.game.is_go:
            return
        with self._judge() as judge:
            if judge.points() is not None:
                raise SpecificationError("the game is over")
            if judge.mover != colour:
                raise SpecificationError("it is the other colour's turn")
            if move is None:
                return
            try:
                judge.play(move, known=False)
            except IllegalMoveError as illegal:
                raise SpecificationError(f"{move} is not legal now") from illegal

    @contextmanager
    def _judge(self) -> Iterator[Judge]:
        """Lend a judge with all moves so far."""
        judge = self._program.make_judge()
        try:
            for colour, move in self._played:
                if judge.mover != colour:  # two moves in a row: the other colour has passed
                    judge.play(PASS, known=True)
                judge.play(move, known=True)
            yield judge
        except IllegalMoveError as illegal:
            raise SpecificationError(f"{illegal} was not legal") from illegal
        except OwnFailureError as failure:
            raise EngineError(str(failure)) from failure
        finally:
            judge.close()

    def _engine(self, colour: int, as_it_is: bool = False) -> Engine:
        """Return the engine of a colour, with all moves so far.

        An engine whose state may have changed starts again, unless `as_it_is`.
        """
        if colour in self._strayed and not as_it_is:
            self._end(colour)
        engine = self._engines[colour]
        if engine is None:
            try:
                engine = self._program.start(self._numbers[colour])
                self._engines[colour] = engine
                for mover, move in self._played:
                    engine.told(mover, move)
            except (EngineFaultError, OwnFailureError) as failure:
                self.close()
                raise EngineError(str(failure)) from failure
        return engine

    def _end(self, colour: int) -> None:
        engine, self._engines[colour] = self._engines[colour], None
        self._strayed.discard(colour)
        if engine is not None:
            engine.close()

    def _tell(self, to: int, colour: int, move: str) -> None:
        """Send a move to the engine of colour `to`, if it is running."""
        if to in self._strayed:
            self._end(to)
        engine = self._engines[to]
        if engine is not None:
            try:
                engine.told(colour, move)
            except EngineFaultError as fault:
                self.close()
                raise EngineError(str(fault)) from fault
