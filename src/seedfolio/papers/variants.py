"""Reproduces the variants of GNU Go in "Automatically Reinforcing a Game AI" (St-Pierre et al.).

Arms are not seeds but options: five flags of GNU Go, on or off, make 32 programs on 7x7 with 300
simulations a move. A cell is the success over many games, each with new seeds; the paper played
289. The results of Nash and BestArm are also evaluated on games with other seeds.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.matrix_game import HEADINGS, Portfolios
from seedfolio.core.table import Table, percent
from seedfolio.engines.meeting import guest_arms, meeting
from seedfolio.papers.engine_experiment import (
    EngineExperiment,
    open_engine,
    success,
)
from seedfolio.papers.experiment import Outcome, Setting
from seedfolio.papers.gnu_go import gnu_go, monte_carlo
from seedfolio.papers.square_tables import ucbt_table
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.session import Session

PAPER = ("61.2", "65.6", "52.4", "61.2", "70.5", "4 and 4")
KOMI = 9.0
"""The paper does not say. Black is 9 points ahead with perfect play on 7x7: that gives a draw."""
FLAGS = (
    ("", "--cosmic-gnugo"),
    ("", "--nofusekidb"),
    ("", "--mirror"),
    ("", "--large-scale"),
    ("--without-break-in", "--with-break-in"),
)


def variants() -> list[str]:
    """Return the flags of each variant."""
    return [" ".join(filter(None, chosen)) for chosen in itertools.product(*FLAGS)]


@dataclass(frozen=True, repr=False)
class Variants(Outcome):
    """The outcome: successes of the first player by variant, learnt from and unseen."""

    learnt: NDArray[np.float64]
    unseen: NDArray[np.float64]
    games: tuple[int, int]
    """Games a cell, of each."""

    def tables(self) -> list[Table]:
        """Return the row of Table I, the chosen variants, and UCBT over variants as in Fig. 8.

        Its fourth number is seen by the first player, as the paper's equals V in this row only.
        """
        found = Portfolios.of(self.learnt)
        rows = [
            ["paper, learnt from", "289", *PAPER],
            ["ours, learnt from", str(self.games[0]), *found.printed(own_view=False)],
            ["ours, other seeds", str(self.games[1]), *found.printed(self.unseen, own_view=False)],
        ]
        table = Table(["variants", "games a cell", *HEADINGS], rows, words=range(2))
        return [table, self._chosen(found), ucbt_table(found, luck=True)]

    def _chosen(self, found: Portfolios) -> Table:
        """Return what BestArm plays, and its success on other seeds against all variants."""
        black = float(found.best[0] @ self.unseen @ found.uniform[1])
        white = float(1 - found.uniform[0] @ self.unseen @ found.best[1])
        rows = []
        for name, weights, share in (
            ("Black", found.best[0], black),
            ("White", found.best[1], white),
        ):
            flags = variants()[int(np.argmax(weights))]
            rows.append([name, f"`{flags}`", percent(share)])
        return Table(["BestArm", "flags", "success on other seeds"], rows, words=range(2))


def play_variants(setting: Setting) -> Variants:
    """Play all variants against each other, with seeds to learn from and with unseen ones."""
    programs = [
        gnu_go(7, KOMI, f"{monte_carlo(setting['simulations'], setting['level'])} {flags}")
        for flags in variants()
    ]
    program = meeting(programs[0], programs)
    name = f"variants-{setting['level']}-{setting['simulations']}.study"
    games, unseen = setting["games"], setting["unseen"]
    with open_engine(program, setting.folder / name, setting.run) as session:
        setting.run.note(f"{len(programs)} variants against each other")
        learnt = _matrix(session, TrainingArms(0, 2 * games).seeds(), "seeds to learn from")
        judged = _matrix(session, UnseenArms(0, 2 * unseen).seeds(), "unseen seeds")
    return Variants(learnt, judged, (games, unseen))


def _matrix(session: Session, seeds: NDArray[np.uint64], task: str) -> NDArray[np.float64]:
    """Return the mean success of each variant against each: a game for every two seeds."""
    rectangles = [
        (_all_variants(black), _all_variants(white))
        for black, white in zip(seeds[::2], seeds[1::2], strict=True)
    ]
    mean: NDArray[np.float64] = np.mean(success(session, task, rectangles), axis=0)
    return mean


def _all_variants(seed: np.uint64) -> NDArray[np.uint64]:
    own = np.array([seed], np.uint64)
    return np.concatenate([guest_arms(variant, own) for variant in range(len(variants()))])


VARIANTS = EngineExperiment(
    summary="32 sets of options of GNU Go as arms, on 7x7",
    usual={"games": 8, "unseen": 8, "simulations": 300, "level": 1},
    paper={"games": 289, "unseen": 289},
    takes="11 minutes on 1 core with games=3 and unseen=3",
    played_by=play_variants,
)
