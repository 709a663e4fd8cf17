"""Learning from the games of the budget study: explorations get their results out of a table.

An exploration may ask for any number of seeds, and the table has K of each colour: seed s is arm s
modulo K. Learners with such a parameter begin with at most K arms; for the others, from where on
they would let in more, an arm comes in again under another name. Cells count once, under all names.
What the table lacks is played when it is asked for.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.budget_games import (
    Fill,
    Filling,
    Games,
    Places,
    Points,
    file_of,
    load,
    program_of,
    repetitions_of,
    save,
)
from seedfolio.arena import Arena, Silent
from seedfolio.core.files import atomic_write
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import CRITERIA, both_colours, exploiter_success
from seedfolio.learning.auto import Auto
from seedfolio.learning.double_oracle import DoubleOracle
from seedfolio.learning.exploration import Choice, Exploration, ExploringLearner
from seedfolio.learning.halving import Halving
from seedfolio.learning.matrix import GrowingMatrix, MatrixLearner
from seedfolio.learning.registry import find_learner
from seedfolio.learning.ucb_widening import UcbWidening
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.session import Cells

LEARNERS = (
    "auto:exploiters=1",
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
    "ucb-widening:each=8",
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
PAPERS_LEARNERS = ("auto:exploiters=1", "auto:exploiters=16", "best-seed", "nash", "halving")
FIFTH_BUDGET = PAPERS_BUDGET // 5
_ORDERS = {10_000: 3, 30_000: 2}
"""Up to so many games a learner is asked so often, with the arms in another order each time."""
_PAPERS_ORDERS = 4


@dataclass(frozen=True)
class Result:
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
        """What tells one result from another."""
        return self.learner, self.budget, self.repetition


def results_file(folder: Path, game: str) -> Path:
    """Return where the results of a game are kept."""
    return file_of(folder, game, 0).with_name("results.json")


def load_results(folder: Path, game: str) -> list[Result]:
    """Return what was learnt so far."""
    path = results_file(folder, game)
    if not path.exists():
        return []
    return [
        Result(**{**each, "success": tuple(each["success"]), "arms": tuple(each["arms"])})
        for each in json.loads(path.read_text())
    ]


def learn_game(
    folder: Path,
    game: str,
    learners: Iterable[str],
    budgets: Sequence[int],
    again: bool,
    arena: Arena,
    say: Callable[[str], None],
    orders: int | None = None,
) -> None:
    """Give every learner every budget in every repetition, unless it was done before.

    The arena plays what the tables lack. In how many orders of the arms depends on the budget,
    unless `orders` says it.
    """
    done = {result.place: result for result in load_results(folder, game)}
    places = [(name, budget) for budget in budgets for name in learners]
    papers = [name for name in PAPERS_LEARNERS if name in learners]
    if budgets == BUDGETS:
        places += [(name, budget) for budget in (FIFTH_BUDGET, PAPERS_BUDGET) for name in papers]
    for repetition in repetitions_of(folder, game):
        path = file_of(folder, game, repetition)
        games = load(path)
        fill = Filling(games, repetition, program_of(game), arena, Silent())
        for name, budget in places:
            known = (name, budget, repetition) in done and not again
            if known or budget > games.training.size:
                continue
            played = fill.played
            result = try_learner(name, budget, repetition, games, fill, orders)
            if fill.played > played:
                save(games, path)
            done[result.place] = result
            say(
                f"{game} {repetition} {budget:>9,} {name:<24} {result.games:>9,.0f} games "
                f"{' '.join(f'{100 * each:5.1f}' for each in result.success)} "
                f"{result.seconds:6.1f} s {result.note}"
            )
            kept = sorted(done.values(), key=lambda result: result.place)
            lines = ",\n".join(json.dumps(asdict(result)) for result in kept)
            atomic_write(results_file(folder, game), f"[\n{lines}\n]\n".encode())


def try_learner(
    name: str, budget: int, repetition: int, games: Games, fill: Fill, orders: int | None = None
) -> Result:
    """Let one learner choose its games, and evaluate it on unseen arms."""
    began = time.perf_counter()
    orders = orders or _orders(budget)
    used, successes, sizes, note = [], [], [], ""
    arms = len(games.training)
    for order in range(orders):
        learner = limited(name, arms, budget)
        exploration = Wrapped(
            learner.begin(budget, games.full, 100 * repetition + order), *in_order(arms, order)
        )
        used.append(follow_table(exploration, budget, games.training, fill))
        choice = exploration.choice()
        successes.append(evaluate(choice.portfolio, games, fill))
        sizes.append((len(choice.portfolio.first), len(choice.portfolio.second)))
        note = choice.note
    seconds = round((time.perf_counter() - began) / orders, 2)
    success = tuple(float(each) for each in np.mean(successes, axis=0))
    first, second = (float(each) for each in np.mean(sizes, axis=0))
    mean_used = float(np.mean(used))
    return Result(name, budget, repetition, mean_used, success, (first, second), seconds, note)


def _orders(budget: int) -> int:
    if budget in (FIFTH_BUDGET, PAPERS_BUDGET):
        return _PAPERS_ORDERS
    return next((often for most, often in _ORDERS.items() if budget <= most), 1)


def follow_table(exploration: Exploration, cells: int, points: Points, fill: Fill) -> int:
    """Tell an exploration what it asks for, out of a table; return how many cells it used."""
    known = np.zeros(points.size, np.bool_)
    used = 0
    while (asked := exploration.ask()) is not None:
        keys = asked.rows.astype(np.intp) * points.shape[1] + asked.columns.astype(np.intp)
        new = np.unique(keys[~known[keys]])
        if used + len(new) > cells:
            break
        used += len(new)
        known[new] = True
        fill("training", new // points.shape[1], new % points.shape[1])
        exploration.tell(points.ravel()[keys])
    return used


def in_order(arms: int, order: int) -> tuple[Places, Places]:
    """Return the arms of each colour in another order; 0 is that of their seeds."""
    if order == 0:
        return np.arange(arms), np.arange(arms)
    luck = np.random.Philox(key=order)
    rows, columns = (np.argsort(luck.random_raw(arms)) for _ in range(2))
    return rows, columns


def evaluate(portfolio: Portfolio, games: Games, fill: Fill) -> tuple[float, ...]:
    """Return the success on unseen arms for each of CRITERIA."""
    successes = []
    for colour, table in enumerate(("first", "second")):
        side = portfolio[colour]
        arms, unseen = np.array(side.arms, np.intp), np.arange(games.first.shape[1])
        ours, theirs = np.repeat(arms, len(unseen)), np.tile(unseen, len(arms))
        fill(table, *((ours, theirs) if colour == 0 else (theirs, ours)))
        points = games.first[arms] if colour == 0 else games.full - games.second[:, arms].T
        successes.append(np.array(side.weights) @ (points / games.full))
    return tuple(
        both_colours(*(exploiter_success(each, opponents) for each in successes)).mean
        for opponents in CRITERIA
    )


def limited(name: str, arms: int, budget: int) -> ExploringLearner:
    """Return a learner that does not begin with more arms than there are, where it can be told."""
    learner = find_learner(name)
    if isinstance(learner, MatrixLearner):
        return GrowingMatrix(learner)
    if not isinstance(learner, ExploringLearner):
        raise SpecificationError(f"learner {name} does not choose arms")
    if isinstance(learner, Halving):
        # As many as it would choose itself: every arm plays once in each round.
        rounds = np.log2(arms / learner.keep)
        return replace(learner, arms=arms) if budget // 2 >= arms * rounds else learner
    if isinstance(learner, DoubleOracle | Auto):
        return replace(learner, arms=arms)
    if isinstance(learner, UcbWidening):
        # As fast as it can open arms without coming to the last before the end.
        slower = int(arms / np.cbrt(max(1, budget - budget // 2)))
        return replace(learner, c=max(1, min(learner.c, slower)))
    return learner


@dataclass(frozen=True)
class Wrapped:
    """An exploration for which there are only so many arms of each colour, in a given order."""

    exploration: Exploration
    rows: Places
    columns: Places

    def ask(self) -> Cells | None:
        """Return the next cells."""
        asked = self.exploration.ask()
        if asked is None:
            return None
        arms = np.uint64(len(self.rows))
        rows, columns = self.rows[asked.rows % arms], self.columns[asked.columns % arms]
        return Cells(rows.astype(np.uint64), columns.astype(np.uint64))

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Pass the results on."""
        self.exploration.tell(points)

    def choice(self) -> Choice:
        """Return the choice in arms that there are."""
        choice = self.exploration.choice()
        sides = [
            _merged(choice.portfolio[colour], order)
            for colour, order in enumerate((self.rows, self.columns))
        ]
        return replace(choice, portfolio=Portfolio(*sides))


def _merged(side: Distribution, order: Places) -> Distribution:
    weights = np.zeros(len(order))
    np.add.at(weights, order[[seed % len(order) for seed in side.arms]], side.weights)
    return Distribution.of(np.arange(len(order), dtype=np.uint64), weights)
