"""Tuning: what is found in simulations, and real games of players and engines."""

import json
from dataclasses import replace
from decimal import Decimal
from math import log

import numpy as np
import pytest
from experiments.tuning_peers import METHODS, SUCCESS, loss, success_of
from external import numbered_text, scripted_text
from waiting import killed

from seedfolio import (
    SpecificationError,
    StudyError,
    boost,
    load_player,
    load_program,
    match,
    new_game,
    tune,
)
from seedfolio.arena import Run
from seedfolio.arena.threads import ThreadArena
from seedfolio.boosting.tune import FEWEST_GAMES, Record, Tuning
from seedfolio.engines.meeting import guest_arms, meeting
from seedfolio.engines.specification.openings import load_openings
from seedfolio.players.several import Duel
from seedfolio.tuning.changed import advice, changed, declared, known_value
from seedfolio.tuning.games import Games, Pairs, open_games
from seedfolio.tuning.parameter import Parameter, parse_parameters
from seedfolio.tuning.search import candidates


class Simulated:
    def __init__(self, success, seed):
        self.given = load_program("domineering:4x4", "uct:simulations=5,exploration=1.4")
        self.success, self.rng = success, np.random.default_rng(seed)

    def scores(self, asked, unseen=False):
        for each in asked:
            yield self.rng.binomial(2, self.success(each.changed.player), each.count) / 2


def tuned(success, seed, budget=20_000, ranges=("exploration=0.05..2",)):
    ranges, games = parse_parameters(ranges), Simulated(success, seed)
    record = Record(asked={"budget": budget})
    return Tuning(games, ranges, record, None, Run()).complete(seed)


def curve(board):
    return lambda player: success_of(board, float(player.exploration))


@pytest.mark.parametrize(
    "board",
    [pytest.param(each, marks=pytest.mark.slow if each[0] != "g" else ()) for each in SUCCESS],
)
def test_the_best_exploration_is_found(board):
    success = curve(board)
    found = [tuned(success, seed) for seed in range(10)]
    losses = [max(SUCCESS[board]) / 100 - success(each.program.player) for each in found]
    assert sum(loss < 0.0151 for loss in losses) >= 9
    inside = sum(e.success.low <= success(e.program.player) <= e.success.high for e in found)
    assert inside >= 8


@pytest.mark.parametrize("method", ["seedfolio tune", "sequential halving, parabola", "SPSA"])
def test_methods_that_the_documentation_compares_come_near_the_best(method):
    losses = [loss(METHODS[method], "go 7x7", 15_000, key) for key in range(5)]
    assert np.mean(losses) < 0.03
    assert np.median(losses) < loss(lambda *_: 1.0, "go 7x7", 0, 0)


def test_two_parameters_and_a_choice(tmp_path):
    def success(player):
        leaf = 0.04 * (player.leaf == "evaluation")
        return 0.6 + leaf - 0.06 * log(float(player.exploration) / 0.3) ** 2

    found = tuned(success, 1, ranges=("exploration=0.05..2", "leaf=playout,evaluation"))
    assert found.better
    assert success(found.program.player) > 0.62
    lines = found.table().markdown().splitlines()
    assert "█" in lines[-1] or "█" in lines[-2]
    titles = [axes.get_xlabel() for axes in found.plot(tmp_path / "curve.svg").axes]
    assert titles == ["exploration", "leaf"]
    assert "</svg>" in (tmp_path / "curve.svg").read_text()


@pytest.mark.slow
def test_nothing_is_claimed_where_nothing_differs():
    found = [tuned(lambda player: 0.5, seed, budget=2_000) for seed in range(200)]
    assert sum(each.better for each in found) <= 10
    kept = [each for each in found if not each.better and each.judged]
    assert all(("luck" in each.text) == (each.success.mean > 0.5) for each in kept)
    assert len({each.text[-5:] for each in kept}) == 2
    assert all(
        each.program.player.exploration == Decimal("1.4") for each in found if not each.better
    )


def test_values_of_ranges():
    by_factors = Parameter.parse("exploration=0.05..2")
    assert (by_factors.value(0), by_factors.value(1)) == (Decimal("0.05"), 2)
    assert by_factors.value(0.5) == Decimal("0.32")
    assert Parameter.parse("x=0..1.0").value(0.5) == Decimal("0.5")
    whole = [value for (value,) in candidates(parse_parameters(["depth=2..6"]))]
    assert whole == [2, 3, 4, 5, 6]
    assert len(candidates(parse_parameters(["a=0..1.0", "b=x,y"]))) > 50


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "engine.toml"
    path.write_text(scripted_text(tmp_path, "fine", protocol="uci", more='go = "nodes 3"'))
    return path


