"""What is fuzzed: each target draws an input and judges what comes of it.

An outcome is right if nothing is raised but SeedfolioError with one line, nothing takes longer than
MOST_SECONDS, and nothing that is printed has a control character. Nothing that a stranger's file
names may run.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from command_targets import command, warm
from file_targets import (
    checkpoint,
    checkpoint_bytes,
    portfolio,
    portfolios,
    read_checkpoint,
    read_portfolio,
    read_study,
    show_portfolio,
    study,
    study_bytes,
)
from stranger_targets import run_stranger, stranger
from stranger_targets import warm as warm_stranger
from text_targets import (
    GTP_WORDS,
    UCI_WORDS,
    answer_gtp,
    answer_uci,
    lines_of,
    read_short_form,
    read_toml,
    short_form,
    toml,
)


@dataclass(frozen=True)
class Target:
    """One kind of input."""

    draw: Callable[[random.Random], bytes]
    judge: Callable[[bytes], None]
    share: float
    """Of all inputs of a run, beside those of the others: more for what is quick."""
    warm: Callable[[], object]
    """Compiles and imports what it needs, once, before any input."""


def all_of(judge: Callable[[bytes], None]) -> Callable[[], None]:
    """Return a function that gives whole portfolios to a target."""
    return lambda: [judge(each) for each in portfolios()] and None


TARGETS = {
    "portfolio": Target(portfolio, read_portfolio, 0.15, all_of(read_portfolio)),
    "show": Target(portfolio, show_portfolio, 0.03, all_of(show_portfolio)),
    "checkpoint": Target(checkpoint, read_checkpoint, 0.12, checkpoint_bytes),
    "study": Target(study, read_study, 0.03, lambda: read_study(study_bytes())),
    "toml": Target(toml, read_toml, 0.20, lambda: read_toml(b"")),
    "short form": Target(short_form, read_short_form, 0.20, lambda: read_short_form(b"game nim")),
    "gtp": Target(lines_of(GTP_WORDS), answer_gtp, 0.13, lambda: answer_gtp(b"genmove b")),
    "uci": Target(lines_of(UCI_WORDS), answer_uci, 0.12, lambda: answer_uci(b"isready\ngo")),
    "command": Target(command, run_stranger, 0.02, warm),
    "stranger": Target(stranger, run_stranger, 0.20, warm_stranger),
}
