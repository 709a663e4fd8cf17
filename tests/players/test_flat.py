"""Flat Monte Carlo against a plain second implementation, and what it must find."""

from fractions import Fraction
from pathlib import Path

import numpy as np
from reference_uct import GOLDEN, below, check_games
from sparing import levels

from seedfolio import CHANCE, Program, load_game
from seedfolio.core.randomness import luck_key, mix_int
from seedfolio.players.flat import Flat

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
DARK = str(EXAMPLES / "dark_three.py")
"""Hidden stones, refused tries, and a coin."""


@levels(
    ("text", "playouts", "switches"),
    [(DARK, 24, {}), (DARK, 7, {})],  # 7 are fewer than there are moves: some get no playout
    slow=[
        (str(EXAMPLES / "three_in_a_row.py"), 50, {}),
        (DARK, 7, {"again": 1, "each": 1}),
        *(("morra:fingers=3", 30, {}), ("pig", 5, {})),
    ],
)
def test_plays_the_same_games_as_the_reference(text, playouts, switches):
    game = load_game(text)
    program = Program(game, Flat(playouts, **switches))
    reference = ReferenceFlat(game, playouts, **switches)
    check_games(program, reference.play, [0, 7, 2**40 + 3, 9], [1, 7, 2**63 + 1, 8])


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

    def play(self, row, column):
        rules, luck = self.rules, int(luck_key(np.uint64(row), np.uint64(column), 0))
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
