"""What the experiments with GNU Go have in common: numbers that set their size, and their games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Progress, Silent
from seedfolio.arena.processes import ProcessArena
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError, StudyError, did_you_mean
from seedfolio.evaluation.exploiters import Estimate, both_colours
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.study.arms import UnseenArms
from seedfolio.study.session import play_missing
from seedfolio.study.store import Study


@dataclass(frozen=True)
class Setting:
    """One run of an experiment: how large, where its studies are, and who is told about it."""

    folder: Path
    numbers: Mapping[str, int]
    games: int | None = None
    """Games at once; None: as many as there are cores."""
    progress: Progress = field(default_factory=Silent)
    announce: Callable[[str], None] = lambda text: None

    def __getitem__(self, name: str) -> int:
        return self.numbers[name]


class Outcome(ABC):
    """What came out of an experiment."""

    @abstractmethod
    def markdown(self) -> str:
        """Return the table in Markdown, ours beside the paper's."""

    def draw(self, folder: Path) -> list[Path]:
        """Draw what there is to be drawn, an SVG file each; return the files."""
        return []


@dataclass(frozen=True)
class EngineExperiment:
    """An experiment of the papers with GNU Go."""

    summary: str
    usual: Mapping[str, int]
    """Its numbers by name, as large as two cores do in minutes to an hour."""
    paper: Mapping[str, int]
    """Those of the paper, where they differ."""
    play: Callable[[Setting], Outcome]
    """Plays what is missing. Everything is kept: to run it again is to go on."""
    shared: str = ""
    """The experiment whose folder it uses as well, for the games that both begin with."""

    def numbers(self, given: Mapping[str, int], as_paper: bool) -> dict[str, int]:
        """Return all numbers: those given, else the paper's if asked for, else the usual ones."""
        for name, number in given.items():
            if name not in self.usual:
                hint = did_you_mean(name, self.usual)
                known = ", ".join(self.usual)
                raise SpecificationError(f"it has no number {name!r}; {hint}there are {known}")
            if number < 1:
                raise SpecificationError(f"{name}={number} cannot be; give 1 or more")
        return {**self.usual, **(self.paper if as_paper else {}), **given}

    def run(self, setting: Setting) -> Outcome:
        """Run it in its folder, which is made if need be."""
        try:
            setting.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot make the folder {setting.folder}: {error.strerror}"
            raise StudyError(message) from error
        return self.play(setting)


@dataclass(frozen=True)
class Games:
    """The games of one program, in a study."""

    program: EngineProgram
    study: Study
    arena: ProcessArena
    progress: Progress

    def success(
        self, task: str, rectangles: Sequence[tuple[NDArray[np.uint64], NDArray[np.uint64]]]
    ) -> list[NDArray[np.float64]]:
        """Return the success of rows, moving first, against columns, for each of rectangles."""
        play_missing(self.study, self.arena, self.program, list(rectangles), task, self.progress)
        return [self.study.results(*each) / self.study.full for each in rectangles]

    def against_unseen(
        self, task: str, portfolio: Portfolio, opponents: int
    ) -> tuple[Estimate, ...]:
        """Return the success against so many unseen seeds: as Black, as White, and of both."""
        black, white = (np.array(portfolio[side].seeds, np.uint64) for side in (0, 1))
        unseen = UnseenArms(0, opponents).seeds()
        first, second = self.success(task, [(black, unseen), (unseen, white)])
        sides = (
            mean_of(np.array(portfolio.first.weights) @ first),
            mean_of(np.array(portfolio.second.weights) @ (1 - second.T)),
        )
        return (*sides, both_colours(*sides))


@contextmanager
def opened_games(program: EngineProgram, path: Path, setting: Setting) -> Iterator[Games]:
    """Open the study of a program, and an arena for it.

    Every answer comes from a new process, whose seed is set last: GNU Go then plays by its seed
    and the moves so far alone, so that no answer is computed twice. One that contradicts another
    is found out.
    """
    identity = program.identity()
    with Study.open(path, identity) as study:
        archive = study.engine_games()
        arena = ProcessArena(
            program, games=setting.games, remember=True, reuse=False, archive=archive
        )
        with arena:
            yield Games(program, study, arena, setting.progress)


def markdown_table(lines: Sequence[Sequence[str]], texts: int = 1) -> str:
    """Return a table whose first line is its heading; the first `texts` columns hold words."""
    rule = ["---"] * texts + ["---:"] * (len(lines[0]) - texts)
    return "".join(f"| {' | '.join(line)} |\n" for line in (lines[0], rule, *lines[1:]))


def mean_of(successes: NDArray[np.float64]) -> Estimate:
    """Return the mean of independent successes, and its standard error."""
    error = float(successes.std(ddof=1)) / len(successes) ** 0.5 if len(successes) > 1 else np.nan
    return Estimate(float(successes.mean()), error)


def in_percent(share: float) -> str:
    """Return a share as printed."""
    return f"{100 * share:.1f}"
