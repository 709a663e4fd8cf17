"""Games by their short form, from files of one's own, and positions by their moves."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from case_files import cases, programs
from one_line import one_line

from seedfolio import ConformanceError, SpecificationError, load_game, load_program
from seedfolio.core.user_file import split_source
from seedfolio.games.domineering import domineering
from seedfolio.programs.built_in import load_built_in

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "three_in_a_row.py"


@pytest.mark.parametrize(
    ("text", "parameters", "short"),
    [
        ("domineering", {"rows": 7, "columns": 7}, "domineering:7x7"),
        ("domineering:5x6", {"rows": 5, "columns": 6}, "domineering:5x6"),
        ("domineering:columns=4", {"rows": 7, "columns": 4}, "domineering:7x4"),
        ("atari-go:size=5", {"size": 5}, "atari-go:5x5"),
        ("go:7x7, komi=3", {"size": 7, "komi": 3}, "go:7x7,komi=3.0"),
    ],
)
def test_short_forms(text, parameters, short):
    found = load_game(text)
    assert found.parameters == parameters
    assert found.text == found.source == short
    assert found.title == short.replace(":", " ").replace(",", " ")
    assert load_game(short).identity() == found.identity()


def imported(path):
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_a_game_of_ones_own_is_found_again():
    found = imported(EXAMPLE).three_in_a_row(size=4)
    assert load_game(f"{EXAMPLE}:size=4").identity() == found.identity()
    assert (found.text, found.source) == ("three-in-a-row:4x4", f"{EXAMPLE}:size=4")
    typed = {"__name__": "__main__"}  # into a session
    exec(compile(EXAMPLE.read_text(), "<stdin>", "exec"), typed)
    assert typed["three_in_a_row"](size=4).source == "three-in-a-row.py:size=4"


(SMALL,) = programs(__file__)


@pytest.mark.slow
def test_a_game_named_as_a_built_in_one_is_found_again_and_checked(tmp_path):
    path = tmp_path / "small.py"
    path.write_text(SMALL)
    found = imported(path).mine(offset=-1)
    assert found.source == f"{path}:offset=-1"
    assert load_game(found.source).identity() == found.identity()
    with pytest.raises(ConformanceError, match=r"moves returns .*, not 0 to max_moves=3"):
        load_program(found, "uct:simulations=1")


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
def test_the_halves_of_a_source(text, halves):
    assert split_source(text) == halves


@pytest.mark.parametrize(("text", "message"), cases(__file__, "games that cannot be"))
def test_games_that_cannot_be(text, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "clobber": "",
        "empty": "",
        "other": "from seedfolio.games.domineering import domineering",
        "broken": "1 / 0",
        "typo": "def",
    }.items():
        Path(f"{name}.py").write_text(content)
    with one_line(message):
        load_game(text)


GAME = load_game("domineering:4x4")
NAMES = ["b1b2", "c3d3", " A1a2 "]
NUMBERS = [GAME.parse_move(name) for name in NAMES]


@pytest.mark.parametrize(
    "history", [NAMES, tuple(NAMES), [NUMBERS[0], *NAMES[1:]], np.array(NUMBERS)], ids=str
)
def test_moves_by_name_and_number(history):
    assert GAME.position(history).moves == GAME.position(NUMBERS).moves
    assert GAME.information(history, 1).events == GAME.information(NUMBERS, 1).events
    assert GAME.picture(history) == GAME.picture(NUMBERS)
    assert GAME.draw(history) == GAME.draw(NUMBERS)
    program = load_program(GAME, "uct:simulations=5")
    assert program.choose(history, 7) == program.choose(NUMBERS, 7)


def test_a_name_that_is_a_number_is_a_name():
    pig = load_game("pig:target=15,horizon=9")
    roll, three = pig.parse_move("roll"), pig.parse_move("3")
    assert three != 3
    assert pig.position(["roll", "3"]).moves == pig.position([roll, three]).moves
    assert pig.odds(["roll"]) == pig.odds([roll])
    assert pig.draw_outcome(["roll"], 5) == pig.draw_outcome([roll], 5)


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (["b1b2", "z9"], "'z9' is not a move of domineering 4x4; .* a1a2"),
        (["b1b2", "B1B2"], r"^domineering 4x4: move 2 \(b1b2\) is illegal$"),
        ([999], r"^domineering 4x4: move 1 \(number 999\) is illegal$"),
        ([-1], r"move 1 \(number -1\) is illegal"),
        ([0, 1], r"move 2 \(b1b2\) is illegal"),
        ("b1b2", r"a list such as \['b1b2'\], not the text itself"),
        ([None], "a move is a number or a name, not None"),
        ([2**70], "no move has such a number"),
    ],
)
def test_what_is_no_move(history, message):
    for ask in (GAME.position, lambda moves: load_program(GAME, "uct").choose(moves, 1)):
        with pytest.raises(SpecificationError, match=message):
            ask(history)


def test_a_kind_of_game_takes_sizes_in_order():
    assert domineering(4, 5).text == domineering(4, columns=5).text == "domineering:4x5"
    assert load_built_in(domineering).game.text == domineering().text
    with pytest.raises(SpecificationError, match="takes 2 parameters, not 3"):
        domineering(4, 5, 6)
