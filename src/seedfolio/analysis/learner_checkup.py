"""The check of a learner of a user's own: on made-up results, without a game."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Displayed, lines_table
from seedfolio.core.files import read_regular
from seedfolio.core.randomness import GOLDEN
from seedfolio.core.table import Table
from seedfolio.core.user_file import split_source
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.learning.exploration import follow
from seedfolio.learning.matrix import MatrixLearner, Scores
from seedfolio.learning.own import OwnExploring
from seedfolio.learning.registry import find_learner
from seedfolio.study.session import Cells

_SHAPES = ((1, 1), (1, 5), (5, 1), (2, 2), (20, 12), (100, 100))
_BUDGETS = (1, 2, 3, 10, 100, 1000)
_TIMED = 500
"""Arms of the matrix, and half of the hundreds of games, that the time is measured with."""
_NAMES = {"learn", "explore"}


@dataclass(frozen=True, repr=False)
class LearnerCheckup(Displayed):
    """What the check of a learner has found.

    >>> from seedfolio import check, new_learner
    >>> found = check(new_learner("softmax.py"))
    >>> found
    <LearnerCheckup softmax.py: passed>
    """

    title: str
    problem: str
    """What is wrong, in one line; empty: nothing."""
    findings: tuple[tuple[str, str], ...] = ()
    """What was looked at, and what was seen."""

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problem

    @property
    def text(self) -> str:
        """The whole check as text; one line if something is wrong."""
        if self.problem:
            return self.problem
        lines = [f"{name:<13} {text}" for name, text in self.findings]
        return "\n".join([f"{self.title}: a learner", *lines])

    def _summary(self) -> str:
        return f"{self.title}: {self.problem or 'passed'}"

    def _parts(self) -> list[Table | str]:
        return [self.problem] if self.problem else [lines_table(self.title, self.findings)]

    def _records(self) -> list[dict[str, Any]]:
        return [self.as_data()]

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "title": self.title,
            "passed": self.passed,
            "problem": self.problem,
            "findings": dict(self.findings),
        }


def is_learner_file(text: str) -> bool:
    """Tell whether a file of a user's holds a learner, from its text alone. Nothing of it runs."""
    file, _ = split_source(text)
    if not file.endswith(".py"):
        return False
    try:
        tree = ast.parse(read_regular(Path(file)))
    except (OSError, SyntaxError, ValueError):
        return False
    names = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
    for each in tree.body:
        if isinstance(each, ast.ClassDef):
            names |= {own.name for own in each.body if isinstance(own, ast.FunctionDef)}
    return bool(names & _NAMES)


def check_up_learner(text: str) -> LearnerCheckup:
    """Check the learner that `text` names; what is wrong with it is in the result."""
    try:
        learner = find_learner(text)
        kind = "learn" if isinstance(learner, MatrixLearner) else "explore"
        found: list[tuple[str, str]] = [("kind", _KINDS[kind])]
        if isinstance(learner, MatrixLearner):
            found += _check_matrix(learner)
        else:
            assert isinstance(learner, OwnExploring), "no other kind is in a file"
            found += _check_exploring(learner)
    except SeedfolioError as error:
        return LearnerCheckup(text, " ".join(str(error).split()))
    return LearnerCheckup(learner.name, "", (*found, ("verdict", "passed")))


_KINDS = {"learn": "takes a matrix", "explore": "chooses its games"}


def _check_matrix(learner: MatrixLearner) -> list[tuple[str, str]]:
    random = np.random.default_rng(1)
    matrices: list[Scores] = [np.full((4, 3), points, np.uint8) for points in (0, 1, 2)]
    matrices += [random.integers(0, 3, shape, dtype=np.uint8) for shape in _SHAPES]
    weighed = [learner.weigh(each, 2, key).weights for key, each in enumerate(matrices)]
    # In another order, so that what it keeps between two calls shows.
    for key, scores in reversed([*enumerate(matrices)]):
        again = learner.weigh(scores, 2, key).weights
        if again.tobytes() != weighed[key].tobytes():
            raise SpecificationError(
                f"learner {learner.name}: the same results have other weights the second time; "
                "take all chance from rng, and keep nothing between two calls"
            )
    timed = random.integers(0, 3, (_TIMED, _TIMED // 5), dtype=np.uint8)
    seconds = _seconds(lambda: learner.weigh(timed, 2, 0))
    return [
        ("weights", f"0 or more, one for each arm, on {len(matrices)} matrices"),
        ("deterministic", "the same results and key have the same weights, in any order"),
        ("speed", f"{seconds:.2g} s for {_TIMED} arms against {_TIMED // 5}"),
    ]


def _check_exploring(learner: OwnExploring) -> list[tuple[str, str]]:
    for budget in _BUDGETS:
        whole, used, asked = _run(learner, budget, budget)
        # Interrupted, while another one runs; then again from the beginning, as after a crash.
        _, _, begun = _run(learner, budget, max(1, len(asked) // 2))
        again, _, repeated = _run(learner, budget, budget)
        if repeated != asked or begun != asked[: len(begun)] or again != whole:
            raise SpecificationError(
                f"learner {learner.name}: with a budget of {budget:,} it asks for other games the "
                "second time, so it cannot go on after an interruption; take all chance from rng, "
                "and keep nothing between two runs"
            )
    seconds = _seconds(lambda: _run(learner, _BUDGETS[-1], _BUDGETS[-1]))
    return [
        (
            "budget",
            f"kept, from {_BUDGETS[0]} to {_BUDGETS[-1]:,} games; it used {used:,} of these",
        ),
        ("weights", "0 or more, of both colours"),
        ("deterministic", "the same results and key lead to the same games and weights"),
        ("resumes", "after an interruption it asks for the same games again, which are kept"),
        ("speed", f"{seconds:.2g} s for {_BUDGETS[-1]:,} games, without the games"),
    ]


def _run(learner: OwnExploring, budget: int, most: int) -> tuple[Any, int, list[int]]:
    """Follow it for at most so many calls; return its choice, the games used, and all asked for."""
    run = learner.begin(budget, 2, 1)
    asked: list[int] = []
    calls = 0

    def results(cells: Cells) -> NDArray[np.uint8]:
        nonlocal calls
        calls += 1
        asked.extend(cells.keys.tolist())
        return (((cells.rows * GOLDEN + cells.columns) * GOLDEN) >> np.uint64(62)).astype(
            np.uint8
        ) % np.uint8(3)

    used = follow(run, budget, results, lambda: calls >= most)
    choice = run.choice()
    return (choice.portfolio.first, choice.portfolio.second), used, asked


def _seconds(run: Callable[[], object]) -> float:
    before = perf_counter()
    run()
    return perf_counter() - before
