"""What a tree of games is summed up to, and what is expected of moves, against sums by hand."""

from math import sqrt

import numpy as np
import pytest
from small_tree import DEEP, LEFT, RIGHT, ROOT, drawn_at, rows_from, some_games

from seedfolio.learning.book.decisions import Caution, decide, studied
from seedfolio.learning.book.expectations import expectations
from seedfolio.learning.book.mixture import book_of, entered
from seedfolio.learning.book.several_moves import MoveVariety
from seedfolio.learning.book.tree import tree_of
from seedfolio.players.books.table import NO_STATE


def by_hand(games, caution, state, expected):
    """Return (games, value, natural value, best move, sum for the move that leads there)."""
    mine = [game for game in games if game[1] == state]
    moves = {game[2] for game in mine} | {game[4] for game in games if game[3] == state}
    natural = [game[-1] / 2 for game in mine if not game[5]]
    children = {
        move: {g[1] for g in games if g[3] == state and g[4] == move and g[1] != NO_STATE}
        for move in moves
    }
    values, total, scored = {}, 0, 0.0
    mean = sum(natural) / len(natural)
    for move in sorted(moves):
        results = [game[-1] / 2 for game in mine if game[2] == move]
        ended = [g for g in games if g[1] == NO_STATE and g[3] == state and g[4] == move]
        results += [game[-1] / 2 for game in ended]
        won, number = sum(results), len(results)
        for child in children[move]:
            behind, _, _, _, told = by_hand(games, caution, child, expected)
            won, number = won + told, number + behind
        total, scored = total + number, scored + won
        advantages, prior = expected
        hoped = min(1, max(0, mean + advantages[state, move]))
        value = (won + prior * hoped) / (number + prior)
        known = any(game[2] == move and not game[5] for game in mine)
        spread = sqrt(max(value * (1 - value), 0.02) / (number + prior))
        bound = value - caution.errors * spread
        if number >= caution.candidate and known and value > mean:
            values[move] = bound, value
    best = max(values, key=lambda move: values[move][0], default=None)
    if total < caution.visits:
        best = None
    worth = mean if best is None else values[best][1]
    told = caution.results * scored + (1 - caution.results) * total * worth
    return total, worth, mean, best, told


@pytest.mark.parametrize("results", [0.0, 0.3, 1.0])
def test_a_tree_is_summed_up_as_by_hand(results):
    caution = Caution(visits=30, candidate=5, alike=0.0, errors=0.7, results=results)
    games = some_games()
    tree = tree_of(rows_from(games))
    assert tree.states.tolist() == [ROOT, LEFT, RIGHT, DEEP]
    decided = decide(tree, caution)
    told = expectations(tree, caution.prior, caution.most_prior)
    assert decided.prior == told.games
    named = zip(tree.states[tree.nodes].tolist(), tree.moves.tolist(), strict=True)
    expected = dict(zip(named, told.advantages.tolist(), strict=True)), told.games
    for node, state in enumerate(tree.states.tolist()):
        total, value, natural, best, _ = by_hand(games, caution, state, expected)
        assert (decided.games[node], decided.values[node]) == (total, pytest.approx(value))
        assert decided.natural[node] == pytest.approx(natural)
        edge = decided.best[node]
        assert (None if edge < 0 else tree.moves[edge]) == best


def test_the_book_is_what_its_own_moves_lead_to():
    tree = tree_of(rows_from(some_games()))
    decided = decide(tree, Caution())
    edges = entered(tree, decided, MoveVariety()).tolist()
    nodes = tree.nodes[edges].tolist()
    assert (nodes[0], edges) == (0, decided.best[nodes].tolist())
    book = book_of(tree, np.array(edges), decided)
    assert book.states.tolist() == tree.states[nodes].tolist()
    above = tree.parents[nodes].tolist()
    assert book.parents.tolist() == [-1 if each < 0 else edges.index(each) for each in above]
    assert (book.parents < np.arange(len(nodes))).all()


