"""Options and answers that several commands have in common."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.console import Console

from seedfolio.errors import SpecificationError


class ArenaName(StrEnum):
    """Who can play."""

    AUTO = "auto"
    THREADS = "threads"
    CUDA = "cuda"


ArenaOption = Annotated[
    ArenaName,
    typer.Option("--arena", help="Who plays: this machine's cores or its GPU; auto: what it has."),
]
ThreadsOption = Annotated[
    int | None, typer.Option(help="Threads that play.", show_default="all cores")
]
OpponentsOption = Annotated[
    int, typer.Option(help="Unseen seeds of each colour to judge with, at least.")
]
RepeatsOption = Annotated[
    int | None,
    typer.Option(
        help="Games between two seeds, where luck plays a part.", show_default="16, else 1"
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for another program.")]


def make_arena(name: ArenaName, threads: int | None) -> Any:
    """Return the arena that was asked for."""
    if name is ArenaName.AUTO and threads is None:
        from seedfolio.arena.automatic import best_arena

        return best_arena(say)
    if name is ArenaName.CUDA:
        from seedfolio.arena.cuda import CudaArena

        if threads is not None:
            raise SpecificationError("--threads are those of --arena threads; leave it out")
        return CudaArena()
    from seedfolio.arena.threads import ThreadArena

    return ThreadArena() if threads is None else ThreadArena(threads)


def make_progress(quiet: bool) -> Any:
    """Return bars on standard error, or None."""
    if quiet:
        return None
    from seedfolio.report.progress import TerminalProgress

    return TerminalProgress(Console(stderr=True))


def say(text: str) -> None:
    """Tell a person what is going on, without touching standard output."""
    print(text, file=sys.stderr)


def print_json(data: Any) -> None:
    """Print data for another program."""
    print(json.dumps(data, indent=2))
