"""Whole commands that are fuzzed: each in a fork of this process, with files and standard input.

A fork has loaded everything, so it takes milliseconds where a new process takes a second. Its exit
code, its memory, and all that it writes are those of the command itself.
"""

import io
import json
import os
import signal
import sys
import time
from contextlib import chdir
from functools import cache

from file_targets import portfolios, study
from judging import FOLDER, MOST_SECONDS, at
from mutations import bytes_from, data_from, json_of, text_from
from text_targets import GTP_WORDS, UCI_WORDS, lines_of

from seedfolio.core.plain_text import plain

MOST_KIB = 2 * 2**20
"""Of memory, for one command."""
END = b"\0end of the file\0"
"""Stands between the file of an input and what is typed."""
GAME = ("domineering:4x4", "-p", "uct:simulations=5")
FILE = "FILE"
"""Stands for the path of the file in a command."""

ON_PORTFOLIOS = [
    ["show", FILE],
    ["show", FILE, "--json"],
    ["book", "show", FILE, "--most", "5"],
    ["book", "show", FILE, "--second", "--changed", "--json"],
    ["book", "show", FILE, "--line", "b2b3", "--number", "2"],
    ["book", "show", FILE, "--sgf", "FILE.sgf"],
    ["book", "show", FILE, "--svg", "FILE.svg"],
    ["book", "polyglot", FILE, "FILE.bin"],
    ["play", FILE, "--key", "3"],
    ["play", FILE, "--key", "4", "--second"],
    ["uci", FILE, "--key", "5"],
    ["replay", FILE, "195", "7/3"],
]
ON_STUDIES = [["show", FILE], ["show", FILE, "--equilibrium"], ["show", FILE, "--json"]]
ON_WORDS = [
    ["gtp", "go:5x5", "-p", "table", "--key", "7"],
    ["uci", "nim", "-p", "table", "--key", "7"],
    ["play", *GAME, "--key", "7"],
]
PLAY_WORDS = [
    "b2b3",
    "a1b1",
    "c2c3",
    "a3a4",
    "moves",
    "undo",
    "help",
    "resign",
    "quit",
    " ",
    "\x1b",
]
ARMS = ["195", "7/3", "0", "-1", "99999999999999999999", "/", "1/9", "1/-1", "x", "", " 5", "5/0/1"]


def command(draw) -> bytes:
    """Return the words of a command in a line of JSON, its file, END, and what is typed."""
    kind, content, typed = draw.random(), b"", b""
    if kind < 0.55:
        words, content = [*draw.choice(ON_PORTFOLIOS)], changed_portfolio(draw)
        typed = lines_of(PLAY_WORDS if words[0] == "play" else UCI_WORDS)(draw)
    elif kind < 0.75:
        words, content = [*draw.choice(ON_STUDIES)], study(draw)
    elif kind < 0.9:
        words = [*draw.choice(ON_WORDS)]
        known = {"gtp": GTP_WORDS, "uci": UCI_WORDS, "play": PLAY_WORDS}[words[0]]
        typed = lines_of(known)(draw)
        typed = bytes_from(draw, typed) if draw.random() < 0.5 else typed
    else:
        words = ["replay", *GAME, "--", draw.choice(ARMS), text_from(draw, ARMS, 2)]
    if draw.random() < 0.2:
        at_word = draw.randrange(len(words))
        changed = text_from(draw, [words[at_word]], 2).replace("\0", "")
        # As a shell hands it on: bytes, of which Python escapes those that are no text.
        words[at_word] = os.fsdecode(changed.encode("utf-8", "surrogatepass"))
    return json.dumps(words).encode() + b"\n" + content + END + typed


def changed_portfolio(draw) -> bytes:
    """Return a changed portfolio of the same program: others would have to be compiled."""
    if draw.random() < 0.2:
        return bytes_from(draw, draw.choice(portfolios()))
    whole = json.loads(draw.choice(portfolios()))
    changed = data_from(draw, whole)
    if isinstance(changed, dict):
        changed |= {name: whole[name] for name in ("game", "player")}
    return json_of(changed)


def run_command(content: bytes) -> None:
    """Run a command in a fork; judge its exit code, what it says, and its memory."""
    line, _, rest = content.partition(b"\n")
    file, _, typed = rest.partition(END)
    words = json.loads(line)
    ending = ".study" if file.startswith(b"SQLite") else ".json"
    path = at(f"command{ending}")
    path.write_bytes(file)
    at("in").write_bytes(typed)
    words = [word.replace(FILE, str(path)) for word in words]
    code, memory = forked(words)
    out, err = (at(name).read_text(errors="replace") for name in ("out", "err"))
    said = words, code, err[-2000:]
    assert code in (0, 2, 130), said
    assert memory < MOST_KIB, (words, f"{memory / 2**20:.1f} GiB of memory")
    assert "Traceback" not in out + err, said
    assert plain(out + err) == out + err, said
    errors = [each for each in err.splitlines() if not each.startswith("warning: ")]
    assert code != 2 or len(errors) == 1, said
    assert code == 2 or not any(each.startswith("error: ") for each in errors), said


def forked(words: list[str]) -> tuple[int, int]:
    """Run `seedfolio` in a fork; return its exit code and its memory in KiB."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = _run(words)
        finally:
            os._exit(code)
    end = time.monotonic() + MOST_SECONDS
    try:
        while True:
            ended, status, used = os.wait4(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status), used.ru_maxrss
            assert time.monotonic() < end, (words, f"took more than {MOST_SECONDS} seconds")
            time.sleep(0.001)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise


def _run(words: list[str]) -> int:
    from seedfolio.__main__ import main

    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    os.dup2(os.open(at("in", os.getppid()), os.O_RDONLY), 0)
    for descriptor, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(at(name, os.getppid()), flags), descriptor)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    # As Python opens them: what stderr cannot say is escaped.
    for name, descriptor, errors in (("stdout", 1, "strict"), ("stderr", 2, "backslashreplace")):
        file = io.FileIO(descriptor, "w", closefd=False)
        setattr(sys, name, io.TextIOWrapper(file, encoding="utf-8", errors=errors))
    sys.argv = ["seedfolio", *words]
    try:
        with chdir(FOLDER):
            code = main()
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return code


@cache
def warm() -> None:
    """Compile what the commands need: run each in this process, unchanged."""
    import contextlib

    from seedfolio.cli import run

    files = [at(f"warm-{number}.json") for number in range(len(portfolios()))]
    for file, content in zip(files, portfolios(), strict=True):
        file.write_bytes(content)
    on_files = [[w.replace(FILE, str(f)) for w in words] for f in files for words in ON_PORTFOLIOS]
    replays = [["replay", *GAME, "--", *arms] for arms in (("195", "7/3"), ("0", "1"))]
    for words in [*on_files, *ON_WORDS, *replays]:
        sys.stdin, before = io.StringIO("undo\nquit\n"), sys.stdin
        silent = io.StringIO()
        with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            run(words)
        sys.stdin = before
