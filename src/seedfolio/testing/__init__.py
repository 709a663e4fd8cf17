"""Checks for a game of one's own: `check_game(load_game("my_game.py"))` in a test."""

from seedfolio.conformance.check import check_game
from seedfolio.conformance.report import ConformanceError

__all__ = ["ConformanceError", "check_game"]
