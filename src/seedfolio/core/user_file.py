"""Loading a Python file of a user's: a game, a player, a learner or a bot."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
    SourceFileLoader,
)
from pathlib import Path
from threading import RLock, local
from types import CodeType, ModuleType
from typing import Any

from seedfolio.core.files import read_regular
from seedfolio.core.program_files import is_file, named_file
from seedfolio.core.trust import Claim, Permit
from seedfolio.errors import PortfolioError, SpecificationError

_MOST_BYTES = 100 * 2**20


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
    return f"{named_file(name, folder)}:{options}"


def load_file(path: Path, kind: str, permit: Permit) -> ModuleType:
    """Return the module that a file defines; SpecificationError, in one line, if that fails.

    `kind` says what the file should hold: a game, a player, a learner or a bot. PortfolioError
    before anything of it runs if it may not, which holds for the modules beside it that it imports,
    too. All are compiled from their source: bytecode on disk need not be theirs.
    """
    if not is_file(path):
        raise SpecificationError(f"there is no {kind} file {path}")
    name = f"seedfolio_user_{kind}_{path.stem}"
    # Behind a link the file is that of another folder, with the files there beside it.
    real = path.resolve()
    loader = _SourceLoader(name, str(real), permit)
    specification = importlib.util.spec_from_file_location(name, real, loader=loader)
    assert specification is not None  # as there is a loader
    module = importlib.util.module_from_spec(specification)
    folder = real.parent
    with _one_at_a_time:
        sys.modules[name] = module
        _forget_others(folder)
        before = {*sys.modules}
        try:
            # What it prints would spoil the output of a protocol, or JSON.
            with _user_folders.importing(folder, permit), redirect_stdout(sys.stderr):
                loader.exec_module(module)
        except PortfolioError:
            raise
        except SystemExit:
            raise SpecificationError(
                f"{kind} file {path} fails to load: it ends the program (SystemExit)"
            ) from None
        except Exception as error:
            raise SpecificationError(
                f"{kind} file {path} fails to load: {type(error).__name__}: {error}"
            ) from error
        finally:
            _remember({*sys.modules} - before, folder)
    return module


_one_at_a_time = RLock()


class _SourceLoader(SourceFileLoader):
    """Runs a Python file from its source, if it may run."""

    def __init__(self, name: str, path: str, permit: Permit) -> None:
        super().__init__(name, path)
        self._permit = permit

    def get_code(self, fullname: str) -> CodeType:
        path = Path(self.path)
        content = read_regular(path, _MOST_BYTES)
        Claim(self._permit, path, content).check(f"the Python file {path.resolve()}")
        code: CodeType = self.source_to_code(content, self.path)
        return code


class _ExtensionLoader(ExtensionFileLoader):
    """Loads a compiled module, if it may run."""

    def __init__(self, name: str, path: str, permit: Permit) -> None:
        super().__init__(name, path)
        self._permit = permit

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        path = Path(self.path)
        content = read_regular(path, _MOST_BYTES)
        Claim(self._permit, path, content).check(f"the compiled module {path.resolve()}")
        return super().create_module(spec)


class _UserFolders(MetaPathFinder):
    """Finds what users' files import from their folders, and nothing there is found otherwise.

    Modules at the top are found while a file loads, by the thread that loads it. Those of packages
    are found later as well, when a function of the file imports them.
    """

    def __init__(self) -> None:
        self._permits: dict[Path, Permit] = {}
        """By folder: who has named the file that was loaded last."""
        self._loading = local()

    @contextmanager
    def importing(self, folder: Path, permit: Permit) -> Iterator[None]:
        """Let a file import others beside it while it loads, as a script may."""
        if self not in sys.meta_path:
            # Where the folder of a script comes: after the modules within Python, before others.
            place = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else 0
            sys.meta_path.insert(place, self)
        importlib.invalidate_caches()  # files may be new
        self._permits[folder] = permit
        before, self._loading.folder = getattr(self._loading, "folder", None), folder
        try:
            yield
        finally:
            self._loading.folder = before

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is None:
            folder = getattr(self._loading, "folder", None)
            return None if folder is None else self._found(fullname, folder, folder)
        for place in map(Path, path):
            for folder in self._permits:
                if place.resolve().is_relative_to(folder):
                    if found := self._found(fullname, place, folder):
                        return found
                    # Python would take bytecode without a source.
                    raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None

    def _found(self, fullname: str, place: Path, folder: Path) -> ModuleSpec | None:
        permit = self._permits[folder]
        loaders: Any = (
            (partial(_ExtensionLoader, permit=permit), EXTENSION_SUFFIXES),
            (partial(_SourceLoader, permit=permit), SOURCE_SUFFIXES),
        )
        return FileFinder(str(place), *loaders).find_spec(fullname)


_user_folders = _UserFolders()


@dataclass(frozen=True)
class _Imported:
    """A module beside a user's file, as the file has imported it."""

    folder: Path
    """Of the user's file."""
    content: bytes


_beside: dict[str, _Imported] = {}
"""What files of users have imported, by the name of the module."""


def _forget_others(folder: Path) -> None:
    """Let Python load modules again that have changed, or that another file has brought along.

    Python keeps a module by its name, and two folders may each have their own `helpers`. Modules
    that are the same in both stay, as games and players may share their types.
    """
    for home in {each.folder for each in _beside.values()}:
        mine = {name: each for name, each in _beside.items() if each.folder == home}
        if any(_differs(name, each, folder) for name, each in mine.items()):
            for name in mine:
                del _beside[name]
                sys.modules.pop(name, None)


def _differs(name: str, known: _Imported, folder: Path) -> bool:
    """Tell whether a module is another one in a folder, if it is there."""
    place = folder.joinpath(*name.split("."))
    for file in (place / "__init__.py", place.with_suffix(".py")):
        if file.is_file():
            return _content(file) != known.content
    return folder == known.folder  # it was there


def _remember(names: set[str], folder: Path) -> None:
    """Note the modules, of those with these names, that come from a folder."""
    for name in names:
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        places = [file] if file is not None else [*getattr(module, "__path__", ())]  # or a folder
        if any(Path(each).is_relative_to(folder) for each in places):
            _beside[name] = _Imported(folder, b"" if file is None else _content(Path(file)))


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it is gone
        return b""
