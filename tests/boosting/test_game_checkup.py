"""`check` of a game: what it says of a good one, a wrong one and a doubtful one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seedfolio import SpecificationError, check
from seedfolio.boosting.game_checkup import GameCheckup
from seedfolio.cli import run
from seedfolio.conformance.check import RandomGames
from seedfolio.games import load_game

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "three_in_a_row.py"


def written(folder: Path, old: str, new: str) -> Path:
    text = EXAMPLE.read_text()
    assert old in text
    path = folder / "mine.py"
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.slow
def test_a_good_game_passes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", f"{EXAMPLE}:size=4", "--games", "30"]) == 0
    title, *lines = capsys.readouterr().out.splitlines()
    assert title == "three-in-a-row 4x4: version 1, perfect information"
    names = [line[:13].strip() for line in lines]
    assert names == ["random games", "moves", "random moves", "players", "speed", "verdict"]
    assert lines[0].startswith("random games  30, of ")
    assert lines[-1] == "verdict       passed"


@pytest.mark.slow
def test_a_built_in_game_as_data() -> None:
    found = check("pig", games=20)
    assert isinstance(found, GameCheckup)
    assert found.passed
    data = json.loads(json.dumps(found.as_data()))
    assert (data["name"], data["games"]) == ("pig", 20)
    assert data["first_wins"] + data["draws"] + data["second_wins"] == 20
    assert 0 < data["shortest"] <= data["longest"]
    assert found.text.startswith("pig: version 1, perfect information and chance\n")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("    return Rules(", "    Rules(", "three-in-a-row: the function marked @game returns "
         "nothing; end it with return Rules(...)"),
        ("@game(", "# @game(", "game file FILE has 0 functions marked @game; it needs exactly one"),
        ("max_plies=area", "max_plies=-1", "three-in-a-row 3x3: max_plies is -1; it must be a whole"
         " number from 0 up"),
        ("out[at + n] = cell", "out[at + n] = cell + 0 * np.random.randint(2)", "three-in-a-row "
         "3x3: moves uses numpy.random; rules must not draw random numbers, a die is a mover: "
         "CHANCE"),
        ("import numpy", "import nunpy", "game file FILE fails to load: ModuleNotFoundError: No "
         "module named 'nunpy'"),
    ],
)  # fmt: skip
def test_a_wrong_game_gets_one_line(
    tmp_path: Path, old: str, new: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, old, new)
    expected = problem.replace("FILE", str(path))
    found = check(path)
    assert not found.passed
    assert found.text == expected
    assert found.as_data()["passed"] is False
    assert run(["check", str(path)]) == 1
    assert capsys.readouterr().out == f"{expected}\n"


@pytest.mark.slow
def test_a_helper_of_plain_python_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "    @compiled\n    def lost", "    def lost")
    found = check(path)
    assert not found.passed
    assert "does not compile: lost is not marked @compiled (line " in found.text


@pytest.mark.parametrize("text", ["no_such_game", "missing.py", "nim:stones=3"])
def test_what_is_no_game_is_an_error(text: str) -> None:
    with pytest.raises(SpecificationError):
        check(text)


def test_no_random_games() -> None:
    with pytest.raises(SpecificationError, match="`games` must be 1 or more, not 0"):
        check("nim", games=0)


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
def test_a_side_that_never_wins_gets_a_warning(scores: tuple[int, ...], warning: str) -> None:
    played = RandomGames((3,) * len(scores), scores)
    found = GameCheckup("nim", load_game("nim"), "", played, 1000.0)
    assert found.passed
    shown = [line for line in found.text.splitlines() if line.startswith("warning")]
    assert len(shown) == (warning is not None)
    assert not warning or warning in shown[0]
