"""What `boost` recommends by default, for every built-in game with its own player.

    python -m experiments.recommendations studies

The studies and portfolios go into a folder, so that an interrupted run goes on. A row is printed
for each game: the original at K'=1 and K'=16, then what to use against strangers and against
opponents who prepare, with its success in percent in both columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from experiments.options import ArenaOption, ThreadsOption
from seedfolio import boost, list_games
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report.table import MIXTURE

LARGER = ("breakthrough:6x6", "phantom-go:7x7")
"""Boards beside the default ones of the games."""


def main(
    folder: Annotated[Path, typer.Argument(help="Where studies and portfolios go.")],
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.")] = None,
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
) -> None:
    """Boost every built-in game by default, and print what the verdict recommends."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in game or [*(each["written"] for each in list_games()), *LARGER]:
        study = folder / f"{name.replace(':', '-')}.study"
        outcome = boost(name, study=study, arena=arena, threads=threads)
        outcome.save_portfolios()
        rows = {row.name: row.estimates for row in outcome.rows}
        verdict = outcome.verdict
        assert verdict is not None
        cells = [name, _columns(rows[MIXTURE])]
        for gain in (verdict.stranger, verdict.prepared):
            use = MIXTURE if gain is None else gain.name
            cells.append("the original" if gain is None else f"{use}: {_columns(rows[use])}")
        print(f"| {' | '.join(cells)} |", flush=True)


def _columns(estimates: Sequence[Estimate]) -> str:
    return f"{estimates[0].text}, {estimates[-1].text}"


if __name__ == "__main__":
    typer.run(main)
