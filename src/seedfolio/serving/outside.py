"""A program from outside, boosted: what stands behind GTP and UCI, with an arm drawn each game."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from seedfolio.core.randomness import mix_int
from seedfolio.engines.endings import Ending, EngineFaultError, OwnFailureError
from seedfolio.engines.interface import Engine, IllegalMoveError, Judge
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.learning.portfolio import Portfolio
from seedfolio.serving.portfolio_file import load_portfolio


@dataclass
class OutsideEngine:
    """A program from outside with a portfolio. Its processes are those of the last game begun."""

    program: EngineProgram
    portfolio: Portfolio
    learner: str
    _game: OutsideGame | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """What it is called on screen."""
        return f"Seedfolio boosted {self.program.engine_identity} ({self.learner})"

    def prepare(self) -> None:
        """Nothing is to be made ready: `load_outside` has started the program once."""

    def new_game(self, key: int) -> OutsideGame:
        """Begin a game with the arms that `key` (64 random bits) draws."""
        self.close()
        drawn = [self.portfolio[colour].draw(mix_int(mix_int(key) + colour)) for colour in (0, 1)]
        self._game = OutsideGame(self.program, (drawn[0], drawn[1]))
        return self._game

    def close(self) -> None:
        """End all processes."""
        if self._game is not None:
            self._game.close()
            self._game = None


class OutsideGame:
    """One game, for each colour an engine of its own, started when first needed.

    SpecificationError for moves that cannot be, EngineError for whatever an engine does wrong.
    """

    def __init__(self, program: EngineProgram, arms: tuple[int, int]) -> None:
        self._program = program
        self._numbers = arms
        self._engines: list[Engine | None] = [None, None]
        self._played: list[tuple[int, str]] = []

    @property
    def arms(self) -> tuple[str, str]:
        """What people call the arms that it plays as first and as second player."""
        first, second = self._numbers
        return self._program.arm(first).name, self._program.arm(second).name

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves so far, as they were given or chosen."""
        return tuple(move for _, move in self._played)

    @property
    def mover(self) -> int | None:
        """The colour to move; None when the game is over."""
        judge = self._judge()
        try:
            return judge.mover if judge.points() is None else None
        except OwnFailureError as failure:
            raise EngineError(str(failure)) from failure
        finally:
            judge.close()

    def play(self, colour: int, move: str) -> None:
        """Take a move of `colour`, whoever has chosen it."""
        move = move.lower()
        # The engine that is to answer tells whether the move can be.
        engine = self._engine(1 - colour)
        try:
            engine.told(colour, move)
        except EngineFaultError as fault:
            self.close()
            if fault.ending is Ending.PROTOCOL_ERROR:
                raise SpecificationError(f"{move} is not legal now") from fault
            raise EngineError(str(fault)) from fault
        self._tell(colour, colour, move)
        self._played.append((colour, move))

    def choose(self, colour: int) -> str:
        """Return the move of the program as `colour`; it counts as played."""
        try:
            move = self._engine(colour).choose(colour)
        except EngineFaultError as fault:
            self.close()
            raise EngineError(str(fault)) from fault
        if move != "resign":
            self._tell(1 - colour, colour, move)
            self._played.append((colour, move))
        return move.upper() if self._program.specification.game.is_go else move

    def undo(self) -> None:
        """Take the last move back; the engines are started anew."""
        if not self._played:
            raise SpecificationError("there is no move to take back")
        self._played.pop()
        self.close()

    def refused(self) -> tuple[str, ...]:
        """Return nothing: there is nothing hidden."""
        return ()

    def draw(self) -> str:
        """Return the moves so far: the board is the program's own business."""
        return " ".join(self.moves)

    def final_score(self) -> str:
        """Return who has won, as GTP writes it."""
        judge = self._judge()
        try:
            points = judge.points()
        except OwnFailureError as failure:
            raise EngineError(str(failure)) from failure
        finally:
            judge.close()
        if points is None:
            raise SpecificationError("the game is not over")
        return ("W+1", "0", "B+1")[points]

    def close(self) -> None:
        """End the engines; those needed later are started again."""
        for engine in self._engines:
            if engine is not None:
                engine.close()
        self._engines = [None, None]

    def _judge(self) -> Judge:
        judge = self._program.make_judge()
        with suppress(IllegalMoveError):
            for _, move in self._played:
                judge.play(move, known=True)
        return judge

    def _engine(self, colour: int) -> Engine:
        """Return the engine of a colour, which knows all moves so far."""
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

    def _tell(self, to: int, colour: int, move: str) -> None:
        """Tell the engine of colour `to` of a move, if it is running."""
        engine = self._engines[to]
        if engine is not None:
            try:
                engine.told(colour, move)
            except EngineFaultError as fault:
                raise EngineError(str(fault)) from fault


def is_from_outside(path: str) -> bool:
    """Tell whether a file is the portfolio of a program from outside."""
    return path.endswith(".json") and load_portfolio(Path(path)).engine is not None


def load_outside(path: str | Path) -> OutsideEngine:
    """Return the boosted program from outside in a portfolio file."""
    path = Path(path)
    file = load_portfolio(path)
    return OutsideEngine(file.engine_program(path.parent), file.portfolio(), file.learner)
