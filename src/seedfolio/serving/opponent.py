"""Programs as opponents: the original or the boosted program, one game at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from seedfolio.core.randomness import below, mix_int
from seedfolio.core.seeds import name_of_arm
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.players.program import Program
from seedfolio.portfolios.file import load_portfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.programs.load import load_program
from seedfolio.study.arms import FIRST_PLAY_SEED, PLAY_SEEDS
from seedfolio.study.store import Study

_LUCK = 2
"""The part of a game's key after those of the two colours."""


@dataclass(frozen=True)
class ArmInPlay:
    """One arm for one game: a deterministic player, and the chance of the game."""

    program: Program
    seed: int
    """The number of the arm: its seed, plus a symmetry in the upper bits."""
    luck: int = 0
    """64 random bits, for chance in the rules and for players with more randomness."""

    @property
    def name(self) -> str:
        """The name for users."""
        return name_of_arm(self.seed)

    def choose(self, history: Sequence[int]) -> int:
        """Return the move after `history`, all moves so far, tries and chance included.

        The player sees only its own view of them.
        """
        return self.program.choose(history, self.seed, self.luck)

    def draw_chance(self, history: Sequence[int]) -> int:
        """Return the outcome of the chance move after `history` in this game."""
        outcomes = self.program.game.position(history).moves
        return outcomes[int(below(np.uint64(self.luck), len(history), len(outcomes)))]


class Opponent(Protocol):
    """A program that draws an arm at the start of each game."""

    @property
    def program(self) -> Program:
        """The game and the player."""
        ...

    @property
    def name(self) -> str:
        """The name on screen."""
        ...

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` (64 random bits) draws for a game as `colour`."""
        ...


@dataclass(frozen=True)
class Original:
    """The original program: a fresh seed each game."""

    program: Program

    @property
    def name(self) -> str:
        """The name on screen."""
        return f"original {self.program.player.text}"

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` draws from seeds that no study plays."""
        return ArmInPlay(self.program, _fresh_seed(key, colour), _part(key, _LUCK))


@dataclass(frozen=True)
class Boosted:
    """The boosted program: it draws arms from a portfolio."""

    program: Program
    portfolio: Portfolio | None
    """None for a program with books: it uses a fresh seed where they end."""
    learner: str

    @property
    def name(self) -> str:
        """The name on screen."""
        return f"boosted {self.program.player.text} ({self.learner})"

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` draws from the portfolio of that colour."""
        if self.portfolio is None:
            seed = _fresh_seed(key, colour)
        else:
            seed = self.portfolio[colour].draw(_part(key, colour))
        return ArmInPlay(self.program, seed, _part(key, _LUCK))


def _fresh_seed(key: int, colour: int) -> int:
    return FIRST_PLAY_SEED + _part(key, colour) % PLAY_SEEDS


def _part(key: int, number: int) -> int:
    """Return a separate key for each colour and for chance, so that they are independent."""
    return mix_int(mix_int(key) + number)


def load_boosted(path: str | Path) -> Boosted:
    """Return the boosted program of a portfolio file."""
    path = Path(path)
    file = load_portfolio(path)
    portfolio = None if file.book is not None else file.portfolio()
    return Boosted(file.playing_program(path.parent), portfolio, file.learner)


def load_opponent(text: str, player: str | None = None) -> Opponent:
    """Return the boosted program of a portfolio file, or the original of a game.

    `player` is the player of the original; a portfolio names its own.
    """
    if text.endswith(".json"):
        if player is not None:
            raise SpecificationError(f"{text} names its own player; leave out player")
        return load_boosted(text)
    if text.endswith(".study"):
        raise _study_is_no_program(text)
    return Original(load_program(text, player))


def _study_is_no_program(text: str) -> SpecificationError:
    try:
        Study.read(Path(text)).close()
    except StudyError:
        return SpecificationError(
            f"{text} is neither a game nor a portfolio (a .json file that boost writes)"
        )
    return SpecificationError(
        f"{text} is a study; name one of its portfolios, the .json files beside it"
    )
