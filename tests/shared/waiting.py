"""Commands that play games in a process of their own: waiting for them, and ending them."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from seedfolio.study.store import Study


def wait_for_games(study: Path, process: subprocess.Popen[Any]) -> None:
    """Wait until the process has put games into the study."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
        if study.exists():
            with Study.read(study) as opened:
                if opened.count() > 0:
                    return
    raise AssertionError(f"no game was played: {process.communicate()}")


def start_command(arguments: list[str], folder: Path) -> subprocess.Popen[str]:
    """Start `seedfolio` with these arguments in a folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "seedfolio", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def end_command(arguments: list[str], folder: Path, signal: int) -> tuple[int, str]:
    """Send a signal to a command once it has put games into `a.study`.

    Return its exit code and what it wrote to stderr.
    """
    process = start_command([*arguments, "--study", "a.study", "--threads", "1"], folder)
    try:
        wait_for_games(folder / "a.study", process)
        process.send_signal(signal)
        _, errors = process.communicate(timeout=300)
    finally:
        process.kill()
    return process.returncode, errors
