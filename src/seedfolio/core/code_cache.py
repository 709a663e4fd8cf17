"""Compiled code on disk: numba's cache, with files that are checked before they are read.

numba unpickles what it finds, and a pickle runs code. A file here has a checksum over its content
and over what it was compiled from; one that is cut off, empty or changed is compiled again and
replaced. Files in a place that other users can write are not read at all. If a file cannot be
written, the code is compiled without keeping it, and one warning says so.
"""

from __future__ import annotations

import grp
import hashlib
import os
import pickle
import pwd
import stat
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.serialize import dumps

_MAGIC = b"seedfolio code 1\n"
_DIGEST = hashlib.sha256().digest_size


class CacheWarning(UserWarning):
    """Compiled code is not kept on disk, or not read."""


def keep_code(entry: Any) -> None:
    """Keep the code of a function of numba's on disk; a warning, once, if there is no place."""
    try:
        entry._cache = CheckedCache(entry.py_func)
    except (RuntimeError, OSError) as error:  # numba finds no folder that can be written
        warn_once(str(error))


class CheckedCache(FunctionCache):
    """The compiled code of one function, one file for each signature."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        locator = self._impl.locator
        self._cache_file = CheckedFiles(
            Path(locator.get_cache_path()), self._impl.filename_base, locator.get_source_stamp()
        )

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep compiled code; a warning, once, if that is not possible."""
        try:
            super().save_overload(signature, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            warn_once(f"{error.strerror or error} in {self.cache_path}")


class CheckedFiles(IndexDataCacheFile):
    """The files of a function, without an index: each key has a file."""

    def __init__(self, folder: Path, base: str, stamp: Any) -> None:
        super().__init__(str(folder), base, stamp)  # type: ignore[no-untyped-call]
        self._folder = folder
        self._base = base
        self._source = f"{numba.__version__} {stamp!r}"

    def save(self, key: Any, data: Any) -> None:
        """Keep data under a key, whole or not at all."""
        content: bytes = dumps(data)  # type: ignore[no-untyped-call]
        with self._open_for_write(str(self._path(key))) as file:
            file.write(_MAGIC + self._digest(key, content) + content)

    def load(self, key: Any) -> Any:
        """Return the data of a key; None if there is none that can be trusted."""
        path = self._path(key)
        try:
            if problem := _writable_by_others(path):
                warn_once(problem)
                return None
            content = path.read_bytes()
        except OSError:
            return None
        start = len(_MAGIC) + _DIGEST
        if content[:start] != _MAGIC + self._digest(key, content[start:]):
            return None
        return pickle.loads(content[start:])

    def flush(self) -> None:
        """Forget all that is kept."""
        for path in self._folder.glob(f"{self._base}.*.nbc"):
            with suppress(OSError):
                path.unlink()

    def _path(self, key: Any) -> Path:
        # The key is in the name, so no list of names can mix up the code of two processes.
        return self._folder / f"{self._base}.{self._digest(key, b'').hex()[:16]}.nbc"

    def _digest(self, key: Any, content: bytes) -> bytes:
        """Return a checksum of data and of what it was compiled from."""
        return hashlib.sha256(f"{self._source} {key!r} ".encode() + content).digest()


_warned = False


def warn_once(problem: str) -> None:
    """Warn that compiled code is not kept, once in this process."""
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"compiled code is not kept, so each start compiles again: {problem}; set "
            "NUMBA_CACHE_DIR to a folder of your own",
            CacheWarning,
            stacklevel=2,
        )


def _writable_by_others(path: Path) -> str:
    """Return why a file must not be read; empty if only its owner and root can write it."""
    for each, folder in ((path.parent, True), (path, False)):
        status = each.stat()
        if status.st_uid not in (os.geteuid(), 0):
            return f"{each} belongs to another user"
        sticky = folder and status.st_mode & stat.S_ISVTX
        others = status.st_mode & stat.S_IWOTH
        group = status.st_mode & stat.S_IWGRP and not _own_group(status.st_gid)
        if (others or group) and not sticky:
            return f"other users can write {each}"
    return ""


def _own_group(number: int) -> bool:
    """Tell whether a group is the one that many systems make for each user alone."""
    try:
        return grp.getgrgid(number).gr_name == pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
