"""A player of a user's own, in one file: loaded, named, found again, and its mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from seedfolio import boost, load_boosted, load_game, load_player, load_program, trusting
from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.players.program import Program

PLAYER = """
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

import numpy as np

from seedfolio import Bound, below, compiled, move_key


@dataclass(frozen=True)
class AnyMove:
    shift: int = 0
    weight: Decimal = Decimal("0.5")

    name: ClassVar[str] = "any-move"
    version: ClassVar[int] = 1

    def __post_init__(self):
        if self.shift < 0:
            raise ValueError("shift must be 0 or more")

    def bind(self, game):
        moves = game.functions["moves"]

        @compiled
        def choose(view, seed, moment, knobs, workspace):
            count = moves(view, workspace, 0)
            return workspace[below(move_key(seed, moment[0], moment[1]), knobs[0], count)]

        return Bound(choose, choose, np.array([self.shift]), game.rules.max_moves)
"""


def written(folder: Path, *edits: tuple[str, str]) -> Path:
    text = PLAYER
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "any_move.py"
    path.write_text(text)
    return path


def test_its_text_loads_again_and_names_a_study_without_folders(tmp_path: Path) -> None:
    path = written(tmp_path)
    player = load_player(f"{path}:weight=1.50")
    assert player.text == f"{path}:shift=0,weight=1.5"
    assert load_player(player.text).text == player.text
    assert player.parameters == {"shift": 0, "weight": "1.5"}
    assert (player.name, player.version, player.stochastic) == ("any-move", 1, False)
    assert Program(load_game("nim"), player).study_name == "nim-any_move:shift=0,weight=1.5"


@pytest.mark.parametrize(
    ("options", "edits", "message"),
    [
        ("size=3", [], r"any_move.py has no parameter 'size'; it has shift, weight"),
        ("shift=x", [], "shift must be a number, not 'x'"),
        ("weight=nan", [], "weight must be a number, not NaN"),
        ("shift=-1", [], "shift must be 0 or more"),
        ("", [("def bind", "def bound")], "has 0 classes with a bind method; it needs exactly one"),
        ("", [("\n\n\n@data", "\n\nclass B:\n    bind = len\n\n\n@data")], "has 2 classes with a"),
        ("", [("import numpy", "import no_such_numpy")], "fails to load: ModuleNotFoundError: No"),
        ("", [("import numpy as", "import numpy sa")], "fails to load: SyntaxError: "),
        ("", [("    name:", "    title:")], "class AnyMove needs a name, such as name: ClassVar"),
        ("", [("version: ClassVar[int] = 1", "")], "class AnyMove needs a version, such as"),
        ("", [("@dataclass(frozen=True)\n", "")], "mark class AnyMove with @dataclass"),
        ("", [("shift: int", "shift: bytes")], "shift is a parameter of type bytes; it must be"),
    ],
)
def test_mistakes_on_loading(
    tmp_path: Path, options: str, edits: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(SpecificationError, match=message) as caught:
        load_player(f"{written(tmp_path, *edits)}:{options}")
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(SpecificationError, match=r"there is no player file .*missing\.py$"):
        load_player(str(tmp_path / "missing.py"))


MISTAKES = [
    ([("max_moves)", "max_moves + 1, largest=5)"), ("return workspace", "workspace[16] = -99"
       "\n            return workspace")], r"leaves -99 in its workspace .*largest=5 says"),
    ([("return Bound(", "Bound(")], r"bind returns nothing; end it with return Bound\(...\)"),
    ([("functions[", "function[")], "bind raises AttributeError: 'Game' object has no"),
    ([("return workspace[", "return 99 + workspace[")], "which is no legal move at start"),
    ([("count = moves", "workspace[20] = 1\n            count = moves")], "writes outside of"),
    ([("@compiled", "plain = lambda x: x\n        @compiled"), ("count)]", "plain(count))]")],
     "does not compile: plain is not marked @compiled"),
    ([("workspace[below(move_key(seed, moment[0], moment[1]), knobs[0], count)]",
       "workspace[np.random.randint(count)]")], "choose uses numpy.random; all randomness"),
    ([("count = moves", "old = workspace[16]\n            workspace[16] = old + 1\n"
       "            count = moves"), ("knobs[0]", "old"), ("max_moves)", "max_moves + 1)")],
     "the same seeds play another game when played again"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("edits", "message"),
    [MISTAKES[0], *(pytest.param(*each, marks=pytest.mark.slow) for each in MISTAKES[1:])],
)
def test_mistakes_in_play(tmp_path: Path, edits: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(SpecificationError, match=message) as caught:
        load_program("nim", str(written(tmp_path, *edits)))
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_portfolio_finds_its_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    boosted = boost("nim", "any_move.py:shift=3", k=8, kt=4, opponents=17, learners=["nash"])
    (path,) = (file.resolve() for file in boosted.save_portfolios().values())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    # In the folder above that of the portfolio, then beside it.
    assert load_boosted(path).program.player.parameters["shift"] == 3
    (tmp_path / "any_move.py").rename(path.parent / "any_move.py")
    with pytest.raises(PortfolioError, match=r"would run the Python file .*any_move\.py"):
        load_boosted(path)  # the study was made with one that lay elsewhere
    with trusting():
        assert load_boosted(path).program.player.name == "any-move"
    (path.parent / "any_move.py").unlink()
    with pytest.raises(PortfolioError, match="there is no player file"):
        load_boosted(path)
