"""One writer a study: a lock that the operating system drops when its process ends."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from seedfolio.core.files import check_no_link, let_owner_use
from seedfolio.errors import StudyError

# An attempt fails while the holder removes the file; so there are a few before we give up.
_PATIENCE, _PAUSE = 0.05, 0.01


class WriterLock:
    """The right to write one study, held from construction until ``release``.

    It locks a file beside the study (``NAME-lock``, with the process id), not the study: SQLite's
    locks would shut readers out as well, and closing a descriptor on the study would drop
    SQLite's locks. ``kill -9`` leaves the file but frees the lock.
    """

    def __init__(self, study: Path) -> None:
        check_no_link(study)
        self._path = study.with_name(study.name + "-lock")
        self._lock = FileLock(self._path, thread_local=False, on_acquired=self._sign)
        try:
            study.parent.stat()  # filelock would create the folder
            self._lock.acquire(timeout=_PATIENCE, poll_interval=_PAUSE)
        except Timeout:
            raise StudyError(_refusal(study, self._path)) from None
        except OSError as error:
            raise StudyError(_explanation(study, error)) from error

    def release(self) -> None:
        """Release the lock and remove its file; in a forked child, do nothing."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._path.unlink()
            self._lock.release()

    def _sign(self, descriptor: int) -> None:
        try:
            let_owner_use(descriptor)  # after a kill the next process opens it
            os.ftruncate(descriptor, 0)
            os.write(descriptor, b"%d\n" % os.getpid())
        except BaseException:
            self._path.unlink(missing_ok=True)
            raise


def _refusal(study: Path, lock: Path) -> str:
    try:
        signature = lock.read_bytes().strip()
    except FileNotFoundError:  # as in /proc, where filelock takes this for a race
        return f"cannot write {study}: {study.parent} accepts no files; choose another folder"
    holder = f" (pid {int(signature)})" if signature.isdigit() else ""
    return (
        f"{study} is in use by another seedfolio process{holder}; "
        "wait for it or choose another file"
    )


def _explanation(study: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"cannot open {study}: the folder {study.parent} does not exist; create it first"
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return f"cannot write {study}: {error.strerror} in its folder; choose another file"
    return f"cannot lock {study}: {error.strerror}; put the study on a local disk with free space"
