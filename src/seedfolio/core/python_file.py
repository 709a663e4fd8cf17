"""Loading a Python file of a user's: a game or a player."""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import dataclass
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


def with_option(source: str, option: str) -> str:
    """Return a short form with one option more."""
    return f"{source}{',' if split_source(source)[1] else ':'}{option}"


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
    folder = path.parent.resolve()
    sys.path.insert(0, str(folder))
    _forget_others(folder)
    before = {*sys.modules}
    try:
        specification.loader.exec_module(module)
    except Exception as error:
        raise SpecificationError(
            f"{kind} file {path} fails to load: {type(error).__name__}: {error}"
        ) from error
    finally:
        sys.path.pop(0)
        _remember({*sys.modules} - before, folder)
    return module


@dataclass(frozen=True)
class _Beside:
    """A module beside a user's file, as the file has imported it."""

    folder: Path
    """Of the user's file."""
    content: bytes


_beside: dict[str, _Beside] = {}
"""What files of users have imported, by the name of the module."""


def _forget_others(folder: Path) -> None:
    """Let Python load modules again that have changed, or that another file has brought along.

    Python keeps a module by its name, and two folders may each have their own `helpers`. Modules
    that are the same in both stay, as games and players may share their types.
    """
    importlib.invalidate_caches()  # files may be new
    for home in {each.folder for each in _beside.values()}:
        mine = {name: each for name, each in _beside.items() if each.folder == home}
        if any(_differs(name, each, folder) for name, each in mine.items()):
            for name in mine:
                del _beside[name]
                sys.modules.pop(name, None)


def _differs(name: str, known: _Beside, folder: Path) -> bool:
    """Tell whether a module is another one in a folder, if it is there."""
    place = folder.joinpath(*name.split("."))
    for file in (place / "__init__.py", place.with_suffix(".py")):
        if file.is_file():
            return _content(file) != known.content
    return folder == known.folder  # it was there


def _remember(names: set[str], folder: Path) -> None:
    """Note the modules, of those with these names, that come from a folder."""
    for name in names:
        found = getattr(sys.modules.get(name), "__file__", None)
        if found is not None and (file := Path(found)).is_relative_to(folder):
            _beside[name] = _Beside(folder, _content(file))


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it is gone
        return b""
