"""The exact best response: against definitions in plain Python, OpenSpiel, and known facts."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyspiel
import pytest
from numba import int64
from open_spiel.python import policy
from open_spiel.python.algorithms import best_response

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.best_response import BestResponse, best_response_success
from seedfolio.games.board import Board
from seedfolio.games.domineering import domineering
from seedfolio.games.kind import game
from seedfolio.games.nim import nim
from seedfolio.games.phantom_tic_tac_toe import phantom_tic_tac_toe
from seedfolio.games.rules import CHANCE, Rules
from seedfolio.players.interface import Bound
from seedfolio.players.program import Program
from seedfolio.players.table import Table
from seedfolio.players.uct import Uct
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.built_in import load_built_in

if TYPE_CHECKING:
    from collections.abc import Mapping

CLAIMS = 2
VALUES = (1, 2, 2, 3, 4)
BONUS = 1


@game("claims", version=1, summary="claim fields that nobody sees; the larger sum wins")
def claims():
    """Each player claims two of five fields in turn; a claimed field is refused.

    The second player gets a bonus, without which it loses in nearly every way.
    """
    area = len(VALUES)

    # A state is (claims of the first, of the second, what the first and what the second know of
    # the other's, colour to move, whether the last try was refused).

    @compiled
    def start():
        return int64(0), int64(0), int64(0), int64(0), int64(0), int64(0)

    @compiled
    def count(fields):
        n = int64(0)
        for field in range(area):
            n += fields >> field & 1
        return n

    @compiled
    def mover(state):
        return state[4]

    @compiled
    def moves(state, out, at):
        first, second, known_first, known_second, colour, _ = state
        if count(first) + count(second) == 2 * CLAIMS:
            return 0
        closed = first | known_first if colour == 0 else second | known_second
        n = 0
        for field in range(area):
            if closed >> field & 1 == 0:
                out[at + n] = field
                n += 1
        return n

    @compiled
    def play(state, move):
        first, second, known_first, known_second, colour, _ = state
        field = int64(1) << move
        if (first | second) & field:
            if colour == 0:
                return first, second, known_first | field, known_second, colour, int64(1)
            return first, second, known_first, known_second | field, colour, int64(1)
        if colour == 0:
            return first | field, second, known_first, known_second, int64(1), int64(0)
        return first, second | field, known_first, known_second, int64(0), int64(0)

    @compiled
    def score(state):
        difference = -BONUS
        for field in range(area):
            difference += VALUES[field] * ((state[0] >> field & 1) - (state[1] >> field & 1))
        return 1 if difference == 0 else (2 if difference > 0 else 0)

    @compiled
    def cells(state, out):
        for field in range(area):
            out[field] = (state[0] >> field & 1) + 2 * (state[1] >> field & 1)

    @compiled
    def cells_seen(state, colour, out):
        first, second, known_first, known_second, turn, refusal = state
        if colour == 0:
            second = known_first
        else:
            first = known_second
        cells((first, second, known_first, known_second, turn, refusal), out)

    @compiled
    def view(state, colour):
        first, second, known_first, known_second, turn, refusal = state
        own_refusal = refusal if turn == colour else int64(0)
        if colour == 0:
            return first, known_first, count(second), int64(0), turn, own_refusal
        return second, known_second, count(first), int64(1), turn, own_refusal

    @compiled
    def event(before, move, after, colour):
        if before[4] == colour:
            return int64(2 * move + after[5])
        return int64(-1) if after[5] else int64(2 * area)

    @compiled
    def complete(view, key, step):
        own, known, claimed, colour, turn, refusal = view
        other = known
        while count(other) < claimed:
            field = int64(1) << below(key, step, area)
            step += 1
            if own & field == 0:
                other |= field
        if colour == 0:
            return (own, other, known, int64(0), turn, refusal), step
        return (other, own, int64(0), known, turn, refusal), step

    @compiled
    def refused(state):
        return state[5] == 1

    return Rules(
        start=start,
        mover=mover,
        moves=moves,
        play=play,
        score=score,
        cells=cells,
        view=view,
        event=event,
        complete=complete,
        refused=refused,
        cells_seen=cells_seen,
        move_names=list("abcde"),
        max_moves=area,
        max_plies=4 * CLAIMS,
        board=Board(1, area, ".12"),
        small=True,
        player="table",
    )


@dataclass(frozen=True)
class OftenPerfect:
    """Nim by the sum of the heaps, as seeds from 1 up; seed 0 always plays the first move."""

    name: ClassVar[str] = "often-perfect"
    version: ClassVar[int] = 1
    text: ClassVar[str] = "often-perfect"
    parameters: ClassVar[Mapping[str, Any]] = {}
    stochastic: ClassVar[bool] = False

    def bind(self, game):
        moves, play = game.functions["moves"], game.functions["play"]

        @compiled
        def choose(view, seed, moment, knobs, workspace):
            count = moves(view, workspace, 0)
            if seed > 0:
                for k in range(count):
                    heaps = play(view, int64(workspace[k]))[0]
                    if (heaps ^ heaps >> 8 ^ heaps >> 16 ^ heaps >> 24) & 255 == 0:
                        return int64(workspace[k])
            return int64(workspace[0])

        return Bound(choose, choose, np.zeros(1, np.int64), game.rules.max_moves)


def mixture(weights):
    arms = Distribution(tuple(weights), tuple(weights.values()))
    return Portfolio(arms, arms)


def uniform(arms):
    return mixture(dict.fromkeys(range(arms), 1 / arms))


def by_definition(program, portfolio, colour):
    """Our success against the best response, by going through whole histories.

    What the opponent knows is its list of events, not their hash; no history is left out.
    """
    game = program.game
    arms = portfolio[colour]
    choices: dict[Any, int] = {}

    def our_move(seed, history):
        key = seed, game.information(history, colour).events
        if key not in choices:
            choices[key] = program.choose(history, seed)
        return choices[key]

    def value(situations):
        """Weights, seeds and histories between which the opponent cannot tell, just after one
        of its moves, at different ends of our own."""
        total = Fraction(0)
        groups = defaultdict(list)
        for weight, seed, history in situations:
            position = game.position(history)
            while position.moves and position.mover == colour:
                history = (*history, our_move(seed, history))
                position = game.position(history)
            if position.score is not None:
                points = position.score if colour == 0 else 2 - position.score
                total += weight * Fraction(points, 2)
            else:
                known = game.information(history, 1 - colour).events
                groups[known].append((weight, seed, history))
        for group in groups.values():
            options = {game.position(history).moves for _, _, history in group}
            assert len(options) == 1
            total += min(
                value([(weight, seed, (*history, move)) for weight, seed, history in group])
                for move in options.pop()
            )
        return total

    pairs = zip(arms.weights, arms.arms, strict=True)
    return value([(Fraction(weight), seed, ()) for weight, seed in pairs])


class AsPolicy(policy.Policy):
    """A portfolio as OpenSpiel knows strategies: in each information state a distribution."""

    def __init__(self, spiel, program, portfolio, names):
        super().__init__(spiel, [0, 1])
        self.program, self.portfolio, self.names = program, portfolio, names
        self.arms: dict[Any, dict[int, tuple[float, int]]] = {}

    def arms_at(self, state):
        """Return the arms that lead the mover here, with weight and move."""
        colour = state.current_player()
        key = colour, state.information_state_string(colour)
        if key not in self.arms:
            pairs = zip(self.portfolio[colour].arms, self.portfolio[colour].weights, strict=True)
            weights = dict(pairs)
            before = self.game.new_initial_state()
            moves: list[int] = []
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
        probabilities: dict[int, float] = defaultdict(float)
        for weight, move in arms:
            probabilities[actions[move]] += weight / total
        return dict(probabilities)


def by_open_spiel(spiel, program, portfolio, names):
    ours = AsPolicy(spiel, program, portfolio, names)
    root = spiel.new_initial_state()
    opponents = [best_response.BestResponsePolicy(spiel, 1 - colour, ours) for colour in (0, 1)]
    first, second = ((1 - opponent.value(root)) / 2 for opponent in opponents)
    return BestResponse(first, second)


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
        assert found == pytest.approx(float(by_definition(program, portfolio, colour)), abs=1e-12)
    assert success.mean == (success.first + success.second) / 2
    return success


UNEQUAL = Portfolio(
    Distribution((4, 9, 2, 7), (0.5, 0.25, 0.2, 0.05)), Distribution((11, 3, 5), (0.1, 0.6, 0.3))
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "portfolio",
    [uniform(1), UNEQUAL, pytest.param(uniform(40), marks=pytest.mark.slow)],
    ids=["one", "unequal", "forty"],
)
def test_hidden_claims_agree_with_the_definition(portfolio):
    agrees_with_the_definition(Program(claims(), Table()), portfolio)


@pytest.mark.parametrize("arms", [1, 30])
def test_nim_agrees_with_the_definition_and_open_spiel(arms):
    program, portfolio = Program(nim(**SMALL_NIM), Table()), uniform(arms)
    success = agrees_with_the_definition(program, portfolio)
    spiel = pyspiel.load_game("nim(pile_sizes=1;2;3,is_misere=false)")
    oracle = by_open_spiel(spiel, program, portfolio, nim_move)
    assert success.first == pytest.approx(oracle.first, abs=1e-12)
    assert success.second == pytest.approx(oracle.second, abs=1e-12)


@pytest.mark.long
def test_phantom_tic_tac_toe_agrees_with_open_spiel():
    program, portfolio = Program(phantom_tic_tac_toe(), Table()), mixture({1325: 0.3, 1485: 0.7})
    success = best_response_success(program, portfolio)
    spiel = pyspiel.load_game("phantom_ttt")
    oracle = by_open_spiel(spiel, program, portfolio, lambda state, action: action)
    assert success.first == pytest.approx(oracle.first, abs=1e-12)
    assert success.second == pytest.approx(oracle.second, abs=1e-12)


def test_an_imperfect_arm_costs_its_weight():
    """The perfect arm wins from a won start; the opponent plays against the other one."""
    lost = Program(nim(**SMALL_NIM), OftenPerfect())
    assert best_response_success(lost, mixture({1: 1.0})) == BestResponse(0.0, 1.0)
    assert best_response_success(lost, mixture({1: 0.75, 0: 0.25})) == BestResponse(0.0, 0.75)


@pytest.mark.slow
def test_many_seeds_are_less_exploitable_and_no_seed_does_better_than_the_best_response():
    program = Program(phantom_tic_tac_toe(), Table())
    arms, opponents = 400, 50
    one, few, success = (best_response_success(program, uniform(each)) for each in (1, 50, arms))
    assert one.first < few.first < success.first
    assert one.second <= few.second < success.second
    rows, columns = np.divmod(np.arange(arms * opponents, dtype=np.uint64), np.uint64(opponents))
    unseen = columns + np.uint64(10_000)
    as_first, _ = program.play(rows, unseen, program.workspace())
    as_second, _ = program.play(unseen, rows, program.workspace())
    first = (as_first.reshape(arms, opponents) / 2).mean(axis=0)
    second = 1 - (as_second.reshape(arms, opponents) / 2).mean(axis=0)
    assert 0 < success.first <= first.min()
    assert 0 < success.second <= second.min()


def test_large_games_and_luck_are_refused_and_rounded_weights_are_not():
    with pytest.raises(SpecificationError, match=r"domineering .* is too large for an exact"):
        best_response_success(Program(domineering(), Uct()), uniform(1))
    with pytest.raises(SpecificationError, match=r"claims, table:noise=50: .* without luck"):
        best_response_success(Program(claims(), Table(noise=50)), uniform(1))
    program = Program(claims(), Table())
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
    """Return the mixture of seeds that bets with these chances."""
    weights = {
        seed: float(np.prod(np.where(np.array(moves) == BET, chances, 1 - np.array(chances))))
        for moves, seed in pure(colour).items()
    }
    arms = sorted(seed for seed, weight in weights.items() if weight > 0)
    return Distribution.of(np.array(arms, np.uint64), np.array([weights[arm] for arm in arms]))


@pytest.mark.slow
@pytest.mark.parametrize("bluffs", [0.0, 0.2, 1 / 3])
def test_the_value_of_kuhn_poker(bluffs):
    # The chances to bet with J, Q and K; then the second time, or after a bet (Kuhn 1950).
    first = mixed(0, [bluffs, 0, 3 * bluffs, 0, bluffs + 1 / 3, 1])
    second = mixed(1, [1 / 3, 0, 1, 0, 1 / 3, 1])
    found = best_response_success(program_of("kuhn-poker"), Portfolio(first, second))
    assert 4 * found.first - 2 == pytest.approx(-1 / 18, abs=1e-12)
    assert 4 * found.second - 2 == pytest.approx(1 / 18, abs=1e-12)


def naive_value(program, arms, colour):
    """The points of a mixture against a best response, over all histories in plain Python.

    First the value of every information state of the opponent is found by its histories.
    """
    game = program.game

    def expand(history, arm, weight):
        """Return the histories in which the opponent is to move, or the game is over."""
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

    return value(
        [x for arm, w in zip(arms.arms, arms.weights, strict=True) for x in expand([], arm, w)]
    )


MORE_CHANCE = [
    pytest.param(each, marks=pytest.mark.slow) for each in ("kuhn-poker", "liars-dice:sides=3")
]


@pytest.mark.parametrize("text", ["leduc-poker", *MORE_CHANCE])
def test_against_all_histories(text):
    program = program_of(text)
    first = Distribution.of(np.arange(3, dtype=np.uint64), np.array([0.5, 0.3, 0.2]))
    second = Distribution.of(np.arange(5, 7, dtype=np.uint64), np.array([0.6, 0.4]))
    found = best_response_success(program, Portfolio(first, second))
    scale = program.game.rules.scale
    assert found.first == pytest.approx(naive_value(program, first, 0) / scale, abs=1e-12)
    assert found.second == pytest.approx(naive_value(program, second, 1) / scale, abs=1e-12)
