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
    """Root of all errors that Seedfolio raises on purpose.

    >>> from seedfolio import SeedfolioError, load_game
    >>> try:
    ...     load_game("domineering:0x4")
    ... except SeedfolioError as error:
    ...     print(error)
    domineering: a board of 0x4 is not between 1 and 128 cells
    """


class SpecificationError(SeedfolioError):
    """A request is not valid: an unknown game, an impossible size, K below 1.

    >>> from seedfolio import SpecificationError, boost
    >>> try:
    ...     boost("domineering:4x4", k=0)
    ... except SpecificationError as error:
    ...     print(error)
    K = 0 is too small: `k` must be 1 or more
    """


class CudaError(SpecificationError):
    """A CUDA device cannot play what the CPU can.

    >>> from seedfolio import CudaArena, CudaError, ThreadArena
    >>> try:
    ...     arena = CudaArena()
    ... except CudaError:  # there is no GPU, or numba-cuda is not installed
    ...     arena = ThreadArena()
    """

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem}; play on the CPU with arena threads")
        self.problem = problem


class ClusterError(SeedfolioError):
    """A cluster cannot play: no Ray, no cluster at that address, or no node that plays the same.

    >>> from seedfolio import ClusterError, RayArena
    >>> try:
    ...     arena = RayArena("127.0.0.1:1")
    ... except ClusterError as error:  # nothing listens there, or Ray is not installed
    ...     print("play on this machine")
    play on this machine
    """


class StudyError(SeedfolioError):
    """A study cannot be opened, written or continued.

    >>> from seedfolio import StudyError, show
    >>> try:
    ...     show("missing.study")
    ... except StudyError as error:
    ...     print(str(error).partition(" at ")[0])
    there is no study
    """


class PortfolioError(SeedfolioError):
    """A portfolio file cannot be read, or does not match the program.

    >>> from seedfolio import PortfolioError, load_boosted
    >>> try:
    ...     load_boosted("missing.json")
    ... except PortfolioError as error:
    ...     print(error)
    there is no portfolio file missing.json
    """


class EquilibriumError(SeedfolioError):
    """The certificate of an equilibrium does not close.

    >>> import numpy as np
    >>> from seedfolio import EquilibriumError
    >>> from seedfolio.learning.solvers.equilibrium import solve
    >>> try:
    ...     solve(np.array([[1.0, np.nan]]))
    ... except EquilibriumError as error:
    ...     print(error)
    a matrix game needs finite results; play the missing cells first
    """


class EngineError(SeedfolioError):
    r"""An external engine does not start, does not speak its protocol, or fails.

    >>> from pathlib import Path
    >>> from seedfolio import EngineError, check
    >>> text = '[game]\nname = "nim"\n[player]\nprotocol = "gtp"\ncommand = "no-such-bot {seed}"\n'
    >>> number = Path("engine.toml").write_text(text)
    >>> try:
    ...     check("engine.toml")
    ... except EngineError as error:
    ...     print(str(error).partition(" in ")[0])
    cannot start no-such-bot 152782197
    """
