"""Learning from the games of the budget study: courses get their results out of a table.

A course may ask for seeds without end, and the table has K of each colour: seed s is arm s modulo
K. Learners that can be told so begin with no more than K arms; for the others, from where on they
would let in more, an arm comes in again under another name. Cells count once, under all names.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.budget_games import Games, Points, file_of, load, repetitions_of
from seedfolio.evaluation.exploiters import CRITERIA, both_colours, exploiter_success
from seedfolio.learning import parse_asking_learner
from seedfolio.learning.auto import Auto
from seedfolio.learning.course import Answer, AskingLearner, Cells, Course
from seedfolio.learning.halving import Halving
from seedfolio.learning.oracle_course import DoubleOracle
from seedfolio.learning.portfolio import Distribution, Portfolio
from seedfolio.study.files import atomic_write

LEARNERS = (
    "auto",
    "auto:exploiters=16",
    "best-seed",
    "top",
    "best-half",
    "nash",
    "sparse-nash",
    "exploiter",
    "exploiter:opponents=16",
    "uniform",
    "halving",
    "halving:keep=16",
    "halving-brackets",
    "ucb-widening",
    "exp3",
    "exp3:power=0.7",
    "exp3-widening",
    "double-oracle",
    "gk",
)
BUDGETS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
"""Games for both colours together."""
PAPERS_BUDGET = 144_400
"""Of a matrix of 380 x 380, as in the papers."""
PAPERS_LEARNERS = ("auto", "auto:exploiters=16", "best-seed", "nash", "halving")
FIFTH_BUDGET = PAPERS_BUDGET // 5
_MOST = {"ucb-widening": 100_000}
"""Learners that ask so often for so little that more games would take hours."""
_ORDERS = {10_000: 3, 30_000: 2}
"""Up to so many games a learner is asked so often, with the arms in another order each time."""
_PAPERS_ORDERS = 4


@dataclass(frozen=True)
class Lesson:
    """What one learner made of one budget in one repetition."""

    learner: str
    budget: int
    repetition: int
    games: float
    """Different games that it used, on average over the orders."""
    success: tuple[float, ...]
    """On unseen arms, for each of CRITERIA, on average over the orders."""
    arms: tuple[float, float]
    """In the portfolio, as first and as second player."""
    seconds: float
    note: str = ""
    """What a learner says of its choice."""

    @property
    def place(self) -> tuple[str, int, int]:
        """What tells one lesson from another."""
        return self.learner, self.budget, self.repetition


def results_file(folder: Path, game: str) -> Path:
    """Return where the lessons of a game are kept."""
    return file_of(folder, game, 0).with_name("lessons.json")


def load_lessons(folder: Path, game: str) -> list[Lesson]:
    """Return what was learnt so far."""
    path = results_file(folder, game)
    if not path.exists():
        return []
    return [
        Lesson(**{**each, "success": tuple(each["success"]), "arms": tuple(each["arms"])})
        for each in json.loads(path.read_text())
    ]


def learn_game(
    folder: Path,
    game: str,
    learners: Iterable[str],
    budgets: Sequence[int],
    again: bool,
    say: Callable[[str], None],
) -> None:
    """Give every learner every budget in every repetition, unless it was done before."""
    done = {lesson.place: lesson for lesson in load_lessons(folder, game)}
    places = [(name, budget) for budget in budgets for name in learners]
    papers = [name for name in PAPERS_LEARNERS if name in learners]
    if budgets == BUDGETS:
        places += [(name, budget) for budget in (FIFTH_BUDGET, PAPERS_BUDGET) for name in papers]
    for repetition in repetitions_of(folder, game):
        games = load(file_of(folder, game, repetition))
        for name, budget in places:
            known = (name, budget, repetition) in done and not again
            if known or budget > min(games.training.size, _MOST.get(name, budget)):
                continue
            lesson = teach(name, budget, repetition, games)
            done[lesson.place] = lesson
            say(
                f"{game} {repetition} {budget:>9,} {name:<24} {lesson.games:>9,.0f} games "
                f"{' '.join(f'{100 * each:5.1f}' for each in lesson.success)} "
                f"{lesson.seconds:6.1f} s {lesson.note}"
            )
            kept = sorted(done.values(), key=lambda lesson: lesson.place)
            lines = ",\n".join(json.dumps(asdict(lesson)) for lesson in kept)
            atomic_write(results_file(folder, game), f"[\n{lines}\n]\n".encode())


def teach(name: str, budget: int, repetition: int, games: Games) -> Lesson:
    """Let one learner choose its games, and judge it on unseen arms."""
    began = time.perf_counter()
    orders = next((often for most, often in _ORDERS.items() if budget <= most), 1)
    if budget in (FIFTH_BUDGET, PAPERS_BUDGET):
        orders = _PAPERS_ORDERS
    used, successes, sizes, note = [], [], [], ""
    for order in range(orders):
        mixed = in_order(games, order)
        arms = len(mixed.training)
        learner = limited(name, arms, budget)
        course = Wrapped(learner.begin(budget, mixed.full, 100 * repetition + order), arms)
        used.append(follow_table(course, budget, mixed.training))
        answer = course.answer()
        successes.append(judge(answer.portfolio, mixed))
        sizes.append((len(answer.portfolio.first), len(answer.portfolio.second)))
        note = answer.note
    seconds = round((time.perf_counter() - began) / orders, 2)
    success = tuple(float(each) for each in np.mean(successes, axis=0))
    first, second = (float(each) for each in np.mean(sizes, axis=0))
    mean_used = float(np.mean(used))
    return Lesson(name, budget, repetition, mean_used, success, (first, second), seconds, note)


def follow_table(course: Course, cells: int, points: Points) -> int:
    """Tell a course what it asks for, as `follow` does, out of a table; return how many cells."""
    known = np.zeros(points.size, np.bool_)
    used = 0
    while (asked := course.ask()) is not None:
        keys = asked.rows.astype(np.intp) * points.shape[1] + asked.columns.astype(np.intp)
        new = np.unique(keys[~known[keys]])
        if used + len(new) > cells:
            break
        used += len(new)
        known[new] = True
        course.tell(points.ravel()[keys])
    return used


def in_order(games: Games, order: int) -> Games:
    """Return the same games with the arms of each colour in another order; 0 is that of seeds."""
    if order == 0:
        return games
    luck = np.random.Philox(key=order)
    rows, columns = (np.argsort(luck.random_raw(len(games.training))) for _ in range(2))
    return replace(
        games,
        training=games.training[np.ix_(rows, columns)],
        first=games.first[rows],
        second=games.second[:, columns],
    )


def judge(portfolio: Portfolio, games: Games) -> tuple[float, ...]:
    """Return the success on unseen arms for each of CRITERIA."""
    tables = games.first / games.full, 1 - games.second.T / games.full
    successes = []
    for colour, table in enumerate(tables):
        side = portfolio[colour]
        successes.append(np.array(side.weights) @ table[list(side.seeds)])
    return tuple(
        both_colours(*(exploiter_success(each, opponents) for each in successes)).mean
        for opponents in CRITERIA
    )


def limited(name: str, arms: int, budget: int) -> AskingLearner:
    """Return a learner that does not begin with more arms than there are, where it can be told."""
    learner = parse_asking_learner(name)
    if isinstance(learner, Halving):
        # As many as it would choose itself: every arm plays once in each round.
        rounds = np.log2(arms / learner.keep)
        return replace(learner, arms=arms) if budget // 2 >= arms * rounds else learner
    if isinstance(learner, DoubleOracle | Auto):
        return replace(learner, arms=arms)
    return learner


@dataclass(frozen=True)
class Wrapped:
    """A course for which there are only so many seeds of each colour."""

    course: Course
    arms: int

    def ask(self) -> Cells | None:
        """Return the next cells."""
        asked = self.course.ask()
        if asked is None:
            return None
        arms = np.uint64(self.arms)
        return Cells(asked.rows % arms, asked.columns % arms)

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Pass the results on."""
        self.course.tell(points)

    def answer(self) -> Answer:
        """Return the answer in seeds that there are."""
        answer = self.course.answer()
        first, second = (self._merged(answer.portfolio[colour]) for colour in (0, 1))
        return replace(answer, portfolio=Portfolio(first, second))

    def _merged(self, side: Distribution) -> Distribution:
        weights = np.zeros(self.arms)
        np.add.at(weights, [seed % self.arms for seed in side.seeds], side.weights)
        return Distribution.of(np.arange(self.arms, dtype=np.uint64), weights)
