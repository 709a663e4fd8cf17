"""RAVE and GRAVE against a plain second implementation, and what they must be good at."""

from dataclasses import dataclass, field
from decimal import Decimal
from math import isqrt

import numpy as np
from reference_uct import ReferenceUct, below, check_games
from sparing import levels

from seedfolio import Parts, Program, load_game
from seedfolio.core.compiler import compiled_entry
from seedfolio.players.rave import UNIT_BITS, Rave, value_bits
from seedfolio.players.tree import MAX_SIMULATIONS

HEX = "hex:3x3,swap=1"


@levels(
    ("board", "options"),
    [("domineering:4x4", {"simulations": 30, "grave": 5, "exploration": Decimal("0.2")})],
    slow=[
        (HEX, {"simulations": 60}),
        (HEX, {"simulations": 80, "grave": 10, "bias": Decimal("0.3")}),
        (HEX, {"simulations": 40, "exploration": Decimal("0.7"), "bias": Decimal(0)}),
    ],
)
def test_plays_the_same_games_as_the_reference(board, options):
    game = load_game(board)
    player = Rave(**options)  # type: ignore[arg-type]
    reference = ReferenceRave(game, player)
    check_games(Program(game, player), reference.play, [0, 2**40 + 3], [7, 2**63 + 1])


def test_nothing_overflows_and_values_stay_apart():
    for simulations in (1, 1000, MAX_SIMULATIONS):
        bits, unit = value_bits(simulations), 2**UNIT_BITS
        # The most points, with the greatest bias.
        most = 2 * simulations * (unit + unit * simulations) + 2 * simulations * unit
        assert most << bits < 2**63
        assert bits >= 10


# A name that is filled in on compiling.
start = play = trace = None


def _trace_template(history, key, step, out):
    state = start()
    for move in history:
        state = play(state, move)
    return trace(state, key, step, out, np.int64(0))


@dataclass
class Node:
    move: int
    visits: int = 0
    points: int = 0
    tried: "list[Node] | None" = None
    amaf: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    """Visits and points of simulations from here on in which a colour made a move."""


class ReferenceRave(ReferenceUct):
    node = Node

    def __init__(self, game, player):
        super().__init__(game, player.simulations, player.exploration)
        self.player, self.trace = player, None
        if isinstance(game.rules.rollout, Parts) and game.rules.rollout.moves is not None:
            self.trace = compiled_entry(_trace_template, game.functions)

    def value(self, parent_visits, child, counts):
        (m, r), n, w = counts, child.visits, child.points
        if n + m == 0:
            return float("inf")
        unit, bits = 2**UNIT_BITS, value_bits(self.player.simulations)
        bias = int(self.player.bias * unit)
        # (1 - b) w / 2n + b r / 2m with b = m / (n + m + bias n m), over one denominator.
        points, weight = w * (unit + bias * m) + r * unit, 2 * (unit * (n + m) + bias * n * m)
        exploring = self.root_log(parent_visits) * (isqrt(2**64 // (n + 1)) >> 16)
        return points * 2**bits // weight + (exploring >> (32 - bits))

    def simulate(self, root, history, key):
        node, reference, step = root, root, 0
        nodes, made = [root], []
        while node.visits > 0:
            position = self.game.position(history)
            if node.tried is None:
                moves = list(position.moves)
                for k in range(len(moves) - 1):
                    other = k + below(key, step, len(moves) - k)
                    step += 1
                    moves[k], moves[other] = moves[other], moves[k]
                node.tried = [Node(move) for move in moves]
            if not node.tried:
                break
            if node.visits >= self.player.grave:
                reference = node
            mover, visits, amaf = position.mover, node.visits, reference.amaf
            node = max(
                node.tried,
                key=lambda child: self.value(visits, child, amaf.get((mover, child.move), [0, 0])),
            )
            nodes.append(node)
            made.append((mover, node.move))
            history.append(node.move)
        result, later = self.playout(history, key, step)
        met = {*later}
        for depth in reversed(range(len(nodes))):
            if depth < len(made):
                met.add(made[depth])
            for colour, move in met:
                counts = nodes[depth].amaf.setdefault((colour, move), [0, 0])
                counts[0] += 1
                counts[1] += result if colour == 0 else 2 - result
            nodes[depth].visits += 1
            if depth > 0:
                nodes[depth].points += result if made[depth - 1][0] == 0 else 2 - result

    def playout(self, history, key, step):
        if self.trace is None:
            return super().playout(history, key, step)
        out = np.zeros(self.game.rules.room + self.game.rules.max_plies, np.int64)
        moves = np.array(history, np.int64)
        score, count = self.trace(moves, np.uint64(key), np.int64(step), out)
        return int(score), [(int(entry) & 1, int(entry) >> 1) for entry in out[:count]]
