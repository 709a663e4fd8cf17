"""One writer a study: a lock that the operating system drops when its process ends."""

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

from seedfolio.errors import StudyError


class WriterLock:
    """The right to write one study, held from construction until ``release``.

    It is an ``flock`` on a file of its own beside the study (``NAME-lock``, holding the process
    id): SQLite's locks would shut readers out as well, and a descriptor of ours on the study
    itself would drop SQLite's locks when closed. ``kill -9`` leaves the file but frees the lock.
    """

    def __init__(self, study: Path) -> None:
        self._path = study.with_name(study.name + "-lock")
        try:
            self._descriptor = _acquire(self._path, study)
        except OSError as error:
            raise StudyError(_explanation(study, error)) from error
        _held.add(self._descriptor)

    def release(self) -> None:
        """Give the lock back and remove its file; nothing happens in a forked child."""
        if self._descriptor not in _held:
            return
        with suppress(OSError):
            self._path.unlink()
        _held.discard(self._descriptor)
        os.close(self._descriptor)


def _acquire(path: Path, study: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The holder before us may have removed the file between our two calls: then what we
            # locked has no name any more, and the next process would lock another file.
            if _is_at(path, descriptor):
                _sign(path, descriptor)
                return descriptor
        except BlockingIOError:
            holder = _holder(descriptor)
            os.close(descriptor)
            raise StudyError(
                f"{study} is in use by another seedfolio process{holder}; "
                "wait for it or choose another file"
            ) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _sign(path: Path, descriptor: int) -> None:
    try:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, b"%d\n" % os.getpid())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _holder(descriptor: int) -> str:
    signature = os.pread(descriptor, 32, 0).strip()
    return f" (pid {int(signature)})" if signature.isdigit() else ""


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _explanation(study: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError) and study.parent.is_dir():  # as /proc answers
        return f"cannot write {study}: no file can be made in its folder; choose another file"
    if isinstance(error, FileNotFoundError):
        return f"cannot open {study}: the folder {study.parent} does not exist; create it first"
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return f"cannot write {study}: {error.strerror} in its folder; choose another file"
    return f"cannot lock {study}: {error.strerror}; put the study on a local disk with free space"


_held: set[int] = set()


def _drop_in_child() -> None:
    # A forked child shares the lock and would keep it after its parent was killed.
    while _held:
        os.close(_held.pop())


os.register_at_fork(after_in_child=_drop_in_child)
