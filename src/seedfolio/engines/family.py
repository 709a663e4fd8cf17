"""All processes that a program has started, wherever they have gone.

Ending a process group misses what has left it for a session of its own. So every program is started
with a mark in its environment, which its children inherit, and whoever still bears it is found
under /proc. Where there is no /proc, as on macOS, or a child has cleared its environment, only the
group is ended.
"""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from io import FileIO

_NAME = "SEEDFOLIO_ENGINES"
_ROUNDS = 20
"""How often bearers of a mark are looked for: one may start another while it is being ended."""
_PAUSE = 0.005


def new_mark() -> str:
    """Return a mark that no other program has."""
    return secrets.token_hex(8)


def marked(environ: Mapping[str, str], mark: str) -> dict[str, str]:
    """Return an environment with one more mark: ours may be an engine of somebody else."""
    return {**environ, _NAME: " ".join([*environ.get(_NAME, "").split(), mark])}


def end_family(mark: str) -> None:
    """End all processes that bear a mark, at once."""
    for _ in range(_ROUNDS):
        bearers = _bearers(mark.encode())
        for process in bearers:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not bearers:
            return
        time.sleep(_PAUSE)


def _bearers(mark: bytes) -> list[int]:
    try:
        names = [each.name for each in os.scandir("/proc")]
    except OSError:
        return []
    return [int(name) for name in names if name.isdecimal() and _bears(name, mark)]


def _bears(process: str, mark: bytes) -> bool:
    try:
        with FileIO(f"/proc/{process}/environ") as file:
            environ = file.readall()
    except OSError:  # it is gone, or somebody else's
        return False
    if mark not in environ:
        return False
    prefix = f"{_NAME}=".encode()
    values = (each[len(prefix) :] for each in environ.split(b"\0") if each.startswith(prefix))
    return any(mark in value.split() for value in values)
