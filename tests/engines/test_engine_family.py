"""Processes that bear a mark are ended, wherever they have gone, and no others."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from external import left_behind, scripted_text
from waiting import PATIENCE

from seedfolio.engines.protocols.process import end_family, marked, new_mark


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc here")
def test_who_bears_a_mark_is_ended_and_nobody_else():
    outer, inner, other = (new_mark() for _ in range(3))
    theirs = marked(marked(os.environ, outer), inner)  # an engine of an engine of ours
    waits = ["sleep", "1000"]
    one = subprocess.Popen(waits, env=theirs, start_new_session=True)
    two = subprocess.Popen(waits, env=marked(os.environ, other))
    try:
        end_family(outer)
        assert one.wait(PATIENCE) == -signal.SIGKILL
        assert two.poll() is None
        end_family(other)
        assert two.wait(PATIENCE) == -signal.SIGKILL
    finally:
        one.kill()
        two.kill()


PLANTED = "from pathlib import Path\nPath('it-ran').touch()\n"


@pytest.mark.slow
def test_nothing_in_the_current_folder_runs(tmp_path):
    """The command starts Python again, to end engines after it."""
    (tmp_path / "seedfolio").mkdir()
    for name in ("subprocess", "secrets", "seedfolio/__init__"):
        (tmp_path / f"{name}.py").write_text(PLANTED)
    text = scripted_text(tmp_path, "well", seed="0", bad="0", more='setup = ["seed {seed}"]')
    (tmp_path / "engine.toml").write_text(text)
    done = subprocess.run(
        # -P, as the command `seedfolio` does not look there itself.
        [sys.executable, "-P", "-m", "seedfolio", "check", "engine.toml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert "verdict       passed" in done.stdout, done
    assert not (tmp_path / "it-ran").exists()
    assert not left_behind(tmp_path)
