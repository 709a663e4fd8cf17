"""One input of a target: it is drawn from its number alone, so it can be drawn again."""

import random
import signal
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from judging import MOST_SECONDS
from targets import TARGETS

SOURCE = "/seedfolio/"


class HangError(BaseException):
    """An input took too long; no target expects it."""


def drawn(name: str, number: int) -> bytes:
    """Return an input of a target."""
    return TARGETS[name].draw(random.Random(f"{name} {number}"))


def fault_of(judge: Callable[[bytes], None], content: bytes) -> str:
    """Return what is wrong with the outcome of an input; empty if nothing is."""
    try:
        with _limited():
            judge(content)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        frames = traceback.extract_tb(error.__traceback__)
        ours = [each for each in frames if SOURCE in each.filename] or frames
        where = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}"
        return f"{type(error).__name__} at {where}: {str(error)[:2000]}"
    return ""


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
