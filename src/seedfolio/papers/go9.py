"""Reproduces Go 9x9 in "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016).

UCB with progressive widening learns seeds of GNU Go with Monte Carlo, 400 simulations a move. The
paper played 60,000 games.
"""

from __future__ import annotations

from dataclasses import dataclass

from seedfolio.evaluation.exploiters import Estimate
from seedfolio.learning.learner import Budget
from seedfolio.learning.registry import find_learner
from seedfolio.papers.engine_experiment import (
    EngineExperiment,
    markdown_table,
    open_engine,
    success_against_unseen,
)
from seedfolio.papers.experiment import Outcome, Setting
from seedfolio.papers.gnu_go import gnu_go, monte_carlo
from seedfolio.report.table import percent

KOMI = 7.5
"""The usual komi of Chinese rules; the paper does not say."""
PAPER = ("ucb-widening", 60_000, 79.8)
"""A learner, its games, and its success in percent."""


@dataclass(frozen=True, repr=False)
class Go9(Outcome):
    """The outcome."""

    games: int
    """Games that the learner has used."""
    opponents: int
    """Unseen seeds of each colour that it was evaluated on."""
    success: tuple[Estimate, ...]
    """As Black, as White, and of both."""

    def markdown(self) -> str:
        """Return the table: success against unseen seeds, each colour and both."""
        name, games, success = PAPER
        numbers = [str(self.opponents), *map(percent, self.success)]
        rows = [
            ["learner", "", "games", "unseen seeds", "Black", "White", "both"],
            [name, "paper", f"{games:,}", "-", "-", "-", f"{success:.1f}"],
            [name, "ours", f"{self.games:,}", *numbers],
        ]
        return markdown_table(rows, texts=2)


def play_go9(setting: Setting) -> Go9:
    """Let UCB choose its games, then evaluate it on unseen seeds."""
    program = gnu_go(9, KOMI, monte_carlo(setting["simulations"]))
    name = f"{program.name}-{setting['simulations']}.study"
    with open_engine(program, setting.folder / name, setting) as session:
        setting.announce("UCB with progressive widening on 9x9")
        learnt = find_learner(PAPER[0]).learn(session, Budget(setting["budget"]))
        task = "best seeds against unseen"
        success = success_against_unseen(session, task, learnt, setting["opponents"])
    return Go9(learnt.games, setting["opponents"], success)


GO9 = EngineExperiment(
    summary="UCB with progressive widening over seeds of GNU Go on 9x9",
    usual={"budget": 160, "opponents": 40, "simulations": 400},
    paper={"budget": 60_000, "opponents": 500},
    played_by=play_go9,
)
