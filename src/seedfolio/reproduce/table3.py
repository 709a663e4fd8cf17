"""Table 3 of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016), made again.

The paper does not say how many simulations its MCTS had; here it is UCT with 100 a move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from seedfolio.arena import Arena, Progress
from seedfolio.boosting import FIXED_SEED, MIXTURE, Boost, boost
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.report.table import percent

LEARNERS = ("uniform", "best-seed", "nash", "sparse-nash", "best-half")

# Success in percent at K' = 1, 2, 4, 8, 16 with K = 9000 and Kt = 900: Uniform, BestSeed, Nash.
PAPER = {
    "domineering:5x5": (
        (49.03, 41.55, 32.53, 28.95, 25.06),
        (82.50, 75.00, 59.50, 53.00, 50.00),
        (78.50, 67.54, 55.96, 50.00, 50.00),
    ),
    "domineering:7x7": (
        (53.33, 44.33, 39.58, 37.97, 36.55),
        (67.50, 54.50, 44.50, 41.50, 28.50),
        (66.98, 58.01, 52.79, 50.71, 48.72),
    ),
    "domineering:9x9": (
        (50.68, 46.68, 44.06, 42.50, 41.56),
        (65.50, 36.50, 14.50, 3.50, 0.50),
        (58.60, 53.43, 50.04, 47.15, 45.11),
    ),
    "atari-go:5x5": (
        (49.95, 46.72, 43.26, 40.78, 37.85),
        (69.50, 56.50, 41.00, 21.00, 7.00),
        (61.16, 57.91, 54.33, 51.18, 47.96),
    ),
    "atari-go:7x7": (
        (49.76, 47.61, 45.10, 43.02, 41.84),
        (59.50, 45.50, 20.50, 5.00, 1.00),
        (57.79, 54.66, 51.40, 47.97, 45.99),
    ),
    "atari-go:9x9": (
        (50.16, 48.39, 47.01, 46.04, 45.11),
        (55.50, 26.00, 12.50, 1.00, 0.00),
        (53.61, 50.46, 48.06, 46.02, 44.15),
    ),
    "breakthrough:5x5": (
        (50.12, 47.80, 45.42, 43.18, 42.01),
        (60.50, 42.50, 19.00, 4.50, 0.50),
        (57.77, 54.32, 50.75, 48.38, 45.64),
    ),
    "breakthrough:6x6": (
        (50.15, 49.31, 48.86, 48.51, 48.09),
        (49.00, 33.00, 11.00, 2.50, 0.00),
        (50.94, 47.81, 46.73, 45.13, 43.67),
    ),
    "breakthrough:7x7": (
        (50.08, 49.51, 49.03, 48.70, 48.36),
        (55.50, 24.50, 6.00, 1.00, 0.00),
        (51.16, 48.40, 46.63, 45.13, 44.12),
    ),
    "breakthrough:8x8": (
        (50.03, 49.60, 49.07, 48.70, 48.34),
        (49.00, 25.00, 6.50, 0.50, 0.00),
        (50.91, 48.89, 46.86, 45.65, 44.41),
    ),
}


@dataclass(frozen=True)
class BoardResult:
    """One board of the table, ours beside the paper's."""

    board: str
    outcome: Boost

    def lines(self) -> Iterator[tuple[str, str, list[str]]]:
        """Yield (method, whose, five numbers in percent)."""
        rows = {row.name: row for row in self.outcome.rows}
        paper = dict(zip(("uniform", "best-seed", "nash"), PAPER[self.board], strict=True))
        for name in (FIXED_SEED, MIXTURE, *LEARNERS):
            if name in paper:
                yield name, "paper", [f"{value:.1f}" for value in paper[name]]
            yield name, "ours", [percent(estimate) for estimate in rows[name].estimates]


def reproduce_table3(
    folder: Path,
    boards: Sequence[str],
    player: str,
    sizes: tuple[int, int, int],
    arena: Arena,
    progress: Progress | None,
    announce: Callable[[str], None],
) -> list[BoardResult]:
    """Boost every board with `sizes` of K, Kt and unseen opponents, each in a study in `folder`."""
    for board in boards:
        if board not in PAPER:
            raise SpecificationError(f"{board!r} is not in Table 3; it has {', '.join(PAPER)}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(f"cannot make the folder {folder}: {error.strerror}") from error
    results = []
    for number, board in enumerate(boards, 1):
        announce(f"{board} ({number} of {len(boards)})")
        k, kt, opponents = sizes
        outcome = boost(
            board,
            player,
            k=k,
            kt=kt,
            opponents=opponents,
            learners=LEARNERS,
            study=folder / f"{board.replace(':', '-')}.study",
            arena=arena,
            progress=progress,
        )
        results.append(BoardResult(board, outcome))
    return results


def table3_markdown(results: Sequence[BoardResult]) -> str:
    """Return the whole table in Markdown."""
    header = ["board", "method", "", *(f"K'={opponents}" for opponents in CRITERIA)]
    lines = [header, ["---"] * 3 + ["---:"] * len(CRITERIA)]
    for result in results:
        name = result.board.replace(":", " ")
        for method, whose, numbers in result.lines():
            lines.append([name, method, whose, *numbers])
            name = ""
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
