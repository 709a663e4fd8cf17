"""The outcome of the main job: its table, its portfolios, and how a study keeps it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.table import Table

from seedfolio.boosting.places import file_name
from seedfolio.boosting.request import Request
from seedfolio.errors import StudyError
from seedfolio.evaluation.luck import Luck
from seedfolio.portfolios.file import PortfolioFile
from seedfolio.report.table import (
    Row,
    counted_games,
    json_rows,
    rows_from_json,
    success_table,
    used_games,
)
from seedfolio.study.matrices import training_cells
from seedfolio.study.store import Study

FIXED_SEED = "original, 1 seed"
"""Baseline: a seed drawn once and kept for all games."""
MIXTURE = "original, mixture"
"""Baseline: the original program, which draws a new seed each game."""
_BOOST, _MATRICES = "boost", "matrices"
"""Under these names a study keeps the last outcome, and the last request with whole matrices."""


@dataclass(frozen=True)
class Boost:
    """The outcome of the main job."""

    title: str
    request: Request
    rows: tuple[Row, ...]
    portfolios: dict[str, PortfolioFile]
    """By learner."""
    study: Path
    luck: Luck
    notes: dict[str, str] = field(default_factory=dict)
    """By learner: what it chose, and why, where it says so."""

    @property
    def training_games(self) -> int:
        """How many games each learner had to learn from, at most."""
        request = self.request
        return request.budget or training_cells(request.k, request.kt) * self.luck.repeats

    @property
    def used_games(self) -> dict[str, int]:
        """How many games each learner has used."""
        return {
            row.name: self.portfolios[row.name].provenance.games
            for row in self.rows
            if row.name in self.portfolios
        }

    @property
    def caption(self) -> str:
        """What the table's numbers mean, in one paragraph."""
        request = self.request
        caption = (
            "Mean of both colours against seeds of the original that learning never saw; at K' the "
            "opponent plays the best of K' such seeds. 1 seed: drawn once and kept; mixture: the "
            "program as it is, a new seed each game. ± is one standard error over the unseen "
            f"seeds ({request.opponents} or more a colour). Learnt from "
        )
        games = counted_games(self.training_games)
        if request.budget is None:
            caption += f"{games}: K={request.k} seeds of each colour against Kt={request.kt} of "
            caption += "the other"
        else:
            caption += f"up to {games} that each learner chose for itself"
        caption += f", {self.luck.repeats} games a pair" if self.luck.repeats > 1 else ""
        if request.budget is not None:
            caption += f"; used: {used_games(self.used_games)}"
        caption += "."
        if request.symmetries:
            caption += " Each seed is played under a random symmetry of the board."
        if any(row.best_response is not None for row in self.rows):
            caption += (
                " Best response: an opponent who knows which seeds we draw from, and how often, "
                "and plays as well as can be, not only as a seed does; of the mixture, that of "
                "the K seeds."
            )
        return caption

    def table(self) -> Table:
        """Return the table for a terminal."""
        return success_table(self.title, self.rows, caption=self.caption)

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return {
            "title": self.title,
            "request": self.request.model_dump(mode="json"),
            "repeats": self.luck.repeats,
            "draws": self.luck.draws,
            "rows": json_rows(self.rows),
            "notes": self.notes,
        }

    def save_portfolios(self) -> dict[str, Path]:
        """Write each portfolio beside the study; return the files by learner."""
        paths = {}
        for name, file in self.portfolios.items():
            paths[name] = self.study.with_name(f"{self.study.stem}-{file_name(name)}.json")
            file.save(paths[name])
        return paths


def save_boost(study: Study, outcome: Boost, *, matrices: bool) -> None:
    """Keep an outcome in a study in place of the last, and if `matrices` were played, for what."""
    with study.together():
        for name, file in outcome.portfolios.items():
            study.save_portfolio(name, file.text())
        study.save_evaluation(_BOOST, json.dumps(outcome.as_data()))
        if matrices:
            study.save_evaluation(_MATRICES, outcome.request.model_dump_json())


def saved_matrices(study: Study) -> Request:
    """Return the last completed request for which whole matrices were played; else StudyError.

    Later ones, whose learners chose their games, do not change it.
    """
    text = study.evaluations().get(_MATRICES)
    if text is not None:
        return Request.model_validate_json(text)
    request = saved_boost(study).request  # of a study older than that note
    if request.budget is not None:
        raise StudyError(
            f"{study.path} has no whole matrix: its learners chose their games; run seedfolio "
            "boost without --budget, with a learner such as nash"
        )
    return request


def saved_boost(study: Study) -> Boost:
    """Return the last completed outcome kept in a study; StudyError if there is none yet."""
    text = study.evaluations().get(_BOOST)
    if text is None:
        games = study.count() * study.full // 2
        raise StudyError(
            f"{study.path} has {games:,} games but no result yet; run its seedfolio boost command "
            "again to complete it"
        )
    saved = json.loads(text)
    rows = tuple(rows_from_json(saved["rows"]))
    learners = {row.name for row in rows}
    return Boost(
        title=saved["title"],
        request=Request.model_validate(saved["request"]),
        rows=rows,
        portfolios={
            name: PortfolioFile.model_validate_json(file)
            for name, file in study.portfolios().items()
            if name in learners
        },
        study=study.path,
        luck=Luck(saved.get("repeats", 1), saved.get("draws", 0.0)),
        notes=saved.get("notes", {}),
    )
