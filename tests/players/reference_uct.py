"""UCT once more, from its description: objects and Python's integers, slow and plain."""

from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from math import isqrt

import numpy as np

from seedfolio.core.randomness import mix_int

GOLDEN = 0x9E3779B97F4A7C15


def below(key, step, bound):
    return (mix_int(key + GOLDEN * (step + 1)) >> 32) * bound >> 32


def history_hash(history):
    value = 0
    for move in history:
        value = mix_int(value + GOLDEN * (move + 1))
    return value


def check_games(program, play, rows, columns):
    rows, columns = np.array([rows, columns], np.uint64)
    scores, hashes = program.play(rows, columns, program.workspace())
    for row, column, score, found in zip(rows, columns, scores, hashes, strict=True):
        points, moves = play(int(row), int(column))
        assert (int(score), int(found)) == (points, history_hash(moves))


@dataclass
class Node:
    move: int
    visits: int = 0
    points: int = 0
    untried: list[int] | None = None
    tried: "list[Node]" = field(default_factory=list)


class ReferenceUct:
    node = Node

    def __init__(self, game, simulations, exploration):
        self.game = game
        self.simulations = simulations
        self.exploration = exploration
        self.repeats = hasattr(game, "recurs")

    def root_log(self, parent_visits):
        with localcontext() as context:
            context.prec = 40
            return int(Decimal(parent_visits).ln().sqrt() * self.exploration * 2**16)

    def bound(self, parent_visits, node):
        mean = node.points * (2**31 // node.visits)
        return mean + self.root_log(parent_visits) * (isqrt(2**64 // node.visits) >> 16)

    def choose(self, history, seed):
        colour = self.game.position(history).mover
        key = mix_int(mix_int(seed + GOLDEN) + GOLDEN * (1 + 2 * len(history) + colour))
        root = self.node(move=-1, visits=1)
        for simulation in range(self.simulations):
            self.simulate(root, list(history), mix_int(key + GOLDEN * (simulation + 1)))
        best = max(root.tried, key=lambda node: (node.visits, node.points))
        return best.move

    def simulate(self, root, history, key):
        node, step, depth, recurs = root, 0, len(history), False
        path: list[tuple[Node, int]] = []
        while True:
            position = self.game.position(history)
            if not position.moves:
                break
            if node.untried is None:
                node.untried = list(position.moves)
            fresh = bool(node.untried)
            if fresh:
                drawn = below(key, step, len(node.untried))
                step += 1
                # The first takes the place of the one drawn.
                node.untried[0], node.untried[drawn] = node.untried[drawn], node.untried[0]
                child = Node(node.untried.pop(0))
                node.tried.append(child)
            else:
                visits = node.visits
                child = max(node.tried, key=lambda tried: self.bound(visits, tried))
            path.append((child, position.mover))
            history.append(child.move)
            node = child
            recurs = self.game.recurs(history, depth) if self.repeats else False
            if fresh or recurs:
                break
        result = 1 if recurs else self.playout(history, key, step)[0]
        root.visits += 1
        for child, mover in path:
            child.visits += 1
            child.points += result if mover == 0 else 2 - result

    def playout(self, history, key, step):
        made = []
        while (position := self.game.position(history)).score is None:
            move = position.moves[below(key, step, len(position.moves))]
            made.append((position.mover, move))
            history.append(move)
            step += 1
        return position.score, made

    def play(self, row, column):
        history: list[int] = []
        while (position := self.game.position(history)).score is None:
            history.append(self.choose(history, column if position.mover else row))
        return position.score, history
