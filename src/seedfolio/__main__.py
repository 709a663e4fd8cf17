"""The command `seedfolio`, which answers bad input and interrupts with one line."""

from __future__ import annotations

import shlex
import signal
import sys

RESUMABLE = ("boost", "reproduce")


def main() -> int:
    """Run the command line; return its exit code."""
    try:
        # Imported here so that an interrupt while modules load is answered, too.
        from seedfolio.cli import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    if code == 130:
        # A second interrupt while threads wind down would print a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print(_interrupted(sys.argv[1:]), file=sys.stderr)
    return code


def _interrupted(arguments: list[str]) -> str:
    if arguments and arguments[0] in RESUMABLE:
        command = shlex.join(["seedfolio", *arguments])
        return f"interrupted; every finished block of games is kept. Go on with: {command}"
    return "interrupted"


if __name__ == "__main__":
    sys.exit(main())
