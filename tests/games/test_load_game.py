"""Games by their short form, from files of one's own, and positions by their moves."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from seedfolio.core.user_file import split_source
from seedfolio.errors import SpecificationError
from seedfolio.games import BUILT_IN, game_kinds, load_game
from seedfolio.programs.load import load_program
from seedfolio.testing import ConformanceError

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "three_in_a_row.py"


@pytest.mark.parametrize(
    ("text", "parameters", "short"),
    [
        ("domineering", {"rows": 7, "columns": 7}, "domineering:7x7"),
        ("domineering:5x6", {"rows": 5, "columns": 6}, "domineering:5x6"),
        ("domineering:columns=4", {"rows": 7, "columns": 4}, "domineering:7x4"),
        ("atari-go:size=5", {"size": 5}, "atari-go:5x5"),
        (
            "breakthrough:6x6, pawn_rows=1",
            {"rows": 6, "columns": 6, "pawn_rows": 1},
            "breakthrough:6x6,pawn_rows=1",
        ),
    ],
)
def test_short_forms(text: str, parameters: dict[str, int], short: str) -> None:
    found = load_game(text)
    assert found.parameters == parameters
    assert found.text == found.source == short
    assert found.title == short.replace(":", " ").replace(",", " ")
    assert load_game(short).identity() == found.identity()


def imported(path: Path) -> ModuleType:
    """Return the module in a file, loaded as Python loads modules."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_a_game_of_ones_own_is_found_again() -> None:
    found = imported(EXAMPLE).three_in_a_row(size=4)
    assert load_game(f"{EXAMPLE}:size=4").identity() == found.identity()
    assert found.text == "three-in-a-row:4x4"
    assert found.source == f"{EXAMPLE}:size=4"
    assert load_game(found.source).identity() == found.identity()


def test_a_game_typed_into_a_session_names_the_file_to_write() -> None:
    session: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(EXAMPLE.read_text(), "<stdin>", "exec"), session)
    assert session["three_in_a_row"](size=4).source == "three-in-a-row.py:size=4"


SMALL = """
from dataclasses import replace
from seedfolio.games.domineering import domineering
from seedfolio.games.kind import game

@game("domineering", version=1, summary="no more than its name")
def mine(offset: int = 0):
    return replace(domineering.build(4 + offset, 4), max_moves={most})
"""


def test_parameters_below_zero_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(SMALL.format(most=12))
    found = imported(path).mine(offset=-1)
    assert found.source == f"{path}:offset=-1"
    assert load_game(found.source).identity() == found.identity()


def test_a_game_of_ones_own_is_checked_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(SMALL.format(most=3))
    with pytest.raises(ConformanceError, match=r"moves returns .*, not 0 to max_moves=3"):
        load_program(imported(path).mine(), "uct:simulations=1")


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("domineering", ("domineering", "")),
        ("breakthrough:6x6,pawn_rows=1", ("breakthrough", "6x6,pawn_rows=1")),
        ("good.py:", ("good.py", "")),
        ("far/.pyenv/games/good.py:size=3", ("far/.pyenv/games/good.py", "size=3")),
        ("old.py/good.py", ("old.py/good.py", "")),
        ("C:\\games\\good.py:size=3", ("C:\\games\\good.py", "size=3")),
        ("a:b.py:c/good.py:3x3", ("a:b.py:c/good.py", "3x3")),
        ("two\nlines.py:3x3", ("two\nlines.py", "3x3")),
    ],
)
def test_the_halves_of_a_source(text: str, halves: tuple[str, str]) -> None:
    assert split_source(text) == halves


