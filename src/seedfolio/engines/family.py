"""All processes that an engine has started, in whatever session they are.

Ending a process group misses processes that have moved to another session. So every engine starts
with a mark in its environment, which its children inherit, and /proc shows the processes with the
mark. Where there is no /proc, as on macOS, or where a child has cleared its environment, only the
group ends.
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
"""How often we look for processes with a mark: one may start another before it ends."""
_PAUSE = 0.005


def new_mark() -> str:
    """Return a mark that no other engine has."""
    return secrets.token_hex(8)


def marked(environ: Mapping[str, str], mark: str) -> dict[str, str]:
    """Return an environment with one more mark: Seedfolio may itself run as such an engine."""
    return {**environ, _NAME: " ".join([*environ.get(_NAME, "").split(), mark])}


def end_family(mark: str) -> None:
    """Kill all processes with a mark."""
    for _ in range(_ROUNDS):
        processes = _marked_processes(mark.encode())
        for process in processes:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not processes:
            return
        time.sleep(_PAUSE)


def _marked_processes(mark: bytes) -> list[int]:
    try:
        names = [each.name for each in os.scandir("/proc")]
    except OSError:
        return []
    return [int(name) for name in names if name.isdecimal() and _has_mark(name, mark)]


def _has_mark(process: str, mark: bytes) -> bool:
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
