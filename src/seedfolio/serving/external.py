"""A boosted external engine for GTP and UCI: it draws an arm for each game."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from seedfolio.core.randomness import mix_int
from seedfolio.engines.program import EngineProgram
from seedfolio.portfolios.file import load_portfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.serving.external_game import ExternalGame


@dataclass
class ExternalEngine:
    """An external engine with a portfolio. Only the last game has running processes."""

    program: EngineProgram
    portfolio: Portfolio
    learner: str
    _game: ExternalGame | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """The name on screen."""
        return f"Seedfolio boosted {self.program.engine_identity} ({self.learner})"

    def prepare(self) -> None:
        """Do nothing: `load_external` has already started the engine once."""

    def draw(self, key: int) -> tuple[int, int]:
        """Return the arms that `key` (64 random bits) draws, one for each colour."""
        first, second = (self.portfolio[c].draw(mix_int(mix_int(key) + c)) for c in (0, 1))
        return first, second

    def new_game(self, key: int) -> ExternalGame:
        """Begin a game with the arms that `key` draws."""
        self.close()
        self._game = ExternalGame(self.program, self.draw(key))
        return self._game

    def close(self) -> None:
        """End all processes."""
        if self._game is not None:
            self._game.close()
            self._game = None


def is_external(path: str) -> bool:
    """Tell whether a file is the portfolio of an external engine."""
    return path.endswith(".json") and load_portfolio(Path(path)).engine is not None


def load_external(path: str | Path) -> ExternalEngine:
    """Return the boosted external engine of a portfolio file."""
    path = Path(path)
    file = load_portfolio(path)
    return ExternalEngine(file.engine_program(path.parent), file.portfolio(), file.learner)
