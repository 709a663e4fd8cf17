"""Names of files, writing a file atomically, and files that only their owner reads."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from seedfolio.errors import StudyError

MEBIBYTE = 2**20
MOST_TEXT = 64 * MEBIBYTE
"""Enough for any text that a person or a program writes for us."""
_STEP = 2**16


def read_regular(path: str | Path, most: int = MOST_TEXT) -> bytes:
    """Return all bytes of a file; OSError if it is no regular file or has more than `most` bytes.

    The `strerror` of every error completes the sentence "cannot read FILE: ".
    """
    descriptor = _opened(path)
    try:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(found.st_mode):
            raise _irregular(path)
        content = b"" if found.st_size > most else _content(descriptor, found.st_size, most + 1)
    finally:
        os.close(descriptor)
    if max(found.st_size, len(content)) > most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(most)}", str(path))
    return content


def _content(descriptor: int, size: int, most: int) -> bytes:
    """Return what a file has, up to `most` bytes: it may tell no size, as in /proc, or grow."""
    parts = []
    step = max(size + 1, _STEP)  # a file in one step, and no more memory than it needs
    while most > 0 and (part := os.read(descriptor, min(step, most))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _opened(path: str | Path) -> int:
    # Looked at once it is open, so that nobody can replace it in between; not waiting for a writer.
    try:
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except ValueError:  # a name with a null character, or one that is no text
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from None
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise _irregular(path) from None
        raise


def _irregular(path: str | Path) -> OSError:
    return OSError(errno.EINVAL, "it is not a regular file", str(path))


def _size(count: int) -> str:
    return f"{count // MEBIBYTE:,} MiB" if count >= MEBIBYTE else f"{count:,} bytes"


_OWNER = stat.S_IRUSR | stat.S_IWUSR


_LONGEST_NAME = 150
"""Disks take 255 bytes; endings and the names of learners come on top."""


def file_name(text: str) -> str:
    """Return a text as part of a file's name; of a long one its beginning and a hash of the rest.

    >>> file_name("domineering:7x7-uct")
    'domineering-7x7-uct'
    """
    # A minus sign stays beside the hyphen, so that komi=-3.5 and komi=3.5 are two files.
    name = re.sub(r"[^a-z0-9.-]+", "-", text.lower())
    if len(name) <= _LONGEST_NAME:
        return name
    rest = hashlib.sha256(name.encode()).hexdigest()[:12]
    return f"{name[:_LONGEST_NAME]}-{rest}"


def create_private(path: Path) -> None:
    """Make an empty file that only its owner reads and writes; an existing one stays as it is.

    SQLite gives the logs beside its files the same permissions. If this fails, opening the file
    says what is wrong.
    """
    with suppress(OSError):
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        try:
            let_owner_use(descriptor)
        finally:
            os.close(descriptor)


def let_owner_use(descriptor: int) -> None:
    """Let its owner read and write a file that we make, whatever the umask is."""
    mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
    if mode & _OWNER != _OWNER:
        with suppress(OSError):  # some disks have no permissions
            os.fchmod(descriptor, mode | _OWNER)


def check_no_link(path: Path) -> None:
    """Raise StudyError if `path` is a symbolic link, before something is written there.

    A folder from elsewhere can have a link in place of a file that we write, to any file of the
    user's. Links among the folders of the path are followed.
    """
    if os.path.islink(path):  # noqa: PTH114 - False if it cannot say; then writing says what is wrong
        raise StudyError(
            f"cannot write {path}: it is a symbolic link; name the file itself, or delete the link"
        )


def atomic_write(path: Path, content: bytes | Callable[[BinaryIO], object]) -> None:
    """Write ``content`` (bytes, or a function that writes them to a binary file) to ``path``.

    The bytes go to a temporary file in the same folder, and are synced to disk before that file
    replaces ``path``. After a failure, including an interrupt, ``path`` is unchanged and the
    temporary file is removed. A symbolic link is refused. An OSError becomes a StudyError; other
    errors that the function raises are passed on.
    """
    check_no_link(path)
    path = Path(os.path.realpath(path))
    temporary = path.parent / f".seedfolio-{secrets.token_hex(8)}.tmp"
    try:
        if path.exists() and not path.is_file():
            # Renaming over /dev/null or a pipe would replace the device itself.
            raise StudyError(f"cannot write {path}: it is not a regular file; choose another file")
        _write_through(temporary, content)
        temporary.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StudyError(_explanation(path, error)) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def _write_through(path: Path, content: bytes | Callable[[BinaryIO], object]) -> None:
    with path.open("xb") as file:
        let_owner_use(file.fileno())
        if isinstance(content, bytes):
            file.write(content)
        else:
            content(file)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    # Makes the rename durable. If the folder cannot be opened or synced, the rename is still done.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _explanation(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and path.parent.is_dir():  # as /proc answers
        return f"cannot write {path}: {path.parent} accepts no files; choose another folder"
    if isinstance(error, FileNotFoundError):
        return f"cannot write {path}: the folder {path.parent} does not exist; create it first"
    if isinstance(error, PermissionError):
        return f"cannot write {path}: no permission in {path.parent}; choose another folder"
    return f"cannot write {path}: {error.strerror or error}; free space or choose another folder"
