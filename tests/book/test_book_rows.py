"""Books as rows: the order of the tree, and states that follow from moves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from seedfolio.core.randomness import events_between, fold, fold_words
from seedfolio.engines.play.book_side import state_after
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
    """Return a book in which these moves come before each entry, and its states."""
    parents = [draw(st.integers(-1, place - 1)) for place in range(len(between))]
    moves = [draw(st.integers(0, MOVES - 1)) for _ in between]
    lines = []
    for parent, since in zip(parents, between, strict=True):
        lines.append([*([] if parent < 0 else [*lines[parent], moves[parent]]), *since])
    states = np.array([state_after(line) for line in lines], np.uint64)
    numbers, values, nobody = (
        np.zeros(len(between), kind) for kind in (np.int64, float, np.uint64)
    )
    book = Book(states, np.array(moves), np.array(parents), numbers, values, values, nobody, nobody)
    return book, states


def some_moves(most):
    moves = st.lists(st.integers(0, MOVES - 1), max_size=most)
    return st.lists(moves, min_size=1, max_size=20)


@settings(deadline=None, max_examples=40)
@given(some_moves(2) | st.just([[1], [1, 2, 3]]), st.data())
def test_states_tell_the_moves_and_moves_the_states(between, data):
    book, states = tree_of(between, data.draw)
    # Three moves in a row are not told, and still lead to the state.
    told = max(map(len, between)) < 3
    assert moves_between(book, MOVES) == ([tuple(each) for each in between] if told else None)
    found = states_after(book.parents.tolist(), book.moves, between)
    assert found.tolist() == states.tolist()


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


def test_a_line_that_passes_by_its_entry_is_not_written():
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


def test_a_tree_has_no_gaps():
    row = ("", "a", 9, 0.5, 0.5)
    for depths in ([1], [0, 2], [0, 1, 3], [-1]):
        with pytest.raises(ValidationError):
            MovesBook(weight=1.0, rows=[(depth, *row) for depth in depths])
    MovesBook(weight=1.0, rows=[(depth, *row) for depth in (0, 1, 2, 1, 0, 0, 1)])
