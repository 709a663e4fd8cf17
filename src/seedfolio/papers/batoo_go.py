"""Reproduces Batoo in "Automatically Reinforcing a Game AI" (St-Pierre et al.).

The row of Table I, cross-validation (Fig. 5), UCBT (Fig. 7) and portfolios against each other
(Fig. 11).

Simplified as there: both players choose three base stones in private, stones on the same point are
removed, and the rest is Go on 9x9 between GNU Go and GNU Go. An arm is a seed: it draws the base
build, and plays the Go part. The paper had level 10, and says neither how many seeds nor how base
builds were drawn. Here they are drawn from the points that are not on the edge, where three stones
can never capture another.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.cross_validation import Matrix
from seedfolio.analysis.matrix_game import HEADINGS, Portfolios
from seedfolio.boosting.cross_validation import CrossValidation, validate_matrix
from seedfolio.core.randomness import mix_int
from seedfolio.core.table import Table
from seedfolio.engines.interface import Arm, Engine, IllegalMoveError, Judge
from seedfolio.engines.program import EngineProgram, Variant
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.learning.learner import Budget
from seedfolio.learning.registry import find_learner
from seedfolio.papers.engine_experiment import (
    EngineExperiment,
    open_engine,
    success_against_unseen,
)
from seedfolio.papers.experiment import Outcome, Setting
from seedfolio.papers.gnu_go import classical, gnu_go
from seedfolio.papers.square_tables import curves_table, draw_square, ucbt_table
from seedfolio.study.arms import TrainingArms, training_cells

PAPER = ("50.1", "70.7", "34.0", "56.6", "68.0", "11 and 14")
PAPER_BEST = "71"
"""Success of BestArm in the limit of many seeds, in percent: derived there, not measured."""
BOARD, BASE, KOMI = 9, 3, 7.5
LEARNERS = ("best-seed", "nash")

_LETTERS = "abcdefghjklmnopqrst"


def base_build(seed: int) -> str:
    """Return the stones that a seed chooses, as one move: `c3,e5,g6`."""
    inner = [f"{column}{row}" for column in _LETTERS[1 : BOARD - 1] for row in range(2, BOARD)]
    return ",".join(sorted(sorted(inner, key=lambda point: _lot(seed, point))[:BASE]))


def _lot(seed: int, point: str) -> int:
    return mix_int(seed ^ mix_int(int.from_bytes(point.encode())))


def stones_left(black: str, white: str) -> list[tuple[int, str]]:
    """Return the stones of two base builds with their colours, without those on the same point."""
    builds = black.split(","), white.split(",")
    return [
        (colour, point)
        for colour in (0, 1)
        for point in builds[colour]
        if point not in builds[1 - colour]
    ]


@dataclass(eq=False)
class BatooEngine:
    """A Go engine that begins with a base build: the first move of each colour is its stones."""

    inner: Engine
    builds: tuple[str, ...] = ()
    own: str = ""

    @property
    def identity(self) -> str:
        """The name and version that the program gives itself."""
        return self.inner.identity

    @property
    def habits(self) -> frozenset[str]:
        """What it does that disturbs games."""
        return self.inner.habits

    @property
    def score(self) -> str:
        """What it said of its own position with its last move."""
        return self.inner.score

    @property
    def opinion(self) -> str:
        """The same for people."""
        return self.inner.opinion

    def new_game(self, arm: Arm) -> None:
        """Begin a game as `arm`."""
        self.inner.new_game(arm)
        self.builds, self.own = (), base_build(int(arm.values["seed"]))

    def told(self, colour: int, move: str) -> None:
        """Note a move."""
        if len(self.builds) < 2:
            self._build(move)
        else:
            self.inner.told(colour, move)

    def choose(self, colour: int) -> str:
        """Return its move; the first is its base build, whatever the other has chosen."""
        if len(self.builds) < 2:
            self._build(self.own)
            return self.own
        return self.inner.choose(colour)

    def close(self, polite: bool = True) -> None:
        """End the program."""
        self.inner.close(polite)

    def kill(self) -> None:
        """End the program at once."""
        self.inner.kill()

    def _build(self, stones: str) -> None:
        self.builds += (stones,)
        if len(self.builds) == 2:
            for colour, point in stones_left(*self.builds):
                self.inner.told(colour, point)


@dataclass(eq=False)
class BatooJudge:
    """The rules: those of Go, after two base builds are put on the board."""

    inner: Judge
    builds: tuple[str, ...] = ()

    def new_game(self) -> None:
        """Begin at the start."""
        self.inner.new_game()
        self.builds = ()

    @property
    def mover(self) -> int:
        """The colour to move."""
        return len(self.builds) if len(self.builds) < 2 else self.inner.mover

    def play(self, move: str, known: bool) -> None:
        """Take a move."""
        if len(self.builds) == 2:
            self.inner.play(move, known)
            return
        if len(set(move.split(","))) != BASE:
            raise IllegalMoveError(move)
        self.builds += (move,)
        if len(self.builds) == 2:
            self._set_up()

    def points(self) -> int | None:
        """Return the half points of the first player if the game is over."""
        return None if len(self.builds) < 2 else self.inner.points()

    @property
    def score(self) -> str:
        """The score of a finished game."""
        return self.inner.score

    def number(self, move: str) -> int:
        """Return the number of a move; a base build has none."""
        if len(self.builds) < 2:
            raise IllegalMoveError(move)
        return self.inner.number(move)

    def name(self, number: int) -> str:
        """Return the move with a number; a base build has none."""
        if len(self.builds) < 2:
            raise IllegalMoveError(f"number {number}")
        return self.inner.name(number)

    def numbers(self) -> Sequence[int]:
        """Return the numbers of all moves that may be legal."""
        return () if len(self.builds) < 2 else self.inner.numbers()

    def close(self) -> None:
        """End the judge's process."""
        self.inner.close()

    def kill(self) -> None:
        """End it at once."""
        self.inner.kill()

    def _set_up(self) -> None:
        # Both colours have equally many stones left, so they can be played in turn.
        black, white = (
            [point for colour, point in stones_left(*self.builds) if colour == side]
            for side in (0, 1)
        )
        for point in itertools.chain(*zip(black, white, strict=True)):
            self.inner.play(point, False)