MISTAKES = {
    "exploration": "cannot read the parameter 'exploration'",
    "exploration=2..1": "2 is not below 1",
    "exploration=1..x": "is not a range of numbers",
    "exploration=0.1": "are not two values or more",
    "exploration=0.1..200": "is not between 0 and 100",
    "simulations=1.5..9": "simulations takes whole numbers",
    "width=1..2": "has no parameter 'width'",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_mistakes(words):
    with pytest.raises(SpecificationError, match=MISTAKES[words]):
        tune("domineering:4x4", "uct:simulations=5", parameters=[words], record="never.json")


@pytest.mark.slow
def test_a_player_is_tuned_and_its_games_are_kept(tmp_path):
    ask = {"parameters": ["simulations=1..20"], "budget": 600, "record": tmp_path / "a.json"}
    found = tune("domineering:4x4", "uct:simulations=2", **ask)
    assert found.better
    assert found.setting[0] > 4
    again = tune("domineering:4x4", "uct:simulations=2", **ask)
    assert again.as_data() == found.as_data()
    played = match(found.program, "domineering:4x4@uct:simulations=2", games=400)
    assert abs(played.pairings[0].success.mean - found.success.mean) < 0.15
    with pytest.raises(StudyError, match="has another tuning"):
        tune("domineering:4x4", "uct:simulations=3", **ask)
    brief = {"parameters": ["simulations=1..20"], "minutes": 1e-6, "record": tmp_path / "c.json"}
    short = tune("domineering:4x4", "uct:simulations=2", **brief)
    assert json.loads((tmp_path / "c.json").read_text())["asked"]["budget"] == FEWEST_GAMES
    assert tune("domineering:4x4", "uct:simulations=2", **brief).as_data() == short.as_data()
    with pytest.raises(SpecificationError, match="two ways to say the same"):
        tune("domineering:4x4", "uct:simulations=2", **brief, budget=300)
    (tmp_path / "b.json").write_text("{}")
    with pytest.raises(StudyError, match="is not the record of a tuning"):
        tune("domineering:4x4", "uct:simulations=2", **{**ask, "record": tmp_path / "b.json"})


@pytest.mark.slow
def test_a_tuning_that_was_killed_goes_on(tmp_path):
    given, ask = "domineering:4x4@uct:simulations=2", {"parameters": ["simulations=1..20"]}
    words = ["tune", given, "--parameter", *ask["parameters"], "--budget", "600", "-q"]
    killed([*words, "--record", "a.json"], tmp_path, "after", "rename", "9")
    files = [tmp_path / name for name in ("a.json", "b.json")]
    broken, whole = (tune(given, record=file, budget=600, **ask) for file in files)
    assert broken.as_data() == whole.as_data()
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.slow
def test_an_engine_is_tuned(file, tmp_path):
    found = tune(file, parameters=["nodes=1..9"], budget=200, record=tmp_path / "a.json")
    assert {each.setting for each in found.tried} <= {(nodes,) for nodes in range(1, 10)}
    assert 'go = "nodes ' in found.tuned
    more = changed(load_program(file), {"nodes": 5, "Width": 2})
    assert (known_value(more, "nodes"), known_value(more, "Width")) == (5, 2)
    gtp = tmp_path / "gtp.toml"
    gtp.write_text(scripted_text(tmp_path, "fine"))
    with pytest.raises(SpecificationError, match="has no --level"):
        tune(gtp, parameters=["level=1..3"], record=tmp_path / "b.json")


class Counted(ThreadArena):
    calls = 0

    def play(self, program, rows, columns):
        self.calls += 1
        return super().play(program, rows, columns)


@pytest.mark.slow
def test_an_arena_gets_the_games_of_a_round_at_once_and_plays_those_of_each_setting():
    more = {"simulations": 9}, {"exploration": Decimal("0.1")}, {"simulations": 2}
    given = load_program("domineering:4x4", "uct:simulations=5")
    asked = [Pairs(changed(given, each), 7 * n, 3 + n) for n, each in enumerate(more)]
    asked.insert(1, replace(asked[0], count=0))
    arena = Counted(2)
    games = Games(given, Run(), arena)
    together = [each.tolist() for each in games.scores(asked)]
    assert arena.calls == 1
    assert [len(each) for each in together] == [3, 0, 4, 5]
    for each, scores in zip(asked, together, strict=True):
        duels = [Duel(each.changed.player, given.player), Duel(given.player, each.changed.player)]
        ours, theirs = given.book_arms(np.arange(each.first, each.first + each.count, dtype="u8"))
        first, second = (
            program.play(*arms, program.workspace())[0] / 2
            for program, arms in zip(
                [replace(given, player=duel) for duel in duels],
                [(ours, theirs), (theirs, ours)],
                strict=True,
            )
        )
        assert scores == ((first + 1 - second) / 2).tolist()


def test_of_a_finite_list_other_pairs_of_arms_judge_than_those_of_the_search(tmp_path):
    file = tmp_path / "engine.toml"
    file.write_text(numbered_text(tmp_path, 8, protocol="uci", more='go = "nodes 3"'))
    played = []

    class Listed(Simulated):
        def __init__(self):
            self.given, self.rng = load_program(file), np.random.default_rng(1)

        def scores(self, asked, unseen=False):
            for each in asked:
                played.append((unseen, range(each.first, each.first + each.count)))
                nodes = known_value(each.changed, "nodes")
                yield self.rng.binomial(2, 0.5 + nodes / 30, each.count) / 2

    record = Record(asked={"budget": 600})
    found = Tuning(Listed(), parse_parameters(["nodes=1..9"]), record, None, Run()).complete(1)
    assert found.better
    searched = {pair for unseen, pairs in played for pair in pairs if not unseen}
    judged = {pair for unseen, pairs in played for pair in pairs if unseen}
    assert found.judged == 2 * len(judged) == 56
    assert searched | judged <= {*range(8 * 7)}
    assert not searched & judged


def test_the_openings_of_an_engine_are_read_once(file, monkeypatch):
    file.write_text(f'{file.read_text()}\n[openings]\nmoves = ["a1", "a2", "b1", "b2"]\n')
    read = []
    monkeypatch.setattr(
        "seedfolio.engines.program.load_openings",
        lambda *words: read.append(words) or load_openings(*words),
    )
    given = load_program(file)
    with open_games(given, Run("auto", 1, None)) as games:
        for _ in range(2):
            (scores,) = games.scores([Pairs(changed(given, {"nodes": 5}), 0, 1)])
    assert len(scores) == 1
    assert len(read) == 1


def test_a_process_of_the_given_engine_does_not_play_for_a_changed_one(file):
    given = load_program(file)
    both = meeting(given, [changed(given, {"nodes": 9})])
    arms = np.zeros(1, np.uint64)
    numbers = (0, int(guest_arms(0, arms)[0]))
    own, guest = (both.launch_key(both.arm(number)) for number in numbers)
    assert own[1] == guest[1], "the command is the same"
    assert own != guest


def test_a_boost_tunes_first_what_the_player_or_the_game_declares(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sizes = {"k": 10, "opponents": 34, "learners": "nash", "progress": False}
    found = boost("domineering:4x4", "uct:simulations=20,exploration=40", tune=True, **sizes)
    assert found.tuned.startswith("Tuned first, with ")
    assert found.remarks[0] == found.tuned == found.as_data()["tuned"]
    assert [*(tmp_path / "studies").glob("*-tune-exploration.json")]
    again = boost("domineering:4x4", "uct:simulations=20,exploration=40", tune=True, **sizes)
    assert again.as_data() == found.as_data()
    program = load_program("domineering:4x4", "uct")
    assert declared(program) == ("exploration=0.05..2",)
    rules = replace(program.game.rules, ranges=("exploration=0.1..1",))
    own = replace(program, game=replace(program.game, rules=rules))
    assert declared(own) == ("exploration=0.1..1",)
    several = replace(own, player=load_player("uct+rave"))
    assert declared(several) == ()
    assert advice(several) == ""
    rules = replace(rules, ranges=("weight=0.1..1",))
    assert advice(replace(program, game=replace(program.game, rules=rules))) == ""
    with pytest.raises(SpecificationError, match="declares nothing to tune; leave out `tune`"):
        boost("domineering:4x4", ["uct", "rave"], tune=True)
    assert declared(replace(own, player=load_player("rave"))) == ("bias=0.0001..0.1",)
    with pytest.raises(SpecificationError, match="declares nothing to tune; name it"):
        tune("domineering:4x4", "flat")


@pytest.mark.slow
def test_a_boost_says_where_constants_are_not_those_of_the_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sizes = {"k": 10, "opponents": 34, "learners": "nash", "progress": False}
    hint = boost("domineering:4x4", "uct:simulations=5,exploration=9", **sizes).hint
    assert hint.startswith("the uct that domineering 4x4 names has exploration=")
    assert "and this one 9; take that, or find a better value with `tune`" in hint
    usual = load_program("domineering:4x4").game.rules.player
    assert advice(load_program("domineering:4x4", usual)) == ""
    assert advice(load_program("domineering:4x4", "rave")) == ""
    new_game("mine.py")
    assert "`tune` finds what suits" in advice(load_program("mine.py"))
