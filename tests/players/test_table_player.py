"""The table player: against a plain second implementation, and what it promises."""

from collections import Counter
from functools import partial

import pytest
from reference_uct import GOLDEN, below, check_games, history_hash
from scipy.stats import chisquare

from seedfolio import CHANCE, Program, load_game
from seedfolio.core.randomness import mix_int
from seedfolio.players.table import Table

MORRA = "morra:fingers=3"


def key_of(bits, colour, known):
    return mix_int(mix_int(mix_int(bits + GOLDEN) + GOLDEN * (1 + colour)) + known)


def reference_move(game, history, seed, luck, noise):
    position = game.position(history)
    known = history_hash(list(game.information(history, position.mover).events))
    moves = position.moves
    share = mix_int(luck ^ (GOLDEN * (position.mover + 1) % 2**64))
    fresh = key_of(share, position.mover, known)
    if below(fresh, 0, 100) < noise:
        return moves[below(fresh, 1, len(moves))]
    return moves[below(key_of(seed, position.mover, known), 0, len(moves))]


def reference_cell(game, row, column, repeats, noise):
    """The half points of a cell, and the moves of its games one after the other."""
    points, everything = 0, list[int]()
    for repeat in range(repeats):
        luck = mix_int(mix_int(mix_int(~row) + column) + GOLDEN * (repeat + 1))
        history: list[int] = []
        while (position := game.position(history)).score is None:
            if position.mover == CHANCE:
                move = position.moves[below(luck, len(history), len(position.moves))]
            else:
                seed = (row, column)[position.mover]
                move = reference_move(game, history, seed, luck, noise)
            history.append(move)
        points += position.score
        everything += history
    return points, everything


@pytest.mark.parametrize(
    ("text", "noise", "repeats"),
    [
        ("domineering:4x4", 0, 1),
        ("domineering:4x4", 20, 3),
        ("pig", 50, 4),
        (MORRA, 50, 4),
        ("phantom-tic-tac-toe", 70, 3),
    ],
)
def test_plays_the_same_games_as_the_reference(text, noise, repeats):
    game = load_game(text)
    program = Program(game, Table(noise), repeats)
    play = partial(reference_cell, game, repeats=repeats, noise=noise)
    check_games(program, play, [0, 7, 2**40 + 3, 2**64 - 1], [1, 7, 2**63 + 1, 0])


def test_seeds_and_histories_draw_every_move_alike():
    game = load_game(MORRA)
    history = [game.parse_move(name) for name in ("1/1", "2/1", "3/3")]
    program = Program(game, Table())
    counts = Counter(program.choose(history, seed) for seed in range(3000))
    assert sorted(counts) == sorted(game.position(history).moves)
    assert chisquare(list(counts.values())).pvalue > 1e-3
    pairs = [[a, b] for a in range(9) for b in range(9)]
    counts = Counter(program.choose([*one, *two], 1) for one in pairs for two in pairs[:20])
    assert chisquare([counts[move] for move in range(9)]).pvalue > 1e-3
