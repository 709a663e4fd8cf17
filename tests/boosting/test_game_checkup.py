"""`check` of a game: what it says of a good one, a wrong one and a doubtful one."""

import json
import signal
from pathlib import Path

import pytest
from waiting import finish, start_command, wait_until

from seedfolio import GameCheckup, check, load_game
from seedfolio.cli import run
from seedfolio.conformance.check import RandomGames

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "three_in_a_row.py"


def written(folder, old, new):
    text = EXAMPLE.read_text()
    assert old in text
    path = folder / "mine.py"
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.slow
def test_a_good_game_passes():
    found = check(EXAMPLE, games=30)
    assert isinstance(found, GameCheckup)
    data = json.loads(json.dumps(found.as_data()))
    assert (data["name"], data["games"], found.passed) == ("three-in-a-row", 30, True)
    assert data["first_wins"] + data["draws"] + data["second_wins"] == 30
    assert 0 < data["shortest"] <= data["longest"]
    title, *lines = found.text.splitlines()
    assert title == "three-in-a-row 3x3: version 1, perfect information"
    names = [line[:13].strip() for line in lines]
    assert names == ["random games", "moves", "random moves", "players", "speed", "verdict"]
    assert lines[0].startswith("random games  30, of ")
    assert lines[-1] == "verdict       passed"


NUMPY = "import numpy as np"
WRONG = [
    ("    return Rules(", "    Rules(", ["returns nothing", "return Rules(...)"]),
    (NUMPY, "import nunpy", ["FILE fails to load: ModuleNotFoundError: No module named 'nunpy'"]),
    ("out[at + n] =", "out[at + n + 10**12] =", ["Segmentation fault", "playing random game 1"]),
    (NUMPY, "import os\nos._exit(0)", ["FILE: ", "exit code 0 while loading"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new", "said"), WRONG, ids=[each[2][-1] for each in WRONG])
def test_a_wrong_game_gets_one_line(tmp_path, old, new, said, capfd):
    path = written(tmp_path, old, new)
    if len(said) == 1:
        found = check(path)
        assert not found.passed
        assert found.as_data()["passed"] is False
        text = found.text
    else:
        assert run(["check", str(path)]) == 1
        text, errors = capfd.readouterr()
        assert (text.count("\n"), text[-1], errors) == (1, "\n", "")
    assert all(words.replace("FILE", str(path)) in text for words in said), text


@pytest.mark.slow
def test_a_game_without_end_has_so_much_time(tmp_path, capfd):
    loop = "x = int64(1)\n        while x != 0:\n            x = x * 6364136223846793005 + 1\n"
    path = written(tmp_path, "        n = 0\n", f"        n = 0\n        {loop}")
    assert run(["check", str(path), "--seconds", "3"]) == 1
    said, errors = capfd.readouterr()
    assert said.startswith(f"{path}: not done after 3 seconds of CPU time while ")
    assert said.endswith("; a loop may have no end, or it needs more --seconds\n")
    assert errors == ""


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc here")
@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_its_process_ends_with_the_command(tmp_path, sent):
    lines = "import os, pathlib\npathlib.Path('a').write_text(str(os.getpid()))\n"
    lines += "os.rename('a', 'process')\nwhile True:\n    pass"
    written(tmp_path, "import numpy as np", lines)
    command = start_command(["check", "mine.py"], tmp_path)
    wait_until((tmp_path / "process").exists, "the game is loaded")
    process = Path("/proc") / (tmp_path / "process").read_text()
    assert process.exists()
    command.send_signal(sent)
    code, out, err = finish(command)
    assert code == (130 if sent == signal.SIGINT else -sent)
    assert (out, err.count("\n")) == ("", 0 if sent == signal.SIGKILL else 1)
    wait_until(lambda: not process.exists(), "the check ends")


@pytest.mark.parametrize(
    ("scores", "warning"),
    [
        ((2, 0) * 20, None),
        ((2, 1) * 20, "the second player never wins in 40 random games"),
        ((0, 1) * 20, "the first player never wins in 40 random games"),
        ((1,) * 40, "neither player wins in 40 random games"),
        ((2,) * 5, None),
    ],
)
def test_a_side_that_never_wins_gets_a_warning(scores, warning):
    played = RandomGames((3,) * len(scores), scores)
    found = GameCheckup("nim", load_game("nim"), "", played, 1000.0)
    assert found.passed
    shown = [line for line in found.text.splitlines() if line.startswith("warning")]
    assert len(shown) == (warning is not None)
    assert not warning or warning in shown[0]
