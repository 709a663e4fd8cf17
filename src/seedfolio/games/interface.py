"""The old home of `game`, `Rules` and the rest, for game files written for version 0.1."""

from seedfolio.games.game import Game, Information, Position
from seedfolio.games.kind import GameKind, game
from seedfolio.games.rules import CHANCE, Rules, Symmetry

__all__ = ["CHANCE", "Game", "GameKind", "Information", "Position", "Rules", "Symmetry", "game"]
