"""What one matrix of arms against each other says, besides its row of Table I, in "Automatically
Reinforcing a Game AI" (St-Pierre et al.).

Cross-validation as in Fig. 2 to 5, UCBT against Nash, Uniform and each single arm as in Fig. 6 to 8
(the losing rate of the arm that it recommends), and portfolios against each other as in Fig. 10
and 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.analysis.cross_validation import Matrix
from seedfolio.analysis.matrix_game import Portfolios
from seedfolio.analysis.online_games import learn_online
from seedfolio.boosting.cross_validation import VALIDATED, CrossValidation
from seedfolio.boosting.online import online
from seedfolio.core.table import Table, percent
from seedfolio.papers.experiment import make_folder
from seedfolio.study.arms import TrainingArms, success_of
from seedfolio.study.store import Study

GAMES = (32, 128, 1024)
"""After so many the losing rate is printed."""
REPETITIONS = 1000
"""As in the paper; against single arms this many or more together, and some against each."""
_AGAINST_EACH = 20


def curves_table(what: str, found: Sequence[CrossValidation], paper: str | None = None) -> Table:
    """Return the successes of each program, for every K; `paper` is what BestArm has there."""
    opponents = found[0].opponents
    lines = []
    if paper is not None:
        lines.append(["paper", "best-seed", "-", paper, *["-"] * (len(opponents) - 1)])
    for each in found:
        title = each.title
        for learner in VALIDATED:
            for size in sorted({size for size, _, _ in each.success}):
                texts = [each.success[size, learner, opponent].text for opponent in opponents]
                lines.append([title, learner, str(size), *texts])
                title = ""
    headings = [what, "learner", "K", *(f"v {opponent}" for opponent in opponents)]
    return Table(headings, lines, words=range(2))


def ucbt_table(
    found: Portfolios, *, luck: bool = False, sides: Sequence[str] = ("Black", "White")
) -> Table:
    """Return losing rates in percent, and the least that any arm has.

    With `luck` a number of the matrix is the chance to win a game.
    """
    lines = []
    for colour, name in enumerate(sides):
        successes = success_of(colour, found.matrix, 1)
        other = 1 - colour
        for opponent, drawn in (
            ("nash", [found.nash[other]]),
            ("uniform", [found.uniform[other]]),
            ("each arm, mean", list(np.eye(successes.shape[1]))),
        ):
            lines.append([name, opponent, *_losing_rates(successes, drawn, luck)])
    headings = ["UCBT plays", "against", *(f"{games:,} games" for games in GAMES), "least"]
    return Table(headings, lines, words=range(2))


def draw_square(
    folder: Path, name: str, matrix: Matrix, left_out: CrossValidation, each_other: CrossValidation
) -> list[Path]:
    """Draw success against K on seeds left out and against each other, and UCBT; SVG files."""
    make_folder(folder)
    paths = [folder / f"{name}{ending}.svg" for ending in ("", "-each-other", "-ucbt")]
    left_out.plot(paths[0])
    each_other.plot(paths[1])
    seeds = TrainingArms(0, len(matrix)).seeds()
    rows, columns = np.repeat(seeds, len(seeds)), np.tile(seeds, len(seeds))
    # The study of the experiment may hold a larger square than the tables are of.
    with Study.temporary({"game": {"name": left_out.title}, "repeats": matrix.full // 2}) as study:
        study.record(rows, columns, matrix.points.ravel())
        online(study, games=GAMES[-1], arms=len(seeds), progress=False).plot(paths[2])
    return paths


def _losing_rates(
    successes: NDArray[np.float64], opponents: Sequence[NDArray[np.float64]], luck: bool
) -> list[str]:
    """Return the mean over opponents after each number of games, and the least possible."""
    repetitions = max(_AGAINST_EACH, -(-REPETITIONS // len(opponents)))
    keys = np.arange(repetitions, dtype=np.uint64)
    runs = [learn_online(successes, each, GAMES[-1], keys, luck=luck) for each in opponents]
    rates = np.mean([each.settled.mean(axis=0) for each in runs], axis=0)
    return [
        *(percent(rates[games.bit_length() - 1]) for games in GAMES),
        percent(float(np.mean([each.least for each in runs]))),
    ]
