"""A command that ends, in whatever way, ends the programs that it has started."""

import signal

import pytest
from external import left_behind, scripted_text
from waiting import end_command, finish, start_command, wait_until

WAYS = {
    signal.SIGINT: (130, "interrupted"),
    signal.SIGTERM: (143, "terminated"),
    signal.SIGHUP: (143, "terminated"),
    signal.SIGKILL: (-signal.SIGKILL, ""),
}
BOOST = ["boost", "engine.toml", "--k", "60", "--kt", "60", "--opponents", "60", "--quiet"]


def write(folder, mode, bad="0"):
    setup = 'setup = ["seed {seed}"]'
    text = scripted_text(folder, mode, seed="0", bad=bad, more=setup)
    (folder / "engine.toml").write_text(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "mode"), [*((sent, "fork") for sent in WAYS), (signal.SIGKILL, "escape")]
)
def test_engines_end_with_the_command(sent, mode, tmp_path):
    # Each program has a child that is deaf to SIGTERM and would live on if the command just died.
    write(tmp_path, mode)
    code, errors = end_command(BOOST, tmp_path, sent)
    expected, how = WAYS[sent]
    assert code == expected
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
