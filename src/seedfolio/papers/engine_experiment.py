"""Common parts of the experiments with GNU Go: sizes, sessions and success."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Run
from seedfolio.arena.processes import ProcessArena
from seedfolio.engines.program import EngineProgram
from seedfolio.evaluation.exploiters import Estimate, exploiter_success
from seedfolio.learning.learner import Learnt
from seedfolio.papers.experiment import Experiment, Outcome, Setting, check_named
from seedfolio.study.arms import Rectangle, UnseenArms, success_of
from seedfolio.study.session import Session
from seedfolio.study.store import Study


@dataclass(frozen=True)
class EngineExperiment(Experiment):
    """An experiment of the papers with GNU Go."""

    summary: str
    usual: Mapping[str, int]
    """Its numbers by name; with these, two cores take minutes to an hour."""
    paper: Mapping[str, int]
    """Those of the paper, where they differ."""
    played_by: Callable[[Setting], Outcome]
    takes: str
    shared: str = ""

    options = frozenset({"numbers", "paper"})

    def makes(self) -> str:
        """What it makes again, in a line."""
        return self.summary

    def sizes(self, given: Mapping[str, int], paper: bool) -> dict[str, int]:
        """Return all numbers: those given, else the paper's if asked for, else the usual ones."""
        check_named(given, self.usual)
        return {**self.usual, **(self.paper if paper else {}), **given}

    def play(self, setting: Setting) -> Outcome:
        """Play what is missing."""
        return self.played_by(setting)


@contextmanager
def open_engine(program: EngineProgram, path: Path, run: Run) -> Iterator[Session]:
    """Open the study of an engine, and an arena for it.

    Every answer comes from a new process, whose seed is set last. GNU Go then depends only on its
    seed and the moves so far, so no answer is computed twice. Contradicting answers are detected.
    """
    identity = program.identity()
    with Study.open(path, identity) as study:
        archive = study.engine_games()
        arena = ProcessArena(
            program, games=run.threads, remember=True, reuse=False, archive=archive
        )
        with arena:
            yield Session(study, arena, program, run.progress)


def success(
    session: Session, task: str, rectangles: Sequence[Rectangle]
) -> list[NDArray[np.float64]]:
    """Return the success of rows, which move first, against columns, for each rectangle."""
    return [each / session.study.full for each in session.results(rectangles, task)]


def success_against_unseen(
    session: Session, task: str, learnt: Learnt, opponents: int
) -> tuple[Estimate, ...]:
    """Return the success against a number of unseen seeds: as Black, as White, and of both."""
    portfolio = learnt.plays.distributions
    assert portfolio is not None, "a book has no arms to weigh"
    black, white = (np.array(portfolio[side].arms, np.uint64) for side in (0, 1))
    unseen = UnseenArms(0, opponents).seeds()
    results = session.results([(black, unseen), (unseen, white)], task)
    first, second = (
        np.array(portfolio[side].weights) @ success_of(side, results[side], session.study.full)
        for side in (0, 1)
    )
    both = (first + second) / 2
    return tuple(exploiter_success(each, 1).plain for each in (first, second, both))
