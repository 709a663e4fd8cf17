"""The old home of `compiled`, for game files written for version 0.1."""

from seedfolio.core.compiler import compiled

__all__ = ["compiled"]
