"""`check`: is an external engine deterministic, and how long will its study take?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app, with_flags
from seedfolio.cli.options import JsonOption, print_json


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="An external engine: engine.toml.")],
    *,
    threads: Annotated[
        int | None,
        typer.Option(help="Games at once, in the study.", show_default="all cores", min=1),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check an external engine: does an arm always play the same, do arms differ?

    Plays a few games, in new processes and in used ones, and compares every move. Exits with
    code 1 if the engine fails.
    """
    from seedfolio.boosting.checkup import check as check_engine

    found = check_engine(file, threads=threads)
    if as_json:
        print_json(found.as_data())
    else:
        print(with_flags(found.text))
    if not found.passed:
        raise typer.Exit(1)
