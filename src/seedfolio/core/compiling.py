"""Where game files written for version 0.1 find `compiled`."""

from seedfolio.core.compiler import compiled

__all__ = ["compiled"]
