"""What commands print, for people and for programs, and the options that say so."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seedfolio.cli.application import with_flags
from seedfolio.core.plain_text import plain_console, put

if TYPE_CHECKING:
    from seedfolio.core.display import Displayed, Part

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


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


def print_parts(result: Displayed | Iterable[Part]) -> None:
    """Print what shows a result, for people."""
    from seedfolio.core.display import Displayed, Line

    console = plain_console()
    for part in result.parts() if isinstance(result, Displayed) else result:
        if isinstance(part, Line):
            print_lines(part)
        else:
            console.print(part, highlight=False, markup=False)


def say(text: str) -> None:
    """Print a line for people, without touching standard output."""
    put(with_flags(text), file=sys.stderr)


def print_json(data: Any) -> None:
    """Print data for another program."""
    put(json.dumps(data, indent=2))
