"""What is asked of a study, as a value, and whether a program can do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt
from typing import Any

from pydantic import BaseModel, ConfigDict

from seedfolio.core.display import Brief
from seedfolio.errors import SpecificationError
from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.exploration import MOST_ARMS, ExploringLearner
from seedfolio.learning.learner import Budget, Learner
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.learning.own import given_name
from seedfolio.learning.registry import LEARNERS, find_learner
from seedfolio.portfolios.portfolio import CRITERIA, criteria_for
from seedfolio.programs.interface import Playable
from seedfolio.study.arms import training_cells

MOST_GAMES = 10**9
"""More would not fit the memory that learning takes."""
MOST_MINUTES = 100_000


def check_numbers(**given: object) -> None:
    """Raise SpecificationError if a parameter is not a whole number, or `key` is out of range."""
    for name, value in given.items():
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise SpecificationError(f"`{name}` must be a whole number, not {value!r}")
        if name == "key" and isinstance(value, int) and not 0 <= value < 2**64:
            raise SpecificationError(f"`key` must be from 0 to 2**64 - 1, not {value}")


def learner_names(learners: str | Callable[..., Any] | Sequence[Any]) -> tuple[str, ...]:
    """Return one name or several as a tuple; those of functions and classes are known from now on.

    SpecificationError if one is neither a text nor a learner of the caller's own.
    """
    if isinstance(learners, str) or callable(learners):
        learners = (learners,)
    names: list[str] = []
    own: dict[str, object] = {}
    for each in learners:
        names.append(each if isinstance(each, str) else given_name(each))
        if names[-1] in LEARNERS and each is not names[-1]:
            raise SpecificationError(f"there is a learner {names[-1]}; give yours another name")
        if not isinstance(each, str) and own.setdefault(names[-1], each) is not each:
            raise SpecificationError(f"two learners are called {names[-1]}; rename one")
    return tuple(names)


_MET = 100
"""Arms of other programs that each of ours meets, if there are games for more than as many."""


def matrix_against(cells: int, most: int) -> tuple[int, int]:
    """Return K and Kt, at most `most`, of a matrix against other programs with so many cells."""
    kt = max(1, min(_MET, isqrt(cells // 2), most))
    return max(1, min(cells // (2 * kt), most)), kt


class Request(Brief, BaseModel):
    """What is asked of a study: how many arms, opponents, and which learners."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    k: int
    """Arms to learn about; where learners choose their games, those that represent the original."""
    kt: int
    """Opponents of each; without meaning where all learners choose their games."""
    opponents: int
    learners: tuple[str, ...]
    budget: int | None = None
    """Games that each learner may choose; None: as many as fill the matrices."""
    symmetries: bool = False
    """Whether arms are drawn under a random symmetry of the board."""
    minutes: float | None = None
    """How long learning was to take, where that has chosen the budget."""

    @property
    def chooses(self) -> bool:
        """Whether every learner chooses its games."""
        return self.budget is not None or self.minutes is not None

    def games(self, repeats: int, *, itself: bool = True) -> int:
        """Return how many games each learner has, at most, with `repeats` games a cell.

        `itself` says whether the program meets itself, not others.
        """
        return self.budget or training_cells(self.k, self.kt, itself=itself) * repeats

    def for_learners(self, program: Playable, key: int = 0) -> Budget:
        """Return the budget of each learner.

        Against other programs no learner chooses cells: then the games make a matrix.
        """
        games = self.games(program.repeats, itself=not program.opponents)
        matrix = None if self.chooses else (self.k, self.kt)
        if self.chooses and program.opponents:
            matrix = matrix_against(games // program.repeats, program.arms.training)
        return Budget(games, matrix, key)

    def check(self, program: Playable) -> list[Learner]:
        """Return the learners, each once; SpecificationError if this is impossible."""
        self._check_sizes(program)
        learners = {learner.name: learner for learner in map(find_learner, self.learners)}
        for learner in learners.values():
            self._check_learner(learner, program)
        return list(learners.values())

    def _check_sizes(self, program: Playable) -> None:
        """Raise SpecificationError if the program does not have so many arms, or nobody does."""
        if self.k < 1:
            raise SpecificationError(f"K = {self.k} is too small: `k` must be 1 or more")
        most = self.kt if program.opponents else self.k
        if not self.chooses and not 1 <= self.kt <= most:
            raise SpecificationError(
                f"Kt = {self.kt} is not between 1 and K = {self.k}; change `kt` or `k`"
            )
        learning = 0 if self.chooses else training_cells(self.k, self.kt)
        if (games := learning + 2 * self.k * self.opponents) > MOST_GAMES:
            raise SpecificationError(
                f"that would be {games:,} games, more than {MOST_GAMES:,}; choose a smaller `k`, "
                "`kt` or `opponents`"
            )
        if not criteria_for(self.opponents):
            raise SpecificationError(
                f"{self.opponents} unseen opponents are too few to judge by; `opponents` must be "
                f"{CRITERIA[0] + 1} or more, and {CRITERIA[-1] + 1} for all columns of the table"
            )
        if self.budget is not None and not 1 <= self.budget <= MOST_GAMES:
            raise SpecificationError(
                f"`budget` must be 1 to {MOST_GAMES:,} games, not {self.budget:,}"
            )
        if self.minutes is not None and not 0 < self.minutes <= MOST_MINUTES:
            raise SpecificationError(
                f"`minutes` must be above 0 and at most {MOST_MINUTES:,}, not {self.minutes:g}"
            )
        if not self.learners:
            raise SpecificationError("`learners` is empty; name one, such as nash")
        if self.opponents < (others := len(program.opponents)):
            raise SpecificationError(
                f"{self.opponents} unseen opponents are too few for {others} other programs; "
                f"`opponents` must be {others} or more"
            )
        training, unseen = program.arms.training, program.arms.unseen
        if self.k > training or self.opponents > unseen:
            raise SpecificationError(
                f"{program.title} has {training:,} arms to learn from and {unseen:,} unseen ones, "
                f"not {self.k:,} and {self.opponents:,}; lower `k` or `opponents`, or add seeds or "
                "options to its arms"
            )
        if self.symmetries:
            program.with_symmetries()

    def _check_learner(self, learner: Learner, program: Playable) -> None:
        """Raise SpecificationError if a learner cannot learn about the program."""
        whole = not self.chooses
        settled = learner.settled(program, self.budget or 0)
        if program.opponents and not isinstance(settled, MatrixLearner | BookLearner):
            raise SpecificationError(
                f"learner {learner.name} plays the program against itself, and here it has other "
                f"opponents; these learn against them: book, {_taking_matrices()}"
            )
        learner.check(program, whole_matrix=whole)
        if program.traits.begins_elsewhere and settled.name.startswith("book"):
            raise SpecificationError(
                f"learner {learner.name}: a book begins at the start of a game, and {program.title}"
                " has [openings]; choose other learners"
            )
        if not program.traits.slow or program.arms.training >= MOST_ARMS:
            return
        arms = program.arms.training
        needed = 0 if self.budget is None else isqrt(self.budget)
        if isinstance(learner, MatrixLearner) and needed > arms:
            raise SpecificationError(
                f"{learner.name} learns from {needed} arms of each colour with a budget of "
                f"{self.budget:,} games, and {program.title} has {arms} to learn from; lower "
                "`budget`"
            )
        if isinstance(settled, ExploringLearner) and not isinstance(learner, MatrixLearner):
            raise SpecificationError(
                f"{learner.name} tries ever more arms, and {program.title} has {arms} to learn "
                f"from; take one of {_taking_matrices()}, or book"
            )


def _taking_matrices() -> str:
    return ", ".join(name for name, entry in LEARNERS.items() if entry.takes_matrix)
