"""The table player: against a plain second implementation, and what it promises."""

from collections import Counter

import numpy as np
import pytest
from reference_uct import GOLDEN, below, history_hash
from scipy.stats import chi2_contingency, chisquare

from seedfolio.core.randomness import mix_int
from seedfolio.games import load_game
from seedfolio.games.rules import CHANCE
from seedfolio.players.program import Program
from seedfolio.players.table import Table

MORRA = "morra:fingers=3"

# The plain second implementation.


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
    rows, columns = np.array([[0, 7, 2**40 + 3, 2**64 - 1], [1, 7, 2**63 + 1, 0]], np.uint64)
    scores, hashes = program.play(rows, columns, program.workspace())
    for row, column, score, found in zip(rows, columns, scores, hashes, strict=True):
        points, moves = reference_cell(game, int(row), int(column), repeats, noise)
        assert (int(score), int(found)) == (points, history_hash(moves))


# What it promises.


def histories(game, *texts):
    return [[game.parse_move(name) for name in text.split()] for text in texts]


def moves_of_seeds(program, history, seeds, luck=0):
    return [program.choose(history, seed, luck) for seed in seeds]


def are_independent(one, other):
    """Whether two lists of moves, of the same seeds, are as unrelated as chance makes them."""
    rows, columns = sorted(set(one)), sorted(set(other))
    pairs = Counter(zip(one, other, strict=True))
    table = [[pairs[row, column] for column in columns] for row in rows]
    return bool(chi2_contingency(table).pvalue > 1e-3)


def test_seeds_and_histories_draw_every_move_alike():
    game = load_game(MORRA)
    (history,) = histories(game, "1/1 2/1 3/3")
    program = Program(game, Table())
    counts = Counter(moves_of_seeds(program, history, range(3000)))
    assert sorted(counts) == sorted(game.position(history).moves)
    assert chisquare(list(counts.values())).pvalue > 1e-3
    pairs = [[a, b] for a in range(9) for b in range(9)]
    counts = Counter(program.choose([*one, *two], 1) for one in pairs for two in pairs[:20])
    assert chisquare([counts[move] for move in range(9)]).pvalue > 1e-3


def test_the_same_board_by_another_way_has_its_own_move():
    game = load_game("domineering:4x4")
    one, other = histories(game, "a1a2 c3d3 b1b2", "b1b2 c3d3 a1a2")
    assert (game.position(one).cells == game.position(other).cells).all()
    program = Program(game, Table())
    first, second = (moves_of_seeds(program, way, range(2000)) for way in (one, other))
    assert first != second
    assert are_independent(first, second)


def test_the_two_colours_of_a_seed_are_unrelated():
    # Both players of Morra begin with the same moves; the second has noticed one event.
    game = load_game(MORRA)
    program = Program(game, Table())
    first, second = (moves_of_seeds(program, history, range(2000)) for history in ([], [0]))
    assert are_independent(first, second)


def test_the_move_depends_on_what_the_colour_has_noticed_alone():
    game = load_game(MORRA)
    program = Program(game, Table())
    for seed in range(50):
        # The first player's move of the round is hidden from the second ...
        assert len({program.choose([4, 2, move], seed) for move in range(9)}) == 1
    # ... but that of the last round is known.
    assert len({program.choose([move, 2, 4], 1) for move in range(9)}) > 1


def test_a_refused_try_leads_to_another_information_state():
    game = load_game("phantom-tic-tac-toe")
    program = Program(game, Table())
    tries: Counter[int] = Counter()
    for seed in range(3000):
        # The second player tries the centre, which the first has taken.
        history = [4, 4]
        assert game.position(history).refused
        tries[program.choose(history, seed)] += 1
    assert sorted(tries) == sorted(set(range(9)) - {4})
    assert chisquare(list(tries.values())).pvalue > 1e-3


def test_without_noise_luck_does_not_matter():
    assert not Table().stochastic
    program = Program(load_game(MORRA), Table())
    assert len({program.choose([3, 3], 8, luck) for luck in range(200)}) == 1


def test_noise_alone_plays_at_random_whatever_the_seed():
    assert Table(100).stochastic
    program = Program(load_game(MORRA), Table(100))
    by_luck = Counter(program.choose([], 8, luck) for luck in range(3000))
    assert sorted(by_luck) == list(range(9))
    assert chisquare(list(by_luck.values())).pvalue > 1e-3
    assert len({program.choose([], seed, luck=5) for seed in range(200)}) == 1
    # Drawn anew for every move of a game.
    moves = [[program.choose(history, 8, luck) for luck in range(2000)] for history in ([], [4, 4])]
    assert are_independent(*moves)


@pytest.mark.parametrize("noise", [10, 50])
def test_some_noise_leaves_the_table_its_share(noise):
    game = load_game(MORRA)
    quiet, noisy = Program(game, Table()), Program(game, Table(noise))
    games = 4000
    for seed in (0, 1):
        mine = quiet.choose([], seed)
        counts = Counter(noisy.choose([], seed, luck) for luck in range(games))
        every = noise / 100 / 9
        expected = [games * (every + (1 - noise / 100) * (move == mine)) for move in range(9)]
        assert chisquare([counts[move] for move in range(9)], expected).pvalue > 1e-3


def test_the_luck_of_the_two_colours_is_unrelated():
    program = Program(load_game(MORRA), Table(100))
    first, second = ([program.choose(h, 8, luck) for luck in range(2000)] for h in ([], [0]))
    assert are_independent(first, second)
