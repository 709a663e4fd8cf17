"""The command `seedfolio`, which answers bad input and signals with one line."""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import warnings
from contextlib import suppress
from io import TextIOWrapper
from types import FrameType
from typing import NoReturn

RESUMABLE = ("boost", "compare", "exploit", "reproduce")
INTERRUPTED, TERMINATED = 130, 143
"""Exit codes, as shells count signals."""
LEAST_MEMORY = 2**30
"""Address space, in bytes, without which loading the libraries may never end."""
_ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Somebody asks this process to end, or its terminal is gone."""


class Terminated(BaseException):
    """Somebody has asked this process to end, by SIGTERM or SIGHUP."""


def main() -> int:
    """Run the command line; return its exit code."""
    _open_closed_streams()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # prints a mark where the terminal has no ±
    if problem := _short_of_memory():
        print(f"error: {problem}", file=sys.stderr)
        return 2
    # By default Python would look through all modules again and again while they load; there is
    # little garbage in loops later on, too.
    gc.set_threshold(100_000)
    before = _answer_signals()
    try:
        # Imported here so that an interrupt while modules load is answered, too.
        from seedfolio.cli import run

        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Terminated:
        code = TERMINATED
    if code in (INTERRUPTED, TERMINATED):
        # Whatever comes while threads wind down ends the process, without a traceback.
        signal.signal(signal.SIGINT, _leave_at_once)
        how = "interrupted" if code == INTERRUPTED else "terminated"
        with suppress(OSError):  # the terminal may be gone
            print(how + _going_on(sys.argv[1:]), file=sys.stderr, flush=True)
    else:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code


def _open_closed_streams() -> None:
    """Let /dev/null take the place of standard streams that are closed, as after `<&-`.

    Otherwise the next file that is opened would have the number of one, and get what is printed.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # The system gives it the lowest number that is free, so that of the stream.
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - stays open
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _short_of_memory() -> str:
    """Return why there is too little memory to begin; empty if there may be enough.

    OpenBLAS, which numpy and scipy load, takes memory for each core, and where there is none it
    tries for ever.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return ""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if limit >= LEAST_MEMORY:
        return ""
    return (
        f"this process may have {limit / 2**20:,.0f} MiB of memory (ulimit -v); Seedfolio needs "
        f"{LEAST_MEMORY // 2**20:,} MiB; raise the limit"
    )


def _answer_signals() -> dict[signal.Signals, signal.Handlers]:
    """Answer signals that nobody else answers; return what was there."""
    before: dict[signal.Signals, signal.Handlers] = {}
    ours = {signal.SIGINT: _interrupt, **dict.fromkeys(_ENDING, _terminate)}
    for number, answer in ours.items():
        known = signal.getsignal(number)
        # What is ignored stays so: a shell ignores some for what it starts in the background.
        if known in (signal.SIG_DFL, signal.default_int_handler):
            before[number] = known  # type: ignore[assignment]  # or a function, for SIGINT
            signal.signal(number, answer)
    return before


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    # Raised, so that engines are ended and files closed; a second one does not wait for that.
    signal.signal(signal.SIGINT, _leave_with_a_line)
    raise KeyboardInterrupt


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    for each in _ENDING:
        signal.signal(each, signal.SIG_DFL)
    raise Terminated


def _leave_with_a_line(number: int, frame: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, f"interrupted{_going_on(sys.argv[1:])}\n".encode())
    os._exit(INTERRUPTED)


def _leave_at_once(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    from seedfolio.core.plain_text import put

    put(f"warning: {' '.join(str(message).split())}", file=sys.stderr)


def _going_on(arguments: list[str]) -> str:
    import shlex

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
