"""The results of `boost` and `compare`: their table, and how a study keeps the last boost."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from rich.table import Table

from seedfolio.boosting.request import Request
from seedfolio.boosting.trials import Trials
from seedfolio.boosting.verdict import Verdict, verdict_of
from seedfolio.errors import PortfolioError, StudyError
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.evaluation.luck import Luck
from seedfolio.learning.learner import Learnt
from seedfolio.portfolios.file import PortfolioFile, load_portfolio
from seedfolio.report.table import (
    Row,
    counted_games,
    json_rows,
    percent,
    rows_from_json,
    success_table,
    used_games,
)
from seedfolio.study.engine_games import Summary
from seedfolio.study.files import file_name
from seedfolio.study.session import Session
from seedfolio.study.store import Study

_BOOST, _MATRICES = "boost", "matrices"
"""The names under which a study keeps the last boost, and the last request with matrices."""


@dataclass(frozen=True)
class Results:
    """Learners and the original program, and their success on unseen opponents."""

    title: str
    request: Request
    rows: tuple[Row, ...]
    study: Path
    luck: Luck
    games: dict[str, int]
    """By learner: how many games it has used."""
    notes: dict[str, str]
    """By learner: what it chose, and why, where it says so."""
    control: Estimate | None = None
    """The success of the original against itself as measured, which is 0.5 in truth."""

    @property
    def verdict(self) -> Verdict | None:
        """Which portfolio to use; None in results without learners."""
        return verdict_of(self.rows)

    @classmethod
    def of(
        cls, session: Session, path: Path, request: Request, trials: Trials, **more: Any
    ) -> Self:
        """Return the results of trials; `more` are the fields of a subclass."""
        return cls(
            title=session.program.title,
            request=request,
            rows=trials.rows,
            study=path,
            luck=trials.luck,
            games={each.name: each.learnt.games for each in trials.trials},
            notes={each.name: each.learnt.note for each in trials.trials if each.learnt.note},
            control=trials.control,
            **more,
        )

    @property
    def training_games(self) -> int:
        """How many games each learner had to learn from, at most."""
        return self.request.games(self.luck.repeats)

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
            caption += f"; used: {used_games(self.games)}"
        caption += "."
        if self.control is not None:
            caption += " The original against itself has exactly 50 at K'=1; as a control it was "
            caption += f"measured: {percent(self.control)}."
        if request.symmetries:
            caption += " Each seed is played under a random symmetry of the board."
        if any(row.best_response is not None for row in self.rows):
            caption += (
                " Best response: an opponent who knows which seeds we draw from, and how often, "
                "and plays the best possible moves, not only those of a seed; of the mixture, "
                "that of the K seeds."
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
            "games": self.games,
            "notes": self.notes,
            "control": None if self.control is None else asdict(self.control),
            "verdict": None if self.verdict is None else self.verdict.as_data(),
        }


@dataclass(frozen=True)
class Comparison(Results):
    """Learners compared on one budget.

    >>> from seedfolio import compare
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> compared = compare(*program, budget=200, learners="halving", opponents=17, study="a.study")
    >>> compared.games
    {'halving': 183}
    >>> compared.learnt["halving"].plays.sizes
    (1, 1)
    """

    learnt: dict[str, Learnt] = field(default_factory=dict)
    """By learner."""

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data."""
        sizes = {"budget": self.request.budget, "opponents": self.request.opponents}
        return {**super().as_data(), **sizes}


@dataclass(frozen=True)
class Boost(Results):
    """The outcome of `boost`.

    >>> from seedfolio import boost
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> boosted.games["nash"]
    64
    >>> boosted.portfolios["best-seed"].first
    {7: 1.0}
    >>> boosted.title
    'domineering 4x4, uct:simulations=5'
    """

    portfolios: dict[str, PortfolioFile] = field(default_factory=dict)
    """By learner."""
    engine: Summary | None = None
    """How the games of an external engine ended."""

    @property
    def served_by(self) -> str:
        """The command for playing against the boosted program: `play`, `gtp` or `uci`."""
        return next(iter(self.portfolios.values())).served_by

    def save_portfolios(self) -> dict[str, Path]:
        """Write each portfolio beside the study; return the files by learner.

        A file there that was learnt from more games stays: then the new one has the number of its
        games in its name.
        """
        paths = {}
        for name, file in self.portfolios.items():
            path = self.study.with_name(f"{self.study.stem}-{file_name(name)}.json")
            if _has_more_games(path, file):
                path = path.with_name(f"{path.stem}-{file.provenance.games}-games.json")
            file.save(path)
            paths[name] = path
        return paths


def _has_more_games(path: Path, file: PortfolioFile) -> bool:
    """Tell whether the portfolio at `path` is of the same kind and learnt from more games."""
    try:
        there = load_portfolio(path)
    except PortfolioError:
        return False
    same = (there.game, there.player, there.learner) == (file.game, file.player, file.learner)
    return same and there.provenance.games > file.provenance.games


def save_boost(study: Study, boost: Boost, *, matrices: bool) -> None:
    """Keep a boost in a study in place of the last; with `matrices`, also its request."""
    with study.together():
        for name, file in boost.portfolios.items():
            study.save_portfolio(name, file.text())
        study.save_evaluation(_BOOST, json.dumps(boost.as_data()))
        if matrices:
            study.save_evaluation(_MATRICES, boost.request.model_dump_json())


def saved_matrices(study: Study) -> Request:
    """Return the last completed request for which whole matrices were played; else StudyError.

    Later requests, whose learners chose their games, do not change it.
    """
    text = study.evaluations().get(_MATRICES)
    if text is not None:
        return Request.model_validate_json(text)
    request = saved_boost(study).request  # an older study has only this
    if request.budget is not None:
        raise StudyError(
            f"{study.path} has no whole matrix: its learners chose their games; run seedfolio "
            "boost without a `budget`, with a learner such as nash"
        )
    return request


def saved_boost(study: Study) -> Boost:
    """Return the last completed boost kept in a study; StudyError if there is none yet."""
    text = study.evaluations().get(_BOOST)
    if text is None:
        games = study.count() * study.full // 2
        raise StudyError(
            f"{study.path} has {games:,} games but no result yet; run its seedfolio boost command "
            "again to complete it"
        )
    saved = json.loads(text)
    rows = tuple(rows_from_json(saved["rows"]))
    kept = study.portfolios()
    portfolios = {
        row.name: PortfolioFile.model_validate_json(kept[row.name])
        for row in rows
        if row.name in kept
    }
    return Boost(
        title=saved["title"],
        request=Request.model_validate(saved["request"]),
        rows=rows,
        study=study.path,
        luck=Luck(saved.get("repeats", 1), saved.get("draws", 0.0)),
        games={name: file.provenance.games for name, file in portfolios.items()},
        notes=saved.get("notes", {}),
        control=Estimate(**saved["control"]) if saved.get("control") else None,
        portfolios=portfolios,
    )
