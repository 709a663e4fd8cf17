"""Several players as one program: which seed plays as whom, names, studies, what was drawn."""

import json
from pathlib import Path

import numpy as np
import pytest
from case_files import cases
from one_line import one_line

from seedfolio import boost, load_boosted, load_player, load_program, new_player, show
from seedfolio.errors import SpecificationError
from seedfolio.players.several import MOST_PLAYERS
from seedfolio.tuning.changed import varied
from seedfolio.tuning.parameter import parse_parameters

GAME = "domineering:4x4"
PLAYERS = "uct:simulations=5", "rave:simulations=5", "alphabeta:depth=1"
SIZES = {"k": 12, "opponents": 34, "progress": False}

SEEDS = np.arange(24, dtype=np.uint64)


def played(program, rows=SEEDS, columns=SEEDS):
    return program.play(rows, columns, program.workspace())


def with_values(text, game=GAME, player="uct:simulations=5"):
    return varied(load_program(game, player), parse_parameters([text]))


@pytest.mark.parametrize("count", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_each_seed_plays_as_its_player(count):
    several = load_program(GAME, PLAYERS[:count])
    points, histories = played(several)
    for kind in range(count):
        alone = load_program(GAME, PLAYERS[kind])
        mine = SEEDS % count == kind
        expected = played(alone, SEEDS[mine], SEEDS[mine])
        assert (points[mine] == expected[0]).all()
        assert (histories[mine] == expected[1]).all()
    assert several.kind_of(SEEDS).tolist() == (SEEDS % count).tolist()


@pytest.mark.parametrize("count", [2, 3, 5])
def test_in_learning_games_each_player_meets_each_equally_often(count):
    program = load_program("domineering:4x4", [f"uct:simulations={2 + n}" for n in range(count)])
    ours, theirs = program.book_arms(np.arange(2 * count**2, dtype=np.uint64))
    assert not np.equal(ours, theirs).any()
    met = np.zeros((count, count), int)
    np.add.at(met, (program.kind_of(ours), program.kind_of(theirs)), 1)
    assert (met == 2).all()


def test_players_that_differ_in_a_number_share_their_code_and_not_their_games():
    several = with_values("exploration=0.1,9", player="uct:simulations=50")
    assert several.kinds == ("exploration=0.1", "exploration=9")
    _, histories = played(several)
    other = played(load_program(GAME, "uct:simulations=50,exploration=0.1"))[1]
    same = histories == other
    assert same[SEEDS % 2 == 0].all()
    assert not same[SEEDS % 2 == 1].all()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("uct+uct", "uct:simulations=100 is named twice"),
        ("uct+rvae", "unknown player 'rvae'; did you mean rave"),
        ("uct+", r"uct\+"),
        ("+".join(f"uct:simulations={n}" for n in range(1, MOST_PLAYERS + 2)), "25 players"),
        ("uct+flat:playouts=0", "playouts=0"),
    ],
)
def test_texts_that_are_no_players(text, message):
    with one_line(message):
        load_player(text)


@pytest.mark.parametrize(("text", "message"), cases(__file__, "values that do not vary"))
def test_values_that_do_not_vary(text, message):
    with pytest.raises(SpecificationError, match=message):
        with_values(text)


def test_several_players_do_not_vary():
    with pytest.raises(SpecificationError, match="several players; vary one"):
        with_values("exploration=1,2", player="uct+rave")


