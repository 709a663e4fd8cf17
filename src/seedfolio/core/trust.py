"""Which Python files and engines may run.

A portfolio is data, but it can name a game, a player or a bot in a Python file, or engines by their
commands. Somebody else may have written it. So what a file names runs only if this user has run it
on this machine before, by naming it himself: the same content at the same place. Each user has a
list of these, which no portfolio can change.

Everything that starts a process or loads a Python file of a user's asks here, at that moment and
with what it is about to run: `start_process` and `load_file`. It says who has named it. Nobody has
named it unless said so.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from seedfolio.errors import PortfolioError

_everything = False
_run_here: set[str] = set()
"""What the user has run in this process by naming it."""


class Permit(Enum):
    """Who has named what is about to run."""

    USER = "user"
    """The user, on the command line or in Python. It runs, and the list has it from now on."""
    LISTED = "listed"
    """A file that may be from elsewhere. It runs if the list has it, or in `trusting`."""
    PAGE = "page"
    """A visitor of the page. It runs if the list has it, whatever else is trusted."""
    GRANTED = "granted"
    """Whoever it was, another process has asked already. It runs."""

    @property
    def inside(self) -> Permit:
        """Who has named what a portfolio names, if this one has named the portfolio."""
        return Permit.LISTED if self is Permit.USER else self


@contextmanager
def trusting() -> Iterator[None]:
    """Let portfolios run the files and commands that they name, while the block runs.

    Only for portfolios whose author you trust: a game file or an engine can do all that you can.
    The page never trusts.

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


def trusts_everything() -> bool:
    """Tell whether a block of `trusting` runs."""
    return _everything


@dataclass(frozen=True)
class Claim:
    """Something that is about to run, and who has named it."""

    permit: Permit = Permit.LISTED
    place: Path = Path()
    """The file that is loaded, or that specifies an engine."""
    content: bytes = b""
    """All of it that counts."""

    def check(self, would_run: str) -> None:
        """Raise PortfolioError, which says what would run, unless it may run."""
        if self.permit is Permit.USER:
            self._remember()
        elif not self.holds:
            how = "allow it with `trusting`"
            if self.permit is Permit.PAGE:
                how = "run it once by its name: the page runs nothing else"
            raise PortfolioError(
                f"this would run {would_run}, which you have not run on this machine, as it is and "
                f"where it is; look into it, and {how}"
            )

    @property
    def holds(self) -> bool:
        """Whether it may run."""
        if self.permit in (Permit.USER, Permit.GRANTED):
            return True
        if _everything and self.permit is Permit.LISTED:
            return True
        try:
            return self._mark in _run_here or self._mark in _known()
        except (OSError, RuntimeError, ValueError):  # such as a name that no file can have
            return False

    def _remember(self) -> None:
        """Add it to the list; for this process only if the list is not writable."""
        with suppress(OSError, RuntimeError, ValueError):
            if self._mark in _run_here:
                return
            _run_here.add(self._mark)
            if self._mark not in _known():
                _append(f"{self._mark} {str(self.place.resolve())!a}")

    @property
    def _mark(self) -> str:
        where = str(self.place.resolve()).encode(errors="surrogateescape")
        return hashlib.sha256(where + b"\0" + self.content).hexdigest()


NOBODY = Claim()
"""What nobody has named, which never runs unless somebody trusts everything."""


def _append(line: str) -> None:
    _list().parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(_list(), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, f"{line}\n".encode())
    finally:
        os.close(descriptor)


def _known() -> set[str]:
    try:
        lines = _list().read_text(errors="replace").split("\n")
    except FileNotFoundError:
        return set()
    return {line[:64] for line in lines if re.fullmatch("[0-9a-f]{64} .*", line)}


def _list() -> Path:
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "seedfolio" / "trusted"
