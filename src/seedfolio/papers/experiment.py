"""Common parts of all experiments of the papers: a setting and an outcome."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from seedfolio.arena import Run
from seedfolio.core.display import Displayed
from seedfolio.core.table import Table
from seedfolio.errors import SpecificationError, StudyError, did_you_mean
from seedfolio.portfolios.portfolio import CRITERIA


@dataclass(frozen=True)
class Setting:
    """What is asked of an experiment: its sizes, where its studies are, and how to play."""

    folder: Path
    numbers: Mapping[str, int]
    """The sizes of the experiment by name, such as `k`."""
    boards: Sequence[str] = ()
    """The games or boards to run; none: all."""
    player: str | None = None
    """A player for all games; None: the experiment's."""
    run: Run = field(default_factory=Run)
    """Its note receives a line for each part of the experiment."""
    repetitions: int = 1
    """How often all is learnt anew, with other seeds."""
    learners: tuple[str, ...] = ()
    """Learners besides those of the paper."""

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]


class Outcome(Displayed, ABC):
    """What `reproduce` found: tables and figures.

    >>> from seedfolio import reproduce
    >>> sizes = {"k": 4, "kt": 4, "opponents": 17, "boards": ["domineering:5x5"]}
    >>> outcome = reproduce("table3", player="uct:simulations=5", folder="papers", **sizes)
    >>> outcome
    <BoardOutcome with tables of 10 lines>
    >>> outcome.markdown().splitlines()[2].split(" | ")[:3]
    ['| domineering 5x5', 'original, 1 seed', 'ours']
    """

    @abstractmethod
    def tables(self) -> list[Table]:
        """Return the tables, ours beside the paper's."""

    @property
    def caption(self) -> str:
        """What is said below the tables."""
        return ""

    def markdown(self) -> str:
        """Return the tables and the caption in Markdown."""
        said = [f"{self.caption}\n"] if self.caption else []
        return "\n".join([*(table.markdown() for table in self.tables()), *said])

    def _summary(self) -> str:
        return f"with tables of {len(self._records())} lines"

    def _parts(self) -> list[Table | str]:
        return [*self.tables(), *self.caption.splitlines()]

    def _records(self) -> list[dict[str, str]]:
        """Return the lines of all tables, as they are printed."""
        return [record for table in self.tables() for record in table.records()]

    def draw(self, folder: Path) -> list[Path]:
        """Draw the figures of the experiment, an SVG file each; return the files."""
        return []


class Experiment(ABC):
    """An experiment of the papers. All games are kept: running it again continues it."""

    options: frozenset[str]
    """Its options besides numbers: `kt`, `boards`, `player`, `arena`, `repetitions`,
    `learners`, `numbers`, `paper`."""
    takes: str
    """How long it takes with its usual numbers, where that was measured (see docs/results.md)."""
    shared: str = ""
    """The experiment whose folder it shares, as both begin with the same games."""

    @abstractmethod
    def makes(self) -> str:
        """What it makes again, in a line."""

    @abstractmethod
    def sizes(self, given: Mapping[str, int], paper: bool) -> dict[str, int]:
        """Return all its numbers: those given, else the paper's if asked for, else the usual."""

    @abstractmethod
    def play(self, setting: Setting) -> Outcome:
        """Play what is missing in the folder of the setting, which exists."""

    def check(self, setting: Setting) -> None:
        """Raise SpecificationError for an impossible setting, before anything is written."""
        return

    def run(self, setting: Setting) -> Outcome:
        """Make the folder if it does not exist, and play."""
        self.check(setting)
        make_folder(setting.folder)
        return self.play(setting)


def check_named(given: Mapping[str, int], names: Collection[str]) -> None:
    """Raise SpecificationError for a number with another name, or below 1."""
    for name, number in given.items():
        if name not in names:
            hint = did_you_mean(name, names)
            known = ", ".join(names)
            raise SpecificationError(f"there is no number {name!r}; {hint}there are {known}")
        if number < 1:
            raise SpecificationError(f"{name} must be 1 or more, not {number}")


def check_opponents(opponents: int) -> None:
    """Raise SpecificationError if our table would have fewer columns than the paper's."""
    if opponents <= CRITERIA[-1]:
        raise SpecificationError(
            f"{opponents} unseen opponents are too few for the paper's columns, where an exploiter "
            f"picks among {CRITERIA[-1]}; `opponents` must be {CRITERIA[-1] + 1} or more"
        )


def as_printed(number: float) -> str:
    """Return a number of a paper with one decimal; a 5 after that is rounded up.

    By its decimal digits: as a binary number 41.55 lies below 41.55, and would give 41.5.
    """
    return str(Decimal(str(number)).quantize(Decimal("0.1"), ROUND_HALF_UP))


def make_folder(folder: Path) -> None:
    """Make a folder; StudyError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(f"cannot make the folder {folder}: {error.strerror}") from error


def refuse_options(name: str, experiment: Experiment, given: Mapping[str, object]) -> None:
    """Raise SpecificationError if an option was given that an experiment does not take."""
    for option, value in given.items():
        if value and option not in experiment.options:
            raise SpecificationError(f"{name} takes no `{option}`; leave it out")
