"""How an engine process starts: its command, its folder, and what it may use."""

from __future__ import annotations

import errno
import os
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from seedfolio.core.isolated import isolated
from seedfolio.core.trust import NOBODY, Claim
from seedfolio.engines.endings import OwnFailureError
from seedfolio.errors import EngineError, SpecificationError

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


_SHORTAGES = {errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM}
_MEBIBYTE = 2**20


@dataclass(frozen=True)
class Launch:
    """How to start an engine."""

    command: tuple[str, ...]
    folder: Path
    environ: tuple[tuple[str, str], ...] = ()
    """Variables added to our own environment."""
    memory: int | None = None
    """MiB of memory that each of its processes may use."""
    log: Path | None = None
    """A folder for logs of the protocol, one for each process."""
    claim: Claim = NOBODY
    """Who has named it. Nobody unless said so: then it does not start."""
    title: str = ""
    """What messages call it, if that is not its command."""

    @property
    def text(self) -> str:
        """The command as a user types it, or its title."""
        return self.title or shlex.join(self.command)


def start_process(launch: Launch, mark: str) -> subprocess.Popen[bytes]:
    """Start an engine; EngineError if its command is wrong, OwnFailureError if this machine is.

    PortfolioError if it may not run.
    """
    launch.claim.check(f"the command {launch.text}")
    # With our own mark as well: the keeper ends the engine after us, however we end.
    environ = marked({**os.environ, **dict(launch.environ)}, kept_mark())
    try:
        return subprocess.Popen(
            _limited(launch),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=launch.folder,
            env=marked(environ, mark),
            start_new_session=True,
        )
    except OSError as error:
        if error.errno in _SHORTAGES:
            raise OwnFailureError(f"cannot start {launch.text} now: {error.strerror}") from error
        reason = error.strerror
    except ValueError as error:  # a name or a word that no system accepts
        reason = str(error)
    raise EngineError(
        f"cannot start {launch.text} in {launch.folder}: {reason}; correct the command"
    )


def _limited(launch: Launch) -> tuple[str, ...]:
    """Return the command; with a limit on memory, a shell sets it and becomes the engine.

    Set from here after the start, it would be too late for what a quick engine has taken by then.
    """
    if launch.memory is None:
        return launch.command
    if sys.platform != "linux":
        raise SpecificationError("limits.memory works on Linux only; leave it out")
    import resource

    # The shell would tell this to the engine's standard error only.
    name, places = launch.command[0], dict(launch.environ).get("PATH")
    program = launch.folder / name if "/" in name else Path(name)
    if not shutil.which(program, path=places):
        code = errno.EACCES if program.exists() else errno.ENOENT
        raise OSError(code, os.strerror(code))
    _, own = resource.getrlimit(resource.RLIMIT_AS)
    most = launch.memory * _MEBIBYTE
    kibibytes = (most if own == resource.RLIM_INFINITY else min(most, own)) // 1024
    return "/bin/sh", "-c", f'ulimit -v {kibibytes} && exec "$@"', "sh", *launch.command


def find_program(name: str, folder: Path) -> str:
    """Return the full path of the program that a command begins with.

    A path starts from `folder`. A bare name is looked up in PATH, then in Debian's folders for
    games, which PATH often lacks.
    """
    if "/" in name:
        return os.path.abspath(folder / name)  # noqa: PTH100 - a link stays one
    places = [os.environ.get("PATH", os.defpath), *_GAMES]
    found = shutil.which(name, path=os.pathsep.join(places))
    return name if found is None else os.path.abspath(found)  # noqa: PTH100


_GAMES: Sequence[str] = ("/usr/games", "/usr/local/games")


def environment(added: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return added environment variables in a form that can be compared."""
    return tuple(sorted(added.items()))
