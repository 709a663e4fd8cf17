"""Studies and portfolios in a few words, and how far a running study is. Nothing is locked."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from seedfolio.boosting.request import Request
from seedfolio.boosting.results import Boost, saved_boost
from seedfolio.boosting.saved import has_result, played_title, requests_of
from seedfolio.boosting.verdict import Verdict
from seedfolio.core.files import read_regular
from seedfolio.core.table import percent
from seedfolio.errors import SeedfolioError
from seedfolio.report.records.study import records_in
from seedfolio.study.arms import training_cells
from seedfolio.study.store import Study
from seedfolio.web.library import Library, LibraryFile

_MANY = 10_000
_MOST_DIGITS = 20
_UNSEEN = 60
"""Seconds without a look after which the pace of a study is measured anew."""


@dataclass(frozen=True)
class StudyState:
    """What a study is, and how far."""

    id: str
    name: str
    title: str
    games: int
    running: bool
    progress: float | None
    """The share of games played, where that is known."""
    found: Boost | None
    """What it found, if it was completed."""
    pace: str = ""
    """Of a running study: games a second, and the time left where that is known."""
    records: str = ""
    """The format in which the games of an external engine can be had: SGF, PGN."""
    problem: str = ""

    @property
    def verdict(self) -> Verdict | None:
        """Which portfolio to use."""
        return None if self.found is None else self.found.verdict

    @property
    def game(self) -> str:
        """The name of the game; empty for a study that cannot be read."""
        return "" if self.problem else self.title.replace(",", " ").partition(" ")[0]

    @property
    def success(self) -> float:
        """Of the portfolio that the verdict names, against strangers; 0 if it names none."""
        gain = None if self.verdict is None else self.verdict.stranger
        return 0.0 if gain is None else gain.success.mean

    @property
    def summary(self) -> str:
        """The gain in one line."""
        verdict = self.verdict
        if self.found is None or verdict is None:
            return ""
        if verdict.stranger is None:
            return "nothing beat the original"
        return f"{verdict.stranger.name}: {verdict.stranger.success.text}%"


@dataclass(frozen=True)
class PortfolioLine:
    """A portfolio in a list."""

    id: str
    name: str
    game: str
    player: str
    learner: str
    success: str
    """Against strangers, in percent."""
    prepared: str
    """Against the best of several opponents."""
    has_book: bool
    plays: bool
    """Whether one can play against it here."""
    problem: str = ""
    sides: tuple[str, str] = ("first player", "second player")


class Paces:
    """How fast running studies play, by the games that visitors saw before."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._seen: dict[str, tuple[float, float, int]] = {}
        """When visitors began to look, when one looked last, and the games at the beginning."""

    def text(self, name: str, games: int, progress: float | None) -> str:
        """Return games a second and the time left; empty as long as they are unknown."""
        now = self._clock()
        begun, last, before = self._seen.get(name, (now, now, games))
        if now - last > _UNSEEN:  # the study may have been finished, and begun again
            begun, before = now, games
        self._seen[name] = begun, now, before
        if games <= before or now - begun < 1:
            return ""
        rate = (games - before) / (now - begun)
        left = "" if not progress else f", {_time((games / progress - games) / rate)} left"
        return f"{rate:,.0f} games a second{left}"


def _time(seconds: float) -> str:
    """Return a time in words, such as 3 min."""
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"about {seconds / size:.0f} {unit}"
    return f"about {seconds:.0f} s"


def study_line(file: LibraryFile, paces: Paces | None = None) -> StudyState:
    """Return what a study holds now; a problem is part of it and not raised."""
    try:
        with Study.read(file.path) as study:
            games = study.count() * study.repeats
            requests = requests_of(study)
            found = saved_boost(study) if has_result(study) else None
            title = found.title if found else played_title(study)
            records = records_in(study.identity)
    except (SeedfolioError, ValueError, KeyError) as error:
        problem = file.problem(error)
        return StudyState(file.id, file.name, file.name, 0, False, None, None, problem=problem)
    running = is_running(file)
    progress = _progress(requests[-1], games, study.repeats) if requests and running else None
    pace = "" if paces is None or not running else paces.text(file.id, games, progress)
    return StudyState(file.id, file.name, title, games, running, progress, found, pace, records)


def portfolio_line(library: Library, file: LibraryFile) -> PortfolioLine:
    """Return what a portfolio is; a problem is part of it and not raised."""
    line: PortfolioLine = library.remember("line", file, lambda: _line(library, file), _MANY)
    return line


def is_running(file: LibraryFile) -> bool:
    """Tell whether a process writes a study, by the file that it leaves beside it.

    The lock itself is not tried: that could stop a process that is about to start.
    """
    try:
        process = int(read_regular(file.path.with_name(f"{file.path.name}-lock"), _MOST_DIGITS))
        os.kill(process, 0)
    except (OSError, ValueError):
        return False
    return True


def _line(library: Library, file: LibraryFile) -> PortfolioLine:
    try:
        content = library.portfolio(file)
    except SeedfolioError as error:
        return PortfolioLine(
            file.id, file.name, "", "", "", "", "", False, False, file.problem(error)
        )
    success = [percent(each.success) for each in content.evaluation.success]
    return PortfolioLine(
        id=file.id,
        name=file.name,
        game=content.game.source,
        player=content.player.source if content.engine is None else content.player.name,
        learner=content.learner,
        success=success[0] if success else "",
        prepared=success[-1] if success else "",
        has_book=content.book is not None,
        plays=content.engine is None or not content.game.source.startswith("open_spiel:"),
        sides=content.sides,
    )


def _progress(request: Request, games: int, repeats: int) -> float | None:
    """Return the share of the games that were asked for last: those to learn and to evaluate."""
    if request.budget is not None:
        return None  # such games are not kept one by one
    wanted = training_cells(request.k, request.kt) + 2 * request.k * request.opponents
    return min(1.0, games / max(1, wanted * repeats))
