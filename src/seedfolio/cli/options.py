"""Options and answers that several commands have in common."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated, Any

import typer

from seedfolio.cli.application import with_flags
from seedfolio.core.plain_text import plain_console, put


class ArenaName(StrEnum):
    """Where games run."""

    AUTO = "auto"
    THREADS = "threads"
    CUDA = "cuda"
    RAY = "ray"


ArenaOption = Annotated[
    ArenaName,
    typer.Option(
        "--arena",
        help="Where games run: auto (GPU if present), threads, cuda, or ray (a Ray cluster).",
    ),
]
MatchArenaOption = Annotated[
    ArenaName,
    typer.Option(
        "--arena",
        metavar="[auto|threads|cuda]",
        help="Where games run: auto (GPU if present, for many games), threads or cuda.",
    ),
]
AddressOption = Annotated[
    str | None,
    typer.Option(
        help="HOST:PORT of the Ray cluster, with --arena ray.",
        show_default="the one on this machine",
    ),
]
ThreadsOption = Annotated[int | None, typer.Option(help="Number of threads.", show_default="all")]
OR_ITS_OWN = ", or what the game or engine.toml says"
"""Ends the default of a size that a program may set for itself."""
OpponentsOption = Annotated[
    int | None,
    typer.Option(
        help="Smallest number of unseen seeds of each colour to evaluate with.",
        show_default=f"100{OR_ITS_OWN}",
    ),
]
RepeatsOption = Annotated[
    int | None,
    typer.Option(help="Games between two seeds, in games with luck.", show_default="16, else 1"),
]
PlayerOption = Annotated[
    str | None,
    typer.Option(
        "--player",
        "-p",
        help="A player such as uct:simulations=400, or a file of yours: my_player.py.",
        show_default="the game's own, see seedfolio games",
    ),
]
LearnerOption = typer.Option("--learner", "-l", help="A learner; repeat the option for several.")
DespiteCheckOption = Annotated[
    bool,
    typer.Option("--despite-check", help="Go on with an external engine that failed its check."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def make_progress(quiet: bool) -> Any:
    """Return bars on standard error, or False."""
    if quiet:
        return False
    from seedfolio.report.progress import TerminalProgress

    return TerminalProgress(plain_console(stderr=True))


def note_unless(quiet: bool) -> Callable[[str], None]:
    """Return a function that prints a line for people, or with `quiet` one that does nothing."""
    return (lambda text: None) if quiet else say


def print_lines(text: str) -> None:
    """Print lines for people; in a terminal, those that are too long go on below their text."""
    from rich.console import Console

    console = Console()
    for line in text.splitlines():
        name = re.match(r"\S.*?  +|\s*", line)
        below = " " * (0 if name is None else name.end())
        fits = not console.is_terminal or len(line) <= console.width
        put(line if fits else textwrap.fill(line, console.width, subsequent_indent=below))


def say(text: str) -> None:
    """Print a line for people, without touching standard output."""
    put(with_flags(text), file=sys.stderr)


def print_json(data: Any) -> None:
    """Print data for another program."""
    put(json.dumps(data, indent=2))
