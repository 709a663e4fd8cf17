"""Games of chance and payoffs: Pig's exact chances, Morra's theory, what is dealt how often."""

import random
from collections import Counter
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import chisquare
from sparing import levels

from seedfolio import Program, Rules, load_game
from seedfolio.games.game import half_points_of
from seedfolio.players.cell_points import kept_points
from seedfolio.players.table import Table


def exact_success(target, sides):
    """The first player's success when both decide at random, by the chances of one turn."""

    @cache
    def banked(points, turn=0):
        """The chances of each number of points after a turn, from `turn` points in it."""
        if points + turn >= target:
            return {target: 1.0}
        chances = {points: 0.5 / sides}
        chances[points + turn] = chances.get(points + turn, 0) + 0.5
        for side in range(2, sides + 1):
            for after, chance in banked(points, turn + side).items():
                chances[after] = chances.get(after, 0) + chance * 0.5 / sides
        return chances

    # How many turns a player needs by itself: the chance not to be there after n of them.
    distribution, waiting = {0: 1.0}, [1.0]
    while waiting[-1] > 1e-15:
        following = {}
        for points, chance in distribution.items():
            for after, step in (banked(points) if points < target else {target: 1.0}).items():
                following[after] = following.get(after, 0) + chance * step
        distribution = following
        waiting.append(1 - distribution.get(target, 0))
    # The first player wins with its n-th turn if the second has not won with its (n - 1)-th.
    return sum((waiting[n - 1] - waiting[n]) * waiting[n - 1] for n in range(1, len(waiting)))


def test_tables_win_as_often_as_random_play():
    # A table's moves are random, so over many of them this tests the die, the rules and the ends.
    program = Program(load_game("pig:target=15,sides=6"), Table())
    seeds = np.arange(40_000, dtype=np.uint64)
    scores, _ = program.play(seeds, seeds + np.uint64(1 << 32), program.workspace())
    expected = exact_success(15, 6)
    assert set(scores) == {0, 2}
    assert abs(scores.mean() / 2 - expected) < 3.5 * (expected * (1 - expected) / 40_000) ** 0.5


def test_the_panel_has_the_names_that_were_dealt():
    game = load_game("pig:target=15,sides=6,horizon=9")
    history = [game.parse_move(name) for name in ["roll", "5", "roll", "6", "hold", "roll", "2"]]
    assert game.draw(history).splitlines() == [
        "first player    11",
        "second player    0",
        "this turn        2",
        "decisions left   5",
    ]
    game = load_game("kuhn-poker:players=3")
    history = [game.parse_move(name) for name in ["Q", "T", "K", "pass", "bet"]]
    shown = [line.split()[-1] for line in game.draw(history).splitlines()]
    assert shown == ["Q", "T", "K", "1", "2", "1"]


def test_the_rarer_card_is_dealt_less_often():
    game = load_game("leduc-poker")
    jack, queen, king = (game.parse_move(name) for name in "JQK")
    assert game.odds([]) == (2, 2, 2)
    assert game.odds([jack]) == (1, 2, 2)
    dealt = [game.draw_outcome([jack], luck) for luck in range(5_000)]
    assert dealt.count(jack) == pytest.approx(1_000, abs=100)
    assert dealt.count(queen) == pytest.approx(2_000, abs=120)
    assert dealt.count(king) == pytest.approx(2_000, abs=120)


def test_points_of_many_games_are_rounded_without_bias():
    rules = load_game("kuhn-poker:players=3").rules
    assert [half_points_of(rules, points) for points in range(7)] == [0, 0, 1, 2, 2, 2, 2]
    # Of at most 500 a byte keeps 254ths: 301 are 152.908, sometimes less and mostly more.
    kept = kept_points(SimpleNamespace(scale=100))
    found = [kept(301, np.uint64(row), np.uint64(7), 5) for row in range(4_000)]
    assert {*found} == {152, 153}
    assert np.mean(found) == pytest.approx(152.908, abs=0.02)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scale": 0}, "scale=0 is not between 1 and 254"),
        ({"scale": 255}, "scale=255 is not between 1 and 254"),
        ({"seats": 7}, "seats=7 is not between 2 and 6"),
        ({"random_move": len}, "with odds, leave out random_move and rollout"),
    ],
)
def test_rules_that_cannot_be(change, message):
    rules = load_game("leduc-poker").rules
    given = {name: getattr(rules, name) for name in Rules.__dataclass_fields__}
    with pytest.raises(ValueError, match=message):
        Rules(**{**given, **change})


