"""Books with two moves at a state: kept, reached, drawn, and chosen by games of their own."""

import numpy as np
import pytest
from booked import HIDDEN, PERFECT, learnt, same, self_play_of
from sessions import session_for

from seedfolio.book.learner import BookLearner
from seedfolio.book.variation import chosen_books, games_to_vary, measuring_size
from seedfolio.errors import PortfolioError
from seedfolio.learning.learner import Budget
from seedfolio.portfolios.book import BookPortfolio, one_book, packed
from seedfolio.portfolios.book_file import WrittenBook, written_books
from seedfolio.programs.load import load_program
from seedfolio.report.book_tree import book_text

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=[PERFECT, HIDDEN], ids=lambda case: case[0])
def varied(request):
    """Return a program, and books of both colours that have two moves at some states."""
    play = self_play_of(*request.param)
    # After few rounds, while second moves may still be as good.
    books = play.books(learnt(*request.param, rounds=3), varied=True)
    for book in books:
        assert 0 < len(np.unique(book.states)) < len(book)
    return play.program, BookPortfolio(*map(one_book, books))


def test_files_have_an_entry_for_each_move(varied):
    program, books = varied
    file = written_books(program, books)
    found = file.portfolio(program.game)
    for colour in (0, 1):
        (book,), (read,) = books[colour].books, found[colour].books
        for name in ("states", "moves", "parents", "games", "arms", "opponents"):
            assert np.array_equal(getattr(book, name), getattr(read, name))
        entries = (file.first, file.second)[colour][0].entries
        for entry in entries:
            moves = [program.game.parse_move(name) for name in entry.line.split()]
            assert f"{program.game.information(moves, colour).history:016x}" == entry.state
            if entry.parent >= 0 and not program.game.rules.hides:
                # The line goes through the move of the entry that leads here, not the other one.
                above = entries[entry.parent]
                assert entry.line.startswith(f"{above.line} {above.move}".strip())
        text = book_text((file.first, file.second)[colour][0], program.game, colour, len(entries))
        assert len(text.splitlines()) == 1 + len(entries)


def test_both_moves_are_played_equally_often(varied):
    program, books = varied
    booked = program.with_books(packed([books.first, books.second], symmetric=False))
    book = books[0].books[0]
    states, counts = np.unique(book.states, return_counts=True)
    file = written_books(program, books).first[0].entries
    at = int(np.flatnonzero(np.isin(book.states, states[counts == 2]))[0])
    line = [program.game.parse_move(name) for name in file[at].line.split()]
    moves = book.moves[book.states == book.states[at]].tolist()
    # Arms that come there by the book itself: at the root all do.
    assert line or at == 0
    drawn = [booked.choose(line, arm) for arm in range(400)]
    if not line:
        assert set(drawn) == set(moves)
        assert drawn.count(moves[0]) == pytest.approx(200, abs=50)
    else:
        assert set(moves) <= set(drawn)


def test_a_tenth_of_the_games_measures():
    assert measuring_size(20_479) == (0, 0)
    assert measuring_size(20_480) == (8, 64)
    assert measuring_size(120_000) == (46, 65)
    assert measuring_size(10**9) == (64, 256)
    for budget in (20_480, 33_333, 655_360, 10**7):
        own, opponents = measuring_size(budget)
        assert games_to_vary(budget) == 4 * own * opponents <= budget // 10


def test_games_of_measuring_count_and_one_of_both_is_taken():
    session = session_for(load_program(*PERFECT, 1))
    assert BookLearner().learn(session, Budget(20_480)).games == 20_480
    play, experience = self_play_of(*PERFECT), learnt(*PERFECT)
    kinds = [play.books(experience, varied=varied) for varied in (False, True)]
    few, many = chosen_books(play, experience, 20_000), chosen_books(play, experience, 40_000)
    assert all(same(one, other) for one, other in zip(few, kinds[0], strict=True))
    assert any(all(same(*pair) for pair in zip(many, kind, strict=True)) for kind in kinds)


def test_a_move_written_in_two_ways_is_refused_in_one_line(varied):
    program, books = varied
    file = written_books(program, books)
    entry = file.first[0].entries[0]
    other = entry.model_copy(update={"move": f" {entry.move.swapcase()} "})
    twice = WrittenBook(weight=1.0, entries=[entry, other])
    with pytest.raises(PortfolioError, match="same move twice"):
        file.model_copy(update={"first": [twice]}).portfolio(program.game)
