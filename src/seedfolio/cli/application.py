"""The command `seedfolio` itself: running one command, and answering every expected error."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from seedfolio.errors import SeedfolioError

app = typer.Typer(
    name="seedfolio",
    help="Make a randomized game program stronger by learning which random seeds to play.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def run(arguments: list[str]) -> int:
    """Run one command; return its exit code, with every expected error told in one line."""
    try:
        code = app(args=arguments, prog_name="seedfolio", standalone_mode=False)
    except (SeedfolioError, typer.TyperException) as error:
        text = error.format_message() if isinstance(error, typer.TyperException) else str(error)
        print(f"error: {' '.join(text.split())}", file=sys.stderr)
        return 2
    except typer.Abort:
        return 130
    except MemoryError:
        print("error: not enough memory for that; choose smaller numbers", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has gone, as `head` does.
        sys.stdout = None
        return 1
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return code if isinstance(code, int) else 0


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed_version

        print(f"seedfolio {installed_version('seedfolio')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
