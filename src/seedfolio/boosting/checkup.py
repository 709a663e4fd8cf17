"""The check of an external engine, or of a game, for its author."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from seedfolio.arena.threads import available_cores
from seedfolio.boosting.game_checkup import GameCheckup, check_up_game
from seedfolio.boosting.request import Request
from seedfolio.boosting.sample_size import duration
from seedfolio.core.display import Displayed, lines_table
from seedfolio.engines.check import Check, check_program
from seedfolio.engines.program import is_engine_file, load_engine_program

_BOOSTED = 10
"""Assumed size of a portfolio: its arms meet the unseen arms of each colour, too."""


@dataclass(frozen=True, repr=False)
class Checkup(Displayed):
    """What the check of an external engine has found, and how long its study will take.

    With the files of docs/boost-your-engine.md:

    >>> from seedfolio import check
    >>> found = check("bot.toml")
    >>> found
    <Checkup nim, bot: passed>
    >>> found.sizes, found.found.deterministic
    ((6, 6, 17), True)
    """

    title: str
    identity: str
    """The name and version that the engine reports."""
    found: Check
    sizes: tuple[int, int, int]
    """K, Kt and opponents of its study."""
    games: int
    """The approximate number of games of the study."""
    seconds: float
    """Their approximate time on this machine."""
    reuse: bool
    """Whether processes are kept for the next game, if the check allows it."""

    @property
    def passed(self) -> bool:
        """Whether the arms are deterministic players."""
        return self.found.passed

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        sizes = {"games": self.games, "study_seconds": self.seconds}
        return {"title": self.title, "engine": self.identity, **self.found.as_data(), **sizes}

    @property
    def text(self) -> str:
        """The whole check as text."""
        lines = [f"{self.title}: {self.identity}"]
        lines += [f"{name:<13} {text}" for name, text in self._lines()]
        return "\n".join(lines)

    def _summary(self) -> str:
        return f"{self.title}: {'passed' if self.passed else 'failed'}"

    def _parts(self) -> list[Table]:
        return [lines_table(f"{self.title}: {self.identity}", self._lines())]

    def _records(self) -> list[dict[str, Any]]:
        return [self.as_data()]

    def _lines(self) -> list[tuple[str, str]]:
        return [*self._findings(), *self._study()]

    def _study(self) -> list[tuple[str, str]]:
        k, kt, opponents = self.sizes
        sizes = f"k={k}, kt={kt}, opponents={opponents}"
        most = " or less" if self.found.remember else ""
        study = f"about {self.games:,} games ({sizes}), {duration(self.seconds)}{most} here"
        verdict = "passed: its arms are deterministic players"
        if not self.passed:
            verdict = "failed: boost refuses it, or takes the mean of several games with "
            verdict += "`despite_check`"
        return [("study", study), ("verdict", verdict)]

    def _findings(self) -> list[tuple[str, str]]:
        """Return the findings, each with its name."""
        found = self.found
        if found.fault:
            return [("first game", f"forfeited by {found.fault}")]
        where = {
            "again": (
                found.deterministic,
                "the same pair of arms plays the same moves in new processes",
                "the same pair of arms plays other moves in new processes",
            ),
            "reuse": (
                found.reusable,
                "and in processes that have played before: they are kept for the next game",
                "not in processes that have played before: every game gets new ones, which is slow",
            ),
            "by moves": (
                found.by_moves,
                "an arm plays by the moves so far alone: equal beginnings are computed once",
                "an arm does not play by the moves so far alone: every game is played to its end",
            ),
            "arms": (
                found.arms_differ,
                "different arms play different games",
                "all arms tried play the same game: the engine ignores the seed or the options",
            ),
        }
        if not self.reuse:  # used processes were not tried
            every = "reuse = false: every game gets new processes, and used ones were not tried"
            where["reuse"] = (True, every, "")
        lines = [(name, yes if good else no) for name, (good, yes, no) in where.items()]
        lines += [("where", difference) for difference in found.differences]
        lines.append(("a game", f"{found.moves} moves, {found.seconds:.2g} s"))
        return lines


def check(
    file: str | Path, *, threads: int | None = None, games: int = 200
) -> Checkup | GameCheckup:
    """Check an external engine, the file of which ends in .toml, or a game.

    Of an engine: does an arm always play the same, do arms differ? Plays a few games, in new
    processes and in used ones, and compares every move. `threads` is how many games the study will
    play at once; by default one for each core.

    Of a game, such as `my_game.py:size=4`: does it keep the rules of `check_game`, over `games`
    random games?

    With the files of docs/boost-your-engine.md:

    >>> from seedfolio import check
    >>> found = check("bot.toml")
    >>> found.passed
    True
    >>> found.text.splitlines()[-1]
    'verdict       passed: its arms are deterministic players'

    And a game:

    >>> check("nim", games=20).passed
    True
    """
    if not is_engine_file(file) and not Path(file).is_dir():
        return check_up_game(str(file), games)
    return _check_engine(file, threads)


def _check_engine(file: str | Path, threads: int | None) -> Checkup:
    program = load_engine_program(file)
    k, kt, opponents = program.usual_sizes
    kt = min(k, kt)
    request = Request(k=k, kt=kt, opponents=opponents, learners=("nash",))
    identity = program.engine_identity
    found = check_program(program)
    request.check(program)
    cells = request.games(1) + 2 * (k + _BOOSTED) * opponents
    games = cells if found.passed else cells * program.specification.study.repeats
    seconds = games * found.seconds / (threads or available_cores())
    reuse = program.specification.player.reuse
    return Checkup(program.title, identity, found, (k, kt, opponents), games, seconds, reuse)
