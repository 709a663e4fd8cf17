"""Learning, repeated with other seeds: how much of a result is the luck of training."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Block, Run
from seedfolio.boosting.request import Request
from seedfolio.boosting.session import open_session
from seedfolio.boosting.trials import Trials, run_trials
from seedfolio.core.seeds import FIRST_PLAY_SEED, HELD_BACK_SEEDS, SYMMETRY_SHIFT, UNSEEN_SEEDS
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.books import MOST_OWN_SEEDS
from seedfolio.evaluation.unseen import MOST_OPPONENTS
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.programs.interface import Playable
from seedfolio.report.learnings import mean_of
from seedfolio.report.table import Row
from seedfolio.study.session import Session
from seedfolio.study.store import Study

_APART = 2**20
"""Repetitions have their seeds this far apart; larger studies, a larger power of two."""
_SEED = np.uint64((1 << SYMMETRY_SHIFT) - 1)
MOST_REPETITIONS = HELD_BACK_SEEDS.start // _APART
"""More would reach from one range of seeds into the next."""


@dataclass(frozen=True)
class ShiftedArena:
    """An arena that plays seed n as seed n + `shift`, in every range of seeds."""

    arena: Arena
    shift: int

    def play(
        self, program: Playable, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play the other seeds; blocks name those asked for."""
        cells = self._others(rows), self._others(columns)
        with closing(self.arena.play(program, *cells)) as blocks:
            for block in blocks:
                asked = self._asked(block.rows), self._asked(block.columns)
                yield replace(block, rows=asked[0], columns=asked[1])

    def _others(self, arms: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return the arms to play. After the last unseen seed, where books are, comes the first."""
        others = arms + np.uint64(self.shift)
        beyond = (arms & _SEED < FIRST_PLAY_SEED) & (others & _SEED >= FIRST_PLAY_SEED)
        return np.where(beyond, others - np.uint64(len(UNSEEN_SEEDS)), others)

    def _asked(self, others: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return the arms asked for, which `_others` turned into these."""
        arms = others - np.uint64(self.shift)
        before = (others & _SEED >= UNSEEN_SEEDS.start) & (arms & _SEED < UNSEEN_SEEDS.start)
        return np.where(before, arms + np.uint64(len(UNSEEN_SEEDS)), arms)


def check_repetitions(repetitions: int) -> None:
    """Raise SpecificationError if `repetitions` is out of range."""
    if not isinstance(repetitions, int) or not 1 <= repetitions <= MOST_REPETITIONS:
        raise SpecificationError(
            f"`repetitions` must be 1 to {MOST_REPETITIONS}, not {repetitions!r}"
        )


def seeds_apart(program: Playable, requests: Sequence[Request], repetitions: int) -> int:
    """Return how far apart the seeds of repetitions are: no two of them have the same.

    SpecificationError if there are too few seeds.
    """
    most = max(_most_seeds(program, request) for request in requests)
    apart = max(_APART, 1 << (most - 1).bit_length())
    if repetitions * apart > HELD_BACK_SEEDS.start:
        raise SpecificationError(
            f"there are no seeds for {repetitions} repetitions with up to {most:,} each; choose "
            f"`repetitions` {max(1, HELD_BACK_SEEDS.start // apart)} or fewer, or a smaller study"
        )
    return apart


def _most_seeds(program: Playable, request: Request) -> int:
    """Return how many seeds of a range a request plays, at most."""
    learners = request.check(program)
    whole = not request.chooses and all(isinstance(each, MatrixLearner) for each in learners)
    # One that chooses its games opens fewer arms, and a book has a new one for each game.
    learning = request.k if whole else max(request.k, request.games(program.repeats))
    # A portfolio of few arms meets more opponents; with a book the last unseen seeds play, too.
    unseen = MOST_OPPONENTS * request.opponents + (0 if whole else MOST_OWN_SEEDS)
    return max(learning, unseen)


def repeated_trials(
    program: Playable,
    requests: Sequence[Request],
    file: Path,
    numbers: range,
    run: Run,
    *,
    key: Callable[[int], int] = lambda _: 0,
) -> Iterator[tuple[Trials, ...]]:
    """Yield, for each number, the trials of all requests with seeds of its own.

    Both the seeds learnt from and the unseen ones are others in each repetition. Each has a study
    beside `file`, so that an interrupted run continues. `key` of a number draws what learners leave
    to chance.
    """
    apart = seeds_apart(program, requests, numbers.stop)
    for number in numbers:
        identity = {**program.identity(), "repetition": number}
        if apart > _APART:
            identity["apart"] = apart
        path = file.with_name(f"{file.stem}-repetition-{number}{file.suffix}")
        # The first opens the arena and checks the program; its study is in memory and stays empty.
        with (
            open_session(program, ":memory:", run) as (plain, _),
            Study.open(path, identity) as study,
        ):
            arena = ShiftedArena(plain.arena, number * apart)
            session = Session(study, arena, program, plain.progress)
            yield tuple(
                run_trials(session, each, each.check(program), key(number), exactly=False)
                for each in requests
            )


def over_learnings(repetitions: Sequence[Sequence[Row]]) -> tuple[Row, ...]:
    """Return the mean of each row over repetitions, with the standard error of that mean.

    The error is that of everything that differs between repetitions: the seeds learnt from, and the
    unseen ones. A best response is not repeated, nor the success against each of several players,
    so there is none.
    """
    first = {row.name: row for row in repetitions[0]}
    return tuple(
        replace(
            row,
            detail="-",
            best_response=None,
            opponents=None,
            each=(),
            learnings=len(repetitions),
            estimates=[
                mean_of([_named(rows, name).estimates[column] for rows in repetitions])
                for column in range(len(row.estimates))
            ],
        )
        for name, row in first.items()
    )


def _named(rows: Sequence[Row], name: str) -> Row:
    return next(row for row in reversed(rows) if row.name == name)
