"""Which Python files and engine files a portfolio may run.

A portfolio is data, but it can name a game or a player in a Python file, or an engine by its
command. Somebody else may have written it. So such a file runs only if a study on this machine was
made with it: the same content at the same place. Each user has a list of these, which no portfolio
can change.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from seedfolio.core.plain_text import plain
from seedfolio.errors import PortfolioError

_everything = False
_run_here: set[str] = set()
"""What studies of this process were made with."""


@contextmanager
def trusting() -> Iterator[None]:
    """Let portfolios run the files and commands that they name, while the block runs.

    Only for portfolios whose author you trust: a game file or an engine can do all that you can.

    >>> from seedfolio import boost, load_boosted, trusting
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> with trusting():  # needed for a game file that has come with the portfolio
    ...     program = load_boosted(boosted.save_portfolios()["nash"])
    """
    global _everything
    before, _everything = _everything, True
    try:
        yield
    finally:
        _everything = before


def remember(path: Path, content: bytes | None = None) -> None:
    """Note that a study was made with a file; for this process only if the list is not writable.

    `content` is what counts of the file; None: all that it holds.
    """
    with suppress(OSError, RuntimeError):
        mark = _mark(path, content)
        _run_here.add(mark)
        if mark not in _known():
            _list().parent.mkdir(parents=True, exist_ok=True)
            line = f"{mark} {plain(str(path.resolve()))}".replace("\n", " ") + "\n"
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
            descriptor = os.open(_list(), flags, 0o600)
            try:
                os.write(descriptor, line.encode(errors="replace"))
            finally:
                os.close(descriptor)


def check_trusted(path: Path, would_run: str, content: bytes | None = None) -> None:
    """Raise PortfolioError, which says what a portfolio would run, unless the file is trusted."""
    if not is_trusted(path, content):
        raise PortfolioError(
            f"this portfolio would run {would_run}, which no study on this machine was made with, "
            "as it is and where it is; look into it, and allow it with `trusting`"
        )


def is_trusted(path: Path, content: bytes | None = None) -> bool:
    """Tell whether a study was made with this file, as it is and where it is."""
    if _everything:
        return True
    try:
        mark = _mark(path, content)
        return mark in _run_here or mark in _known()
    except (OSError, RuntimeError):
        return False


def _mark(path: Path, content: bytes | None) -> str:
    place = str(path.resolve()).encode(errors="surrogateescape")
    whole = path.read_bytes() if content is None else content
    return hashlib.sha256(place + b"\0" + whole).hexdigest()


def _known() -> set[str]:
    try:
        return {line.split(" ")[0] for line in _list().read_text(errors="replace").splitlines()}
    except FileNotFoundError:
        return set()


def _list() -> Path:
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "seedfolio" / "trusted"
