"""What is asked of a study, and what that comes to on the machine at hand."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel, ConfigDict

from seedfolio.arena import Arena, Silent
from seedfolio.book.learner import BookLearner, learn_books, parse_book_learner, with_games
from seedfolio.boosting.sample_size import measure_speed
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.learning import chooses_games, parse_asking_learner, parse_learner
from seedfolio.learning.exploration import AskingLearner
from seedfolio.learning.learner import Learner
from seedfolio.learning.running import run_course
from seedfolio.players.program import Program
from seedfolio.study.matrices import training_cells
from seedfolio.study.store import Study

DEFAULT_LEARNERS = ("best-seed", "best-half", "nash", "sparse-nash")
DEFAULT_CHOOSING = ("auto",)
"""Where there is a number of games to choose."""
DEFAULT_K, DEFAULT_KT, DEFAULT_OPPONENTS = 500, 100, 100
MOST_GAMES = 10**9
"""More would not fit the memory that learning takes."""
MOST_MINUTES = 100_000
_TRIED_SECONDS, _FEWEST_TRIED, _MOST_TRIED, _MOST_TRIED_IN_BOOK = 2.0, 100, 20_000, 100_000
"""A learner's speed is tried with the games of so many seconds, but not with fewer or more."""


class Request(BaseModel):
    """What is asked of a study: how many arms, opponents, and which learners."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    k: int
    """Arms to learn about; where learners choose their games, those that stand for the original."""
    kt: int
    """Opponents of each; of no meaning where all learners choose their games."""
    opponents: int
    learners: tuple[str, ...]
    budget: int | None = None
    """Games that each learner may choose; None: as many as fill the matrices."""
    symmetries: bool = False
    """Whether arms are drawn under a random symmetry of the board."""
    minutes: float | None = None
    """How long learning was to take, where that has chosen the budget."""

    def check(self) -> list[Learner | AskingLearner | BookLearner]:
        """Return the learners; SpecificationError if this cannot be done.

        With a budget or minutes all of them choose their games, else those that always do.
        """
        if self.k < 1:
            raise SpecificationError(f"K = {self.k} arms are too few; --k takes 1 or more")
        chooses = self.budget is not None or self.minutes is not None
        if not chooses and not 1 <= self.kt <= self.k:
            raise SpecificationError(
                f"Kt = {self.kt} is not between 1 and K = {self.k}; change --kt or --k"
            )
        learning = 0 if chooses else training_cells(self.k, self.kt)
        if (games := learning + 2 * self.k * self.opponents) > MOST_GAMES:
            raise SpecificationError(
                f"that would be {games:,} games, more than {MOST_GAMES:,}; choose a smaller --k, "
                "--kt or --opponents"
            )
        if self.opponents <= CRITERIA[-1]:
            raise SpecificationError(
                f"{self.opponents} unseen opponents are too few for an exploiter that picks among "
                f"{CRITERIA[-1]}; --opponents takes {CRITERIA[-1] + 1} or more"
            )
        if self.budget is not None and not 1 <= self.budget <= MOST_GAMES:
            raise SpecificationError(
                f"a budget of {self.budget:,} games is not 1 to {MOST_GAMES:,}; change --budget"
            )
        if self.minutes is not None and not 0 < self.minutes <= MOST_MINUTES:
            raise SpecificationError(
                f"{self.minutes:g} minutes are not above 0 and at most {MOST_MINUTES}; change "
                "--minutes"
            )
        if not self.learners:
            raise SpecificationError("no learner was named; see seedfolio learners")
        learners = [self._learner(text) for text in self.learners]
        return list({learner.name: learner for learner in learners}.values())

    def _learner(self, text: str) -> Learner | AskingLearner | BookLearner:
        if (book := parse_book_learner(text)) is not None:
            return book
        asks = self.budget or self.minutes or chooses_games(text)
        return parse_asking_learner(text) if asks else parse_learner(text)


def with_budget(
    request: Request,
    learners: list[Learner | AskingLearner | BookLearner],
    study: Study,
    program: Program,
    arena: Arena,
    note: Callable[[str], None],
) -> Request:
    """Return a request that says minutes with the games that they are here, for each learner.

    The speed is measured, unless the study was asked the same before: then it goes on with the
    games that it was then, since other games would be another result. `note` is told.
    """
    if request.minutes is None:
        return request
    asked = [Request.model_validate_json(text) for text in study.requests()[-1:]]
    minutes, names = f"{request.minutes:g} minutes", [learner.name for learner in learners]
    many = f"for each of {len(names)} learners" if len(names) > 1 else f"for {names[0]}"
    for before in asked:
        if before.budget and before.model_copy(update={"budget": None}) == request:
            note(f"{minutes} were {before.budget:,} games {many} when this was begun; going on")
            return before
    fastest = measure_speed(program, arena)
    # Others that are slow may leave it fewer; then the speed of `auto` is but about right.
    most = int(60 * request.minutes * fastest / len(learners))
    tried = [with_games(learner, program, most) for learner in learners]
    speeds = [_speed(learner, program, arena, fastest) for learner in tried]
    games = _rounded(int(60 * request.minutes / sum(1 / speed for speed in speeds)))
    pairs = zip(speeds, names, strict=True)
    measured = ", ".join(f"{speed:,.0f} games/s with {name}" for speed, name in pairs)
    note(
        f"measured {measured}: {minutes} are {games:,} games {many} (--budget {games}); judging "
        "comes on top"
    )
    return request.model_copy(update={"budget": games})


def _speed(
    learner: Learner | AskingLearner | BookLearner, program: Program, arena: Arena, fastest: float
) -> float:
    """Return how many games a second there are with a learner, all that is kept included."""
    if isinstance(learner, BookLearner):
        return min(fastest, _book_speed(program, arena, fastest))
    if not isinstance(learner, AskingLearner):
        return fastest
    cells = max(_FEWEST_TRIED, int(min(fastest * _TRIED_SECONDS, _MOST_TRIED)) // program.repeats)
    course = learner.begin(cells, program.full, 0)
    with (
        TemporaryDirectory() as folder,
        Study.open(Path(folder) / "trial.study", program.identity()) as trial,
    ):
        began = time.perf_counter()
        used = run_course(course, cells, trial, arena, program, learner.name, Silent())
        seconds = time.perf_counter() - began
    return min(fastest, max(1, used) * program.repeats / max(seconds, 1e-6))


def _book_speed(program: Program, arena: Arena, fastest: float) -> float:
    """Return how many games a second there are with a book, or with one of several."""
    games = max(_FEWEST_TRIED, int(min(fastest * _TRIED_SECONDS, _MOST_TRIED_IN_BOOK)))
    learn_books(BookLearner(), program, _FEWEST_TRIED, None, arena, Silent())  # compiles
    began = time.perf_counter()
    learnt = learn_books(BookLearner(), program, games, None, arena, Silent())
    return learnt.games / max(time.perf_counter() - began, 1e-6)


def _rounded(games: int) -> int:
    """Return a number of games that can be typed again: rounded down to two digits."""
    games = max(1, min(games, MOST_GAMES))
    step: int = 10 ** max(0, len(str(games)) - 2)
    return games // step * step
