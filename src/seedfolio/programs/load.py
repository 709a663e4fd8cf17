"""Loading a program from a user's words, with a check that it runs."""

from __future__ import annotations

from pathlib import Path

from seedfolio.core.engine_name import is_engine_file
from seedfolio.engines.program import EngineProgram, load_engine_program
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.kind import GameKind
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.programs.built_in import load_built_in


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
