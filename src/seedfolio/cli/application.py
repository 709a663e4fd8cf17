"""The command `seedfolio` itself: running one command, and answering every expected error."""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext, suppress
from functools import cache
from typing import Annotated, Any

import typer

from seedfolio.core.plain_text import put
from seedfolio.core.trust import trusting
from seedfolio.errors import SeedfolioError
from seedfolio.version import __version__


def new_group(name: str = "", help: str = "") -> typer.Typer:  # noqa: A002 - as Typer has it
    """Return a group of commands, without one yet."""
    return typer.Typer(
        name=name,
        help=help,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )


app = new_group(
    "seedfolio", "Make a randomized game program stronger by learning which random seeds to play."
)
_TRUST = "--trust"
_NO_MEMORY = "error: not enough memory for that; choose smaller numbers, or fewer --threads"
_FLAGS = {
    "boards": "--board",
    "learners": "--learner",
    "names": "--name",
    "numbers": "--set",
    "parameters": "--parameter",
    "sizes": "--size",
    "trusting": "--trust",
}
"""Of parameters whose flag has another name."""


def run(arguments: list[str]) -> int:
    """Run one command; return its exit code, with every expected error told in one line."""
    words, trusts = _without_trust(arguments)
    try:
        with trusting() if trusts else nullcontext():
            code = _command()(args=words, prog_name="seedfolio", standalone_mode=False)
    except (SeedfolioError, typer.TyperException) as error:
        text = error.format_message() if isinstance(error, typer.TyperException) else str(error)
        _complain(f"error: {with_flags(' '.join(text.split()))}")
        return 2
    except typer.Abort:
        return 130
    except MemoryError:
        _complain(_NO_MEMORY)
        return 2
    except (RuntimeError, ImportError) as error:
        # So Python says that there is no memory for a thread or a library.
        if not re.search("can't start new thread|map segment|allocate memory", str(error)):
            raise
        _complain(_NO_MEMORY)
        return 2
    except BrokenPipeError:
        # Whoever read our output has gone, as `head` does.
        sys.stdout = None
        return 1
    except OSError as error:
        _complain(f"error: {error}")
        return 2
    return code if isinstance(code, int) else 0


def _complain(line: str) -> None:
    with suppress(OSError):  # its exit code says that something is wrong, if nothing else can
        put(line, file=sys.stderr)


@cache
def _command() -> Any:
    """Return all commands; to make them takes longer than to run many a one."""
    return typer.main.get_command(app)


def _without_trust(arguments: list[str]) -> tuple[list[str], bool]:
    """Return the arguments without `--trust`, which any command takes, and whether it is there."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own = [word for word in arguments[:end] if word != _TRUST]
    return [*own, *arguments[end:]], len(own) < end


def with_flags(text: str) -> str:
    """Return a message of the library, which names parameters in backticks, with flags instead."""
    return re.sub(
        "`([a-z_]+)`",
        lambda found: flag_of(found[1]),
        text,
    )


def flag_of(parameter: str) -> str:
    """Return the flag of a parameter of the library."""
    return _FLAGS.get(parameter, f"--{parameter.replace('_', '-')}")


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    trust: Annotated[
        bool,
        typer.Option(
            _TRUST,
            help="With any command: run the file or engine that a portfolio from elsewhere names.",
        ),
    ] = False,
) -> None:
    if version:
        put(f"seedfolio {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        put(context.get_help())
