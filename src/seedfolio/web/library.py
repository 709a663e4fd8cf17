"""The files in a folder, each with an identifier: pages never name a file by its path."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from seedfolio.core.program_files import BEGINNING, COMPRESSED, PLAIN, beginning, portfolio_stem
from seedfolio.engines.specification.specification import Specification
from seedfolio.portfolios.file import PortfolioFile, is_marked, load_portfolio
from seedfolio.web.guard import PageError

STUDY, PORTFOLIO, GAME, ENGINE = "study", "portfolio", "game", "engine"
_ENDINGS = {".study": STUDY, PLAIN: PORTFOLIO, COMPRESSED: PORTFOLIO, ".py": GAME, ".toml": ENGINE}
_MARKS = {GAME: b"@game(", ENGINE: b"[player]"}
"""What a file of a kind contains; a study has its ending."""
_MOST_LOADED = 8
"""Large things of a kind that are kept in memory."""
_MOST_VERSIONS = 1_000


@dataclass(frozen=True)
class LibraryFile:
    """A file of the folder."""

    id: str
    kind: str
    path: Path

    @property
    def name(self) -> str:
        """The name for people."""
        return portfolio_stem(self.path)

    def problem(self, error: Exception) -> str:
        """Return the line of an error for visitors, who are not to see where the folder is."""
        return without_folder(str(error).splitlines()[0], self.path.parent)

    @property
    def stamp(self) -> tuple[tuple[int, int], ...]:
        """Changes when the file does, or the log that SQLite keeps beside a study."""
        try:
            found = [self.path.stat()]
        except OSError:
            raise PageError(404, f"There is no such {self.kind} in the folder any more.") from None
        with suppress(OSError):
            found.append(self.path.with_name(f"{self.path.name}-wal").stat())
        # Those who only read leave an empty log.
        return tuple((each.st_mtime_ns, each.st_size) for each in found if each.st_size)


class Library:
    """The studies, portfolios, games and engines of a folder, as they are now."""

    def __init__(self, folder: Path) -> None:
        # Built now: the pages read files in several threads, and first use would build them.
        PortfolioFile.model_rebuild()
        Specification.model_rebuild()
        self.folder = folder
        self._lock = threading.Lock()
        self._loaded: dict[str, OrderedDict[tuple[Any, ...], Any]] = {}
        """By what it is: values by the file and its stamp."""

    def files(self, kind: str) -> list[LibraryFile]:
        """Return the files of a kind, by name. Symbolic links are passed over."""
        try:
            paths = sorted(self.folder.iterdir())
        except OSError as error:
            raise PageError(500, f"cannot read the folder: {error.strerror}", 5.0) from error
        return [
            LibraryFile(_identifier(path.name), kind, path)
            for path in paths
            if _kind_by_name(path) == kind and _is_of(path, kind)
        ]

    def find(self, kind: str, identifier: str) -> LibraryFile:
        """Return the file with an identifier; PageError if there is none."""
        for each in self.files(kind):
            if each.id == identifier:
                return each
        raise PageError(404, f"There is no such {kind} in the folder any more.")

    def portfolio(self, file: LibraryFile) -> PortfolioFile:
        """Return the content of a portfolio file; PortfolioError if it is damaged."""
        loaded: PortfolioFile = self.remember("portfolio", file, lambda: load_portfolio(file.path))
        return loaded

    def version(self, file: LibraryFile) -> str:
        """Return a short text that changes when the content of a file does."""
        version: str = self.remember("version", file, lambda: _digest(file), most=_MOST_VERSIONS)
        return version

    def remembered(self, what: str, file: LibraryFile, *, older: bool = False) -> Any:
        """Return what `remember` has made of a file as it is now; None if nothing.

        With `older`, what it made last, even if the file has changed since.
        """
        with self._lock:
            known = self._loaded.get(what, OrderedDict())
            found = known.get((file.path, file.stamp))
            if found is None and older:
                made = [value for (path, _), value in known.items() if path == file.path]
                return made[-1] if made else None
            return found

    def remember(
        self, what: str, file: LibraryFile, make: Callable[[], Any], most: int = _MOST_LOADED
    ) -> Any:
        """Return what `make` returns, computed once as long as the file does not change."""
        key = file.path, file.stamp
        with self._lock:
            known = self._loaded.setdefault(what, OrderedDict())
            if key in known:
                known.move_to_end(key)
                return known[key]
        made = make()
        with self._lock:
            known[key] = made
            while len(known) > most:
                known.popitem(last=False)
        return made


def without_folder(text: str, folder: Path) -> str:
    """Return a text without the path of the folder."""
    for path in (str(folder.resolve()), str(folder.absolute()), str(folder)):
        text = text.replace(f"{path}/", "") if path not in ("", ".", "/") else text
    return text


def _digest(file: LibraryFile) -> str:
    try:
        with file.path.open("rb") as opened:
            return file_digest(opened, "sha256").hexdigest()[:12]
    except OSError:
        raise PageError(404, f"There is no such {file.kind} in the folder any more.") from None


def _identifier(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _kind_by_name(path: Path) -> str | None:
    found = (kind for ending, kind in _ENDINGS.items() if path.name.endswith(ending))
    return next(found, None)


def _is_of(path: Path, kind: str) -> bool:
    try:
        if path.is_symlink() or not path.is_file():
            return False
        if kind == PORTFOLIO:
            return is_marked(path)
        return kind not in _MARKS or _MARKS[kind] in beginning(path, BEGINNING)
    except OSError:
        return False
