"""A command that ends, in whatever way, ends the programs that it has started."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from external import left_behind, program_of, scripted_text
from waiting import PATIENCE, end_command, finish, ran, start_command, wait_until

from seedfolio.engines.protocols.process import end_family, marked, new_mark

BOOST = ["boost", "engine.toml", "--k", "60", "--kt", "60", "--opponents", "60", "--quiet"]


def write(folder, mode, bad="0"):
    setup = 'setup = ["seed {seed}"]'
    program_of(folder, scripted_text(folder, mode, seed="0", bad=bad, more=setup))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "mode", "code", "how"),
    [(signal.SIGINT, "fork", 130, "interrupted"), (signal.SIGKILL, "escape", -9, "")],
)
def test_engines_end_with_the_command(sent, mode, code, how, tmp_path):
    # Each program has a child that is deaf to SIGTERM and would live on if the command just died.
    write(tmp_path, mode)
    found, errors = end_command(BOOST, tmp_path, sent)
    assert found == code
    if how:
        assert errors.startswith(f"{how}; every finished block of games is kept. Go on with: ")
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_an_interrupt_ends_engines_that_think(tmp_path):
    write(tmp_path, "hang", bad="20")  # an arm that the check does not play
    process = start_command(["boost", "engine.toml", "--quiet", "--k", "40"], tmp_path)
    try:
        hanging = tmp_path / "hanging"
        wait_until(lambda: hanging.exists() or process.poll() is not None, "an engine thinks")
        process.send_signal(signal.SIGINT)
        code, _, errors = finish(process)
    finally:
        process.kill()
    assert code == 130, errors
    assert "Go on with: seedfolio boost engine.toml" in errors.splitlines()[-1]
    assert not left_behind(tmp_path)


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


@pytest.mark.slow
def test_nothing_in_the_current_folder_runs(tmp_path):
    """The command starts Python again, to end engines after it."""
    (tmp_path / "seedfolio").mkdir()
    for name in ("subprocess", "secrets", "seedfolio/__init__"):
        (tmp_path / f"{name}.py").write_text("open('it-ran', 'w')")
    write(tmp_path, "well")
    # -P, as the command `seedfolio` does not look there itself.
    done = ran("-P", "-m", "seedfolio", "check", "engine.toml", cwd=tmp_path)
    assert "verdict       passed" in done.stdout, done
    assert not (tmp_path / "it-ran").exists()