def test_the_list_of_games() -> None:
    assert [kind.name for kind in game_kinds()] == list(BUILT_IN)
    assert all(kind.summary and kind.version >= 1 for kind in game_kinds())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dominering", "unknown game 'dominering'; did you mean domineering"),
        ("shogi", "unknown game 'shogi'; there are domineering"),
        ("", "unknown game ''"),
        ("domineering:7", "domineering: '7' is neither a board such as 7x7 nor name=number"),
        ("domineering:7x7x7", "'7x7x7' is neither"),
        ("domineering:rows=three", "domineering: rows takes a number, not 'rows=three'"),
        ("domineering:depth=3", "domineering has no parameter 'depth'; it has rows, columns"),
        ("go:komi=99999999999999999999", r"go: komi=.* is not below 2\*\*31 in size"),
        ("go:komi=-2147483648.5", r"go: komi=.* is not below 2\*\*31 in size"),
        ("atari-go:5x7", "atari-go takes a square board, not 5x7"),
        ("missing.py", "there is no game file missing.py"),
    ],
)
def test_games_that_cannot_be(text: str, message: str) -> None:
    with pytest.raises(SpecificationError, match=message) as caught:
        load_game(text)
    assert "\n" not in str(caught.value)


def test_a_file_named_without_its_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "clobber.py").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        SpecificationError, match=r"unknown game 'clobber'; did you mean clobber\.py"
    ):
        load_game("clobber")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "has 0 functions marked @game; it needs exactly one"),
        ("1 / 0", "fails to load: ZeroDivisionError: division by zero"),
        ("def", "fails to load: SyntaxError"),
        ("from seedfolio.games.domineering import domineering", "has 0 functions marked @game"),
    ],
)
def test_files_that_hold_no_game(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(content)
    with pytest.raises(SpecificationError, match=message) as caught:
        load_game(str(path))
    assert "mine.py" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_moves_by_name() -> None:
    found = load_game("domineering:4x4")
    assert found.parse_move(" A1A2 ") == found.parse_move("a1a2")
    assert found.move_name(found.parse_move("c1c2")) == "c1c2"
    with pytest.raises(
        SpecificationError, match=r"'a1a3' is not a move of domineering 4x4; .* a1a2"
    ):
        found.parse_move("a1a3")


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ([999], r"move 1 \(number 999\) is illegal"),
        ([-1], r"move 1 \(number -1\) is illegal"),
        ([0, 0], r"move 2 \(a1a2\) is illegal"),
        ([0, 1], r"move 2 \(b1b2\) is illegal"),
    ],
)
def test_positions_that_cannot_be(history: list[int], message: str) -> None:
    with pytest.raises(SpecificationError, match=f"^domineering 4x4: {message}$"):
        load_game("domineering:4x4").position(history)


def test_a_kind_of_game_takes_sizes_in_order():
    from seedfolio.games.domineering import domineering
    from seedfolio.programs.built_in import load_built_in

    assert domineering(4, 5).text == "domineering:4x5"
    assert domineering(4, columns=5).text == "domineering:4x5"
    assert load_built_in(domineering).game.text == domineering().text
    with pytest.raises(SpecificationError, match="takes 2 parameters, not 3"):
        domineering(4, 5, 6)


OUT_OF_RANGE = {
    "atari-go": "4x4 10x10 5x6",
    "batoo": "4x4 10x10 5x5,base=0 5x5,base=6 5x5,komi=0.3",
    "breakthrough": "4x5 5x9 5x5,pawn_rows=3 6x6,pawn_rows=0",
    "domineering": "0x5 12x11 129x1 1x27",
    "go": "4x4 10x10 5x6 5x5,komi=3.25",
    "havannah": "base=3 base=11 base=5,swap=2 7x7",
    "hex": "2x2 12x12 5x6 5x5,swap=2",
    "kuhn-poker": "players=4",
    "liars-dice": "sides=1",
    "morra": "fingers=1 fingers=11 rounds=0",
    "phantom-four": "3x7 6x9 9x4 4x3",
    "phantom-go": "4x4 10x10 5x5,komi=3.25 5x5,openspiel=2",
    "pig": "target=0 sides=1 horizon=0 target=1001",
}


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, each) for name, all_ in OUT_OF_RANGE.items() for each in all_.split()],
)
def test_parameters_out_of_range(name: str, options: str) -> None:
    with pytest.raises(SpecificationError, match=f"^{name}"):
        load_game(f"{name}:{options}")
