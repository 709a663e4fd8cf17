"""Writing a first file for a game or a player of one's own, to be changed by its author."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from seedfolio.errors import SpecificationError
from seedfolio.study.files import let_owner_use


def new_game(path: str | Path) -> Path:
    """Write a small complete game to `path`, with comments that say what to change.

    Never overwrites a file. Return the path.

    >>> from seedfolio import load_game, new_game
    >>> load_game(new_game("my_game.py")).title
    'my-game 4x4'
    """
    return _write(Path(path), "game")


def new_player(path: str | Path) -> Path:
    """Write a small complete player to `path`, with comments that say what to change.

    Never overwrites a file. Return the path.

    >>> from seedfolio import load_player, new_player
    >>> load_player(str(new_player("my_player.py"))).text
    'my_player.py:games=5'
    """
    return _write(Path(path), "player")


def _write(path: Path, kind: str) -> Path:
    if path.suffix != ".py":
        raise SpecificationError(f"{path} is not a name for a {kind} file; end it with .py")
    text = (files("seedfolio") / "templates" / f"{kind}.py.txt").read_text(encoding="utf-8")
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or f"my-{kind}"
    text = text.replace("NAME", name).replace("FILE", path.name)
    try:
        with path.open("x", encoding="utf-8") as file:
            let_owner_use(file.fileno())
            file.write(text)
    except FileExistsError:
        raise SpecificationError(f"{path} exists already; choose another name") from None
    except OSError as error:
        raise SpecificationError(f"cannot write {path}: {error.strerror}") from error
    return path
