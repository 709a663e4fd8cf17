"""How an engine process starts: its command, its folder, and what it may use."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from seedfolio.core.trust import NOBODY, Claim
from seedfolio.engines.endings import OwnFailureError
from seedfolio.engines.family import marked
from seedfolio.engines.keeper import kept_mark
from seedfolio.errors import EngineError, SpecificationError

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
        process = subprocess.Popen(
            launch.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=launch.folder,
            env=marked(environ, mark),
            start_new_session=True,
        )
        _limit_memory(process, launch)
        return process
    except OSError as error:
        if error.errno in _SHORTAGES:
            raise OwnFailureError(f"cannot start {launch.text} now: {error.strerror}") from error
        reason = error.strerror
    except ValueError as error:  # a name or a word that no system accepts
        reason = str(error)
    raise EngineError(
        f"cannot start {launch.text} in {launch.folder}: {reason}; correct the command"
    )


def _limit_memory(process: subprocess.Popen[bytes], launch: Launch) -> None:
    if launch.memory is None:
        return
    if sys.platform != "linux":
        process.kill()
        raise SpecificationError("limits.memory works on Linux only; leave it out")
    import resource

    most = launch.memory * _MEBIBYTE
    with suppress(ProcessLookupError):  # it has ended already
        resource.prlimit(process.pid, resource.RLIMIT_AS, (most, most))


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
