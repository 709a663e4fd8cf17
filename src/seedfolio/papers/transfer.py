"""Reproduces Table 2 of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016),
which is also Table II of "Automatically Reinforcing a Game AI" (St-Pierre et al.).

GNU Go with Monte Carlo, boosted against itself on 5x5, plays against another program: GNU Go as it
plays by default, at each of its levels. The paper learnt from 100 x 100 seeds and played 1000 games
a level. It has numbers for Black, and says that White's gain was negligible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.boosting.results import Boost
from seedfolio.boosting.verdict import gain_of
from seedfolio.core.table import Table, percent
from seedfolio.engines.meeting import guest_arms, meeting
from seedfolio.evaluation.exploiters import Estimate, exploiter_success
from seedfolio.papers.boosted_gnu_go import (
    BOARD,
    KOMI,
    LEARNERS,
    PAPER_SIZES,
    SIZES,
    boosted_gnu_go,
    small_gnu_go,
)
from seedfolio.papers.engine_experiment import EngineExperiment, open_engine, success
from seedfolio.papers.experiment import Outcome, Setting, as_printed
from seedfolio.papers.gnu_go import classical, gnu_go
from seedfolio.portfolios.portfolio import Distribution
from seedfolio.report.table import MIXTURE
from seedfolio.study.arms import Rectangle, UnseenArms, success_of
from seedfolio.study.session import Session

PAPER = {
    "best-seed": (100.0, 100.0, 100.0, 100.0, 100.0, 100.0, 73.0, 73.0, 73.0, 73.0),
    MIXTURE: (99.5, 99.5, 99.0, 100.0, 100.0, 100.0, 6.1, 10.6, 9.5, 7.0),
}
"""Success of Black in percent against levels 1 to 10."""

LEVELS = range(1, 11)
_FEWEST = 5
"""Opponents that a portfolio meets at least, whatever its number of arms."""


@dataclass(frozen=True, repr=False)
class Transfer(Outcome):
    """The outcome."""

    boost: Boost
    against: tuple[dict[int, dict[str, Estimate]], ...]
    """As Black and as White, by level and method."""

    def tables(self) -> list[Table]:
        """Return three tables: what was learnt, and how it does as Black and as White."""
        return [learnt_table(self.boost), self._levels(0), self._levels(1)]

    def _levels(self, colour: int) -> Table:
        names = (MIXTURE, *LEARNERS)
        paper = (PAPER, {})[colour]
        heading = [("Black against", "White against")[colour]]
        for name in names:
            heading += [f"{name}, paper"] if name in paper else []
            heading.append(f"{name}, ours" if name in paper else name)
        lines = []
        for level, successes in self.against[colour].items():
            line = [f"classical, level {level}"]
            for name in names:
                line += [as_printed(paper[name][level - 1])] if name in paper else []
                line.append(successes[name].text)
            lines.append(line)
        return Table(heading, lines)


def learnt_table(boost: Boost) -> Table:
    """Return the table of a boosted program with the gain of each learner over the original."""
    headings = ["method", "arms", "K'=1", "K'=2", "K'=4", "K'=8", "K'=16", "gain, 95% interval"]
    (original,) = (row for row in boost.rows if row.name == MIXTURE)
    lines = []
    for row in boost.rows:
        line = [row.name, row.detail, *(each.text for each in row.estimates)]
        if row.group == "learner":
            gain = gain_of(row, original)
            line.append(f"{percent(gain.mean)} ({percent(gain.low)} to {percent(gain.high)})")
        else:
            line.append("")
        lines.append(line)
    return Table(headings, lines, words=range(2))


def play_transfer(setting: Setting) -> Transfer:
    """Boost GNU Go, then let it meet other programs; the original meets them as well."""
    boost = boosted_gnu_go(setting)
    guests = tuple(gnu_go(BOARD, KOMI, classical(level)) for level in LEVELS)
    program = meeting(small_gnu_go(setting["simulations"]), guests)
    portfolios = {name: file.portfolio() for name, file in boost.portfolios.items()}
    against: tuple[dict[int, dict[str, Estimate]], ...] = ({}, {})
    with open_engine(
        program, setting.folder / f"transfer-{setting['simulations']}.study", setting.run
    ) as session:
        for level in LEVELS:
            setting.run.note(f"against GNU Go without Monte Carlo, level {level}")
            opponents = guest_arms(level - 1, np.arange(setting["games"], dtype=np.uint64))
            for colour, found in enumerate(against):
                found[level] = {MIXTURE: _original(session, colour, opponents)}
                for name in LEARNERS:
                    drawn = portfolios[name].distributions[colour]
                    found[level][name] = _portfolio(session, name, colour, drawn, opponents)
    return Transfer(boost, against)


def _original(session: Session, colour: int, opponents: NDArray[np.uint64]) -> Estimate:
    """Return the success of the original; it and its opponent have a new seed for each game."""
    own = UnseenArms(0, len(opponents)).seeds()
    pairs = [(own[n : n + 1], opponents[n : n + 1]) for n in range(len(opponents))]
    won = np.concatenate([cell[0] for cell in _success(session, "original", colour, pairs)])
    return exploiter_success(won, 1).plain


def _portfolio(
    session: Session,
    name: str,
    colour: int,
    drawn: Distribution,
    opponents: NDArray[np.uint64],
) -> Estimate:
    """Return the success of a portfolio, all of whose arms meet the same opponents.

    The more arms, the fewer opponents, as each opponent costs one game an arm. The portfolio is
    fixed, so the error is over its opponents.
    """
    met = opponents[: max(_FEWEST, len(opponents) // len(drawn))]
    own = np.array(drawn.arms, np.uint64)
    (cells,) = _success(session, name, colour, [(own, met)])
    return exploiter_success(np.array(drawn.weights) @ cells, 1).plain


def _success(
    session: Session, task: str, colour: int, pairs: Sequence[Rectangle]
) -> list[NDArray[np.float64]]:
    """Return the success of our arms (rows), which play `colour`, against opponents."""
    cells = [pair if colour == 0 else pair[::-1] for pair in pairs]
    return [success_of(colour, each, 1) for each in success(session, task, cells)]


TRANSFER = EngineExperiment(
    summary="GNU Go with Monte Carlo, boosted on 5x5, against GNU Go without",
    usual={**SIZES, "games": 30},
    paper={**PAPER_SIZES, "games": 1000},
    takes="about 25 minutes a colour on 1 core",
    played_by=play_transfer,
)
