"""Learning books: what is gained on unseen opponents, and that nothing else matters to it."""

import itertools
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from booked import PERFECT, after, same, self_play_of
from sessions import Counting, session_for, session_in

from seedfolio import ThreadArena, load_program
from seedfolio.learning.book.checkpoint import load_checkpoint
from seedfolio.learning.book.decisions import Caution
from seedfolio.learning.book.learner import BookLearner, books_for
from seedfolio.learning.book.mixture import Measuring, pooled_books
from seedfolio.learning.book.self_play import ColourExperience, Experience, SelfPlay
from seedfolio.learning.book.several_moves import MoveVariety
from seedfolio.learning.learner import Budget
from seedfolio.players.books.table import NO_STATE


def first_moves(plain, colour, own, theirs):
    """Return what games without a book show a colour, by its state and first move, by hand."""
    sums = defaultdict(lambda: [0, 0])
    cells = (own, theirs) if colour == 0 else (theirs, own)
    points, _ = plain.play(*cells, plain.workspace())
    for mine, other, first_players in zip(own.tolist(), theirs.tolist(), points, strict=True):
        before = [] if colour == 0 else [plain.choose([], other)]
        state = plain.game.information(before, colour).history
        found = sums[int(state), plain.choose(before, mine)]
        found[0] += 1
        found[1] += int(first_players if colour == 0 else 2 - first_players)
    return sums


@pytest.mark.parametrize("colour", [0, 1])
def test_each_colour_learns_from_its_own_moves_and_results(colour):
    program = load_program(*PERFECT)
    play = SelfPlay(session_for(program), symmetric=False)
    (found,) = after(play, Experience.none(), 300).colours[colour]
    numbers = np.arange(150 * colour, 150 * (colour + 1), dtype=np.uint64)
    expected = first_moves(program, colour, *program.book_arms(numbers))
    rows = found.rows
    assert len(rows.states) == len(expected) > 5
    assert (rows.last == NO_STATE).all()
    for row in range(len(rows.states)):
        known = expected[int(rows.states[row]), int(rows.moves[row])]
        assert [int(rows.games[row]), int(rows.points[row])] == known


def test_the_book_of_each_colour_gains_on_unseen_opponents(made):
    file = made.boosted("tree").portfolios["book"]
    against_one = file.evaluation.success[0]
    assert min(against_one.first, against_one.second) > 0.8
    for (book,) in (file.book.first, file.book.second):
        first = max(book.entries, key=lambda entry: entry.games)
        assert first.success > 0.9 > 0.6 > first.original


VARIED = MoveVariety((0.1, 0.05), (4, 2))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("books", "variety"), [(1, None), (3, None), (2, VARIED)], ids=["one", "three", "varied"]
)
def test_a_round_does_not_depend_on_how_it_is_played(books, variety):
    given = {"variety": variety} if variety else {}
    program = load_program(*PERFECT, 1)
    play = SelfPlay(session_for(program), **given)
    other = SelfPlay(session_for(program, ThreadArena(2, block=11)), **given)
    caution = play.pace.caution
    assert caution.variety == (variety or MoveVariety())
    assert play.pace.round_after(60_000) == (10_000 if variety else 3750)
    one, two = (after(each, Experience.none(books, caution), 7000) for each in (play, other))
    for first, second in zip(one.colours, two.colours, strict=True):
        for mine, theirs in zip(first, second, strict=True):
            assert same(mine.rows, theirs.rows)
            assert same(mine.decided, theirs.decided)
        pools = (pooled_books(each, caution, caution.variety) for each in (first, second))
        assert all(itertools.starmap(same, zip(*pools, strict=True)))


class Watching(Counting):
    def play(self, program, rows, columns):
        assert not np.equal(rows, columns).any()
        yield from super().play(program, rows, columns)


def test_no_seed_learns_against_itself():
    arena = Watching()
    play = SelfPlay(session_for(load_program(*PERFECT), arena), symmetric=False)
    after(play, Experience.none(), 300)
    assert arena.cells == 300


@pytest.mark.slow
def test_books_learn_from_different_games():
    first, second = after(self_play_of(*PERFECT), Experience.none(4), 8000).colours
    for side in (first, second):
        games = [int(each.rows.games.sum()) for each in side]
        assert sum(games) == 4000
        assert min(games) > 850
        arms = [set(each.rows.arms.tolist()) - {2**64 - 1} for each in side]
        assert not set.intersection(*arms)


