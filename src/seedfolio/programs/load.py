"""Loading a program from a user's words, with a check that it runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from seedfolio.core.program_files import is_engine_file, is_portfolio_name
from seedfolio.engines.program import EngineProgram, load_engine_program
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.kind import GameKind
from seedfolio.players import joined_players
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.programs.built_in import load_built_in
from seedfolio.programs.words import OWN_ORIGINAL, split_with

Learnable = str | Path | Game | GameKind | Program | EngineProgram
"""All that names a program that learns."""


def load_program(
    game: Learnable,
    player: str | Player | Sequence[str] | None = None,
    repeats: int | None = None,
) -> Program | EngineProgram:
    """Return a program: a game with a player, or the external engine of a .toml file.

    The default player is the one that the game names; `GAME@PLAYER` names both. Several players are
    one program, whose seeds also say which of them plays; they may be the .toml files of engines.
    `repeats` is how many games make a cell; the default is one without luck and 16 with it. An
    engine's repeats depend on its check, see `seedfolio.check`. A program that is loaded comes
    back.

    >>> from seedfolio import load_program
    >>> load_program("domineering:4x4").title
    'domineering 4x4, uct:simulations=100,exploration=0.3'
    >>> load_program("domineering:4x4", "uct:simulations=5").player.text
    'uct:simulations=5'
    >>> load_program("domineering:4x4@flat:playouts=20").player.text
    'flat:playouts=20'
    """
    texts = [player] if isinstance(player, str) else player
    if isinstance(texts, Sequence) and any(map(is_engine_file, texts)):
        return _engines(game, list(texts), repeats)
    if isinstance(player, Sequence) and not isinstance(player, str):
        player = joined_players(player) if player else None
    if isinstance(game, Program | EngineProgram):
        if player is not None:
            raise SpecificationError(f"{game.title} has its own player; leave out `player`")
        return game if repeats is None else replace(game, repeats=repeats)
    if isinstance(game, str | Path):
        game, after = split_with(str(game), player)
        player = player if after is None else after
        if is_portfolio_name(game):
            raise SpecificationError(
                f"{game} is a portfolio, which is learnt already; name a game such as "
                "domineering:7x7 or domineering:7x7@uct, or the .toml file of an engine"
            )
        if after == OWN_ORIGINAL:
            raise SpecificationError(
                f"{game} is not a portfolio; only a portfolio has an @{OWN_ORIGINAL}"
            )
        if is_engine_file(game):
            if player is not None:
                given = "`player`" if after is None else f"@{after}"
                raise SpecificationError(f"{game} names the engine; leave out {given}")
            return load_engine_program(game)
    if not isinstance(game, str | Game | GameKind):
        raise SpecificationError(
            "a program to learn is a game such as domineering:7x7, the .toml file of an engine, or "
            f"what load_game or load_program returned, not {game!r}"
        )
    return load_built_in(game, player, repeats)


def _engines(game: Learnable, files: list[str], repeats: int | None) -> EngineProgram:
    """Return external engines that play a game, as one program."""
    if built_in := [each for each in files if not is_engine_file(each)]:
        engine = next(filter(is_engine_file, files))
        raise SpecificationError(
            f"{built_in[0]} is built in and {engine} is an external engine; the players of one "
            "program are all of one kind"
        )
    words = "+".join(files)
    if isinstance(game, Program | EngineProgram) or is_engine_file(game):
        raise SpecificationError(
            f"{game} has its own player; leave out `player`, or name the game with {words}"
        )
    program = load_engine_program(words)
    table = program.specification.game
    theirs = f"go:{table.board}x{table.board},komi={table.komi:g}" if table.is_go else table.name
    # Go of an engine may have a board that Seedfolio's has not.
    same = str(game) == theirs
    if not same and not table.is_go:
        same = load_built_in(game).game.identity() == program.board_game().identity()
    if not same:
        raise SpecificationError(f"{words} plays {theirs}, not {game}")
    return program if repeats is None else replace(program, repeats=repeats)
