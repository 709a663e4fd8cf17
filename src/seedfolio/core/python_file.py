"""Loading a Python file of a user's: a game or a player."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

from seedfolio.errors import SpecificationError


def split_source(text: str) -> tuple[str, str]:
    """Return the two halves of a short form: the name or file, and the options."""
    # A folder may end in .py or hold a colon, so the file ends at the last place it can.
    if file := re.fullmatch(r"(.+\.py)(?::(.*))?", text, re.DOTALL):
        return file[1], file[2] or ""
    name, _, options = text.partition(":")
    return name, options


def found_source(source: str, folder: Path) -> str:
    """Return the short form of a game or player, with its file where it is now.

    The file is looked for at its path, then in `folder`, then from the folder above.
    """
    name, options = split_source(source)
    if not name.endswith(".py"):
        return source
    places = [Path(name), folder / Path(name).name, folder.parent / name]
    found = next((place for place in places if is_file(place)), places[1])
    return f"{found}:{options}"


def is_file(path: Path) -> bool:
    """Tell whether a file exists; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def load_file(path: Path, kind: str) -> ModuleType:
    """Return the module that a file defines; SpecificationError, in one line, if that fails.

    `kind` says what the file should hold: a game or a player.
    """
    if not is_file(path):
        raise SpecificationError(f"there is no {kind} file {path}")
    name = f"seedfolio_user_{kind}_{path.stem}"
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise SpecificationError(f"{path} cannot be loaded as a Python file")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    # As for a script: the file may import others beside it.
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        specification.loader.exec_module(module)
    except Exception as error:
        raise SpecificationError(
            f"{kind} file {path} fails to load: {type(error).__name__}: {error}"
        ) from error
    finally:
        sys.path.pop(0)
    return module
