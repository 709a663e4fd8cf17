"""Writing portfolio files: plain JSON, or compressed by gzip.

A large one is named `.json.gz`. Every command finds it by its plain name, too, so that users need
not know which of the two there is.
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path

from seedfolio.core.portfolio_bytes import beginning
from seedfolio.core.portfolio_name import COMPRESSED, PLAIN, with_ending
from seedfolio.errors import PortfolioError, StudyError
from seedfolio.study.files import atomic_write, check_no_link

_MARK, _MARK_WITHIN = b'"seedfolio portfolio"', 20_000
"""What every portfolio has near its beginning."""


def compressed(content: bytes) -> bytes:
    """Return the bytes compressed, without a time or a name: the same for the same content."""
    file = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=9, mtime=0) as packed:
        packed.write(content)
    return file.getvalue()


def other_ending(path: Path) -> Path | None:
    """Return the path with the other ending, if there is a file; else None."""
    other = with_ending(path, PLAIN if path.name.endswith(COMPRESSED) else COMPRESSED)
    return other if other != path and other.is_file() else None


def write_stored(path: Path, content: bytes, replaced: Path | None) -> None:
    """Write a portfolio, whole or not at all; compressed if its name says so.

    It takes the place of `replaced`, too: at every moment there is one of the two. PortfolioError
    if there is a symbolic link, or a file that is not a portfolio.
    """
    try:
        for there in filter(None, (path, replaced)):
            check_no_link(there)
        if path.is_file() and _MARK not in beginning(path, _MARK_WITHIN):
            raise PortfolioError(
                f"cannot write {path}: the file there is not a portfolio; move it away, or choose "
                "another folder"
            )
        if replaced is not None:
            replaced.replace(path)
        atomic_write(path, compressed(content) if path.name.endswith(".gz") else content)
    except (OSError, StudyError) as error:
        raise PortfolioError(str(error)) from error
