"""A command that ends, in whatever way, ends the programs that it has started."""

import signal

import pytest
from external import left_behind, scripted_text
from waiting import end_command

WAYS = {
    signal.SIGINT: (130, "interrupted"),
    signal.SIGTERM: (143, "terminated"),
    signal.SIGHUP: (143, "terminated"),
    signal.SIGKILL: (-signal.SIGKILL, ""),
}
BOOST = ["boost", "engine.toml", "--k", "60", "--kt", "60", "--opponents", "60", "--quiet"]


def write(folder, mode):
    setup = 'setup = ["seed {seed}"]'
    text = scripted_text(folder, mode, seed="0", bad="0", more=setup)
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


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("sent", WAYS)
def test_nothing_is_left_in_a_hundred_endings(sent, tmp_path):
    """25 for each way to end it; the study goes on each time."""
    for turn in range(25):
        mode = ("well", "fork", "escape")[turn % 3]
        folder = tmp_path / mode
        if not folder.exists():
            folder.mkdir()
            write(folder, mode)
        assert end_command(BOOST, folder, sent)[0] == WAYS[sent][0]
        assert not left_behind(folder), (turn, sent)
