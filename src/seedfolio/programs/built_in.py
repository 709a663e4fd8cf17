"""Built-in programs: a game with a player, each given or described."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from seedfolio.conformance.check import examine
from seedfolio.conformance.player import check_player
from seedfolio.core.trust import Permit
from seedfolio.core.user_file import split_source
from seedfolio.errors import SpecificationError
from seedfolio.games import BUILT_IN, load_game
from seedfolio.games.game import Game
from seedfolio.games.kind import GameKind
from seedfolio.players import load_player
from seedfolio.players.interface import Player
from seedfolio.players.program import DEFAULT_REPEATS, Program
from seedfolio.players.several import parts_of
from seedfolio.players.user_file import OwnPlayer

_GAMES = 20


def load_built_in(
    game: str | Path | Game | GameKind,
    player: str | Player | None = None,
    repeats: int | None = None,
    permit: Permit = Permit.USER,
) -> Program:
    """Return the program of a game and a player, each given or described.

    A user's own game passes a short conformance check first: compiled code with a mistake in it
    would crash the process or fail with pages of compiler messages. So does a user's own player.
    `permit` says who has named the two.
    """
    if isinstance(game, GameKind):
        game = game()
    loaded = game if isinstance(game, Game) else load_game(game, permit)
    if split_source(loaded.source)[0] not in BUILT_IN:
        examine(loaded, _GAMES, permit=permit)
    if player is None:
        player = loaded.rules.player
    if not isinstance(player, str) and not hasattr(player, "bind"):
        raise SpecificationError(
            f"`player` must be a text such as uct:simulations=100, or a Player, not {player!r}"
        )
    if isinstance(player, str):
        player = load_player(player, permit)
    program = Program(loaded, player)
    if repeats is None:
        repeats = DEFAULT_REPEATS if program.has_luck else 1
    program = replace(program, repeats=repeats)
    for each in parts_of(player):
        if isinstance(each, OwnPlayer):
            check_player(replace(program, player=each))
    return program
