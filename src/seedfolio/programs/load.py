"""Loading a program from a user's words, with a check that it runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from seedfolio.conformance.check import check_game
from seedfolio.conformance.player import check_player
from seedfolio.engines.program import EngineProgram, is_engine_file, load_engine_program
from seedfolio.errors import SpecificationError
from seedfolio.games import BUILT_IN, load_game, split_source
from seedfolio.games.game import Game
from seedfolio.games.kind import GameKind
from seedfolio.players import load_player
from seedfolio.players.interface import Player
from seedfolio.players.own import OwnPlayer
from seedfolio.players.program import DEFAULT_REPEATS, Program

_GAMES = 20


def load_program(
    game: str | Path | Game | GameKind,
    player: str | Player | None = None,
    repeats: int | None = None,
) -> Program | EngineProgram:
    """Return a program: a game with a player, or the external engine of a .toml file.

    The default player is the one that the game names. `repeats` is how many games make a cell; the
    default is one without luck and 16 with it. An engine's repeats depend on its
    check, see `seedfolio.check`.

    >>> from seedfolio import load_program
    >>> load_program("domineering:4x4").title
    'domineering 4x4, uct:simulations=100'
    >>> load_program("domineering:4x4", "uct:simulations=5").player.text
    'uct:simulations=5'
    """
    if is_engine_file(game):
        if player is not None:
            raise SpecificationError(f"{game} names the engine; leave out `player`")
        return load_engine_program(str(game))
    return load_built_in(game, player, repeats)


def load_built_in(
    game: str | Path | Game | GameKind,
    player: str | Player | None = None,
    repeats: int | None = None,
) -> Program:
    """Return the program of a game and a player, each given or described.

    A user's own game passes a short conformance check first: compiled code with a mistake in it
    would crash the process or fail with pages of compiler messages. So does a user's own player.
    """
    if isinstance(game, GameKind):
        game = game()
    loaded = game if isinstance(game, Game) else load_game(game)
    if split_source(loaded.source)[0] not in BUILT_IN:
        check_game(loaded, games=_GAMES)
    if player is None:
        player = loaded.rules.player
    if not isinstance(player, str) and not hasattr(player, "bind"):
        raise SpecificationError(
            f"`player` must be a text such as uct:simulations=100, or a Player, not {player!r}"
        )
    program = Program(loaded, load_player(player) if isinstance(player, str) else player)
    if repeats is None:
        repeats = DEFAULT_REPEATS if program.has_luck else 1
    program = replace(program, repeats=repeats)
    if isinstance(program.player, OwnPlayer):
        check_player(program)
    return program