def test_all_that_is_looked_at_is_in_what_is_studied():
    # Move 7 has won always, but no arm chooses it.
    tried = [(arm, ROOT, 7, NO_STATE, -1, 1, 2) for arm in range(5000, 5040)]
    tree = tree_of(rows_from(some_games(2000) + tried))
    caution = Caution()
    decided = decide(tree, caution)
    study = studied(tree, decided)
    natural = caution.with_expectations(decided.prior).natural
    assert study.states.tolist() == tree.states[decided.games >= natural].tolist()
    for k in range(len(study.states)):
        node = int(np.searchsorted(tree.states, study.states[k]))
        drawn = drawn_at(study, k)
        moves = tree.moves[tree.first[node] : tree.first[node + 1]].tolist()
        assert set(drawn) <= {*moves, -1} - {7}
        best = decided.best[node]
        assert study.goes_on[k] == (best >= 0)
        if best >= 0:
            share = drawn.count(tree.moves[best]) / len(drawn)
            assert share >= 2 / 3 - 0.05
            assert share >= 1 - caution.curiosity / sqrt(decided.games[node]) - 0.01
        else:
            assert drawn.count(-1) >= 4


def test_moves_are_entered_where_there_are_enough_games():
    usual = Caution()
    assert usual.with_expectations(1000.0) == usual.with_expectations(40.0) == usual
    least = usual.with_expectations(4.0)
    assert (least.natural, least.visits, least.candidate) == (4, 12, 4)
    between = usual.with_expectations(30.0)
    assert (between.natural, between.visits, between.candidate) == (6, 18, 5)
    games = [(arm, ROOT, arm % 2, NO_STATE, -1, 0, 2 * (arm % 2)) for arm in range(20)]
    tree = tree_of(rows_from(games))
    for visits in (10, 20, 21, 40):
        best = decide(tree, Caution(visits=visits, alike=0.0)).best[0]
        assert (best >= 0) == (visits <= 20)


def test_a_state_that_is_not_there_is_noticed():
    games = [game for game in some_games() if game[1] not in (ROOT, LEFT)]
    with pytest.raises(ValueError, match="do not form a tree"):
        tree_of(rows_from(games))
    assert (len(tree_of(rows_from([]))), tree_of(rows_from([])).first.dtype) == (0, np.int64)


def expected_by_hand(games, counts_for):
    before = {ROOT: None, LEFT: ROOT, RIGHT: ROOT, DEEP: LEFT}
    moves = {state: set() for state in before}
    for _, state, move, last, last_move, _, _ in games:
        if state != NO_STATE:
            moves[state].add(move)
        if last != NO_STATE:
            moves[last].add(last_move)

    def natural(state):
        mine = [game[-1] / 2 for game in games if game[1] == state and not game[5]]
        return sum(mine) / len(mine), len(mine)

    def below(state):
        left = [game for game in games if game[1] == state]
        left += [game for game in games if game[1] == NO_STATE and game[3] == state]
        children = [child for child, above in before.items() if above == state]
        return len(left) + sum(below(child) for child in children)

    advantages, weights = {}, {}
    for state, own in moves.items():
        for move in own:
            left = [g[-1] / 2 for g in games if g[1] == state and g[2] == move]
            left += [g[-1] / 2 for g in games if g[1] == NO_STATE and (g[3], g[4]) == (state, move)]
            won, came, number = sum(left), len(left), len(left)
            for child in before:
                if any(g[1] == child and (g[3], g[4]) == (state, move) for g in games):
                    success, left_to_it = natural(child)
                    won, came = won + below(child) * success, came + below(child)
                    number += left_to_it
            advantages[state, move] = won / came - natural(state)[0]
            weights[state, move] = number
    expected, known = {}, {}
    for state in (ROOT, LEFT, RIGHT, DEEP):
        for move in sorted(moves[state]):
            if before[state] is None:
                at = [key for key in advantages if key[1] == move]
                total = sum(weights[key] * advantages[key] for key in at)
                hoped = total / (sum(weights[key] for key in at) + 100)
            else:
                hoped = known.get((before[state], move), 0.0)
            expected[state, move] = hoped
            number = weights[state, move]
            known[state, move] = (number * advantages[state, move] + counts_for * hoped) / (
                number + counts_for
            )
    return expected


