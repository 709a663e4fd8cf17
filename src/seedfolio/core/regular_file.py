"""Reading a file that a user or another file names: never a pipe or a device, and not without end.

Reading a named pipe waits for somebody to write, and /dev/zero takes all memory.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

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
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise _irregular(path) from None
        raise


def _irregular(path: str | Path) -> OSError:
    return OSError(errno.EINVAL, "it is not a regular file", str(path))


def _size(count: int) -> str:
    return f"{count // MEBIBYTE:,} MiB" if count >= MEBIBYTE else f"{count:,} bytes"