GAME = load_game("morra:fingers=3,rounds=3")


def points_of_morra(first, second):
    """What two moves score, from the text of the rules."""
    shows, guesses = map(int, first.split("/"))
    other_shows, other_guesses = map(int, second.split("/"))
    up = shows + other_shows
    right = guesses == other_shows, other_guesses == shows
    return up * (right == (True, False)), up * (right == (False, True))


@levels(("fingers", "rounds"), [(3, 3)], slow=[(10, 4)])
def test_morra_move_by_move(fingers, rounds):
    game = load_game(f"morra:fingers={fingers},rounds={rounds}")
    numbers = range(1, fingers + 1)
    every = [f"{shows}/{guesses}" for shows in numbers for guesses in numbers]
    scores = set()
    for seed in range(60):
        draw = random.Random(seed)
        history = []
        totals = [0, 0]
        for _ in range(rounds):
            pair = draw.choice(every), draw.choice(every)
            for colour in (0, 1):
                position = game.position(history)
                assert position.mover == colour
                assert [game.move_name(move) for move in position.moves] == every
                assert position.cells[:2].tolist() == totals
                history.append(game.parse_move(pair[colour]))
            for colour in (0, 1):
                totals[colour] += points_of_morra(*pair)[colour]
        end = game.position(history)
        assert end.moves == ()
        assert end.cells[:2].tolist() == totals
        assert end.score == 1 + (totals[0] > totals[1]) - (totals[0] < totals[1])
        scores.add(end.score)
    assert len(history) == game.rules.max_plies
    assert scores == {0, 1, 2}


def test_one_round_of_two_finger_morra():
    game = load_game("morra")
    moves = game.position([]).moves
    ends = [[game.position([a, b]).cells for b in moves] for a in moves]
    matrix = [[int(cells[0] - cells[1]) for cells in row] for row in ends]
    # The textbook matrix, for 1/1, 1/2, 2/1 and 2/2.
    assert matrix == [[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]]


def test_both_see_both_moves_once_the_round_is_over_and_not_before():
    draw = random.Random(5)
    moves = GAME.position([]).moves
    for length in (0, 2, 4):
        history = [draw.choice(moves) for _ in range(length)]
        seen = [GAME.information([*history, move], 1) for move in moves]
        assert len({(known.history, known.events, tuple(known.cells)) for known in seen}) == 1
        own = [GAME.information([*history, move], 0) for move in moves]
        assert len({known.history for known in own}) == len(moves)
        # The second player notices that there was a move, and that it is to move now.
        assert seen[0].history != GAME.information(history, 1).history
    for colour in (0, 1):
        ends = [GAME.information([a, b], colour) for a in moves for b in moves]
        assert len({known.history for known in ends}) == len(ends)
        assert len({tuple(known.cells) for known in ends}) == len(ends)


def test_the_hidden_move_is_drawn_uniformly():
    names = GAME.functions
    state = names["play"](names["start"](), 5)
    view = names["view"](state, 1)
    assert view != state
    counts = Counter()
    for key in range(3000):
        drawn, step = names["complete"](view, np.uint64(key), 4)
        assert step == 5
        assert names["view"](drawn, 1) == view
        counts[drawn[3]] += 1
    assert sorted(counts) == list(range(9))
    assert chisquare(list(counts.values())).pvalue > 1e-3
    # The first player has nothing to draw.
    assert names["complete"](names["start"](), np.uint64(0), 4) == (names["start"](), 4)
