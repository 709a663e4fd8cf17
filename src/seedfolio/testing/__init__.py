"""Checks for a game of one's own: `check_game(load_game("my_game.py"))` in a test."""

from seedfolio.testing.conformance import check_game
from seedfolio.testing.failure import ConformanceError

__all__ = ["ConformanceError", "check_game"]
