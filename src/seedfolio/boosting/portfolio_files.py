"""From what was learnt and measured to a portfolio file."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version
from math import isnan
from typing import Any

from seedfolio.book.learner import BookLesson
from seedfolio.engines.program import VERSION, EngineProgram
from seedfolio.evaluation.best_response import BestResponse
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.evaluation.unseen import Evaluation
from seedfolio.learning.learner import Certificate as Bracket
from seedfolio.learning.teaching import Lesson
from seedfolio.players.program import Program
from seedfolio.portfolios.book_file import written
from seedfolio.portfolios.file import BestResponse as ExactSuccess
from seedfolio.portfolios.file import (
    Bounds,
    Certificate,
    Identity,
    OutsideProgram,
    PortfolioFile,
    Provenance,
    Success,
    UnseenEvaluation,
)
from seedfolio.portfolios.portfolio import Portfolio


def portfolio_file(
    program: Program | EngineProgram,
    learner: str,
    learnt: Lesson,
    evaluation: Evaluation,
    exact: BestResponse | None,
) -> PortfolioFile:
    """Return the file of what a learner has learnt."""
    portfolio = learnt.portfolio
    k, kt = learnt.sizes or (None, None)
    if isinstance(program, EngineProgram):
        described = _from_outside(program, portfolio)
    else:
        described = _built_in(program)
    return PortfolioFile(
        **described,
        learner=learner,
        first=dict(zip(portfolio.first.seeds, portfolio.first.weights, strict=True)),
        second=dict(zip(portfolio.second.seeds, portfolio.second.weights, strict=True)),
        certificate=_certificate(learnt.value),
        confidence=_certificate(learnt.confidence),
        provenance=Provenance(
            seedfolio=version("seedfolio"),
            k=k,
            kt=kt,
            repeats=program.repeats,
            games=learnt.games,
        ),
        evaluation=_unseen(evaluation),
        best_response=_exact(exact),
    )


def _built_in(program: Program) -> dict[str, Any]:
    parts = program.identity_of_parts()
    return {
        "game": Identity(source=program.game.source, **parts["game"]),
        "player": Identity(source=program.player.text, **parts["player"]),
        "behaviour": program.behaviour,
    }


def _from_outside(program: EngineProgram, portfolio: Portfolio) -> dict[str, Any]:
    found = program.specification
    game = found.game.model_dump(exclude={"name"}, exclude_none=True)
    arms = sorted({*portfolio.first.seeds, *portfolio.second.seeds})
    return {
        "game": Identity(
            source=found.game.name, name=found.game.name, version=VERSION, parameters=game
        ),
        "player": Identity(
            source=program.file, name=program.engine_identity, version=VERSION, parameters={}
        ),
        "behaviour": found.digest,
        "engine": OutsideProgram(
            file=program.file,
            specification=found.content(),
            digest=found.digest,
            identity=program.engine_identity,
            arms={arm: program.arm(arm).name for arm in arms},
        ),
    }


def book_file(
    program: Program, learner: str, learnt: BookLesson, evaluation: Evaluation
) -> PortfolioFile:
    """Return the file of books."""
    single = replace(program, repeats=1)
    return PortfolioFile(
        **_built_in(program),
        learner=learner,
        first={},
        second={},
        certificate=None,
        provenance=Provenance(
            seedfolio=version("seedfolio"),
            k=None,
            kt=None,
            repeats=program.repeats,
            games=learnt.games,
        ),
        evaluation=_unseen(evaluation),
        book=written(single, learnt.books, symmetric=True),
    )


def _certificate(brackets: tuple[Bracket, Bracket] | None) -> Certificate | None:
    if brackets is None:
        return None
    first, second = brackets
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
