"""Rows: of written books, of tables for play, and of results in learning."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from small_tree import ROOT, rows_from, some_games

from seedfolio.core.randomness import events_between, fold, fold_words
from seedfolio.engines.play.book_side import state_after
from seedfolio.learning.book.statistics import Rows
from seedfolio.players.books import table
from seedfolio.portfolios.book.book import Book
from seedfolio.portfolios.book.moves import moves_between, states_after
from seedfolio.portfolios.book.rows import MovesBook, StatesBook, WrittenEntry, written_book

WORDS = st.integers(0, 2**64 - 1)
MOVES = 30


@settings(deadline=None, max_examples=40)
@given(WORDS, WORDS)
def test_folding_can_be_undone(history, event):
    one, other = np.array([history], np.uint64), np.array([event], np.uint64)
    later = fold_words(one, other)
    assert events_between(one, later)[0] == event
    if event < 2**62:
        assert fold(np.uint64(history), event) == later[0]


def tree_of(between, draw):
    parents = [draw(st.integers(-1, place - 1)) for place in range(len(between))]
    moves = [draw(st.integers(0, MOVES - 1)) for _ in between]
    lines = []
    for parent, since in zip(parents, between, strict=True):
        lines.append([*([] if parent < 0 else [*lines[parent], moves[parent]]), *since])
    states = np.array([state_after(line) for line in lines], np.uint64)
    zeros = (np.zeros(len(between), kind) for kind in (np.int64, float, float, "u8"))
    return Book(states, np.array(moves), np.array(parents), *zeros)


def some_moves(most):
    moves = st.lists(st.integers(0, MOVES - 1), max_size=most)
    return st.lists(moves, min_size=1, max_size=20)


@settings(deadline=None, max_examples=40)
@given(some_moves(2) | st.just([[1], [1, 2, 3]]), st.data())
def test_states_tell_the_moves_and_moves_the_states(between, data):
    book = tree_of(between, data.draw)
    # Three moves in a row are not told, and still lead to the state.
    told = max(map(len, between)) < 3
    assert moves_between(book, MOVES) == ([tuple(each) for each in between] if told else None)
    found = states_after(book.parents.tolist(), book.moves, between)
    assert found.tolist() == book.states.tolist()


def entry(line, move, parent, games, **more):
    return WrittenEntry(line, move, parent, games, 0.98765, 0.5, **more)


def test_rows_are_in_the_order_of_the_tree():
    book = written_book(
        0.5,
        [
            entry("", "a", -1, 90),
            entry("a x", "b", 0, 30),
            entry("a y", "c", 0, 50),
            entry("a x b z", "d", 1, 20),
            entry("a x", "e", 0, 30),
        ],
    )
    assert isinstance(book, MovesBook)
    assert book.rows == [
        (0, "", "a", 90, 0.988, 0.5),
        (1, "y", "c", 50, 0.988, 0.5),
        (1, "x", "b", 30, 0.988, 0.5),
        (2, "z", "d", 20, 0.988, 0.5),
        (1, "x", "e", 30, 0.988, 0.5),
    ]
    assert [each.parent for each in book.entries] == [-1, 0, 0, 2, 0]
    assert [each.line for each in book.entries] == ["", "a y", "a x", "a x b z", "a x"]
    assert written_book(0.5, book.entries) == book
    with pytest.raises(ValueError, match="does not pass"):
        written_book(1.0, [entry("", "a", -1, 9), entry("b x", "c", 0, 8)])


def test_with_states_lines_may_lack():
    known, unknown = (f"{number:016x}" for number in (1, 2))
    entries = [entry("q", "a", -1, 9, state=known), entry(None, "b", 0, 8, state=unknown)]
    book = written_book(1.0, entries)
    assert isinstance(book, StatesBook)
    assert book.rows == [
        (0, known, "q", "a", 9, 0.988, 0.5),
        (1, unknown, None, "b", 8, 0.988, 0.5),
    ]
    assert [each.key for each in book.entries] == [known, unknown]
    row = ("", "a", 9, 0.5, 0.5)
    for depths in ([1], [0, 2], [0, 1, 3], [-1]):
        with pytest.raises(ValidationError):
            MovesBook(weight=1.0, rows=[(depth, *row) for depth in depths])
    MovesBook(weight=1.0, rows=[(depth, *row) for depth in (0, 1, 2, 1, 0, 0, 1)])


def random_states(count, key=1):
    return np.unique(np.random.default_rng(key).integers(0, 2**64, count, np.uint64))


def place_of(words, colour, number=0):
    return int(words[1 + colour]) + 1 + 3 * number


def drawn_from(book, state, count):
    words = table.pack([[(1.0, book)], []], symmetric=True)
    place, state = place_of(words, 0), np.uint64(state)
    value = np.uint64(table.find(state, place, words))
    drawn = [int(table.choice(value, state, np.uint64(n), place, words)) - 1 for n in range(count)]
    return bool(table.goes_on(value)), drawn


@pytest.mark.parametrize("count", [0, 1, 2, 3, 100, 5000])
def test_every_state_is_found_and_no_other(count):
    states = random_states(count)
    if count > 2:
        # The root's own hash, neighbours, and many states for the same slot.
        few = np.array([0, 1, table.NO_STATE - 1], np.uint64)
        states = np.unique(np.concatenate([states, few, few << np.uint64(20)]))
    book = table.Instructions.of(states, np.arange(len(states)) % 1000)
    words = table.pack([[], [(1.0, book)]], symmetric=True)
    place = place_of(words, 1)
    for k, state in enumerate(states[:300]):
        value = np.uint64(table.find(state, place, words))
        assert table.goes_on(value)
        assert table.choice(value, state, np.uint64(5), place, words) == k % 1000 + 1
    for state in random_states(100, key=2):
        assert table.find(state, place, words) == 0


def test_books_are_drawn_by_their_weights():
    three = [(weight, table.Instructions.none()) for weight in (0.5, 0.2, 0.3)]
    words = table.pack([three, []], symmetric=True)
    drawn = [table.drawn_book(np.uint64(arm), 0, words) for arm in range(10_000)]
    shares = [drawn.count(place_of(words, 0, number)) / 10_000 for number in range(3)]
    assert shares == pytest.approx([0.5, 0.2, 0.3], abs=0.02)


def test_choices_are_drawn_as_often_as_they_are_named():
    states = np.array([7, 8, 9], np.uint64)
    book = table.Instructions(
        states=states,
        moves=np.array([0, 40, 6]),
        goes_on=np.array([True, True, False]),
        counts=np.array([2, 0, 4]),
        listed=np.array([2, 0, 3]),
        choices=np.array([3, 11, -1, 5, 5]),
    )
    further, drawn = zip(*(drawn_from(book, state, 4000) for state in states), strict=True)
    assert (further, drawn[0].count(3) + drawn[0].count(11)) == ((True, True, False), 4000)
    assert (drawn[0].count(3), set(drawn[1])) == (pytest.approx(2000, abs=150), {40})
    assert [drawn[2].count(m) for m in (-1, 5, 6)] == pytest.approx([1000, 2000, 1000], abs=150)
    assert len({(a, c) for a, c in zip(drawn[0], drawn[2], strict=True)}) == 6


@pytest.mark.parametrize("times", [None, [10, 7, 5, 1]])
def test_of_several_moves_of_a_state_one_is_drawn(times):
    states, often = np.array([5, 9, 5, 5], np.uint64), None if times is None else np.array(times)
    book = table.Instructions.of(states, np.array([3, 4, 1, 2]), often)
    further, drawn = drawn_from(book, 5, 3200)
    expected = [16 / 3] * 3 if times is None else [10, 5, 1]
    assert further
    assert [drawn.count(move) / 200 for move in (3, 1, 2)] == pytest.approx(expected, abs=0.7)
    assert drawn_from(book, 9, 99) == (True, [4] * 99)
    with pytest.raises(ValueError, match="same move twice"):
        table.Instructions.of(states, np.array([3, 4, 1, 3]), often)


def as_set(rows):
    columns = [getattr(rows, name).tolist() for name in Rows.__dataclass_fields__]
    return set(zip(*columns, strict=True))


def test_rows_count_games_by_state_and_move():
    games = [
        (9, ROOT, 3, table.NO_STATE, -1, 0, 2),
        (4, ROOT, 3, table.NO_STATE, -1, 0, 1),
        (8, ROOT, 3, table.NO_STATE, -1, 0, 0),
        (2, ROOT, 3, table.NO_STATE, -1, 1, 2),  # planned: its arm does not choose the move itself
        (5, ROOT, 1, table.NO_STATE, -1, 1, 0),
        (6, table.NO_STATE, -1, ROOT, 3, 0, 2),
    ]
    assert as_set(rows_from(games)) == {
        (ROOT, 3, table.NO_STATE, -1, 4, 5, 3, 3, 4),
        (ROOT, 1, table.NO_STATE, -1, 1, 0, 0, 0, table.NO_STATE),
        (table.NO_STATE, -1, ROOT, 3, 1, 2, 0, 0, table.NO_STATE),
    }


def test_rows_add_up_however_games_are_cut():
    games = some_games()
    whole = as_set(rows_from(games))
    parts = [rows_from(games[begin : begin + 37]) for begin in range(0, len(games), 37)]
    assert as_set(Rows.none().and_more(*parts)) == whole
    assert as_set(parts[3].and_more(parts[0]).and_more(*parts[4:], *parts[1:3])) == whole


def some_rows(count, states, seed):
    drawn = np.random.default_rng(seed)
    pool = np.append(drawn.integers(0, 2**64 - 1, states, np.uint64), np.uint64(table.NO_STATE))
    state = pool[drawn.integers(0, len(pool), count)]
    last = pool[drawn.integers(0, min(3, len(pool)), count)]
    move, last_move, games = (drawn.integers(0, most, count) for most in (4, 3, 9))
    arms = drawn.integers(0, 2**62, count).astype(np.uint64)
    return state, move, last, last_move, games, games + 1, games, games, arms


@pytest.mark.parametrize(("count", "states"), [(0, 1), (1, 1), (50, 4), (3000, 900), (30_000, 5)])
def test_rows_of_one_key_are_added_up_in_order(count, states):
    columns = some_rows(count, states, seed=count)
    sums = defaultdict(lambda: [0, 0, 0, 0, table.NO_STATE])
    for row in zip(*(each.tolist() for each in columns), strict=True):
        found = sums[row[:4]]
        found[:4] = np.add(found[:4], row[4:8]).tolist()
        found[4] = min(found[4], row[8])
    kinds = [each.dtype for each in Rows.none().columns]
    pairs = zip(columns, kinds, strict=True)
    rows = Rows(*(column.astype(kind) for column, kind in pairs)).in_order()
    found = list(zip(*(each.tolist() for each in rows.columns), strict=True))
    assert found == [(*key, *sums[key]) for key in sorted(sums)]
    assert rows.are_in_order()
