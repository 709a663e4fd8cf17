"""The exact best response: against definitions in plain Python, OpenSpiel, and known facts."""

import itertools
from collections import defaultdict
from functools import cache

import numpy as np
import pyspiel
import pytest
from numba import uint64
from open_spiel.python import policy
from open_spiel.python.algorithms import best_response

from seedfolio import CHANCE, Program, SpecificationError, compiled, game
from seedfolio.core.words import ONE, ZERO
from seedfolio.evaluation.best_response import BestResponse, best_response_success
from seedfolio.games.domineering import domineering
from seedfolio.games.hidden_stones import hidden_rules, hidden_stones
from seedfolio.games.nim import nim
from seedfolio.games.phantom_tic_tac_toe import phantom_tic_tac_toe
from seedfolio.players.table import Table
from seedfolio.players.uct import Uct
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.built_in import load_built_in

slow = pytest.mark.slow
FIELDS = 5
EVERYWHERE = np.uint64((1 << FIELDS) - 1)


@game("phantom-two", version=1, summary="two in a row on five fields; tries may be refused")
def phantom_two():
    shared = hidden_stones(1, FIELDS, 2)
    refuse, place, is_over = shared.refuse, shared.place, shared.is_over

    @compiled
    def places(state):
        return ZERO if is_over(state) else EVERYWHERE & ~(state[0] | state[2])

    @compiled
    def play(state, move):
        stone = ONE << uint64(move)
        if state[1] & stone != ZERO:
            return refuse(state, stone)
        return place(state, stone, ZERO)

    @compiled
    def complete(view, key, step):  # a table asks for none
        return (view[0], view[1], view[1], ZERO, view[3], view[4]), step

    names = list("abcde")
    sizes = {"max_moves": FIELDS, "max_plies": 2 * FIELDS - 1}
    return hidden_rules(
        shared, places, play, complete, move_names=names, how_to_move="a", small=True, **sizes
    )


def mixture(weights):
    arms = Distribution(tuple(weights), tuple(weights.values()))
    return Portfolio(arms, arms)


def uniform(arms):
    return mixture(dict.fromkeys(range(arms), 1 / arms))


def by_definition(program, arms, colour):
    """The success against a best response to its list of events, over all histories."""
    game = program.game

    def expand(history, arm, weight):
        position = game.position(history)
        if not position.moves or position.mover == 1 - colour:
            return [(history, arm, weight)]
        if position.mover == CHANCE:
            odds = game.odds(history)
            parts = [
                expand([*history, move], arm, weight * each / sum(odds))
                for move, each in zip(position.moves, odds, strict=True)
            ]
            return [found for part in parts for found in part]
        return expand([*history, program.choose(history, arm)], arm, weight)

    def value(reached):
        points, states = 0.0, dict[tuple[int, ...], list[tuple[list[int], int, float]]]()
        for history, arm, weight in reached:
            position = game.position(history)
            if not position.moves:
                points += weight * position.points[colour]
            else:
                events = game.information(history, 1 - colour).events
                states.setdefault(events, []).append((history, arm, weight))
        for like in states.values():
            moves = game.position(like[0][0]).moves
            points += min(
                value([x for h, arm, w in like for x in expand([*h, move], arm, w)])
                for move in moves
            )
        return points

    pairs = zip(arms.arms, arms.weights, strict=True)
    return value([x for arm, w in pairs for x in expand([], arm, w)]) / game.rules.scale


class AsPolicy(policy.Policy):
    """A portfolio as OpenSpiel knows strategies: in each information state a distribution."""

    def __init__(self, spiel, program, portfolio, names):
        super().__init__(spiel, [0, 1])
        self.program, self.portfolio, self.names = program, portfolio, names
        self.arms = {}

    def arms_at(self, state):
        colour = state.current_player()
        key = colour, state.information_state_string(colour)
        if key not in self.arms:
            pairs = zip(self.portfolio[colour].arms, self.portfolio[colour].weights, strict=True)
            weights = dict(pairs)
            before = self.game.new_initial_state()
            moves = []
            for action in state.history():
                move = self.names(before, action)
                if before.current_player() == colour:
                    here = self.arms_at(before)
                    weights = {s: w for s, w in weights.items() if here[s][1] == move}
                moves.append(move)
                before.apply_action(action)
            self.arms[key] = {s: (w, self.program.choose(moves, s)) for s, w in weights.items()}
        return self.arms[key]

    def action_probabilities(self, state, player_id=None):
        actions = {self.names(state, action): action for action in state.legal_actions()}
        arms = self.arms_at(state).values()
        total = sum(weight for weight, _ in arms)
        probabilities = defaultdict(float)
        for weight, move in arms:
            probabilities[actions[move]] += weight / total
        return dict(probabilities)


def by_open_spiel(spiel, program, portfolio, names):
    ours = AsPolicy(spiel, program, portfolio, names)
    root = spiel.new_initial_state()
    opponents = [best_response.BestResponsePolicy(spiel, 1 - colour, ours) for colour in (0, 1)]
    first, second = ((1 - opponent.value(root)) / 2 for opponent in opponents)
    return BestResponse(pytest.approx(first, abs=1e-12), pytest.approx(second, abs=1e-12))


