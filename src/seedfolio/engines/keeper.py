"""A process that outlives its parent, to end the engines that the parent has started.

It leaves its parent's session at once. When its standard input ends, because the parent has ended
in whatever way, it kills all processes with the mark (see `engines.family`) and ends.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

from seedfolio.core.isolated import isolated
from seedfolio.engines.family import end_family, marked, new_mark

_READY = b"ready\n"
_AGAIN = 0.2
_lock = threading.Lock()
_kept: dict[int, tuple[str, subprocess.Popen[bytes]]] = {}
"""By process, as one may fork: the mark of its engines, and the keeper."""


def kept_mark() -> str:
    """Return a mark for all engines of this process; a keeper ends them after it, even by SIGKILL.

    The keeper starts with the first engine. Where there is no /proc, there is none.
    """
    with _lock:
        own = os.getpid()
        if own not in _kept:
            mark = new_mark()
            if not Path("/proc/self/environ").exists():
                return mark
            try:
                _kept[own] = mark, _start(mark)
            except OSError:  # engines play without it as well
                return mark
        return _kept[own][0]


def keep_engines() -> subprocess.Popen[bytes]:
    """Let all engines that this process starts from now on end with it, even by SIGKILL.

    Return the process that starts the keeper; its standard input must stay open.
    """
    mark = new_mark()
    process = _start(mark)
    os.environ.update(marked(os.environ, mark))
    return process


def _start(mark: str) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        isolated(f"from {__name__} import main; main(sys.argv[1])", mark),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    if process.stdout.readline() != _READY:
        raise OSError("the process that ends engines did not start")
    process.wait()
    process.stdout.close()
    return process


def main(mark: str) -> None:
    """Wait for the end of the standard input, then kill the processes with the mark."""
    # Twice a child, so that nobody who ends the children of our parent ends us.
    if os.fork():
        os._exit(0)
    os.setsid()
    os.write(1, _READY)
    os.close(1)
    while os.read(0, 1024):
        pass
    end_family(mark)
    time.sleep(_AGAIN)  # the parent may have died between the fork of an engine and its start
    end_family(mark)
