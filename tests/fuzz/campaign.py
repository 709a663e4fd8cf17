"""Trying many inputs on a target: each is drawn from its number alone, so it can be drawn again."""

import random
import signal
import time
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from targets import MOST_SECONDS, TARGETS


class HangError(Exception):
    """An input took too long."""


@dataclass
class Tally:
    """What was tried on one target."""

    inputs: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    faults: list[str] = field(default_factory=list)


def drawn(name: str, number: int) -> bytes:
    """Return an input of a target."""
    return TARGETS[name][0](random.Random(f"{name} {number}"))


def fault_of(judge: Callable[[bytes], None], content: bytes) -> str:
    """Return what is wrong with the outcome of an input; empty if nothing is."""
    try:
        with _limited():
            judge(content)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}:{last.lineno}"
        return f"{type(error).__name__} at {where}: {str(error)[:200]}"
    return ""


def try_inputs(
    name: str, numbers: range, until: float, keep: Callable[[int, bytes], None]
) -> Tally:
    """Try inputs of a target until a moment; `keep` gets each that goes wrong."""
    tally = Tally()
    for number in numbers:
        began = time.monotonic()
        if began > until:
            break
        content = drawn(name, number)
        fault = fault_of(TARGETS[name][1], content)
        took = time.monotonic() - began
        tally.inputs += 1
        tally.seconds += took
        tally.slowest = max(tally.slowest, took)
        if fault:
            tally.faults.append(f"{name} {number}: {fault}")
            keep(number, content)
    return tally


@contextmanager
def _limited():
    """Raise HangError if the block takes too long in Python; what hangs in C ends the process."""

    def stop(*_):
        raise HangError(f"took more than {MOST_SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
