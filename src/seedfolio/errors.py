"""Every error a user can cause, under one root.

A message says what is wrong, where, and what to do about it, in one line; the command line
prints it and exits with code 2.
"""


class SeedfolioError(Exception):
    """Root of all errors that Seedfolio raises on purpose."""


class SpecificationError(SeedfolioError):
    """What was asked for cannot be: an unknown game, an impossible size, K below 1."""


class StudyError(SeedfolioError):
    """A study cannot be opened, written or continued."""


class PortfolioError(SeedfolioError):
    """A portfolio file cannot be read, or does not fit the program at hand."""


class EquilibriumError(SeedfolioError):
    """An equilibrium whose certificate did not close."""
