"""An external engine as the opponent of a person, on a board of Seedfolio's own rules."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seedfolio.core.randomness import mix_int
from seedfolio.core.trust import Permit
from seedfolio.engines.endings import EngineFaultError, OwnFailureError
from seedfolio.engines.interface import RESIGN, Engine
from seedfolio.engines.program import EngineProgram, load_engine_program
from seedfolio.errors import EngineError, SeedfolioError, SpecificationError
from seedfolio.games.game import Game
from seedfolio.portfolios.file import load_portfolio
from seedfolio.portfolios.portfolio import Portfolio

_MOST_RUNNING = 8
"""Games whose engine keeps running; other engines get all moves again when a game goes on."""


class ResignedError(SeedfolioError):
    """The engine resigns."""


@dataclass(frozen=True)
class EngineOpponent:
    """An external engine: with a portfolio the boosted one, else a fresh arm each game."""

    program: EngineProgram
    game: Game
    name: str
    portfolio: Portfolio | None = None
    _running: OrderedDict[tuple[int, int], tuple[Engine, tuple[int, ...]]] = field(
        default_factory=OrderedDict, init=False, repr=False, compare=False
    )
    """By arm and key of the game: the engine, and the moves that it knows."""
    _lock: threading.Lock = field(
        default_factory=threading.Lock, init=False, repr=False, compare=False
    )

    def prepare(self) -> None:
        """Compile the rules of the board, so that no page waits for it."""
        self.game.position([])
        self.game.information([], 0)

    def new_game(self, colour: int, key: int) -> EngineArm:
        """Return the arm that `key` (64 random bits) draws for a game as `colour`."""
        own = mix_int(mix_int(key) + colour)
        if self.portfolio is None:
            return EngineArm(self, own % self.program.training_arms, colour, key)
        return EngineArm(self, self.portfolio[colour].draw(own), colour, key)

    def choose(self, arm: EngineArm, history: tuple[int, ...]) -> int:
        """Return the move of an arm; EngineError if it fails, ResignedError if it resigns."""
        try:
            engine = self._engine_at(arm, history)
            try:
                move = engine.choose(arm.colour)
            except BaseException:
                engine.close(polite=False)
                raise
        except (EngineFaultError, OwnFailureError) as failure:
            raise EngineError(str(failure)) from failure
        if move == RESIGN:
            engine.close()
            raise ResignedError(f"{self.name} resigns")
        try:
            number = self.game.parse_move(move)
        except SeedfolioError as error:
            engine.close()
            raise EngineError(f"{self.name} plays {move}, which is not a move here") from error
        self._keep(arm, engine, (*history, number))
        return number

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            while self._running:
                self._running.popitem()[1][0].close(polite=False)

    def _engine_at(self, arm: EngineArm, history: tuple[int, ...]) -> Engine:
        """Return a running engine that knows all moves of the game."""
        with self._lock:
            engine, known = self._running.pop((arm.number, arm.key), (None, ()))
        if engine is not None and history[: len(known)] != known:
            engine.close(polite=False)  # moves were taken back
            engine = None
        if engine is None:
            engine, known = self.program.start(arm.number), ()
        try:
            for ply in range(len(known), len(history)):
                mover = self.game.position(history[:ply]).mover
                engine.told(mover, self.game.move_name(history[ply]).lower())
        except BaseException:
            engine.close(polite=False)
            raise
        return engine

    def _keep(self, arm: EngineArm, engine: Engine, known: tuple[int, ...]) -> None:
        with self._lock:
            self._running[arm.number, arm.key] = engine, known
            old = self._running.popitem(last=False) if len(self._running) > _MOST_RUNNING else None
        if old is not None:
            old[1][0].close()


@dataclass(frozen=True)
class EngineArm:
    """One arm of an external engine, for one game."""

    opponent: EngineOpponent
    number: int
    colour: int
    key: int

    @property
    def name(self) -> str:
        """What people call the arm."""
        return self.opponent.program.arm(self.number).name

    def choose(self, history: Sequence[int]) -> int:
        """Return the move after `history`."""
        return self.opponent.choose(self, tuple(history))

    def draw_chance(self, history: Sequence[int]) -> int:
        """Raise EngineError: external engines play no games of chance."""
        raise EngineError(f"{self.opponent.name} plays no games of chance")


def load_engine_opponent(path: str | Path, permit: Permit = Permit.USER) -> EngineOpponent:
    """Return the external engine of a TOML file; `permit` says who has named the file."""
    program = load_engine_program(path, permit)
    return EngineOpponent(program, program.board_game(), program.engine_identity)


def load_boosted_engine(path: str | Path, permit: Permit = Permit.LISTED) -> EngineOpponent:
    """Return the boosted external engine of a portfolio file; `permit` says who has named that."""
    path = Path(path)
    file = load_portfolio(path)
    if file.book is not None and not (file.first and file.second):
        raise SpecificationError(
            f"{path} has a book: play it through another program, with seedfolio {file.served_by}"
        )
    program = file.engine_program(path.parent, permit)
    name = f"boosted {program.engine_identity} ({file.learner})"
    return EngineOpponent(program, program.board_game(), name, file.portfolio())
