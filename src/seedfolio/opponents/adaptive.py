"""The file of an adaptive program: one that learns from game to game which arms win.

It has an EndlessUcbt for each colour, rebuilt from the games in the file. The arms are those of the
portfolio that it began with, the heaviest first, then the seeds from FIRST_PLAY_SEED on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from seedfolio.analysis.ucbt import EndlessUcbt
from seedfolio.core.display import Displayed
from seedfolio.core.files import atomic_write
from seedfolio.core.program_files import beginning, is_file, read_portfolio_bytes
from seedfolio.core.randomness import GOLDEN, mix_int
from seedfolio.core.seeds import FIRST_PLAY_SEED, name_of_arm
from seedfolio.core.table import Table, percent
from seedfolio.errors import PortfolioError
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.portfolios.written import (
    LearntFile,
    Seed,
    Weights,
    distribution_of,
    problem_of,
)
from seedfolio.study.lock import WriterLock

_FORMAT = "seedfolio adaptive program"
_VERSION = 1
_COLOURS = ("first", "second")
LearntGame = tuple[Annotated[int, Field(ge=0, le=1)], Seed, Annotated[int, Field(ge=0, le=2)]]
"""The program's colour, its arm, and its half points."""


class AdaptiveFile(Displayed, LearntFile):
    """The file of an adaptive program: all that it is, and all that it has learnt.

    >>> from seedfolio import adapt, match, show
    >>> made = adapt("domineering:4x4", "uct:simulations=5", output="adaptive.json")
    >>> played = match("adaptive.json", "domineering:4x4@uct:simulations=5", games=20)
    >>> len(show("adaptive.json").games)
    20
    """

    format: Literal["seedfolio adaptive program"] = "seedfolio adaptive program"
    schema_version: Literal[1] = 1
    discount: Annotated[float, Field(gt=0, le=1)]
    """Weight of earlier games after each game."""
    first: Weights
    """The arms of the portfolio that it began with, as first player; none without one."""
    second: Weights
    games: tuple[LearntGame, ...]
    """All finished games, the oldest first."""

    @model_validator(mode="after")
    def _check_games(self) -> Self:
        if bool(self.first) != bool(self.second):
            raise ValueError("first and second must both have arms, or none")
        listed = self.listed(0), self.listed(1)
        for number, (colour, arm, _) in enumerate(self.games):
            if arm not in listed[colour] and not FIRST_PLAY_SEED <= arm < 2 * FIRST_PLAY_SEED:
                raise ValueError(f"game {number} has an arm that the program does not play: {arm}")
        return self

    @property
    def portfolio(self) -> Portfolio | None:
        """The arms that it began with; None: no portfolio."""
        if not self.first:
            return None
        return Portfolio(distribution_of(self.first), distribution_of(self.second))

    def listed(self, colour: int) -> tuple[int, ...]:
        """Return the arms of the portfolio that it began with, the heaviest first."""
        weights = self.second if colour else self.first
        return tuple(sorted(weights, key=lambda arm: (-weights[arm], arm)))

    def points(self, colour: int) -> list[int]:
        """Return its half points in the games as `colour`."""
        return [points for own, _, points in self.games if own == colour]

    def text(self) -> str:
        """Return the content of the file, with a line for each game."""
        head = self.model_dump_json(indent=2, exclude={"games"}).removesuffix("\n}")
        lines = ",".join(f"\n    {[*game]}" for game in self.games)
        return f'{head},\n  "games": [{lines}{bool(lines) * chr(10)}{bool(lines) * "  "}]\n}}\n'

    def _summary(self) -> str:
        return f"{self.game.source}, {self.player.source}: {len(self.games):,} games"

    def _parts(self) -> list[Table]:
        return [
            Table(
                ["colour", "games", *SUCCESS_OVER_TIME, "best arm now"],
                [self._row(colour) for colour in (0, 1)],
                title=f"{self.game.source}, adaptive {self.player.source}",
            )
        ]

    def _row(self, colour: int) -> list[str]:
        points = self.points(colour)
        best = name_of_arm(arm_of(bandit_of(self, colour).best(), self.listed(colour)))
        return [
            _COLOURS[colour],
            f"{len(points):,}",
            *over_time(points),
            best if points else "",
        ]

    def _records(self) -> list[dict[str, Any]]:
        names = "colour", "arm", "half_points"
        return [dict(zip(names, (_COLOURS[c], a, p), strict=True)) for c, a, p in self.games]


