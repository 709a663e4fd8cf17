"""What a study keeps of its last boost: the result as data, and the last request with matrices.

Where no boost was completed, its games may still hold a whole matrix: of arms that all met.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedfolio.boosting.request import Request
from seedfolio.core.trust import Permit
from seedfolio.errors import SeedfolioError, StudyError
from seedfolio.evaluation.luck import Luck
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.learning.registry import find_learner
from seedfolio.report.plots.study import PlayedMatrices, draw_k_curves, draw_seeds
from seedfolio.study.arms import arms_that_met
from seedfolio.study.store import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BOOST, _MATRICES = "boost", "matrices"
"""The names under which a study keeps them."""
_FEWEST_ARMS = 2
"""With one arm of each colour there is nothing to learn."""


@contextmanager
def readable(study: Study) -> Iterator[None]:
    """Turn whatever goes wrong on reading texts of a study, which may be changed, into StudyError.

    Their checksums find damage; somebody who changes a text can change its checksum as well.
    """
    try:
        yield
    except SeedfolioError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise StudyError(
            f"{study.path} is damaged (what it keeps of a boost is not what boost writes); restore "
            "a copy of it, or run its seedfolio boost command again"
        ) from error


def requests_of(study: Study) -> list[Request]:
    """Return what was asked of a study, oldest first; StudyError if that is damaged."""
    with readable(study):
        return [Request.model_validate_json(text) for text in study.requests()]


def save_result(study: Study, data: dict[str, Any], matrices: Request | None) -> None:
    """Keep a boost in place of the last; with `matrices`, also as the last request with them."""
    study.save_evaluation(_BOOST, json.dumps(data))
    if matrices is not None:
        study.save_evaluation(_MATRICES, matrices.model_dump_json())


def has_result(study: Study) -> bool:
    """Tell whether a boost was completed."""
    return _BOOST in study.evaluations()


def saved_result(study: Study) -> dict[str, Any]:
    """Return the last completed boost as data; StudyError if there is none yet."""
    text = study.evaluations().get(_BOOST)
    if text is None:
        games = study.count() * study.repeats
        raise StudyError(
            f"{study.path} has {games:,} games but no result yet; run its seedfolio boost command "
            "again to complete it"
        )
    with readable(study):
        data: dict[str, Any] = json.loads(text)
        return data


def saved_title(study: Study) -> str:
    """Return the title of the last completed boost, else that of the program as far as known."""
    return str(saved_result(study)["title"]) if has_result(study) else played_title(study)


def played_title(study: Study) -> str:
    """Return what a study plays; of an engine the name of the file."""
    identity = study.identity
    game, player = identity.get("game", {}), identity.get("player", {})
    names = [_named(each) for each in (game, player) if isinstance(each, dict)]
    return ", ".join(filter(None, names)) or study.path.stem


def _named(part: dict[str, Any]) -> str:
    """Return a game or a player with its parameters: domineering 7x7, uct simulations=100."""
    parameters = part.get("parameters")
    given = dict(parameters) if isinstance(parameters, dict) else {}
    board = [str(given.pop(each)) for each in ("rows", "columns") if each in given]
    size = [str(given.pop("size"))] * 2 if "size" in given else board
    rest = [f"{name}={value}" for name, value in given.items()]
    return " ".join([str(part.get("name", "")), *(["x".join(size)] if size else []), *rest])


def saved_matrices(study: Study) -> Request:
    """Return the last completed request for which whole matrices were played; else StudyError.

    Later requests, whose learners chose their games, do not change it. Without any completed
    boost: the arms that all met each other, with no learner and no opponent.
    """
    text = study.evaluations().get(_MATRICES)
    with readable(study):
        if text is not None:
            return Request.model_validate_json(text)
        if not has_result(study) and (arms := arms_that_met(study)) >= _FEWEST_ARMS:
            return Request(k=arms, kt=arms, opponents=0, learners=())
        request = Request.model_validate(saved_result(study)["request"])  # of an older study
    if request.budget is not None:
        raise StudyError(
            f"{study.path} has no whole matrix: its learners chose their games; run seedfolio "
            "boost without a `budget`, with a learner such as nash"
        )
    return request


def seeds_figure(study: Study, title: str, luck: Luck, path: Path | None) -> Figure:
    """Draw how much the seeds of a study differ."""
    return draw_seeds(study, _played(saved_matrices(study), title, luck), path)


def k_figure(study: Study, title: str, luck: Luck, path: Path | None) -> Figure:
    """Draw success against K, of the learners that take a whole matrix."""
    asked = saved_matrices(study)
    return draw_k_curves(study, _played(asked, title, luck), _of_matrices(asked.learners), path)


def _played(asked: Request, title: str, luck: Luck) -> PlayedMatrices:
    return PlayedMatrices(title, asked.k, asked.kt, asked.opponents, luck)


def _of_matrices(learners: Sequence[str]) -> list[str]:
    listed = Permit.LISTED  # the study may be from elsewhere
    return [name for name in learners if isinstance(find_learner(name, listed), MatrixLearner)]
