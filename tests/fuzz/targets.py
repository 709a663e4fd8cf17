"""What is fuzzed: an outcome is right if it is plain, quick, and no other error than one line."""

import random
import signal
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import file_targets as files
import text_targets as texts
from judging import MOST_SECONDS
from stranger_host import prepare
from stranger_targets import run_stranger, stranger


@dataclass(frozen=True)
class Target:
    draw: Callable[[random.Random], bytes]
    judge: Callable[[bytes], None]
    share: float
    """Of all inputs of a run, beside those of the others: more for what is quick."""
    warm: Callable[[], object]
    """Compiles and imports what it needs, once, before any input."""


def all_of(judge):
    return lambda: [judge(each) for each in files.portfolios()] and None


TARGETS = {
    "portfolio": Target(files.portfolio, files.read_portfolio, 0.15, all_of(files.read_portfolio)),
    "show": Target(files.portfolio, files.show_portfolio, 0.03, all_of(files.show_portfolio)),
    "checkpoint": Target(files.checkpoint, files.read_checkpoint, 0.12, files.checkpoint_bytes),
    "study": Target(
        files.study, files.read_study, 0.03, lambda: files.read_study(files.study_bytes())
    ),
    "toml": Target(texts.toml, texts.read_toml, 0.20, lambda: texts.read_toml(b"")),
    "short form": Target(
        texts.short_form, texts.read_short_form, 0.20, lambda: texts.read_short_form(b"game nim")
    ),
    "gtp": Target(
        texts.lines_of("gtp"), texts.answer_gtp, 0.13, lambda: texts.answer_gtp(b"genmove b")
    ),
    "uci": Target(
        texts.lines_of("uci"), texts.answer_uci, 0.12, lambda: texts.answer_uci(b"isready\ngo")
    ),
    "stranger": Target(stranger, run_stranger, 0.20, prepare),
}
SOURCE = "/seedfolio/"


class HangError(BaseException):
    """An input took too long; no target expects it."""


def drawn(name, number):
    # From its number alone, so that it can be drawn again.
    return TARGETS[name].draw(random.Random(f"{name} {number}"))


def fault_of(judge, content):
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
