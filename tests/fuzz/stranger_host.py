"""A fork in which inputs by a stranger are tried, and which sees all that they start or touch.

Python itself tells it of every process that starts, every file that is compiled, and every file
that is written: an audit hook. What escapes that creates a file, the canary.
"""

import io
import json
import os
import re
import resource
import shutil
import signal
import sys
import time
from contextlib import chdir, suppress
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from judging import at, quietly
from stranger_files import CANARY, KEPT, lay
from stranger_grammar import HARMLESS
from stranger_studies import write_study

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
STARTS = {"os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.forkpty", "pty.spawn"}
STARTS |= {"sqlite3.load_extension", "sqlite3.enable_load_extension"}
CHANGES = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.symlink", "os.link", "os.chmod"}
CHANGES |= {"os.truncate", "shutil.rmtree", "os.chown", "os.utime"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CODES = (0, 2, 130)


class Host:
    """The fork, from outside."""

    def __init__(self) -> None:
        self._pipe, other = Pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                self._pipe.close()
                Inside(os.getppid()).serve(other)
            finally:
                os._exit(0)
        other.close()

    def judge(self, content: bytes, seconds: float) -> None:
        """Try an input; AssertionError says what is wrong."""
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

    def close(self) -> None:
        """End it."""
        self._pipe.close()
        if self._child:
            with suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)