def test_rounds_keep_to_the_budget():
    play = self_play_of(*PERFECT)
    games = [each.games for each in play.rounds(Experience.none(), 2500)]
    assert games == [1000, 2000, 2500]
    assert [play.pace.round_after(number) for number in (0, 16_000, 33_333)] == [1000, 1000, 2082]
    assert play.pace.round_after(0, books=3) == 3000
    assert list(play.rounds(replace(Experience.none(), games=2500), 2500)) == []


def played_books(learnt):
    return [book for side in (learnt.plays.first, learnt.plays.second) for book in side.books]


@pytest.mark.slow
def test_what_is_kept_changes_nothing(tmp_path):
    """Whether learning was interrupted, or went on from a smaller budget or beside a larger one."""
    program, kept = load_program(*PERFECT), tmp_path / "a-books-1.npz"

    def learn(budget, arena=None):
        with session_in(tmp_path, program, arena) as session:
            assert session.checkpoint("books 1") == kept.resolve()
            learnt = BookLearner().learn(session, Budget(budget))
        assert learnt.games == budget
        return played_books(learnt)

    def straight_from(budget):
        return played_books(BookLearner().learn(session_for(program), Budget(budget)))

    straight = {budget: straight_from(budget) for budget in (2500, 6000)}
    with pytest.raises(KeyboardInterrupt):
        learn(6000, arena=Counting(most=3200))
    assert load_checkpoint(kept, mark_of(kept)).games == 3000
    assert all(map(same, learn(2500), straight[2500]))
    assert load_checkpoint(kept, mark_of(kept)).games == 3000
    assert all(map(same, learn(6000), straight[6000]))
    assert all(map(same, learn(6000, arena=Counting(most=0)), straight[6000]))
    kept.unlink()
    assert all(map(same, learn(2500), straight[2500]))
    assert all(map(same, learn(6000), straight[6000]))


def mark_of(path):
    with np.load(path) as file:
        return str(file["mark"])


@pytest.mark.slow
def test_several_books_are_mixed(tmp_path):
    program = load_program(*PERFECT)
    with session_in(tmp_path, program) as session:
        found, again = (BookLearner(books=2).learn(session, Budget(32_000)) for _ in range(2))
    assert [each.name for each in tmp_path.glob("*.npz")] == ["a-books-2.npz"]
    assert all(map(same, played_books(again), played_books(found)))
    for side in (found.plays.first, found.plays.second):
        assert 1 <= len(side.books) <= 3
        assert sum(side.weights) == pytest.approx(1)
    assert found.games == 32_000


def test_a_tenth_of_the_games_measures():
    assert (Measuring.of(10**9, 1).games, Measuring.of(30_719, 2)) == (0, Measuring(0, 0, 3))
    assert Measuring.of(30_720, 2) == Measuring(8, 64, 3)
    assert Measuring.of(10**9, 16) == Measuring(64, 512, 31)
    assert Measuring.of(123_456, 5).games <= 12_345


@pytest.mark.slow
@pytest.mark.parametrize("books", [1, 3])
def test_a_pool_is_what_one_book_would_have_seen(books):
    experience = after(self_play_of(*PERFECT), Experience.none(books), 8000)
    for side in experience.colours:
        found = pooled_books(side, experience.caution, MoveVariety())
        assert len(found) == 2 * books - 1
        rows = side[0].rows.and_more(*(each.rows for each in side[1:]))
        (whole,) = pooled_books(
            (ColourExperience.of(rows, experience.caution),), Caution(), MoveVariety()
        )
        assert same(found[-1], whole)
        for book in found:
            # What leads to an entry is an entry of the same book.
            assert (book.parents < np.arange(len(book))).all()


@pytest.mark.slow
def test_a_book_plays_its_own_moves_where_it_has_many_games():
    experience = after(self_play_of(*PERFECT), Experience.none(2), 12_000)
    for side in experience.colours:
        for each, book in zip(
            side, pooled_books(side, experience.caution, MoveVariety()), strict=False
        ):
            own = dict(zip(each.tree.states.tolist(), each.decided.best.tolist(), strict=True))
            games = dict(zip(each.tree.states.tolist(), each.decided.games.tolist(), strict=True))
            few = np.sqrt(each.rows.games.sum())
            kept = 0
            for state, move in zip(book.states.tolist(), book.moves.tolist(), strict=True):
                if games.get(state, 0) >= few and own[state] >= 0:
                    assert each.tree.moves[own[state]] == move
                    kept += 1
            assert kept > 0


def test_more_games_are_more_books():
    budgets = 1, 90_000, 1_999_999, 2_000_000, 8_000_000, 10**9
    assert [books_for(games) for games in budgets] == [1, 1, 1, 2, 8, 12]
