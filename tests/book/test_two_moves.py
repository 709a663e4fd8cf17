"""Books with two moves at a state, as files may have them: read, reached and drawn."""

from dataclasses import replace

import numpy as np
import pytest
from booked import HIDDEN, PERFECT, learnt, self_play_of

from seedfolio.errors import PortfolioError
from seedfolio.learning.book.mixture import book_of, entered
from seedfolio.learning.book.several_moves import MoveVariety
from seedfolio.portfolios.book.book import BookPortfolio, one_book, packed
from seedfolio.portfolios.book.file import written_books
from seedfolio.portfolios.book.rows import written_book
from seedfolio.report.books.tree import book_text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=[PERFECT, HIDDEN], ids=lambda case: case[0])
def twofold(request):
    """Return a program, and books of both colours that have two moves at their first state."""
    play, experience = self_play_of(*request.param), learnt(*request.param)
    books = []
    for (side,) in experience.colours:
        tree, decided = side.tree, side.decided
        edges = entered(tree, decided, MoveVariety())
        every = np.arange(tree.first[tree.nodes[edges[0]]], tree.first[tree.nodes[edges[0]] + 1])
        known = every[(tree.arms[every] != 2**64 - 1) & (every != edges[0])]
        books.append(book_of(tree, np.insert(edges, 1, known[0]), decided))
        assert len(np.unique(books[-1].states)) == len(books[-1]) - 1
    return play.program, BookPortfolio(*map(one_book, books))


def rows_of(book):
    """Return the entries in an order of their own, each with the state and move above it."""
    above = [(0, -1) if k < 0 else (book.states[k], book.moves[k]) for k in book.parents]
    return sorted(zip(book.states, book.moves, book.games, above, strict=True))


def test_files_have_an_entry_for_each_move(twofold):
    program, books = twofold
    file = written_books(program, books)
    found = file.portfolio(program.game)
    for colour in (0, 1):
        (book,), (read,) = books[colour].books, found[colour].books
        assert rows_of(read) == rows_of(book)
        entries = (file.first, file.second)[colour][0].entries
        for entry, state in zip(entries, read.states, strict=True):
            moves = [program.game.parse_move(name) for name in entry.line.split()]
            assert program.game.information(moves, colour).history == state
        text = book_text((file.first, file.second)[colour][0], program.game, colour, len(entries))
        assert len(text.splitlines()) == 1 + len(entries)


def test_both_moves_are_played_equally_often(twofold):
    program, books = twofold
    booked = program.with_books(packed([books.first, books.second], symmetric=False))
    moves = books[0].books[0].moves[:2].tolist()
    drawn = [booked.choose([], arm) for arm in range(400)]
    assert set(drawn) == set(moves)
    assert drawn.count(moves[0]) == pytest.approx(200, abs=50)


def test_a_move_written_in_two_ways_is_refused_in_one_line(twofold):
    program, books = twofold
    file = written_books(program, books)
    entry = file.first[0].entries[0]
    other = replace(entry, move=f" {entry.move.swapcase()} ")
    twice = written_book(1.0, [entry, other])
    with pytest.raises(PortfolioError, match="same move twice"):
        file.model_copy(update={"first": [twice]}).portfolio(program.game)
