"""The results of `boost` and `compare`: their table, and how a study keeps the last boost."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import TYPE_CHECKING, Any, Self

from pydantic import ConfigDict, Field, InstanceOf, TypeAdapter, field_validator
from pydantic.dataclasses import dataclass

from seedfolio.boosting.equilibrium import StudyEquilibrium, study_equilibrium
from seedfolio.boosting.request import Request
from seedfolio.boosting.saved import (
    k_figure,
    readable,
    save_result,
    saved_result,
    seeds_figure,
)
from seedfolio.boosting.session import StudySource, read_study
from seedfolio.boosting.trials import Trials
from seedfolio.boosting.verdict import Verdict, verdict_of
from seedfolio.core.display import Displayed, Line, Part
from seedfolio.core.files import atomic_write, file_name
from seedfolio.core.table import Table
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.against_each import Kinds
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.evaluation.learning_opponents import Learns
from seedfolio.evaluation.luck import Luck
from seedfolio.learning.learner import Learnt
from seedfolio.portfolios.file import PortfolioFile, parse_portfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.report.learnings import (
    Learning,
    budgets_of,
    curve_table,
    differences_table,
    tidy,
)
from seedfolio.report.plots.kinds import plot_kinds_of
from seedfolio.report.plots.learnings import plot_learnings
from seedfolio.report.plots.success import plot_rows
from seedfolio.report.table import (
    Row,
    each_table,
    frame_rows,
    shares_table,
    success_table,
)
from seedfolio.study.engine_games import Summary
from seedfolio.study.repeated_arms import Variety
from seedfolio.study.session import Session
from seedfolio.study.store import Study
from seedfolio.version import __version__

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_UNSEEN_OPPONENTS = (
    "Mean of both colours against seeds of the original that learning never saw; at K' the "
    "opponent plays the best of K' such seeds. 1 seed: drawn once and kept; mixture: the "
    "program as it is, a new seed each game. ± is one standard error over the unseen seeds"
)
_OPPONENTS_OF_LIST = (
    "Mean of both colours against arms of the same list, which has no others: no opponent is "
    "unseen, but where an arm plays at random its games are new. At K' the opponent plays the best "
    "of K' arms. 1 seed: an arm drawn once and kept; mixture: a new arm each game. ± is one "
    "standard error over the opponents"
)


_CONFIG = ConfigDict(arbitrary_types_allowed=True, defer_build=True)
_AFTER_VERDICT = ("variety", "against", "kinds", "engine", "learns")
_WRITTEN_IF_KNOWN = ("finite", "noisy", "one_sided", "fresh", "halves", "tuned", *_AFTER_VERDICT)


@dataclass(frozen=True, repr=False, kw_only=True, config=_CONFIG)
class Results(Displayed):
    """Learners and the original program, and their success on unseen opponents."""

    title: str
    request: Request
    study: Path = Field(exclude=True)
    repeats: int = 1
    """Games a pair of arms."""
    draws: float = 0.0
    """The share of draws, if games have luck."""
    rows: tuple[Row, ...]
    games: dict[str, int] = Field(default_factory=dict)
    """By learner: how many games it has used."""
    notes: dict[str, str] = Field(default_factory=dict)
    """By learner: what it chose, and why, where it says so."""
    control: Estimate | None = None
    """The success of the original against itself as measured, which is 0.5 in truth."""
    finite: bool = False
    """Whether the opponents are the arms learnt from, as the program has no others."""
    one_sided: bool = False
    """Whether all success is that of the first player: of a seat against the others."""
    variety: Variety | None = None
    """How many arms of an external engine play differently."""
    fresh: tuple[Row, ...] = ()
    """Recommended learners on unseen seeds that had no part in the choice."""
    halves: tuple[Row, ...] = ()
    """On a finite list: learners that learnt from half of it, judged by the other half."""
    against: tuple[str, ...] = ()
    """The other programs that are the opponents; empty: the original itself."""
    noisy: bool = False
    """Whether the same arms play other games each time."""
    kinds: Kinds | None = None
    """Where arms are of several kinds: players, or values of a parameter."""
    memory: Study | None = Field(default=None, exclude=True)
    """The study itself, if it is in memory; `study` takes it to continue."""

    @field_validator("rows")
    @classmethod
    def _check_rows(cls, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        if len({len(row.estimates) for row in rows}) != 1:
            raise ValueError("a table without rows, or a row without its columns")
        return rows

    @property
    def luck(self) -> Luck:
        """The luck of the games."""
        return Luck(self.repeats, self.draws)

    @property
    def verdict(self) -> Verdict | None:
        """Which portfolio to use; None in results without learners."""
        listed = self.finite and not self.against
        one = self.against[0] if len(self.against) == 1 else ""
        return verdict_of(self.rows, self.fresh, self.halves if listed else None, one)

    @classmethod
    def of(
        cls, session: Session, path: Path, request: Request, trials: Trials, **more: Any
    ) -> Self:
        """Return the results of trials; `more` are the fields of a subclass."""
        return cls(
            title=session.program.title,
            request=request,
            study=path,
            repeats=trials.luck.repeats,
            draws=trials.luck.draws,
            rows=trials.rows,
            games={each.name: each.learnt.games for each in trials.trials},
            notes={each.name: each.learnt.note for each in trials.trials if each.learnt.note},
            control=trials.control,
            variety=trials.variety,
            fresh=trials.fresh_rows,
            halves=trials.halves,
            against=session.program.opponents,
            kinds=trials.kinds,
            finite=session.program.arms.finite,
            noisy=session.program.traits.noisy,
            one_sided=session.program.traits.one_sided,
            memory=session.study if session.study.in_memory else None,
            **more,
        )

    @property
    def training_games(self) -> int:
        """How many games each learner had to learn from, at most."""
        return self.request.games(self.repeats, itself=not self.against)

    @property
    def caption(self) -> str:
        """What the table's numbers mean, in one paragraph."""
        request = self.request
        listed = self.finite and not self.against
        caption = _OPPONENTS_OF_LIST if listed else _UNSEEN_OPPONENTS
        if self.one_sided:
            whom = "The seat against profiles of other seats, seeds"
            caption = caption.replace("Mean of both colours against seeds", whom, 1)
        if self.against:
            others = f"{len(self.against)} other programs"
            one = self.against[0] if len(self.against) == 1 else others
            # They may be few: a finite list, or the arms of a portfolio.
            caption = caption.replace("the original that learning never saw", one, 1)
        caption = f"{caption} ({request.opponents} or more a colour). Learnt from "
        games = _counted(self.training_games)
        if request.budget is None:
            kind = "arms" if self.finite else "seeds"
            caption += f"{games}: K={request.k} {kind} of each colour against Kt={request.kt} of "
            caption += "the other"
        else:
            caption += f"up to {games} that each learner chose for itself"
        caption += f", {self.repeats} games a pair" if self.repeats > 1 else ""
        if request.budget is not None:
            caption += f"; used: {_used(self.games)}"
        caption += "."
        if self.variety is not None and self.variety.has_duplicates:
            caption += " Some arms play the same games as others: see the line arms."
        if self.control is not None:
            caption += " The original against itself has exactly 50 at K'=1; as a control it was "
            caption += f"measured: {self.control.text}."
        if self.noisy:
            caption += (
                " The same arms play other games each time, as with a clock or several threads: "
                "another study would have other numbers."
            )
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
        """Return the table of success."""
        return success_table(self.title, self.rows, caption=self.caption)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Return a figure of success against K'; with a path, write it to a .png or .svg file."""
        return plot_rows(None if path is None else Path(path), self.title, self.rows)

    def save_table(self, path: str | Path, command: str = "") -> Path:
        """Write the table for a paper: .csv, a line for each row and K', or .tex; return the file.

        Comments at its beginning say what was asked, of which study, by which versions; and the
        `command`, if there was one.
        """
        target = Path(path)
        about = [_versions(), f"{self.title}, {self.study.name}", json.dumps(self.asked)]
        about += [command] if command else []
        if target.suffix == ".tex":
            tables = "\n".join(table.latex() for table in self.tables())
            text = "".join(f"% {line}\n" for line in about) + tables
        elif target.suffix == ".csv":
            text = "".join(f"# {line}\n" for line in about) + tidy(self.all_learnings)
        else:
            raise SpecificationError(f"{target} is no table: end its name with .csv or .tex")
        atomic_write(target, text.encode())
        return target

    @property
    def asked(self) -> dict[str, Any]:
        """All that was asked, as plain data."""
        return self.request.model_dump(mode="json")

    @property
    def all_learnings(self) -> tuple[Learning, ...]:
        """What was learnt, each time and with each budget."""
        return (Learning(self.request.budget, 0, self.rows, self.games),)

    def _summary(self) -> str:
        verdict = self.verdict
        if verdict is None or verdict.best is None:
            return f"{self.title}: nothing beat the original"
        (best,) = (row for row in self.rows if row.name == verdict.best)
        return f"{self.title}: use {best.name}, {best.estimates[0].text}% at K'=1"

    def each_table(self) -> Table | None:
        """Return the table of success against each other program; None without any."""
        found = {row.name: row.each for row in self.rows if row.each}
        if self.kinds is not None:
            return each_table(tuple(self.kinds.against), {**self.kinds.against, **found})
        return each_table(self.against, found) if len(self.against) > 1 and found else None

    def kinds_table(self) -> Table | None:
        """Return the share of each kind in what was learnt; None where arms are of one kind."""
        if self.kinds is None:
            return None
        return shares_table(tuple(self.kinds.against), self.kinds.first, self.kinds.second)

    def plot_kinds(self, path: str | Path | None = None) -> Figure:
        """Return a figure of what each kind of arms has against each, and how often it is drawn.

        With a path, write it to a .png or .svg file. SpecificationError where arms are of one kind.
        """
        if self.kinds is None:
            raise SpecificationError(
                f"{self.title}: there are no kinds of arms to compare; give `vary` or several "
                "players, and enough arms to have each kind"
            )
        found = {row.name: row.each for row in self.rows if row.each}
        shares = {
            f"{name}, {side}": drawn
            for name in self.kinds.first
            for side, drawn in (
                ("first", self.kinds.first[name]),
                ("second", self.kinds.second[name]),
            )
        }
        target = None if path is None else Path(path)
        return plot_kinds_of(target, self.title, {**self.kinds.against, **found}, shares)

    def tables(self) -> list[Table]:
        """Return all tables."""
        return [self.table(), *filter(None, [self.each_table(), self.kinds_table()])]

    @property
    def facts(self) -> list[str]:
        """What the games have shown besides the tables: a line each, after its name."""
        alike = self.variety is not None and self.variety.has_duplicates
        return [self.variety.text] if alike and self.variety is not None else []

    @property
    def remarks(self) -> list[str]:
        """What learners chose and why, and which portfolio to use against whom."""
        said = [f"{name} chose: {why}." for name, why in self.notes.items()]
        said += [] if self.kinds is None else [self.kinds.text]
        return [*said, *([] if self.verdict is None else self.verdict.text.split("\n"))]

    @property
    def drawn(self) -> dict[str, Portfolio]:
        """By learner: what it draws seeds from, where that was kept."""
        return {}

    def equilibrium(self) -> StudyEquilibrium:
        """Return the equilibrium of the study's matrix, and how far portfolios can be exploited."""
        with read_study(study_of(self)) as study:
            return study_equilibrium(study, self.title, self.rows, self.drawn)

    def _parts(self) -> list[Part]:
        return [*self.tables(), *map(Line, self.facts), *self.remarks]

    def _records(self) -> list[dict[str, Any]]:
        return frame_rows(self.rows)

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data, which a study keeps."""
        data: dict[str, Any] = TypeAdapter(type(self)).dump_python(self, mode="json", by_alias=True)
        known = {name: each for name, each in data.items() if each or name not in _WRITTEN_IF_KNOWN}
        last = {name: known.pop(name) for name in _AFTER_VERDICT if name in known}
        verdict = None if self.verdict is None else self.verdict.as_data()
        return {**known, "verdict": verdict, **last}


@dataclass(frozen=True, repr=False, kw_only=True, config=_CONFIG)
class Comparison(Results):
    """What `compare` found: learners on the same budget.

    >>> from seedfolio import compare
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> compared = compare(*program, budget=200, learners="halving", opponents=17, study="a.study")
    >>> compared.games
    {'halving': 183}
    >>> compared.learnt["halving"].plays.sizes
    (1, 1)
    """

    learnt: dict[str, InstanceOf[Learnt]] = Field(default_factory=dict, exclude=True)
    """By learner: with the largest budget, the first time."""
    learnings: tuple[Learning, ...] = Field(default=(), exclude=True)
    """What was learnt, each time and with each budget; `rows` are those of the largest budget."""
    key: int = Field(default=0, exclude=True)
    """Draws what learners leave to chance."""

    @property
    def budgets(self) -> list[int]:
        """The budgets, the smallest first."""
        return budgets_of(self.learnings)

    @property
    def repetitions(self) -> int:
        """How often all was learnt."""
        return 1 + max(each.repetition for each in self.learnings)

    @property
    def asked(self) -> dict[str, Any]:
        """All that was asked, as plain data."""
        more = {"budgets": self.budgets, "repetitions": self.repetitions, "key": self.key}
        return {**super().asked, **more}

    @property
    def all_learnings(self) -> tuple[Learning, ...]:
        """What was learnt, each time and with each budget."""
        return self.learnings

    @property
    def caption(self) -> str:
        """What the table's numbers mean, in one paragraph."""
        if self.repetitions == 1:
            return super().caption
        over = f"over {self.repetitions} learnings, each with other seeds to learn from and to "
        over += "judge by"
        return super().caption.replace("over the unseen seeds", over, 1)

    def tables(self) -> list[Table]:
        """Return all tables: the usual ones, success by budget, and differences over learnings."""
        found = super().tables()
        if len(self.budgets) > 1:
            found.append(curve_table(self.learnings))
        if self.repetitions > 1:
            found.append(differences_table(self.learnings))
        return found

    def plot(self, path: str | Path | None = None) -> Figure:
        """Return a figure of success; with a path, write it to a .png or .svg file.

        Over budgets: curves with bands. Over learnings: how far learners are below the best one,
        with intervals. Of one of each: success against K'.
        """
        if len(self.learnings) == 1:
            return super().plot(path)
        return plot_learnings(None if path is None else Path(path), self.title, self.learnings)

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data."""
        sizes = {"budget": self.request.budget, "opponents": self.request.opponents}
        found = {**super().as_data(), **sizes}
        if len(self.learnings) > 1:
            found["learnings"] = TypeAdapter(tuple[Learning, ...]).dump_python(
                self.learnings, mode="json", by_alias=True
            )
        return found


@dataclass(frozen=True, repr=False, kw_only=True, config=_CONFIG)
class Boost(Results):
    """What `boost` found: rows, portfolios, tables, a verdict.

    >>> from seedfolio import boost
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> boosted.games["nash"]
    64
    >>> boosted.portfolios["best-seed"].first
    {7: 1.0}
    >>> boosted.title
    'domineering 4x4, uct:simulations=5'
    """

    portfolios: dict[str, PortfolioFile] = Field(default_factory=dict, exclude=True)
    """By learner."""
    engine: Summary | None = None
    """How the games of an external engine ended."""
    tuned: str = ""
    """What tuning found before; empty: nothing was tuned."""
    hint: str = Field(default="", exclude=True)
    """What to know of the player's parameters; empty: nothing."""
    learns: Learns | None = None
    """What is left against an opponent who learns, where that was measured."""

    @property
    def verdict(self) -> Verdict | None:
        """Which portfolio to use; None in results without learners."""
        found = super().verdict
        return None if found is None else replace(found, learns=self.learns)

    @property
    def facts(self) -> list[str]:
        """What the games have shown besides the tables: a line each, after its name."""
        return [*super().facts, *([] if self.engine is None else [self.engine.text])]

    @property
    def remarks(self) -> list[str]:
        """What tuning found, what learners chose, and which portfolio to use against whom."""
        return [*filter(None, [self.tuned]), *super().remarks]

    def plot_seeds(self, path: str | Path | None = None) -> Figure:
        """Return a figure of how much seeds differ; with a path, write it as well."""
        with read_study(study_of(self)) as study:
            return seeds_figure(study, self.title, self.luck, None if path is None else Path(path))

    def plot_k(self, path: str | Path | None = None) -> Figure:
        """Return a figure of success against the number of seeds; with a path, write it as well."""
        with read_study(study_of(self)) as study:
            return k_figure(study, self.title, self.luck, None if path is None else Path(path))

    @property
    def drawn(self) -> dict[str, Portfolio]:
        """By learner: what it draws seeds from; a book does not."""
        files = self.portfolios.items()
        return {name: file.portfolio() for name, file in files if file.book is None}

    @property
    def recommended(self) -> str | None:
        """The learner of the portfolio that the verdict recommends; None: the original."""
        return None if self.verdict is None else self.verdict.best

    @property
    def served_by(self) -> str:
        """The command for playing against the boosted program: `play`, `gtp` or `uci`."""
        return next(iter(self.portfolios.values())).served_by

    def save_portfolios(self, folder: str | Path | None = None) -> dict[str, Path]:
        """Write each portfolio beside the study, or into `folder`; return the files by learner.

        A file there that was learnt from more games stays: then the new one has the number of its
        games in its name. One with a large book is compressed: its name ends with .json.gz.
        """
        paths = {}
        for name, file in self.portfolios.items():
            usual, beside = self._places(name, self.study.parent if folder is None else folder)
            paths[name] = file.save(beside if file.yields_to(usual) else usual)
        return paths

    def saved_portfolios(self) -> dict[str, Path]:
        """Return the files beside the study, by learner, that hold its portfolios."""
        found = {
            name: [file.saved_as(place) for place in self._places(name, self.study.parent)]
            for name, file in self.portfolios.items()
        }
        return {name: next(filter(None, both)) for name, both in found.items() if any(both)}

    def _places(self, name: str, folder: str | Path) -> tuple[Path, Path]:
        """Return where the portfolio of a learner is written, and where if that has more games."""
        stem = self.study.stem if self.memory is None else file_name(self.title)
        usual = Path(folder) / f"{stem}-{file_name(name)}.json"
        games = self.portfolios[name].provenance.games
        return usual, usual.with_name(f"{usual.stem}-{games}-games.json")