def batoo(program: EngineProgram) -> EngineProgram:
    """Let a program that plays Go play Batoo, without books: base builds are no moves of Go."""
    identity = {"rules": f"batoo, {BASE} inner base stones"}
    return replace(program, variant=Variant(identity, engine=BatooEngine, judge=BatooJudge))


@dataclass(frozen=True, repr=False)
class Batoo(Outcome):
    """The outcome."""

    points: NDArray[np.uint8]
    """Half points of Black's seeds (rows) against White's."""
    judged: dict[str, tuple[Estimate, ...]]
    """By learner: the success as Black, as White, and of both."""
    redraws: int

    def tables(self) -> list[Table]:
        """Return the row of Table I, the success against unseen seeds, and those of the figures."""
        found = Portfolios.of(self.points / 2)
        size = str(len(self.points))
        table = [
            ["paper, learnt from", "-", *PAPER],
            ["ours, learnt from", size, *found.printed()],
        ]
        unseen = []
        for name, success in self.judged.items():
            if name == "best-seed":
                unseen.append([f"{name}, in the limit", "paper", "-", "-", PAPER_BEST])
            unseen.append([name, "ours", *(each.text for each in success)])
        tables = [
            Table(["batoo", "seeds", *HEADINGS], table, words=range(2)),
            Table(["method", "", "Black", "White", "both"], unseen, words=range(2)),
        ]
        if len(self.points) > 1:
            left_out, each_other = self._validated
            tables += [
                curves_table("left-out seeds", [left_out], PAPER_BEST),
                ucbt_table(found),
                curves_table("each other", [each_other]),
            ]
        return tables

    @cached_property
    def _validated(self) -> tuple[CrossValidation, CrossValidation]:
        validate = partial(validate_matrix, "batoo", Matrix(self.points, 2), redraws=self.redraws)
        return validate(), validate(each_other=True)

    def draw(self, folder: Path) -> list[Path]:
        """Draw Fig. 5, 11 and 7."""
        if len(self.points) == 1:
            return []
        return draw_square(folder, "batoo", Matrix(self.points, 2), *self._validated)


def play_batoo(setting: Setting) -> Batoo:
    """Play seeds against each other, learn, and evaluate on unseen seeds."""
    level, k = setting["level"], setting["k"]
    program = batoo(gnu_go(BOARD, KOMI, classical(level)))
    judged = {}
    path = setting.folder / f"batoo-{level}.study"
    with open_engine(program, path, setting.run) as session:
        setting.run.note("batoo: seeds against each other")
        budget = Budget(training_cells(k, k), matrix=(k, k))
        for name in LEARNERS:
            learnt = find_learner(name).learn(session, budget)
            task = f"{name} against unseen"
            judged[name] = success_against_unseen(session, task, learnt, setting["opponents"])
        seeds = TrainingArms(0, k).seeds()
        points = session.study.results(seeds, seeds)
    return Batoo(points, judged, setting["redraws"])


BATOO = EngineExperiment(
    summary="Batoo: base stones chosen in private by a seed, then GNU Go on 9x9",
    usual={"k": 12, "opponents": 20, "level": 1, "redraws": 200},
    paper={"k": 100, "opponents": 100, "level": 10, "redraws": 5000},
    takes="20 minutes on 1 core with k=10, opponents=32",
    played_by=play_batoo,
)