def test_two_values_are_arms_of_one_study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    boosted = boost(GAME, "uct:simulations=5", vary="exploration=0.2,9", **SIZES, learners="nash")
    kinds = boosted.kinds
    assert list(kinds.against) == ["exploration=0.2", "exploration=9"]
    weights = boosted.portfolios["nash"].first
    drawn = sum(weight for arm, weight in weights.items() if arm % 2 == 0)
    assert kinds.first["nash"] == pytest.approx((drawn, 1 - drawn))
    # Both colours: what one kind wins of the other, the other loses, but for the seeds they met.
    each = {row.name: row.each for row in boosted.rows}["nash"]
    row = next(row for row in boosted.rows if row.name == "nash")
    assert np.mean([one.mean for one in each]) == pytest.approx(row.estimates[0].mean)
    assert kinds.text in boosted.remarks
    (path,) = boosted.save_portfolios().values()
    file = load_boosted(path)
    assert file.program.kinds == tuple(kinds.against)
    assert "uct:simulations=5,exploration=0.2" in json.loads(path.read_text())["player"]["source"]
    picture = tmp_path / "kinds.svg"
    show(boosted, plot_kinds=picture)
    assert "exploration=9" in picture.read_text()
    assert boosted.as_data()["kinds"]["first"]["nash"] == list(kinds.first["nash"])
    again = boost(GAME, "uct:simulations=5", vary="exploration=0.2,9", **SIZES, learners="nash")
    assert again.as_data() == boosted.as_data()


@pytest.mark.parametrize("arms", [{"k": 6, "opponents": 2}, {"k": 2, "opponents": 6}])
def test_arms_too_few_to_have_each_kind_are_not_compared_by_kind(arms):
    vary = "exploration=0.2,1,9"
    more = {"study": ":memory:", "learners": "best-half"}
    boosted = boost(GAME, "uct:simulations=5", vary=vary, **arms, kt=2, **more)
    assert boosted.kinds is None
    assert json.loads(json.dumps(boosted.as_data(), allow_nan=False))["rows"]
    with pytest.raises(SpecificationError, match="no kinds of arms to compare"):
        boosted.plot_kinds()


def test_many_values_have_a_name_that_disks_take(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vary = ["exploration=0.2,9", "simulations=3..6"]
    boosted = boost(GAME, "uct", vary=vary, **SIZES, learners="best-seed")
    assert len(boosted.kinds.against) == 8
    assert all(len(path.name) < 200 for path in boosted.save_portfolios().values())


@pytest.mark.slow
def test_a_players_file_is_one_of_several(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = Path(new_player("any_move.py")).read_text()
    boosted = boost(GAME, ["any_move.py", "uct:simulations=5"], **SIZES, learners="nash")
    (path,) = (file.resolve() for file in boosted.save_portfolios().values())
    monkeypatch.chdir(path.parent)
    assert load_boosted(path).program.kinds[1] == "uct:simulations=5"
    (tmp_path / "any_move.py").write_text(own.replace("def bind", "def bound"))
    with pytest.raises(SpecificationError, match="bind"):
        load_program(GAME, ["../any_move.py", "uct"])


def test_an_engine_varies_its_options_its_flags_and_what_it_is_asked(tmp_path):
    file = tmp_path / "engine.toml"
    file.write_text(
        """
        [game]
        name = "domineering:4x4"

        [player]
        protocol = "uci"
        command = ["engine", "--level", "3", "--seed={seed}"]
        go = "nodes 200"
        options = {Style = "Solid"}
        """
    )
    choices = parse_parameters(["Style=Solid,Wild", "nodes=100,200", "level=1..3"])
    program = varied(load_program(str(file)), choices)
    grid = program.specification.arms.grid
    assert grid == {"style": ["Solid", "Wild"], "nodes": ["100", "200"], "level": ["1", "2", "3"]}
    table = program.specification.player
    assert (table.options, table.go) == ({"Style": "{style}"}, "nodes {nodes}")
    assert table.command == ["engine", "--level", "{level}", "--seed={seed}"]
    assert len(program.kinds) == 12
    for number, kind in zip(range(9), program.kind_of(SEEDS[:9]), strict=True):
        values = program.arm(number).values
        assert all(f"{name}={values[name]}" in program.kinds[kind] for name in grid)
    assert program.study_name.startswith("engine-Style=Solid,Wild")
    with pytest.raises(SpecificationError, match="varies level already"):
        varied(program, parse_parameters(["level=1,2"]))