def test_expected_as_by_hand():
    games = some_games()
    tree = tree_of(rows_from(games))
    found = expectations(tree, 50.0, 50.0)  # so it counts for 50 games, whatever is learnt
    assert found.games == 50
    first = expected_by_hand(games, 100.0)  # the first of the steps
    expected = expected_by_hand(games, 50.0)
    assert first != expected
    names = zip(tree.states[tree.nodes].tolist(), tree.moves.tolist(), strict=True)
    told = dict(zip(names, found.advantages.tolist(), strict=True))
    assert told == pytest.approx(expected)


def chain(kept, count=30_000, moves=8, key=5):
    """Return games of three states in a row; the advantage is the same at all if `kept`."""
    random = np.random.default_rng(key)
    true = random.normal(0, 0.05, (3, moves))
    if kept:
        true[:] = true[0]
    true -= true.mean(axis=1, keepdims=True)
    states, games = [ROOT, LEFT, DEEP], []
    for arm in range(count):
        depth = int(random.integers(0, 3))
        move = int(random.integers(0, moves))
        won = 2 * int(random.random() < 0.5 + true[depth, move])
        last = (NO_STATE, -1) if depth == 0 else (states[depth - 1], 0)
        games.append((arm, states[depth], move, *last, 0, won))
    return tree_of(rows_from(games)), true


def test_what_is_found_again_counts_for_more():
    same, true = chain(kept=True)
    others, _ = chain(kept=False)
    much, little = expectations(same, 4, 1000), expectations(others, 4, 1000)
    assert much.games == 1000
    # Advantages differ by 5%, those of two states by 7%: as much as 0.25 / 0.07**2 games say.
    assert 20 < little.games < 120
    behind = same.nodes > 0
    hoped = much.advantages[behind].reshape(2, -1)
    assert np.corrcoef(hoped[0][1:], true[1][1:])[0, 1] > 0.95
    assert np.corrcoef(hoped[1], true[2])[0, 1] > 0.95


def test_chance_is_not_taken_for_what_moves_are():
    # Of 50 games a move chance alone has a variance of 0.25 / 50; taken for the moves' own it would
    # make what is expected count for 50 games or fewer.
    tree, _ = chain(kept=False, count=12_000, moves=80)
    assert tree.games.mean() == pytest.approx(50, rel=0.1)
    assert 100 < expectations(tree, 4, 1e6).games < 1000


def test_states_without_one_before_are_all_first_ones():
    # The second player has one for each first move; what is known of a move at one counts for all.
    games = []
    for arm in range(3_000):
        state, move = (ROOT, LEFT)[arm % 2], arm // 2 % 3
        won = 2 * int((arm * 7919) % 100 < (70 if move == 1 else 40))
        games.append((arm, state, move, NO_STATE, -1, 0, won))
    games += [(9_000, RIGHT, move, NO_STATE, -1, 0, 1) for move in (0, 1, 2)]
    tree = tree_of(rows_from(games))
    told = expectations(tree, 4, 1000).advantages.reshape(3, 3)
    assert tree.parents.tolist() == [-1, -1, -1]
    assert np.allclose(told, told[0])
    assert told[0].argmax() == 1
    assert told[0][1] > 0.1


def test_states_at_which_nothing_was_left_to_the_program():
    # All games that came there stand for it.
    games = [(arm, ROOT, arm % 2, NO_STATE, -1, 0, 2 * (arm % 4 == 0)) for arm in range(400)]
    games += [(arm, LEFT, arm % 2, ROOT, 0, 1, 2 * (arm % 2)) for arm in range(400, 600)]
    tree = tree_of(rows_from(games))
    told = expectations(tree, 30.0, 30.0)
    assert np.isfinite(told.advantages).all()
    # Move 0 had half of 200 games at the root, and half of 200 behind it: 1/2 against 1/4.
    behind = told.advantages[tree.nodes == 1]
    assert behind[0] == pytest.approx((400 * 0.25 + 30 * told.advantages[0]) / 430)