def nim_move(state, action):
    """The number of OpenSpiel's action `pile:2, take:1;` on heaps of 1, 2 and 3, as ours."""
    pile, take = (
        int(part.split(":")[1]) for part in state.action_to_string(action)[:-1].split(",")
    )
    sizes = [1, 2, 3]
    replay = state.get_game().new_initial_state()
    for earlier in state.history():
        name = replay.action_to_string(earlier)[:-1]
        where, taken = (int(part.split(":")[1]) for part in name.split(","))
        sizes[where - 1] -= taken
        replay.apply_action(earlier)
    return (pile - 1) * 3 + sizes[pile - 1] - take


SMALL_NIM = {"first": 1, "second": 2, "third": 3, "fourth": 0}
"""Lost for the first player."""


def agrees_with_the_definition(program, portfolio):
    success = best_response_success(program, portfolio)
    for colour, found in enumerate((success.first, success.second)):
        assert found == pytest.approx(by_definition(program, portfolio[colour], colour), abs=1e-12)
    assert success.mean == (success.first + success.second) / 2
    return success


UNEQUAL = Portfolio(
    Distribution((4, 9, 2, 7), (0.5, 0.25, 0.2, 0.05)), Distribution((11, 3, 5), (0.1, 0.6, 0.3))
)


@slow
@pytest.mark.parametrize("portfolio", [uniform(1), UNEQUAL, uniform(40)])
def test_hidden_stones_agree_with_the_definition(portfolio):
    agrees_with_the_definition(Program(phantom_two(), Table()), portfolio)


@pytest.mark.slow
@pytest.mark.parametrize("arms", [1, 30])
def test_nim_agrees_with_the_definition_and_open_spiel(arms):
    program, portfolio = Program(nim(**SMALL_NIM), Table()), uniform(arms)
    success = agrees_with_the_definition(program, portfolio)
    spiel = pyspiel.load_game("nim(pile_sizes=1;2;3,is_misere=false)")
    assert success == by_open_spiel(spiel, program, portfolio, nim_move)


@pytest.mark.long
def test_phantom_tic_tac_toe_agrees_with_open_spiel():
    program, portfolio = Program(phantom_tic_tac_toe(), Table()), mixture({1325: 0.3, 1485: 0.7})
    success = best_response_success(program, portfolio)
    spiel = pyspiel.load_game("phantom_ttt")
    assert success == by_open_spiel(spiel, program, portfolio, lambda state, action: action)


def test_large_games_and_luck_are_refused_and_rounded_weights_are_not():
    with pytest.raises(SpecificationError, match=r"domineering .* is too large for an exact"):
        best_response_success(Program(domineering(), Uct()), uniform(1))
    small = nim(**SMALL_NIM)
    with pytest.raises(SpecificationError, match=r"nim .*, table:noise=50: .* without luck"):
        best_response_success(Program(small, Table(noise=50)), uniform(1))
    program = program_of("kuhn-poker")
    exact = best_response_success(program, uniform(3))
    rounded = best_response_success(program, mixture(dict.fromkeys(range(3), 0.3333335)))
    assert (rounded.first, rounded.second) == pytest.approx((exact.first, exact.second), abs=1e-12)


PASS, BET, JACK = 0, 1, 2
DEALS = list(itertools.permutations((JACK, JACK + 1, JACK + 2), 2))
SITUATIONS = {0: ([], [PASS, BET]), 1: ([PASS], [BET])}
"""For each colour, the moves after which it decides, besides its card."""


def program_of(text):
    return load_built_in(text, "table")


@cache
def pure(colour):
    """Return a seed for each way to play Kuhn poker: its move with each card, each time."""
    program, found = program_of("kuhn-poker"), dict[tuple[int, ...], int]()
    deals = [next(deal for deal in DEALS if deal[colour] == JACK + rank) for rank in range(3)]
    for seed in itertools.count():
        asked = [[*deal, *moves] for moves in SITUATIONS[colour] for deal in deals]
        found.setdefault(tuple(program.choose(each, seed) for each in asked), seed)
        if len(found) == 64:
            return found
    raise AssertionError


def mixed(colour, chances):
    weights = {
        seed: float(np.prod(np.where(np.array(moves) == BET, chances, 1 - np.array(chances))))
        for moves, seed in pure(colour).items()
    }
    arms = sorted(seed for seed, weight in weights.items() if weight > 0)
    return Distribution.of(np.array(arms, np.uint64), np.array([weights[arm] for arm in arms]))


@slow
@pytest.mark.parametrize("bluffs", [0.0, 0.2, 1 / 3])
def test_the_value_of_kuhn_poker(bluffs):
    # The chances to bet with J, Q and K; then the second time, or after a bet (Kuhn 1950).
    first = mixed(0, [bluffs, 0, 3 * bluffs, 0, bluffs + 1 / 3, 1])
    second = mixed(1, [1 / 3, 0, 1, 0, 1 / 3, 1])
    found = best_response_success(program_of("kuhn-poker"), Portfolio(first, second))
    assert 4 * found.first - 2 == pytest.approx(-1 / 18, abs=1e-12)
    assert 4 * found.second - 2 == pytest.approx(1 / 18, abs=1e-12)


@pytest.mark.parametrize("text", ["kuhn-poker", pytest.param("leduc-poker", marks=slow)])
def test_chance_agrees_with_the_definition(text):
    first, second = Distribution((0, 1, 2), (0.5, 0.3, 0.2)), Distribution((5, 6), (0.6, 0.4))
    agrees_with_the_definition(program_of(text), Portfolio(first, second))
