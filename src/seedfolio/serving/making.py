"""From what was learnt and measured to a portfolio file."""

from __future__ import annotations

from importlib.metadata import version
from math import isnan

from seedfolio.evaluation.best_response import BestResponse
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.evaluation.unseen import Evaluation
from seedfolio.learning.learner import Certificate as Bracket
from seedfolio.learning.learner import Learnt
from seedfolio.learning.portfolio import Portfolio
from seedfolio.players.program import Program
from seedfolio.serving.portfolio_file import BestResponse as ExactSuccess
from seedfolio.serving.portfolio_file import (
    Bounds,
    Certificate,
    Identity,
    PortfolioFile,
    Provenance,
    Success,
    UnseenEvaluation,
)
from seedfolio.study.matrices import training_cells


def portfolio_file(
    program: Program,
    sizes: tuple[int, int],
    learner: str,
    learnt: tuple[Learnt, Learnt],
    portfolio: Portfolio,
    evaluation: Evaluation,
    exact: BestResponse | None,
) -> PortfolioFile:
    """Return the file of a portfolio learnt from `sizes` of K and Kt."""
    parts = program.identity_of_parts()
    k, kt = sizes
    return PortfolioFile(
        game=Identity(source=program.game.source, **parts["game"]),
        player=Identity(source=program.player.text, **parts["player"]),
        behaviour=program.behaviour,
        learner=learner,
        first=dict(zip(portfolio.first.seeds, portfolio.first.weights, strict=True)),
        second=dict(zip(portfolio.second.seeds, portfolio.second.weights, strict=True)),
        certificate=_certificate(learnt[0].certificate, learnt[1].certificate),
        provenance=Provenance(
            seedfolio=version("seedfolio"),
            k=k,
            kt=kt,
            repeats=program.repeats,
            games=training_cells(k, kt) * program.repeats,
        ),
        evaluation=_unseen(evaluation),
        best_response=_exact(exact),
    )


def _certificate(first: Bracket | None, second: Bracket | None) -> Certificate | None:
    if first is None or second is None:
        return None
    return Certificate(
        first=Bounds(lower=first.lower, upper=first.upper),
        second=Bounds(lower=second.lower, upper=second.upper),
    )


def _exact(found: BestResponse | None) -> ExactSuccess | None:
    return None if found is None else ExactSuccess(first=found.first, second=found.second)


def _unseen(evaluation: Evaluation) -> UnseenEvaluation:
    columns = zip(CRITERIA, evaluation.success, evaluation.first, evaluation.second, strict=True)
    return UnseenEvaluation(
        unseen_arms=evaluation.opponents,
        success=[
            Success(
                exploiter=opponents,
                success=both.mean,
                error=None if isnan(both.error) else both.error,
                first=first.mean,
                second=second.mean,
            )
            for opponents, both, first, second in columns
        ],
    )
