"""Go 9x9 in "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016), made again.

UCB with progressive widening learns seeds of GNU Go with Monte Carlo, 400 simulations a move. The
paper played 60,000 games.
"""

from __future__ import annotations

from dataclasses import dataclass

from seedfolio.evaluation.exploiters import Estimate
from seedfolio.learning import parse_asking_learner
from seedfolio.learning.teaching import Lesson, Teacher
from seedfolio.report.table import percent
from seedfolio.reproduce.engine_experiment import (
    EngineExperiment,
    Outcome,
    Setting,
    markdown_table,
    opened_games,
)
from seedfolio.reproduce.gnu_go import gnu_go, monte_carlo

KOMI = 7.5
"""The paper does not say; it is what Chinese rules give White."""
PAPER = ("ucb-widening", 60_000, 79.8)
"""A learner, its games, and its success in percent."""


@dataclass(frozen=True)
class Go9(Outcome):
    """What came out."""

    lesson: Lesson
    opponents: int
    """Unseen seeds of each colour that it was judged on."""
    success: tuple[Estimate, ...]
    """As Black, as White, and of both."""

    def markdown(self) -> str:
        """Return the table: success against unseen seeds, each colour and both."""
        name, games, success = PAPER
        numbers = [str(self.opponents), *map(percent, self.success)]
        rows = [
            ["learner", "", "games", "unseen seeds", "Black", "White", "both"],
            [name, "paper", f"{games:,}", "-", "-", "-", f"{success:.1f}"],
            [name, "ours", f"{self.lesson.games:,}", *numbers],
        ]
        return markdown_table(rows, texts=2)


def play_go9(setting: Setting) -> Go9:
    """Let UCB choose its games, then judge it on unseen seeds."""
    program = gnu_go(9, KOMI, monte_carlo(setting["simulations"]))
    name = f"{program.name}-{setting['simulations']}.study"
    with opened_games(program, setting.folder / name, setting) as games:
        parts = games.study, games.arena, program
        teacher = Teacher(*parts, setting.progress, k=1, kt=1, budget=setting["budget"])
        setting.announce("UCB with progressive widening on 9x9")
        lesson = teacher.teach(parse_asking_learner(PAPER[0]))
        task = "best seeds against unseen"
        success = games.against_unseen(task, lesson.portfolio, setting["opponents"])
    return Go9(lesson, setting["opponents"], success)


GO9 = EngineExperiment(
    summary="UCB with progressive widening over seeds of GNU Go on 9x9",
    usual={"budget": 160, "opponents": 40, "simulations": 400},
    paper={"budget": 60_000, "opponents": 500},
    play=play_go9,
)