class Inside:
    """The fork itself."""

    def __init__(self, parent: int) -> None:
        self.base = at("stranger", parent)
        self.folder = self.base / "stranger"
        self.canary, self.kept = self.base / "canary", self.base / "kept"
        self.events: list[str] = []
        self.watching = False
        self.own = False
        self.listed: list[str] = []
        self.site: Any = None
        shutil.rmtree(self.base, ignore_errors=True)
        self.base.mkdir()
        self.kept.write_bytes(SECRET)
        os.environ["XDG_STATE_HOME"] = str(self.base / "state")
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        sys.addaudithook(self._heard)

    def serve(self, pipe: Any) -> None:
        """Try inputs until the pipe closes."""
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

    def _wrong(self, made: dict) -> str:
        """Return what is wrong with the outcome of an input."""
        for each in (self.folder, self.base / "state"):
            shutil.rmtree(each, ignore_errors=True)
        self.folder.mkdir()
        lay(made["files"], self.folder, {CANARY: str(self.canary), KEPT: str(self.kept)})
        trust._run_here.clear()
        self.events, self.own = [], made.get("own", False)
        self.listed = [str(self.folder / name) for name in made.get("listed", ())]
        self._list_those()
        (self.base / "in").write_bytes(made.get("typed", "").encode("utf-8", "surrogatepass"))
        self.watching = True
        try:
            said = self._visit(made["page"]) if "page" in made else self._run(made["words"])
        finally:
            self.watching = False
        return said or self._touched()

    def _list_those(self) -> None:
        """Let the user have run some files before."""
        for name in self.listed:
            path = Path(name)
            with suppress(SeedfolioError):
                if path.suffix == ".py":
                    Claim(Permit.USER, path, path.read_bytes()).check("it")
                else:
                    read_specification(path).claim(Permit.USER, path).check("it")

    def _touched(self) -> str:
        if self.canary.exists() or self.canary.is_symlink():
            self.canary.unlink() if self.canary.is_file() else shutil.rmtree(self.canary)
            return f"the canary was touched {self.events}"
        if not self.kept.is_file() or self.kept.read_bytes() != SECRET:
            self.kept.write_bytes(SECRET)
            return "a file outside was changed"
        if self.events:
            return f"it did {self.events[:5]}"
        used = max(
            resource.getrusage(who).ru_maxrss
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        return "" if used < MOST_KIB else f"{used / 2**20:.1f} GiB of memory"

    # What Python tells.

    def _heard(self, event: str, arguments: tuple) -> None:
        if not self.watching:
            return
        if event == "subprocess.Popen":
            if not _ours(arguments[1], self.own):
                self.events.append(f"{event} {arguments[1]!r:.300}")
        elif event in STARTS:
            self.events.append(f"{event} {arguments!r:.300}")
        elif event == "compile" or event == "ctypes.dlopen" or event == "import":
            name = arguments[0] if event == "ctypes.dlopen" else arguments[1]
            if self._is_inside(name) and str(name) not in self.listed:
                self.events.append(f"{event} {name!r:.300}")
        elif event == "exec":
            name = getattr(arguments[0], "co_filename", None)
            if self._is_inside(name) and name not in self.listed:
                self.events.append(f"{event} {name!r:.300}")
        elif event == "open":
            if arguments[2] & WRITING and not self._may_write(arguments[0]):
                self.events.append(f"{event} {arguments!r:.300}")
        elif event in CHANGES and not self._may_write(arguments[0]):
            self.events.append(f"{event} {arguments!r:.300}")

    def _is_inside(self, name: object) -> bool:
        text = os.fsdecode(name) if isinstance(name, bytes | os.PathLike) else name
        return isinstance(text, str) and text.startswith(str(self.folder))

    def _may_write(self, name: object) -> bool:
        if isinstance(name, int) or name is None:
            return True
        text = os.fsdecode(name) if isinstance(name, bytes | os.PathLike) else str(name)
        text = os.path.normpath(f"{self.folder}/{text}" if text[:1] != "/" else text)
        if text.startswith((str(self.folder), str(self.base / "state"), "/dev/null", "/tmp/")):
            return True
        return "__pycache__" in text or "/.cache/" in text  # of numba, for what we compile

    # The user.

    def _run(self, words: list[str]) -> str:
        """Run a command; return what is wrong with what it says."""
        from seedfolio.__main__ import main

        self._open_streams()
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

    def _open_streams(self) -> None:
        modes = (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT | os.O_TRUNC] * 2)
        self.watching = False
        for number, (name, mode) in enumerate(zip(("in", "out", "err"), modes, strict=True)):
            opened = os.open(self.base / name, mode, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        self.watching = True
        sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
        for name, number, errors in (("stdout", 1, "strict"), ("stderr", 2, "backslashreplace")):
            file = io.FileIO(number, "w", closefd=False)
            setattr(sys, name, io.TextIOWrapper(file, encoding="utf-8", errors=errors))

    def _visit(self, sides: list[str]) -> str:
        """Open every page about the first file of each kind, and begin a game against it."""
        from starlette.testclient import TestClient

        if self.site is None:
            self.site = _new_site(self.folder)
        client = TestClient(self.site, base_url="http://127.0.0.1")
        token = re.search(r'name="token" value="([0-9a-f]{64})"', client.get("/play").text)
        statuses = {"/": client.get("/").status_code}
        kinds = {"portfolio": "boosted", "game": "own", "engine": "external", "study": ""}
        library = self.site.state.site.library
        for kind, form_kind in kinds.items():
            for file in library.files(kind)[:2]:
                for path in _paths(self.site, kind, file.id, sides):
                    statuses[path] = client.get(path).status_code
                if form_kind and token:
                    form = {"kind": form_kind, "name": file.id, "token": token[1]}
                    answer = client.post("/games", data=form, follow_redirects=False)
                    statuses[f"/games {kind}"] = answer.status_code
                    if answer.status_code == 303:
                        _wait(client, answer.headers["location"])
        wrong = {path: status for path, status in statuses.items() if status >= 500}
        return f"the page answers {wrong}" if wrong else ""


def _ours(words: Any, own: bool) -> bool:
    """Tell whether a command is one of our own processes, or the user's own engine."""
    words = [os.fsdecode(word) for word in words]
    if words == ["/sbin/ldconfig", "-p"]:  # by ctypes, for numba
        return True
    if not own:
        return False
    if words[1:3] == ["-I", "-c"] and words[0] == sys.executable:
        return words[3].startswith(isolated("")[3].partition("sys.path[:]")[0])
    return Path(words[0]).name == HARMLESS[0] and words[1:2] == HARMLESS[1:2]


def _new_site(folder: Path) -> Any:
    from seedfolio.web.application import create_app
    from seedfolio.web.settings import Settings

    many = {"requests": 1e6, "requests_burst": 1e6, "address_requests": 1e6, "address_burst": 1e6}
    return create_app(folder, Settings(**many, games_each=1000))


def _paths(site: Any, kind: str, identifier: str, sides: list[str]) -> list[str]:
    """Return the addresses of all pages about a file."""
    plural = {"portfolio": "/portfolios/", "study": "/studies/"}.get(kind, "/none/")
    found = []
    for route in site.routes:
        if "GET" in (getattr(route, "methods", None) or ()) and route.path.startswith(plural):
            path = re.sub(r"{id[^}]*}", identifier, route.path)
            path = re.sub(r"{side[^}]*}", sides[0], path)
            found.append(re.sub(r"{[^}]*}", sides[1], path))
    return found


def _wait(client: Any, game: str) -> None:
    while "http-equiv" in client.get(game).text:
        time.sleep(0.005)


def prepare() -> None:
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
    with suppress(SeedfolioError, ImportError):
        refusal("tic_tac_toe")
