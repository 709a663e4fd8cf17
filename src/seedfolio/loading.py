"""From the words of a user to a program that can be trusted to run."""

from __future__ import annotations

from seedfolio.games import BUILT_IN, load_game, split_source
from seedfolio.games.interface import Game
from seedfolio.players import load_player
from seedfolio.players.interface import Player
from seedfolio.players.program import Program

_GAMES = 20


def load_program(game: str | Game, player: str | Player) -> Program:
    """Return the program of a game and a player, each given or described.

    A user's own game passes a short conformance check first: compiled code with a mistake in it
    would crash the process or fail with pages of compiler messages.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    if split_source(loaded.source)[0] not in BUILT_IN:
        from seedfolio.testing import check_game  # not needed, nor loaded, for built-in games

        check_game(loaded, games=_GAMES)
    return Program(loaded, load_player(player) if isinstance(player, str) else player)
