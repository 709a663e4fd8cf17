"""A command that is told to end (SIGTERM) ends the programs that it has started."""

import signal
import subprocess
import sys

import pytest
from outside import left_behind, scripted_text
from waiting import wait_for_games


@pytest.mark.slow
def test_engines_end_with_the_command(tmp_path):
    # Each program has a child that is deaf to SIGTERM and would live on if the command just died.
    setup = 'setup = ["seed {seed}"]'
    text = scripted_text(tmp_path, "fork", seed="0", bad="0", more=setup)
    (tmp_path / "engine.toml").write_text(text)
    sizes = ["--k", "60", "--kt", "60", "--opponents", "60", "--study", "a.study", "--quiet"]
    process = subprocess.Popen(
        [sys.executable, "-m", "seedfolio", "boost", "engine.toml", *sizes, "--threads", "1"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for_games(tmp_path / "a.study", process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 143
    assert errors.startswith("terminated; every finished block of games is kept. Go on with: ")
    assert not left_behind(tmp_path)
