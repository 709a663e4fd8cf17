"""Waiting for a command that plays games in a process of its own."""

import subprocess
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
