"""The loop behind `boost` and `compare`: learners learn, and meet unseen opponents."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from seedfolio.analysis.cross_validation import judge_by_halves
from seedfolio.boosting.request import Request
from seedfolio.boosting.verdict import verdict_of
from seedfolio.evaluation.against_each import Kinds
from seedfolio.evaluation.best_response import BestResponse, exact_success
from seedfolio.evaluation.estimate import Evaluation
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.evaluation.luck import Luck
from seedfolio.evaluation.unseen import Evaluator
from seedfolio.learning.learner import Learner, Learnt
from seedfolio.learning.matrix import MatrixLearner
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
        sizes, met = f"{first}+{second}", min(found.opponents)
        return Row(self.name, sizes, found.success, "learner", exact, found.each, met)


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
    halves: tuple[Row, ...] = ()
    """On a finite list of arms: learners that learnt from half of it, judged by the other half."""
    fresh: Mapping[str, Evaluation] = field(default_factory=dict)
    """By learner: the success on fresh seeds of what the verdict recommends."""
    kinds: Kinds | None = None
    """Where arms are of several kinds."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the table, those of the original first."""
        return (*self.original, *(trial.row for trial in self.trials))

    @property
    def fresh_rows(self) -> tuple[Row, ...]:
        """The rows on fresh seeds."""
        trials = {trial.name: trial for trial in self.trials}
        again = (replace(trials[name], evaluation=each) for name, each in self.fresh.items())
        return tuple(trial.row for trial in again)


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
    halves = () if budget.matrix is None else _by_halves(evaluator, *budget.matrix, learners)
    against = evaluator.kinds(TrainingArms(0, request.k))
    kinds = Kinds.of(program, against, {each.name: each.learnt.plays for each in trials})
    return Trials(original, tuple(trials), evaluator.luck, control, different, halves, kinds=kinds)


def measure_again(session: Session, request: Request, trials: Trials) -> Trials:
    """Return trials with what their verdict recommends measured on fresh seeds.

    The seeds that choose the best of several learners flatter it. Not where games are slow.
    """
    program, verdict = session.program, verdict_of(trials.rows)
    if program.traits.slow or len(trials.trials) == 1 or verdict is None:
        return trials
    gains = (verdict.stranger, verdict.prepared)
    chosen = {verdict.best, *(gain.name for gain in gains if gain is not None)}
    return measure_on_fresh(session, request, trials, chosen)


def measure_on_fresh(
    session: Session, request: Request, trials: Trials, chosen: Collection[str | None]
) -> Trials:
    """Return trials with those of the chosen learners measured on fresh seeds.

    A finite list of arms has no others: there they meet the same ones.
    """
    arms = session.program.arms
    first = 0 if arms.finite else arms.unseen // 2
    evaluator = Evaluator(session, request.opponents, trials.luck, first)
    fresh = {
        trial.name: evaluator.evaluate(trial.learnt.plays, f"{trial.name} again")
        for trial in trials.trials
        if trial.name in chosen
    }
    return replace(trials, fresh=fresh)


def _by_halves(
    evaluator: Evaluator, k: int, kt: int, learners: Sequence[Learner]
) -> tuple[Row, ...]:
    """Return the rows of learners that learnt from half of a finite list of arms.

    Such a list has no unseen arms, so the other half judges. None where there are unseen arms.
    """
    program = evaluator.session.program
    if not program.arms.finite or program.opponents:
        return ()
    scores, alike = evaluator.session.matrices(k, kt), evaluator.alike_in_training(k, kt)
    criteria = tuple(each for each in evaluator.criteria if each < kt)
    found = {
        learner.name: judge_by_halves(learner, scores, program.full, alike=alike, criteria=criteria)
        for learner in learners
        if isinstance(learner, MatrixLearner)
    }
    met = min(len(np.unique(each)) for each in alike)
    return tuple(
        Row(name, "", each, "learner", opponents=met) for name, each in found.items() if each
    )


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
    program, met, all_arms = evaluator.session.program, min(mixture.opponents), f"{arms}+{arms}"
    if program.opponents or program.traits.one_sided:
        rows = (
            Row(FIXED_SEED, "1+1", fixed.success, "baseline", opponents=met),
            Row(MIXTURE, all_arms, mixture.success, "baseline", each=mixture.each, opponents=met),
        )
        return rows, mixture, None
    half = Estimate(0.5, 0.0)
    drawn = Distribution.of(own.seeds(), np.full(arms, 1 / arms))
    exact = exact_success(program, Portfolio(drawn, drawn)) if exactly else None
    best_response = None if exact is None else exact.mean
    mixture = replace(mixture, success=(half, *mixture.success[1:]))
    rows = (
        Row(FIXED_SEED, "1+1", (half, *fixed.success[1:]), "baseline", opponents=met),
        Row(MIXTURE, all_arms, mixture.success, "baseline", best_response, opponents=met),
    )
    return rows, mixture, fixed.success[0]


def _without_entries(note: str) -> str:
    """Return the note on a book without entries, whose success is the original's."""
    return "; ".join(filter(None, [note, "no entries, so it plays as the original"]))
