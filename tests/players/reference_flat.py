"""Flat Monte Carlo once more, from its description: Python's integers and dictionaries.

The rules are called as they are. So their state must be of plain int64, which Python's integers
come back as.
"""

from fractions import Fraction

import numpy as np
from reference_uct import GOLDEN, below

from seedfolio.core.randomness import mix_int
from seedfolio.games.rules import CHANCE


class ReferenceFlat:
    def __init__(self, game, playouts, each=0, again=0):
        self.rules = game.rules
        self.playouts, self.each, self.again = playouts, each, again

    def key(self, seed, colour, turn):
        return mix_int(mix_int(seed + GOLDEN) + GOLDEN * (1 + 2 * turn + colour))

    def moves(self, state):
        out = np.zeros(self.rules.max_moves, np.int64)
        count = self.rules.moves(state, out, 0)
        return [int(move) for move in out[:count]]

    def drawn(self, state, colour, key):
        """A state with the same view, and how many random numbers it took."""
        if self.rules.view is None or self.rules.complete is None:
            return state, 0
        drawn, step = self.rules.complete(self.rules.view(state, colour), np.uint64(key), 0)
        return drawn, int(step)

    def is_refused(self, state):
        return self.rules.refused is not None and bool(self.rules.refused(state))

    def means(self, state, seed, turn):
        """The mean half points of each move for its player; -1 if it was refused throughout."""
        colour = self.rules.mover(state)
        key = self.key(seed, colour, turn)
        moves = self.moves(state)
        results: dict[int, list[int]] = {move: [] for move in moves}
        for playout in range(self.playouts * (len(moves) if self.each else 1)):
            random = mix_int(key + GOLDEN * (playout + 1))
            move = moves[playout % len(moves)]
            drawn, step = self.drawn(state, colour, random)
            after = self.rules.play(drawn, move)
            if not self.is_refused(after):
                points = self.playout(after, random, step)
                results[move].append(points if colour == 0 else 2 - points)
        return {
            move: Fraction(sum(points), len(points)) if points else Fraction(-1)
            for move, points in results.items()
        }

    def playout(self, state, key, step):
        while moves := self.moves(state):
            state = self.rules.play(state, moves[below(key, step, len(moves))])
            step += 1
        return int(self.rules.score(state))

    def best(self, means, moves, key):
        return max(moves, key=lambda move: (means[move], mix_int(key ^ (move + 1))))

    def play(self, row, column, luck):
        """Return the half points of the first player and the moves."""
        rules = self.rules
        state, history, turns = rules.start(), [], [0, 0]
        means: dict[int, Fraction] = {}
        while moves := self.moves(state):
            colour = rules.mover(state)
            if colour == CHANCE:
                move = moves[below(luck, len(history), len(moves))]
            else:
                seed = row if colour == 0 else column
                if self.again or not self.is_refused(state):
                    means = self.means(state, seed, turns[colour])
                move = self.best(means, moves, self.key(seed, colour, turns[colour]))
            after = rules.play(state, move)
            for each in (0, 1):
                noticed = rules.event is None or rules.event(state, move, after, each) >= 0
                turns[each] += noticed
            state = after
            history.append(move)
        return int(rules.score(state)), history
