"""The check of a game of one's own, in a process with limits.

Compiled code does not look where it writes, and a loop may have no end: a wrong game ends the
process or never ends. Another process tries it first. It writes what it is doing to a file without
a name, which this one reads afterwards.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import warnings
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

from seedfolio.boosting.game_checkup import GameCheckup, check_up_game
from seedfolio.conformance.check import RandomGames
from seedfolio.core.isolated import isolated
from seedfolio.core.program_files import is_file
from seedfolio.core.user_file import split_source
from seedfolio.engines.protocols.process import kept_mark, marked
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.games import load_game

_MEMORY = 8 * 2**30
"""Bytes of address space for the other process."""
_MOST_TOLD = 2**26
_HINTS: dict[int, str] = {
    signal.SIGSEGV: "; a function may read or write outside an array, or call itself without end",
    signal.SIGBUS: "; a function may read or write outside an array",
    signal.SIGABRT: "; a function may write outside an array",
    signal.SIGFPE: "; a function may divide by zero",
}


def check_up_own_game(text: str, games: int, seconds: int) -> GameCheckup:
    """Check a game as `check_up_game` does; one in a file has so much CPU time and a process."""
    if seconds < 1:
        raise SpecificationError(f"`seconds` must be 1 or more, not {seconds}")
    file, _ = split_source(text)
    if games < 1 or not (file.endswith(".py") and is_file(Path(file))):
        return check_up_game(text, games)
    code, told = _told(text, games, seconds)
    found = next((each["found"] for each in told if "found" in each), None)
    for each in told:
        if "warning" in each:
            warnings.warn(each["warning"], stacklevel=3)
    if found is None:
        doing = next((each["doing"] for each in reversed(told) if "doing" in each), "starting")
        how, hint = _ending(code, seconds)
        return _failed(text, f"{how} while {doing}{hint}")
    return _checkup(text, found)


def _told(text: str, games: int, seconds: int) -> tuple[int, list[dict[str, Any]]]:
    """Run the check in another process; return its exit code, and all that it has written."""
    with tempfile.TemporaryFile() as answer:
        words = text, str(games), str(seconds), str(answer.fileno())
        process = subprocess.Popen(
            isolated(f"from {__name__} import main; main(*sys.argv[1:])", *words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[answer.fileno()],
            # OpenBLAS takes memory for each core. The keeper ends the process if we cannot.
            env=marked({**os.environ, "OPENBLAS_NUM_THREADS": "1"}, kept_mark()),
            process_group=0,  # Ctrl-C is for us
        )
        try:
            code = process.wait()
        finally:
            process.kill()
            process.wait()
        answer.seek(0)
        lines = answer.read(_MOST_TOLD).splitlines()
    told = []
    for line in lines:
        with suppress(ValueError):  # the game may have written there, too, or ended in a line
            told.append(json.loads(line))
    return code, [each for each in told if isinstance(each, dict)]


def _ending(code: int, seconds: int) -> tuple[str, str]:
    """Return how the other process has ended without an answer, and what that may mean."""
    if code >= 0:
        return f"it ends the process with exit code {code}", ""
    if -code == signal.SIGXCPU:
        return (
            f"not done after {seconds} seconds of CPU time",
            "; a loop may have no end, or it needs more `seconds`",
        )
    return f"it ends the process by a signal ({signal.strsignal(-code)})", _HINTS.get(-code, "")


def _failed(text: str, problem: str) -> GameCheckup:
    return GameCheckup(text, None, f"{text}: {problem}", RandomGames((), ()), 0.0)


def _checkup(text: str, found: dict[str, Any]) -> GameCheckup:
    game, problem = None, str(found["problem"])
    if found["loaded"]:
        try:
            # What it prints has been printed.
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                game = load_game(text)
        except SeedfolioError as error:  # other than in the other process
            problem = " ".join(str(error).split())
    played = RandomGames(tuple(found["lengths"]), tuple(found["scores"]))
    return GameCheckup(found["title"], game, problem, played, found["speed"])


def main(text: str, games: str, seconds: str, answer: str) -> None:
    """Check a game in this process, under limits; write to an open file what happens."""

    def tell(**what: Any) -> None:
        os.write(int(answer), f"{json.dumps(what)}\n".encode())

    def show(message: Warning | str, *_: object, **__: object) -> None:
        tell(warning=" ".join(str(message).split()))

    _limit(int(seconds))
    warnings.showwarning = show
    with redirect_stdout(sys.stderr):
        try:
            found = check_up_game(text, int(games), lambda doing: tell(doing=doing))
        except MemoryError:
            found = _failed(text, f"it needs more than {_MEMORY // 2**30} GiB of memory")
        except Exception as error:
            found = _failed(text, " ".join(f"{type(error).__name__}: {error}".split()))
    tell(
        found={
            "title": found.title,
            "loaded": found.game is not None,
            "problem": found.problem,
            "lengths": found.played.lengths,
            "scores": found.played.scores,
            "speed": found.speed,
        }
    )


def _limit(seconds: int) -> None:
    limits = {
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_AS: (_MEMORY, _MEMORY),
        resource.RLIMIT_CORE: (0, 0),
    }
    for kind, (soft, hard) in limits.items():
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (soft, hard))
