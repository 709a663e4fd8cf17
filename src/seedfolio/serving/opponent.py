"""Programs as opponents: the original or the boosted one, a game at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from seedfolio.core.randomness import mix_int
from seedfolio.learning.portfolio import Portfolio
from seedfolio.players.program import Program
from seedfolio.serving.portfolio_file import load_portfolio
from seedfolio.study.arms import FIRST_PLAY_SEED


@dataclass(frozen=True)
class ArmInPlay:
    """One arm for one game: a deterministic player."""

    program: Program
    seed: int

    def choose(self, history: Sequence[int]) -> int:
        """Return the move after `history`, all moves of both players so far."""
        return self.program.choose(history, self.seed)


class Opponent(Protocol):
    """A program that draws an arm at the start of each game."""

    @property
    def program(self) -> Program:
        """The game and the player."""
        ...

    @property
    def name(self) -> str:
        """What it is called on screen."""
        ...

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` (64 random bits) draws for a game as `colour`."""
        ...


@dataclass(frozen=True)
class Original:
    """The program as it was: a fresh seed each game."""

    program: Program

    @property
    def name(self) -> str:
        """What it is called on screen."""
        return f"original {self.program.player.text}"

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` draws among seeds that no study plays."""
        return ArmInPlay(self.program, FIRST_PLAY_SEED + _of_colour(key, colour) % 2**62)


@dataclass(frozen=True)
class Boosted:
    """The program with a portfolio: plays wherever the original did."""

    program: Program
    portfolio: Portfolio
    learner: str

    @property
    def name(self) -> str:
        """What it is called on screen."""
        return f"boosted {self.program.player.text} ({self.learner})"

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` draws from the portfolio of that colour."""
        return ArmInPlay(self.program, self.portfolio[colour].draw(_of_colour(key, colour)))


def _of_colour(key: int, colour: int) -> int:
    """Return a key of its own for each colour, so that equal keys draw independently."""
    return mix_int(mix_int(key) + colour)


def load_boosted(path: str | Path) -> Boosted:
    """Return the boosted program in a portfolio file."""
    path = Path(path)
    file = load_portfolio(path)
    return Boosted(file.program(path.parent), file.portfolio(), file.learner)
