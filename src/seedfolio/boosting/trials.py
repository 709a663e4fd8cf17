"""The loop behind `boost` and `compare`: learners learn, and meet unseen opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from seedfolio.boosting.request import Request
from seedfolio.evaluation.best_response import BestResponse, exact_success
from seedfolio.evaluation.estimate import Evaluation
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.evaluation.luck import Luck
from seedfolio.evaluation.unseen import Evaluator
from seedfolio.learning.learner import Learner, Learnt
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.report.table import FIXED_SEED, MIXTURE, Row
from seedfolio.study.arms import TrainingArms
from seedfolio.study.repeated_arms import Variety
from seedfolio.study.session import Session


@dataclass(frozen=True)
class Trial:
    """What one learner learnt, and its success on unseen arms."""

    name: str
    learnt: Learnt
    evaluation: Evaluation
    exact: BestResponse | None = None
    """The success against a best response, if the program is searchable."""
    one_sided: bool = False
    """Whether the program is judged as first player only."""

    @property
    def row(self) -> Row:
        """The row of the table."""
        first, second = self.learnt.plays.sizes
        found, exact = self.evaluation, None
        if self.exact is not None:
            exact = self.exact.first if self.one_sided else self.exact.mean
        sizes = f"{first}+{second}"
        return Row(self.name, sizes, found.success, "learner", exact, found.each)


@dataclass(frozen=True)
class Trials:
    """All trials of one request, and the original program for comparison."""

    original: tuple[Row, ...]
    trials: tuple[Trial, ...]
    luck: Luck
    control: Estimate | None
    """The success of the original against itself as measured, which is 0.5 in truth."""
    variety: Variety | None = None
    """How many arms of an external engine play differently."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the table, those of the original first."""
        return (*self.original, *(trial.row for trial in self.trials))


def run_trials(
    session: Session,
    request: Request,
    learners: Sequence[Learner],
    key: int = 0,
    *,
    exactly: bool = True,
) -> Trials:
    """Give each learner the request's games, and evaluate what it learns.

    With the request's symmetries, arms are drawn under a random symmetry of the board. Without
    `exactly`, no best response is computed.
    """
    program = session.program
    evaluator = Evaluator.of(session, request.opponents)
    original, mixture, control = _original_rows(evaluator, request.k, exactly=exactly)
    different = evaluator.variety(TrainingArms(0, request.k))
    budget = request.for_learners(program, key)
    trials = []
    for learner in learners:
        learnt = learner.learn(session, budget)
        if request.symmetries:
            learnt = replace(learnt, plays=learnt.plays.turned(program.traits.symmetries))
        if learnt.plays.is_original:
            learnt, evaluation = replace(learnt, note=_without_entries(learnt.note)), mixture
        else:
            evaluation = evaluator.evaluate(learnt.plays, learner.name)
        exact = exact_success(program, learnt.plays) if exactly else None
        trials.append(Trial(learner.name, learnt, evaluation, exact, program.traits.one_sided))
    return Trials(original, tuple(trials), evaluator.luck, control, different)


def _original_rows(
    evaluator: Evaluator, arms: int, *, exactly: bool
) -> tuple[tuple[Row, Row], Evaluation, Estimate | None]:
    """Return the rows of the original program, represented by `arms` arms of each colour.

    And the evaluation of the latter, and its success against itself as measured. In truth that is
    exactly one half, over both colours: so the rows have it, and the measurement is a control.
    Against other programs it is measured like the rest.
    """
    own = TrainingArms(0, arms)
    fixed, mixture = evaluator.original(own)
    program = evaluator.session.program
    if program.opponents or program.traits.one_sided:
        rows = (
            Row(FIXED_SEED, "1+1", fixed.success, "baseline"),
            Row(MIXTURE, f"{arms}+{arms}", mixture.success, "baseline", each=mixture.each),
        )
        return rows, mixture, None
    half = Estimate(0.5, 0.0)
    drawn = Distribution.of(own.seeds(), np.full(arms, 1 / arms))
    exact = exact_success(program, Portfolio(drawn, drawn)) if exactly else None
    best_response = None if exact is None else exact.mean
    mixture = replace(mixture, success=(half, *mixture.success[1:]))
    rows = (
        Row(FIXED_SEED, "1+1", (half, *fixed.success[1:]), "baseline"),
        Row(MIXTURE, f"{arms}+{arms}", mixture.success, "baseline", best_response),
    )
    return rows, mixture, fixed.success[0]


def _without_entries(note: str) -> str:
    """Return the note on a book without entries, whose success is the original's."""
    return "; ".join(filter(None, [note, "no entries, so it plays as the original"]))
