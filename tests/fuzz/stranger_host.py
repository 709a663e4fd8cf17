"""A fork in which inputs by a stranger are tried, and which sees what they start or touch."""

import io
import json
import os
import re
import resource
import shutil
import signal
import sys
from contextlib import chdir, suppress
from multiprocessing import Pipe
from pathlib import Path

from file_targets import portfolios
from judging import at, quietly
from stranger_files import CANARY, KEPT, lay
from stranger_grammar import HARMLESS
from stranger_studies import write_study
from visiting import site_of, visit

from seedfolio.core import trust
from seedfolio.core.isolated import isolated
from seedfolio.core.plain_text import plain
from seedfolio.core.trust import Claim, Permit
from seedfolio.engines.specification.specification import read_specification
from seedfolio.errors import SeedfolioError

MOST_KIB = 2 * 2**20
ADDRESSES = 6 * 2**30
"""Bytes that a fork may have, so that the machine survives a fault."""
SECRET = b"nobody may touch this\n"
CODES = (0, 2, 130)


class Host:
    """The fork, from outside."""

    def __init__(self):
        self._pipe, other = Pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                self._pipe.close()
                Inside(os.getppid()).serve(other)
            finally:
                os._exit(0)
        other.close()

    def judge(self, content, seconds):
        self._pipe.send_bytes(content)
        assert self._pipe.poll(seconds), f"took more than {seconds} seconds"
        try:
            wrong = self._pipe.recv_bytes().decode("utf-8", "replace")
        except (EOFError, OSError):
            _, status = os.waitpid(self._child, 0)
            self._child = 0
            ended = os.waitstatus_to_exitcode(status)
            raise AssertionError(f"ended the process with {ended}") from None
        assert not wrong, wrong

    def close(self):
        self._pipe.close()
        if self._child:
            with suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)


class Inside:
    """The fork itself."""

    def __init__(self, parent):
        # What the parent had at the fork counts as ours.
        self.before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.base = at("stranger", parent)
        self.folder = self.base / "stranger"
        self.canary, self.kept = self.base / "canary", self.base / "kept"
        self.site = None
        shutil.rmtree(self.base, ignore_errors=True)
        self.base.mkdir()
        self.kept.write_bytes(SECRET)
        os.environ["XDG_STATE_HOME"] = str(self.base / "state")
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        self.watch = Watch(self.folder, self.base / "state")

    def serve(self, pipe):
        while True:
            try:
                content = pipe.recv_bytes()
            except (EOFError, OSError):
                return
            try:
                wrong = self._wrong(json.loads(content))
            except BaseException as error:
                import traceback

                wrong = f"{type(error).__name__}: {traceback.format_exc()[-1500:]}"
            pipe.send_bytes(wrong.encode("utf-8", "replace"))

    def _wrong(self, made):
        for each in (self.folder, self.base / "state"):
            shutil.rmtree(each, ignore_errors=True)
        self.folder.mkdir()
        lay(made["files"], self.folder, {CANARY: str(self.canary), KEPT: str(self.kept)})
        trust._run_here.clear()
        listed = [str(self.folder / name) for name in made.get("listed", ())]
        _run_before(listed)
        typed = made.get("typed", "").encode("utf-8", "surrogatepass")
        (self.base / "in").write_bytes(typed or made.get("latin", "").encode("latin-1"))
        self._open_streams()
        self.watch.begin(made.get("own", False), listed)
        try:
            said = self._visit(made["page"]) if "page" in made else self._run(made["words"])
        finally:
            self.watch.end()
        return said or self._touched()

    def _touched(self):
        if self.canary.exists() or self.canary.is_symlink():
            self.canary.unlink() if self.canary.is_file() else shutil.rmtree(self.canary)
            return f"the canary was touched {self.watch.events}"
        if not self.kept.is_file() or self.kept.read_bytes() != SECRET:
            self.kept.write_bytes(SECRET)
            return "a file outside was changed"
        if self.watch.events:
            return f"it did {self.watch.events[:5]}"
        used = max(
            resource.getrusage(who).ru_maxrss
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        used -= self.before
        return "" if used < MOST_KIB else f"{used / 2**20:.1f} GiB of memory"

    def _run(self, words):
        from seedfolio.__main__ import main

        sys.argv = ["seedfolio", *words]
        try:
            with chdir(self.folder):
                code = main()
        except BaseException:
            import traceback

            traceback.print_exc()
            code = 70
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.flush()
        out, err = ((self.base / name).read_text(errors="replace") for name in ("out", "err"))
        said = f"{words} {code} {err[-1500:]}"
        errors = [each for each in err.splitlines() if not each.startswith("warning: ")]
        if code not in CODES and not (code == 1 and words[0] == "check"):
            return said
        if "Traceback" in out + err or plain(out + err) != out + err:
            return said
        if code == 2 and len([each for each in errors if each.startswith("error: ")]) != 1:
            return said
        return said if code == 0 and any(each.startswith("error: ") for each in errors) else ""

    def _open_streams(self):
        modes = (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT | os.O_TRUNC] * 2)
        for number, (name, mode) in enumerate(zip(("in", "out", "err"), modes, strict=True)):
            opened = os.open(self.base / name, mode, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
        for name, number, errors in (("stdout", 1, "strict"), ("stderr", 2, "backslashreplace")):
            file = io.FileIO(number, "w", closefd=False)
            setattr(sys, name, io.TextIOWrapper(file, encoding="utf-8", errors=errors))

    def _visit(self, sides):
        if self.site is None:
            self.site = site_of(self.folder)
        statuses, _ = visit(self.site, [tuple(sides)], most=2)
        wrong = {path: status for path, status in statuses.items() if status >= 500}
        return f"the page answers {wrong}" if wrong else ""


def _run_before(files):
    for path in map(Path, files):
        with suppress(SeedfolioError):
            if path.suffix == ".py":
                Claim(Permit.USER, path, path.read_bytes()).check("it")
            else:
                read_specification(path).claim(Permit.USER, path).check("it")


def prepare():
    """Import all that inputs need, compile what is the user's own, and try his own game."""
    import pkgutil
    from importlib import import_module

    import seedfolio
    from seedfolio.engines.protocols.open_spiel_trial import refusal

    for module in pkgutil.walk_packages(seedfolio.__path__, "seedfolio."):
        with suppress(ImportError):  # of an extra that is not installed
            if not re.search(r"ray|cuda|gpu|__main__|testing", module.name):
                import_module(module.name)
    path = at("own.study")
    write_study(path, {}, str)
    quietly("boost", "domineering:4x4", "-p", "uct:simulations=5", "--study", str(path))
    for content in portfolios():
        at("own.json").write_bytes(content)
        quietly("book", "show", str(at("own.json")))
    with suppress(SeedfolioError, ImportError):
        refusal("tic_tac_toe")


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
