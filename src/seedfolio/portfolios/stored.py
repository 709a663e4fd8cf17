"""Portfolio files on disk: plain JSON, or compressed by gzip.

A large one is named `.json.gz`. Every command finds it by its plain name, too, so that users need
not know which of the two there is. What is compressed shows in the first bytes, not in the name.
"""

from __future__ import annotations

import gzip
import io
import zlib
from contextlib import suppress
from pathlib import Path

from seedfolio.core.portfolio_name import COMPRESSED, PLAIN, with_ending
from seedfolio.errors import PortfolioError, StudyError
from seedfolio.study.files import atomic_write

_GZIP = b"\x1f\x8b"
_MOST_BYTES = 100 * 2**20
"""Of the content of a file. The largest book so far has a tenth of it; a few bytes of a compressed
file can stand for far more than there is memory."""


def compressed(content: bytes) -> bytes:
    """Return the bytes compressed, without a time or a name: the same for the same content."""
    file = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=9, mtime=0) as packed:
        packed.write(content)
    return file.getvalue()


def stored_at(path: Path) -> Path:
    """Return the file that is meant: `path`, or the one with the other ending if only that is."""
    if not path.exists():
        for ending in (PLAIN, COMPRESSED):
            if (other := with_ending(path, ending)).is_file():
                return other
    return path


def other_ending(path: Path) -> Path | None:
    """Return the path with the other ending, if there is a file; else None."""
    other = with_ending(path, PLAIN if path.name.endswith(COMPRESSED) else COMPRESSED)
    return other if other != path and other.is_file() else None


def write_stored(path: Path, content: bytes, replaced: Path | None) -> None:
    """Write a portfolio, whole or not at all; compressed if its name says so.

    It takes the place of `replaced`, too: at every moment there is one of the two.
    """
    try:
        if replaced is not None:
            replaced.replace(path)
        atomic_write(path, compressed(content) if path.name.endswith(".gz") else content)
    except (OSError, StudyError) as error:
        raise PortfolioError(str(error)) from error


def read_stored(path: Path) -> bytes:
    """Return the content of a portfolio file; PortfolioError if that fails."""
    try:
        content = _read(stored_at(path))
    except FileNotFoundError:
        raise PortfolioError(f"there is no portfolio file {path}") from None
    except IsADirectoryError:
        raise PortfolioError(
            f"{path} is a folder; a portfolio is a .json file that seedfolio boost has made"
        ) from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise PortfolioError(
            f"{path} is damaged: it is compressed, and its end is missing or wrong; copy it "
            "again, or make it again with seedfolio boost"
        ) from None
    except OSError as error:
        raise PortfolioError(f"cannot read portfolio file {path}: {error}") from error
    if len(content) > _MOST_BYTES:
        raise PortfolioError(
            f"{path} is not a portfolio: it has more than {_MOST_BYTES // 2**20} MiB"
        )
    return content


def _read(path: Path) -> bytes:
    """Return the content of a file, unpacked, or somewhat more than the most that one may have."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError("it is not a regular file")  # reading a pipe or a device may never end
    with path.open("rb") as file:
        packed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        if not packed:
            return file.read(_MOST_BYTES + 1)
        with gzip.GzipFile(fileobj=file) as unpacked:
            return unpacked.read(_MOST_BYTES + 1)


def beginning(path: Path, size: int) -> bytes:
    """Return the first bytes of a portfolio file, unpacked; fewer if it is damaged."""
    with path.open("rb") as file:
        content = file.read(size)
    if not content.startswith(_GZIP):
        return content
    with suppress(zlib.error):
        return zlib.decompressobj(wbits=31).decompress(content, size)
    return b""
