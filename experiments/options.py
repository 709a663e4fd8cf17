"""Options that the experiments have in common."""

from __future__ import annotations

from typing import Annotated

import typer

ArenaOption = Annotated[str, typer.Option("--arena", help="Where games run: auto, threads, cuda.")]
ThreadsOption = Annotated[int | None, typer.Option(help="Number of threads.", show_default="all")]