SUCCESS_OVER_TIME = "success in %", "first half", "last half"


def halves(points: Sequence[int]) -> list[float | None]:
    """Return the success in all games, in the first half and in the last half; None: no games."""
    middle = len(points) // 2
    parts = points, points[:middle], points[len(points) - middle :]
    return [sum(each) / (2 * len(each)) if each else None for each in parts]


def over_time(points: Sequence[int]) -> list[str]:
    """Return the same in percent."""
    return ["" if each is None else percent(each) for each in halves(points)]


def bandit_of(file: AdaptiveFile, colour: int) -> EndlessUcbt:
    """Return what it has learnt as `colour`; arms have the numbers in which they are opened."""
    listed = file.listed(colour)
    played = (
        (number_of(arm, listed), points / 2) for own, arm, points in file.games if own == colour
    )
    return EndlessUcbt.after(played, discount=file.discount)


def arm_of(number: int, listed: Sequence[int]) -> int:
    """Return the arm that is opened with a number, from 0; those of a portfolio come first."""
    return listed[number] if number < len(listed) else FIRST_PLAY_SEED + number - len(listed)


def number_of(arm: int, listed: Sequence[int]) -> int:
    """Return the number with which an arm is opened."""
    return listed.index(arm) if arm in listed else arm - FIRST_PLAY_SEED + len(listed)


class Memory:
    """An adaptive program's file, and what it has learnt so far.

    After each finished game the file is written whole. Between `open` and `close` no other process
    may play from it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: WriterLock | None = None
        self._read()

    def _read(self) -> None:
        self.file = read_adaptive(self.path)
        self._listed = self.file.listed(0), self.file.listed(1)
        self._bandits = bandit_of(self.file, 0), bandit_of(self.file, 1)
        self._played = [len(self.file.points(colour)) for colour in (0, 1)]

    def open(self) -> None:
        """Take the file for games; StudyError if another process has it."""
        if self._lock is not None:
            return
        self._lock = WriterLock(self.path)
        try:
            before = self.file
            self._read()
            if self.file.model_copy(update={"games": before.games}) != before:
                raise PortfolioError(f"{self.path} is now another program; start again")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leave the file to others."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def arm(self, colour: int) -> int:
        """Return the arm of the next game as `colour`; it follows from those before it."""
        key = mix_int(2 * self._played[colour] + colour + int(GOLDEN))
        return arm_of(self._bandits[colour].choose(key), self._listed[colour])

    def learn(self, colour: int, arm: int, points: int) -> None:
        """Take the half points of a finished game, and write the file."""
        self.open()
        learnt = self.file.model_copy(update={"games": (*self.file.games, (colour, arm, points))})
        atomic_write(self.path, learnt.text().encode())
        self.file = learnt
        self._played[colour] += 1
        self._bandits[colour].update(number_of(arm, self._listed[colour]), points / 2)


def is_adaptive(path: Path) -> bool:
    """Tell whether a file begins as adaptive programs do."""
    try:
        return is_file(path) and f'"{_FORMAT}"'.encode() in beginning(path, 100)
    except OSError:  # whoever reads all of it says what is wrong
        return False


def read_adaptive(path: Path) -> AdaptiveFile:
    """Read the file of an adaptive program; PortfolioError if it is not one."""
    try:
        return AdaptiveFile.model_validate_json(read_portfolio_bytes(path))
    except ValidationError as error:
        raise PortfolioError(
            f"{path} is not an adaptive program: {problem_of(error, _FORMAT, _VERSION)}"
        ) from error
