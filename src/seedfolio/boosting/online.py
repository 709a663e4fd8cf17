"""How well the portfolios of a study resist an opponent that learns from game to game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedfolio.analysis.online import (
    Met,
    OnlinePlay,
    OnlineSetting,
    known_opponents,
    online_rectangles,
    play_books,
    play_online,
)
from seedfolio.analysis.online_games import Variant
from seedfolio.analysis.ucbt import Widening
from seedfolio.arena import Arena, Progress, Run, no_note
from seedfolio.arena.choice import open_arena
from seedfolio.boosting.results import Results, saved_boost, study_of
from seedfolio.boosting.saved import has_result, saved_matrices, saved_title
from seedfolio.boosting.session import opened_study, read_study
from seedfolio.core.display import Displayed, Part
from seedfolio.core.table import Table
from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.players.program import Program
from seedfolio.portfolios.file import PortfolioFile
from seedfolio.report.online import (
    how_to_read,
    meaning,
    online_data,
    online_records,
    online_table,
    plot_online,
)
from seedfolio.report.progress import chosen_progress
from seedfolio.study.arms import TrainingArms
from seedfolio.study.session import Session
from seedfolio.study.store import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_USUAL_ARMS = 100
_MOST_ARMS = 2000  # beyond that it would take hours


@dataclass(frozen=True, repr=False)
class Online(Displayed):
    """UCBT as first and as second player against the portfolios of a study.

    >>> from seedfolio import boost, online
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> found = online("a.study", games=64, arms=4, repetitions=2)
    >>> found
    <Online domineering 4x4, uct:simulations=5: 64 games against each of 8 opponents>
    >>> found.plays[0].portfolios[0].opponent
    'nash'
    """

    title: str
    plays: tuple[OnlinePlay, OnlinePlay]

    def tables(self) -> list[Table]:
        """Return a table for each colour of UCBT."""
        return [online_table(self.title, play) for play in self.plays]

    @property
    def caption(self) -> str:
        """What the numbers mean."""
        return f"{how_to_read(self.plays[0])} {meaning(self.plays[0])}"

    def plot(self, path: str | Path | None = None) -> Figure:
        """Return a figure of losing rates; with a path, write it to a .png or .svg file."""
        return plot_online(None if path is None else Path(path), self.title, self.plays)

    def _summary(self) -> str:
        play = self.plays[0]
        opponents = len(play.portfolios) + 2  # one fixed seed, and one that changes
        return f"{self.title}: {play.games[-1]:,} games against each of {opponents} opponents"

    def _parts(self) -> list[Part]:
        first, second = self.tables()
        return [first, "", second, "", self.caption]

    def _records(self) -> list[dict[str, Any]]:
        return online_records(self.plays)

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return online_data(self.title, self.plays)


def online(
    study: str | Path | Study | Results,
    *,
    games: int = 16384,
    arms: int | None = None,
    repetitions: int = 20,
    discount: float = 1.0,
    widening: float | None = None,
    endless: bool = False,
    change: int = 1024,
    arena: str | Arena = "auto",
    threads: int | None = None,
    address: str | None = None,
    progress: Progress | bool | None = None,
    note: Callable[[str], None] = no_note,
) -> Online:
    """Let UCBT, a bandit, play the portfolios and single seeds of a study, and learn.

    Results of two seeds come from the study, and are played if missing; games with a book are
    played anew, and a book of an external engine is left out. In place of a file it takes a study
    that is open, or what `boost` returned.

    Args:
        study: A study file.
        games: Games that UCBT plays against each opponent.
        arms: Number of seeds that UCBT chooses among (default: Kt of the study, at most 100).
        repetitions: How often all of it is repeated.
        discount: Weight of earlier games after each game: below 1, UCBT forgets.
        widening: Open the first W √N of its seeds after N games (default: all at once).
        endless: Let it have seeds without end, opened as `widening` says, else √N.
        change: Games after which the opponent that changes does so.
        arena: As in `boost`.
        threads: As in `boost`.
        address: As in `boost`.
        progress: As in `boost`.
        note: Receives lines for people.

    >>> from seedfolio import boost, online
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> found = online("a.study", games=64, arms=4, repetitions=2)
    >>> found.plays[0].games
    (1, 2, 4, 8, 16, 32, 64)
    """
    if arms is not None and not 1 <= arms <= _MOST_ARMS:
        raise SpecificationError(f"`arms` must be 1 to {_MOST_ARMS:,}, not {arms}")
    source, shown = study_of(study), chosen_progress(progress)
    variant = Variant(discount, _widening(widening, endless=endless))
    setting = OnlineSetting(games, repetitions, variant=variant, change=change)
    if endless:
        arms = _ever_opened(variant, games, arms)
    with read_study(source) as opened:
        asked, title = saved_matrices(opened), saved_title(opened)
        files = saved_boost(opened).portfolios if has_result(opened) else {}
        drawn = {name: file for name, file in files.items() if file.book is None}
        saved = {name: file.portfolio() for name, file in drawn.items()}
        opponents = known_opponents(opened, asked.k, asked.kt, saved)
        held = TrainingArms(0, min(asked.kt, _USUAL_ARMS) if arms is None else arms)
        rectangles = online_rectangles(opponents, held)
        lacking = any(opened.missing(*each).any() for each in rectangles)
        if lacking and not files:
            raise SpecificationError(
                f"{opened.path} has all games between {asked.kt} arms, and no boost to play "
                f"more with; ask for at most {asked.kt} `arms`"
            )
        books = {name: each.book for name, each in files.items() if each.book and not each.engine}
        met: dict[str, tuple[Met, Met]] = {}
        program = _program(files, opened.path, note, needed=lacking) if lacking or books else None
        if program is not None:
            with open_arena(Run(arena, threads, address, shown, note)) as playing:
                if lacking:
                    with opened_study(program, source, program.identity()) as (writable, _):
                        session = Session(writable, playing, program, shown)
                        session.results(rectangles, "seeds that UCBT holds")
                if books:
                    plays = {name: each.portfolio(program.game) for name, each in books.items()}
                    met = play_books(Session(opened, playing, program, shown), plays, held)
        curves = play_online(opened, opponents, held, setting, progress=shown, books=met)
    return Online(title, curves)


def _program(
    files: Mapping[str, PortfolioFile], study: Path, note: Callable[[str], None], *, needed: bool
) -> Program | None:
    """Return the program of a study; None if it may not run here and its books alone need it."""
    try:
        return next(iter(files.values())).program(study.parent)
    except PortfolioError as error:
        if needed:
            raise
        note(f"The book is left out: {error}")
        return None


def _widening(factor: float | None, *, endless: bool) -> Widening | None:
    if factor is not None:
        return Widening(factor)
    return Widening() if endless else None


def _ever_opened(variant: Variant, games: int, given: int | None) -> int:
    """Return how many arms UCBT opens in all its games: it never comes to the last of these."""
    if given is not None:
        raise SpecificationError("`endless` has no number of arms; leave out `arms`")
    assert variant.widening is not None, "endless arms open one after the other"
    opened = variant.widening.opened(games)
    if opened > _MOST_ARMS:
        raise SpecificationError(
            f"`endless`: {games:,} games would open {opened:,} arms, and {_MOST_ARMS:,} are the "
            "most; choose a smaller `widening` or fewer `games`"
        )
    return opened
