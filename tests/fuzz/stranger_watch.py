"""What Python itself tells of an input: the processes that start, and the files that are written.

An audit hook hears of every process, every file that is compiled or run, and every change of a
file. What SQLite and other compiled code do, it does not hear.
"""

import os
import sys
from pathlib import Path

from stranger_grammar import HARMLESS

from seedfolio.core.isolated import isolated

STARTS = {"os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.forkpty", "pty.spawn"}
STARTS |= {"sqlite3.load_extension", "sqlite3.enable_load_extension"}
CHANGES = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.symlink", "os.link", "os.chmod"}
CHANGES |= {"os.truncate", "shutil.rmtree", "os.chown", "os.utime"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Watch:
    """Hears what happens in this process, and notes what must not."""

    def __init__(self, folder, writable):
        self.events = []
        self._folder = str(folder)
        self._writable = (str(folder), str(writable), "/dev/null", "/tmp/")
        self._awake, self._own = False, False
        self._may_run = ()
        sys.addaudithook(self._heard)

    def begin(self, own, may_run):
        """Begin; `own` says whether a file of the user's runs, `may_run` has his Python files."""
        self.events, self._own, self._may_run = [], own, tuple(may_run)
        self._awake = True

    def end(self):
        self._awake = False

    def _heard(self, event, arguments):
        if self._awake and self._is_wrong(event, arguments):
            told = arguments[1] if event == "subprocess.Popen" else arguments
            self.events.append(f"{event} {told!r:.300}")

    def _is_wrong(self, event, arguments):
        if event == "subprocess.Popen":
            return not _ours(arguments[1], self._own)
        if event in ("compile", "import"):
            return self._is_strange(arguments[1])
        if event == "ctypes.dlopen":
            return self._is_strange(arguments[0])
        if event == "exec":
            return self._is_strange(getattr(arguments[0], "co_filename", None))
        if event == "open":
            return bool(arguments[2] & WRITING) and not self._may_write(arguments[0])
        return event in STARTS or (event in CHANGES and not self._may_write(arguments[0]))

    def _is_strange(self, name):
        """Tell whether a file that runs is a stranger's."""
        text = os.fsdecode(name) if isinstance(name, bytes | os.PathLike) else name
        if not isinstance(text, str):
            return False
        if text[:1] != "/" and text.endswith(".py"):
            text = os.path.normpath(f"{self._folder}/{text}")
        return text.startswith(self._folder) and text not in self._may_run

    def _may_write(self, name):
        if isinstance(name, int) or name is None:
            return True
        text = os.fsdecode(name) if isinstance(name, bytes | os.PathLike) else str(name)
        text = os.path.normpath(f"{self._folder}/{text}" if text[:1] != "/" else text)
        # numba keeps what we compile.
        return text.startswith(self._writable) or "__pycache__" in text or "/.cache/" in text


def _ours(words, own):
    """Tell whether a command is one of our own processes, or the user's own engine."""
    words = [os.fsdecode(word) for word in words]
    if words == ["/sbin/ldconfig", "-p"]:  # by ctypes, for numba
        return True
    if not own:
        return False
    if words[1:3] == ["-I", "-c"] and words[0] == sys.executable:
        return words[3].startswith(isolated("")[3].partition("sys.path[:]")[0])
    return Path(words[0]).name == HARMLESS[0] and words[1:2] == HARMLESS[1:2]