def _versions() -> str:
    others = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "numba"))
    return f"seedfolio {__version__}, Python {python_version()}, {others}"


def _counted(games: int) -> str:
    return f"{games:,} game{'' if games == 1 else 's'}"


def _used(games: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in games.items())


def study_of(source: StudySource | Results) -> StudySource:
    """Return the study that is meant: that of a result, or the one given."""
    return (source.memory or source.study) if isinstance(source, Results) else source


def save_boost(study: Study, boost: Boost, *, matrices: bool) -> None:
    """Keep a boost in a study in place of the last; with `matrices`, also its request."""
    with study.together():
        for name, file in boost.portfolios.items():
            study.save_portfolio(name, file.text())
        save_result(study, boost.as_data(), boost.request if matrices else None)


_COMPARISON = "comparison"
"""The name under which a study keeps the last of them."""


def save_comparison(study: Study, found: Comparison) -> None:
    """Keep a comparison in a study in place of the last."""
    learnings = TypeAdapter(tuple[Learning, ...]).dump_python(
        found.learnings, mode="json", by_alias=True
    )
    kept = {**found.as_data(), "learnings": learnings, "key": found.key}
    study.save_evaluation(_COMPARISON, json.dumps(kept))


def saved_comparison(study: Study) -> Comparison | None:
    """Return the last comparison kept in a study, without what was learnt; None without one."""
    text = study.evaluations().get(_COMPARISON)
    if text is None:
        return None
    with readable(study):
        memory = study if study.in_memory else None
        saved = {**json.loads(text), "study": study.path, "memory": memory}
        return TypeAdapter(Comparison).validate_python(saved)


def saved_boost(study: Study) -> Boost:
    """Return the last completed boost kept in a study; StudyError if there is none yet."""
    with readable(study):
        memory = study if study.in_memory else None
        saved = {**saved_result(study), "study": study.path, "memory": memory}
        boost = TypeAdapter(Boost).validate_python(saved)
        kept = study.portfolios()
        portfolios = {
            row.name: parse_portfolio(kept[row.name], f"{row.name} in {study.path}")
            for row in boost.rows
            if row.name in kept
        }
        games = {name: file.provenance.games for name, file in portfolios.items()}
        return replace(boost, portfolios=portfolios, games=games)
