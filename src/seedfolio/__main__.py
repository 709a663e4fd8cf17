"""The command `seedfolio`, which answers bad input and interrupts with one line."""

from __future__ import annotations

import shlex
import signal
import sys
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

RESUMABLE = ("boost", "compare", "reproduce")
_ENDING = (signal.SIGTERM, signal.SIGHUP)
_ENDED = {130: "interrupted", 143: "terminated", 129: "hung up"}


class Terminated(BaseException):
    """Somebody has asked this process to end, by SIGTERM or SIGHUP."""


def main() -> int:
    """Run the command line; return its exit code."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # prints a mark where the terminal has no ±
    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores SIGHUP
            signal.signal(number, _terminate)
    try:
        # Imported here so that an interrupt while modules load is answered, too.
        from seedfolio.cli import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    except Terminated as ended:
        code = 128 + ended.args[0]
    for number in _ENDING:
        if signal.getsignal(number) is _terminate:
            signal.signal(number, signal.SIG_DFL)
    if code in _ENDED:
        # A second interrupt while threads wind down would print a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        print(_ENDED[code] + _going_on(sys.argv[1:]), file=sys.stderr)
    return code


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    # Raised, so that engines are ended and files closed; a second signal ends this at once.
    signal.signal(number, signal.SIG_DFL)
    raise Terminated(number)


def _going_on(arguments: list[str]) -> str:
    kept_by_game = arguments[:1] in (["match"], ["worth"])
    recorded = kept_by_game and any(a.startswith("--record") for a in arguments)
    if arguments[:1] == ["teach"]:
        return f"; every move is kept. Go on with: {shlex.join(['seedfolio', *arguments])}"
    if recorded or (arguments and arguments[0] in RESUMABLE):
        command = shlex.join(["seedfolio", *arguments])
        kept = "game" if recorded else "block of games"
        return f"; every finished {kept} is kept. Go on with: {command}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
