"""Where a book begins to pay: seeds and books of the same number of games, on all built-in games.

    python -m experiments.book_or_seeds results.json

Every learner gets the same budgets; success on unseen seeds at K'=1 and K'=16 goes into the file,
and a table is printed. `--table results.json` prints the table again.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from experiments.options import ArenaOption, ThreadsOption
from seedfolio import compare, list_games

LEARNERS = ("auto:exploiters=1", "auto:exploiters=16", "book")
BUDGETS = (1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
LARGER = ("domineering:7x7", "breakthrough:6x6", "atari-go:7x7", "phantom-go:7x7")
"""Boards beside the default ones of the games."""

app = typer.Typer(add_completion=False)


@app.command()
def measure(
    file: Annotated[Path, typer.Argument(help="Where results are kept, as JSON.")],
    game: Annotated[list[str] | None, typer.Option(help="Only this game; may be repeated.")] = None,
    budget: Annotated[list[int] | None, typer.Option(help="Only this budget.")] = None,
    opponents: Annotated[int, typer.Option(help="Unseen seeds of each colour.")] = 200,
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
    table: Annotated[bool, typer.Option("--table", help="Print what the file holds.")] = False,
) -> None:
    """Compare learners on all games and budgets; go on where the file ends."""
    done: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    games = game or [*dict.fromkeys([*(each["written"] for each in list_games()), *LARGER])]
    for name in [] if table else games:
        for games_each in budget or BUDGETS:
            place = f"{name} {games_each}"
            if place in done:
                continue
            began = time.perf_counter()
            with TemporaryDirectory() as folder:
                outcome = compare(
                    name,
                    budget=games_each,
                    learners=LEARNERS,
                    opponents=opponents,
                    study=Path(folder) / "a.study",
                    arena=arena,
                    threads=threads,
                )
            rows = {
                row.name: [[each.mean, each.error] for each in row.estimates]
                for row in outcome.rows
            }
            done[place] = rows
            file.write_text(json.dumps(done))
            print(_line(place, rows), f"{time.perf_counter() - began:6.1f} s", flush=True)
    if table:
        for place, rows in done.items():
            print(_line(place, rows))


def _line(place: str, rows: dict[str, Any]) -> str:
    cells = [
        f"{name} {100 * rows[name][0][0]:5.1f} {100 * rows[name][-1][0]:5.1f}"
        for name in ("original, mixture", *LEARNERS)
    ]
    return f"{place:<28} " + "  ".join(cells)


if __name__ == "__main__":
    app()
