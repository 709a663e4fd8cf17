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


def read_regular(path: str | Path, most: int = MOST_TEXT) -> bytes:
    """Return all bytes of a file; OSError if it is no regular file or has more than `most` bytes.

    The `strerror` of every error completes the sentence "cannot read FILE: ".
    """
    with os.fdopen(_opened(path), "rb") as file:
        found = os.fstat(file.fileno())
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(found.st_mode):
            raise _irregular(path)
        # Files of /proc tell no size, and others may grow.
        content = b"" if found.st_size > most else file.read(most + 1)
    if max(found.st_size, len(content)) > most:
        raise OSError(errno.EFBIG, f"it is larger than {_size(most)}", str(path))
    return content


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
