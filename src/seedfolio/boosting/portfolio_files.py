"""From a trial to a portfolio file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from math import isnan
from typing import Any

from seedfolio.boosting.session import known_check
from seedfolio.boosting.trials import Trial
from seedfolio.engines.play.samples import pick_samples
from seedfolio.engines.program import EngineProgram
from seedfolio.evaluation.best_response import BestResponse
from seedfolio.evaluation.estimate import Evaluation
from seedfolio.learning.learner import Certificate
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.book.engine import written_engine_books
from seedfolio.portfolios.book.file import WrittenBooks, written_books
from seedfolio.portfolios.file import PortfolioFile
from seedfolio.portfolios.portfolio import CRITERIA, Portfolio
from seedfolio.portfolios.written import (
    Provenance,
    Success,
    UnseenEvaluation,
    WrittenBestResponse,
    WrittenBounds,
    WrittenCertificates,
)
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session
from seedfolio.study.store import Study
from seedfolio.version import __version__

_ANSWERS = 3
"""Sample answers in the file of an external engine."""


def portfolio_file(session: Session, trial: Trial) -> PortfolioFile:
    """Return the file of what a learner has learnt."""
    program, learnt = session.program, trial.learnt
    k, kt = learnt.matrix or (None, None)
    described = program.description(learnt.plays.arms)
    if isinstance(program, EngineProgram):
        described["engine"]["answers"] = _answers(program, session.study, learnt.plays.arms)
    return PortfolioFile.model_validate(
        {
            **described,
            **_written(learnt.plays, program),
            "learner": trial.name,
            "certificate": _certificates(learnt.value),
            "confidence": _certificates(learnt.confidence),
            "provenance": Provenance(
                seedfolio=__version__, k=k, kt=kt, repeats=program.repeats, games=learnt.games
            ),
            "evaluation": _unseen(trial.evaluation),
            "best_response": _exact(trial.exact),
        }
    )


def _answers(program: EngineProgram, study: Study, arms: Sequence[int]) -> list[dict[str, Any]]:
    """Return sample answers of a portfolio's arms, by which a rebuilt engine is noticed."""
    check = known_check(study, program)
    if check is None or not check.passed or program.repeats > 1:
        return []
    games = study.engine_games().games()
    wanted = list(arms) or None  # a book has none: then any arm will do
    picked = pick_samples(program, games, _ANSWERS, by_moves=check.by_moves, arms=wanted)
    return [{"arm": each.arm, "moves": list(each.moves), "move": each.move} for each in picked]


@singledispatch
def _written(plays: Portfolio | BookPortfolio, program: Playable) -> dict[str, Any]:
    raise TypeError(f"{plays!r} cannot be written")


@_written.register
def _(plays: Portfolio, program: Playable) -> dict[str, Any]:
    return _weights(plays)


@_written.register
def _(plays: BookPortfolio, program: Playable) -> dict[str, Any]:
    return {**_weights(plays.behind), "book": _books(program, plays)}


def _weights(drawn: Portfolio | None) -> dict[str, Any]:
    if drawn is None:
        return {"first": {}, "second": {}}
    sides = ("first", drawn.first), ("second", drawn.second)
    return {name: dict(zip(side.arms, side.weights, strict=True)) for name, side in sides}


@singledispatch
def _books(program: Playable, plays: BookPortfolio) -> WrittenBooks:
    return written_books(program.compiled().single(), plays)


_books.register(EngineProgram, written_engine_books)


def _certificates(both: tuple[Certificate, Certificate] | None) -> WrittenCertificates | None:
    if both is None:
        return None
    first, second = both
    return WrittenCertificates(
        first=WrittenBounds(lower=first.lower, upper=first.upper),
        second=WrittenBounds(lower=second.lower, upper=second.upper),
    )


def _exact(found: BestResponse | None) -> WrittenBestResponse | None:
    return None if found is None else WrittenBestResponse(first=found.first, second=found.second)


def _unseen(evaluation: Evaluation) -> UnseenEvaluation:
    shown = CRITERIA[: len(evaluation.success)]
    columns = zip(shown, evaluation.success, evaluation.first, evaluation.second, strict=True)
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
