"""A player of a user's own, in one file: loaded, named, found again, and its mistakes."""

from ast import literal_eval

import pytest
from case_files import cases, programs
from one_line import one_line

from seedfolio import Program, boost, load_boosted, load_game, load_player, load_program, trusting
from seedfolio.errors import PortfolioError, SpecificationError

(PLAYER,) = programs(__file__)


def written(folder, *edits):
    text = PLAYER
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / "any_move.py"
    path.write_text(text)
    return path


def test_its_text_loads_again_and_names_a_study_without_folders(tmp_path):
    path = written(tmp_path)
    player = load_player(f"{path}:weight=1.50")
    assert player.text == f"{path}:shift=0,weight=1.5"
    assert load_player(player.text).text == player.text
    assert player.parameters == {"shift": 0, "weight": "1.5"}
    assert (player.name, player.version, player.stochastic) == ("any-move", 1, False)
    assert Program(load_game("nim"), player).study_name == "nim-any_move:shift=0,weight=1.5"


@pytest.mark.parametrize(("given", "message"), cases(__file__, "mistakes on loading", literal_eval))
def test_mistakes_on_loading(tmp_path, given, message):
    options, edits = given
    with one_line(message):
        load_player(f"{written(tmp_path, *edits)}:{options}")


def test_no_file(tmp_path):
    with pytest.raises(SpecificationError, match=r"there is no player file .*missing\.py$"):
        load_player(str(tmp_path / "missing.py"))


MISTAKES = cases(__file__, "mistakes in play", literal_eval)


@pytest.mark.parametrize(
    ("edits", "message"),
    [MISTAKES[0], *(pytest.param(*each, marks=pytest.mark.slow) for each in MISTAKES[1:])],
)
def test_mistakes_in_play(tmp_path, edits, message):
    with one_line(message):
        load_program("nim", str(written(tmp_path, *edits)))


@pytest.mark.slow
def test_a_portfolio_finds_its_player(tmp_path, monkeypatch):
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
