"""The games: one file each, rules only. `load_game` finds one by its short form."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from seedfolio.core.program_files import is_file, is_portfolio_name
from seedfolio.core.trust import Permit
from seedfolio.core.user_file import load_file, split_source
from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.games.game import Game
from seedfolio.games.kind import GameKind

__all__ = ["BUILT_IN", "game_kinds", "load_game"]

BUILT_IN = {
    "domineering": "seedfolio.games.domineering",
    "atari-go": "seedfolio.games.go.atari_go",
    "breakthrough": "seedfolio.games.breakthrough",
    "chess": "seedfolio.games.chess",
    "go": "seedfolio.games.go.go",
    "havannah": "seedfolio.games.hex.havannah",
    "hex": "seedfolio.games.hex.hex",
    "phantom-go": "seedfolio.games.go.phantom_go",
    "batoo": "seedfolio.games.go.batoo",
    "phantom-tic-tac-toe": "seedfolio.games.phantom_tic_tac_toe",
    "phantom-four": "seedfolio.games.phantom_four",
    "nim": "seedfolio.games.nim",
    "pig": "seedfolio.games.pig",
    "morra": "seedfolio.games.morra",
    "kuhn-poker": "seedfolio.games.kuhn_poker",
    "leduc-poker": "seedfolio.games.leduc_poker",
    "rolit": "seedfolio.games.rolit",
    "liars-dice": "seedfolio.games.liars_dice",
}


def game_kinds() -> list[GameKind]:
    """Return the built-in games."""
    return [_only_kind(importlib.import_module(module), name) for name, module in BUILT_IN.items()]


def load_game(text: str | Path, permit: Permit = Permit.USER) -> Game:
    """Return the game that `text` describes.

    `domineering`, `domineering:7x7`, `breakthrough:6x6,pawn_rows=1`, or the same with a file of
    one's own in place of the name: `path/to/my_game.py:size=4`. `permit` says who has named it.

    >>> from seedfolio import load_game
    >>> game = load_game("domineering:4x4")
    >>> game.parse_move("b2b3")
    5
    >>> print(game.draw([game.parse_move("b2b3")]))
       a b c d
     4 . . . . 4
     3 . V . . 3
     2 . V . . 2
     1 . . . . 1
       a b c d
    """
    text = str(text)
    name, options = split_source(text)
    if name in BUILT_IN:
        return _built_in(name, options)
    kind = _load_kind(name, permit)
    return replace(kind(**_parse_options(kind, options)), source=text)


# The rules of a game are compiled once for all of its programs.
@lru_cache(maxsize=64)
def _built_in(name: str, options: str) -> Game:
    kind = _only_kind(importlib.import_module(BUILT_IN[name]), name)
    return kind(**_parse_options(kind, options))


def _load_kind(name: str, permit: Permit) -> GameKind:
    if name.endswith(".py"):
        return _only_kind(load_file(Path(name), "game", permit), str(Path(name)))
    if name.endswith(".toml"):
        raise SpecificationError(f"{name} is an external engine, and this takes a game")
    if is_portfolio_name(name) or name.endswith(".study"):
        what = "portfolio" if is_portfolio_name(name) else "study"
        raise SpecificationError(f"{name} is a {what}; name a game, such as domineering:7x7")
    own = f"{name}.py"
    hint = f"did you mean {own}? " if is_file(Path(own)) else did_you_mean(name, BUILT_IN)
    known = ", ".join(BUILT_IN)
    raise SpecificationError(
        f"unknown game {name!r}; {hint}there are {known}, or a file of yours that ends in .py"
    )


def _only_kind(module: ModuleType, name: str) -> GameKind:
    kinds = [
        value
        for value in vars(module).values()
        # One that was imported to build upon is not this file's game.
        if isinstance(value, GameKind) and value.build.__module__ == module.__name__
    ]
    if len(kinds) != 1:
        hint = "" if kinds else "; a player is named after its game, as in GAME@PLAYER.py"
        raise SpecificationError(
            f"game file {name} has {len(kinds)} functions marked @game; it needs exactly one{hint}"
        )
    return kinds[0]


def _parse_options(kind: GameKind, options: str) -> dict[str, float | str]:
    parameters: dict[str, float | str] = {}
    texts = {name for name, value in kind.defaults.items() if isinstance(value, str)}
    for option in filter(None, (part.strip() for part in options.split(","))):
        if size := re.fullmatch(r"(\d+)x(\d+)", option):
            parameters |= _board_size(kind, int(size[1]), int(size[2]))
        elif option.partition("=")[0] in texts:
            parameters[option.partition("=")[0]] = option.partition("=")[2]
        elif setting := re.fullmatch(r"(\w+)=(-?\d+)(\.\d+)?", option):
            parameters[setting[1]] = (
                float(option.partition("=")[2]) if setting[3] else int(setting[2])
            )
        elif (name := option.partition("=")[0]) in kind.defaults:
            raise SpecificationError(f"{kind.name}: {name} takes a number, not {option!r}")
        else:
            raise SpecificationError(
                f"{kind.name}: {option!r} is neither a board such as 7x7 nor name=number"
            )
    return parameters


def _board_size(kind: GameKind, rows: int, columns: int) -> dict[str, int]:
    defaults = kind.defaults
    if "rows" in defaults and "columns" in defaults:
        return {"rows": rows, "columns": columns}
    if "size" in defaults and rows == columns:
        return {"size": rows}
    wanted = "a square board" if "size" in defaults else f"parameters {', '.join(defaults)}"
    raise SpecificationError(f"{kind.name} takes {wanted}, not {rows}x{columns}")
