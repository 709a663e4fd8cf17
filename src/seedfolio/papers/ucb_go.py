"""Reproduces Go in "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016).

UCB with progressive widening learns seeds of GNU Go: on 9x9 with Monte Carlo, 400 simulations a
move, where the paper played 60,000 games; on 19x19 without Monte Carlo, which GNU Go does not have
there, where it played 3,780. The paper's rule opens more arms than a small budget can play, so the
usual sizes limit them (`each`); the paper's sizes do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from seedfolio.core.table import Table
from seedfolio.engines.program import EngineProgram
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.learning.learner import Budget
from seedfolio.learning.registry import find_learner
from seedfolio.papers.engine_experiment import (
    EngineExperiment,
    open_engine,
    success_against_unseen,
)
from seedfolio.papers.experiment import Outcome, Setting, as_printed
from seedfolio.papers.gnu_go import classical, gnu_go, monte_carlo

KOMI = 7.5
"""The usual komi of Chinese rules; the paper does not say."""
LEARNER = "ucb-widening"
PAPER = {9: (60_000, 79.8, "1125 and 898"), 19: (3_780, 55.9, "606 and 472")}
"""By board: games, success in percent, and the seeds chosen for Black and for White."""


@dataclass(frozen=True, repr=False)
class UcbGo(Outcome):
    """The outcome."""

    board: int
    games: int
    """Games that the learner has used."""
    opponents: int
    """Unseen seeds of each colour that it was evaluated on."""
    seeds: tuple[int, int]
    """What it chose, for Black and for White."""
    success: tuple[Estimate, ...]
    """As Black, as White, and of both."""

    def tables(self) -> list[Table]:
        """Return the table: success against unseen seeds, each colour and both."""
        games, success, seeds = PAPER[self.board]
        own = "{} and {}".format(*self.seeds)
        numbers = [str(self.opponents), own, *(each.text for each in self.success)]
        headings = ["learner", "", "games", "unseen seeds", "chosen", "Black", "White", "both"]
        rows = [
            [LEARNER, "paper", f"{games:,}", "-", seeds, "-", "-", as_printed(success)],
            [LEARNER, "ours", f"{self.games:,}", *numbers],
        ]
        return [Table(headings, rows, words=range(2))]


def play_ucb_go(setting: Setting, board: int) -> UcbGo:
    """Let UCB choose its games, then evaluate it on unseen seeds."""
    program, name = _program(setting, board)
    # One game each is no limit that could be reached: it stands for the paper's rule.
    each = setting["each"]
    learner = find_learner(LEARNER if each == 1 else f"{LEARNER}:each={each}")
    with open_engine(program, setting.folder / name, setting.run) as session:
        setting.run.note(f"UCB with progressive widening on {board}x{board}")
        learnt = learner.learn(session, Budget(setting["budget"]))
        task = "best seeds against unseen"
        success = success_against_unseen(session, task, learnt, setting["opponents"])
    portfolio = learnt.plays.distributions
    assert portfolio is not None, "UCB chooses arms"
    seeds = portfolio.first.arms[0], portfolio.second.arms[0]
    return UcbGo(board, learnt.games, setting["opponents"], seeds, success)


def _program(setting: Setting, board: int) -> tuple[EngineProgram, str]:
    """Return GNU Go as the paper has it on this board, and the name of its study."""
    if board == 9:
        simulations = setting["simulations"]
        program = gnu_go(board, KOMI, monte_carlo(simulations))
        return program, f"{program.name}-{simulations}.study"
    program = gnu_go(board, KOMI, classical(setting["level"]))
    return program, f"{program.name}-level-{setting['level']}.study"


GO9 = EngineExperiment(
    summary="UCB with progressive widening over seeds of GNU Go on 9x9",
    usual={"budget": 160, "opponents": 40, "simulations": 400, "each": 8},
    paper={"budget": 60_000, "opponents": 500, "each": 1},
    takes="15 minutes on 1 core with budget=120, opponents=50",
    played_by=partial(play_ucb_go, board=9),
)

GO19 = EngineExperiment(
    summary="UCB with progressive widening over seeds of GNU Go without Monte Carlo on 19x19",
    usual={"budget": 24, "opponents": 6, "level": 1, "each": 3},
    paper={"budget": 3_780, "opponents": 500, "level": 10, "each": 1},
    takes="13 minutes on 2 cores; --paper days",
    played_by=partial(play_ucb_go, board=19),
)
