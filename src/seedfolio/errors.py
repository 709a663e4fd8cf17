"""Every error a user can cause, under one root.

A message says what is wrong, where, and what to do about it, in one line; the command line
prints it and exits with code 2.
"""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint for the message about an unknown name; empty if nothing known is like it."""
    close = get_close_matches(name, list(known), n=1)
    return f"did you mean {close[0]}? " if close else ""


class SeedfolioError(Exception):
    """Root of all errors that Seedfolio raises on purpose."""


class SpecificationError(SeedfolioError):
    """A request is not valid: an unknown game, an impossible size, K below 1."""


class CudaError(SpecificationError):
    """A CUDA device cannot play what the CPU can."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem}; play on the CPU with arena threads")
        self.problem = problem


class StudyError(SeedfolioError):
    """A study cannot be opened, written or continued."""


class PortfolioError(SeedfolioError):
    """A portfolio file cannot be read, or does not match the program."""


class EquilibriumError(SeedfolioError):
    """The certificate of an equilibrium does not close."""


class EngineError(SeedfolioError):
    """An external engine does not start, does not speak its protocol, or fails."""
