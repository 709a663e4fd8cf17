r"""Who was the papers' program? Uniform of Table 3 and its printed errors, for several programs.

    python -m experiments.papers_program --k 60 --opponents 60
    python -m experiments.papers_program -b domineering:7x7 -p uct:simulations=1000 --k 200

Uniform says how far the seeds of a program itself differ, and depends little on K. The paper's
errors are over 100 repetitions that each draw the K' seeds of a colour once; so ten times the error
at K'=1 is the standard deviation of an opponent's strength, mean of both colours. Ours is estimated
from the games, without the luck of finitely many seeds of ours. The distance is the mean over the
columns K'=2 to 16, in points. Every game is kept; the same command continues.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from experiments.options import ArenaOption, ThreadsOption
from seedfolio import boost
from seedfolio.core.files import file_name
from seedfolio.papers.table3 import PAPER
from seedfolio.report.table import MIXTURE
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.store import Study

ERRORS = {
    "domineering:5x5": 1.30,
    "domineering:7x7": 1.41,
    "domineering:9x9": 0.58,
    "atari-go:5x5": 0.54,
    "atari-go:7x7": 0.37,
    "atari-go:9x9": 0.25,
    "breakthrough:5x5": 0.45,
    "breakthrough:6x6": 0.09,
    "breakthrough:7x7": 0.06,
    "breakthrough:8x8": 0.07,
}
"""Of Uniform at K'=1, in points, as printed."""
REPETITIONS = 100
PLAYERS = tuple(
    f"{kind}:simulations={simulations}{more}"
    for kind, more in (("uct", ""), ("uct", ",exploration=0.3"), ("rave", ""))
    for simulations in (30, 100, 300, 1000)
)

app = typer.Typer(add_completion=False)


@app.command()
def fit(
    boards: Annotated[list[str] | None, typer.Option("--board", "-b")] = None,
    players: Annotated[list[str] | None, typer.Option("--player", "-p")] = None,
    k: Annotated[int, typer.Option(help="Seeds of ours.")] = 60,
    opponents: Annotated[int, typer.Option(help="Unseen seeds, 17 or more.")] = 60,
    folder: Annotated[Path, typer.Option(help="Where the studies are.")] = Path("studies/program"),
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
) -> None:
    """Print a row for each board and program, the paper's first."""
    folder.mkdir(parents=True, exist_ok=True)
    print("| board | program | K'=1 | K'=2 | K'=4 | K'=8 | K'=16 | spread | distance |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for board in boards or ERRORS:
        paper = [float(each or 0) for each in PAPER[board]["uniform"]]
        spread = ERRORS[board] * REPETITIONS**0.5
        _print(board, "the paper's", [f"{each:.1f}" for each in paper], spread, None)
        for player in players or PLAYERS:
            path = folder / f"{file_name(f'{board}-{player}')}.study"
            found = boost(
                board,
                player,
                k=k,
                kt=1,
                opponents=opponents,
                learners="uniform",
                study=path,
                arena=arena,
                threads=threads,
            )
            (row,) = (each for each in found.rows if each.name == MIXTURE)
            means = [100 * each.mean for each in row.estimates]
            far = float(np.mean(np.abs(np.subtract(means[1:], paper[1:]))))
            texts = [each.text for each in row.estimates]
            _print("", player, texts, 100 * spread_of(path, k, opponents), far)


def _print(
    board: str, player: str, texts: list[str], spread: float, distance: float | None
) -> None:
    last = "" if distance is None else f"{distance:.1f}"
    print(f"| {board} | {player} | {' | '.join(texts)} | {spread:.1f} | {last} |", flush=True)


def spread_of(path: Path, k: int, opponents: int) -> float:
    """Return the standard deviation of the strength of one unseen seed of each colour."""
    ours, theirs = TrainingArms(0, k).seeds(), UnseenArms(0, opponents).seeds()
    with Study.read(path) as study:
        first = study.results(ours, theirs) / study.full
        second = study.results(theirs, ours).T / study.full
    return float(np.sqrt(max(0.0, _variance(first) + _variance(second))) / 2)


def _variance(success: NDArray[np.float64]) -> float:
    """Return the variance of the columns' true means: without the luck of these rows."""
    luck = success.var(axis=0, ddof=1).mean() / len(success)
    return float(success.mean(axis=0).var(ddof=1) - luck)


if __name__ == "__main__":
    app()
