"""A command that is told to end (SIGTERM) ends the programs that it has started."""

import signal

import pytest
from external import left_behind, scripted_text
from waiting import end_command


@pytest.mark.slow
def test_engines_end_with_the_command(tmp_path):
    # Each program has a child that is deaf to SIGTERM and would live on if the command just died.
    setup = 'setup = ["seed {seed}"]'
    text = scripted_text(tmp_path, "fork", seed="0", bad="0", more=setup)
    (tmp_path / "engine.toml").write_text(text)
    words = ["boost", "engine.toml", "--k", "60", "--kt", "60", "--opponents", "60", "--quiet"]
    code, errors = end_command(words, tmp_path, signal.SIGTERM)
    assert code == 143
    assert errors.startswith("terminated; every finished block of games is kept. Go on with: ")
    assert not left_behind(tmp_path)
