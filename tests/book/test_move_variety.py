"""Books that draw between moves: which moves, what a state is worth, and that they play them."""

import numpy as np
import pytest
from booked import PERFECT, same
from sessions import session_for
from small_tree import rows_from, some_games

from seedfolio.arena.threads import ThreadArena
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.evaluation.books import evaluate_books
from seedfolio.learning.book.decisions import Caution, decide, studied
from seedfolio.learning.book.learner import BookLearner, moves_for
from seedfolio.learning.book.mixture import entered
from seedfolio.learning.book.several_moves import NO_BOUND, MoveVariety
from seedfolio.learning.book.tree import tree_of
from seedfolio.learning.learner import Budget
from seedfolio.portfolios.book.file import written_books
from seedfolio.programs.load import load_program
from seedfolio.study.session import Session
from seedfolio.study.store import Study

WIDE = MoveVariety((1.0,), (5,))


def drawn_by_hand(tree, decided, node, slack, most):
    edges = range(tree.first[node], tree.first[node + 1])
    best = decided.bounds[decided.best[node]]
    close = [e for e in edges if decided.bounds[e] > NO_BOUND and decided.bounds[e] >= best - slack]
    return sorted(sorted(close, key=lambda edge: -decided.bounds[edge])[:most])


@pytest.mark.parametrize(("slack", "most"), [(0.0, 2), (0.05, 5), (0.2, 2), (1.0, 1), (1.0, 5)])
def test_the_best_moves_within_the_slack_are_drawn(slack, most):
    tree = tree_of(rows_from(some_games(2000)))
    variety = MoveVariety((slack,), (most,))
    decided = decide(tree, Caution(visits=10, candidate=2, patience=1.0, variety=variety))
    edges = entered(tree, decided, variety)
    assert decided.best[0] in edges
    for node in set(tree.nodes[edges].tolist()):
        expected = drawn_by_hand(tree, decided, node, slack, most)
        assert sorted(edges[tree.nodes[edges] == node].tolist()) == expected
        assert decided.values[node] == pytest.approx(decided.edge_values[expected].mean())


def test_each_turn_has_its_own_numbers():
    variety = MoveVariety((0.1, 0.05), (4, 2, 1))
    slacks, moves = variety.until(3)
    assert (slacks.tolist(), moves.tolist()) == ([0.1, 0.05, 0.05, 0.05], [4, 2, 1, 1])
    tree = tree_of(rows_from(some_games(2000)))
    decided = decide(tree, Caution(visits=10, candidate=2, patience=1.0))
    first_only = entered(tree, decided, MoveVariety((1.0, 0.0), (5, 1)))
    several = np.bincount(tree.nodes[first_only], minlength=len(tree)) > 1
    assert several[tree.depths == 0].any()
    assert not several[tree.depths > 0].any()


def test_games_draw_each_of_the_moves_equally_often():
    tree = tree_of(rows_from(some_games(2000)))
    decided = decide(tree, Caution(visits=10, candidate=2, patience=1.0, variety=WIDE))
    study, ends = studied(tree, decided), np.cumsum(studied(tree, decided).listed)
    several = 0
    for k, end in enumerate(ends):
        node = int(np.searchsorted(tree.states, study.states[k]))
        if decided.best[node] < 0:
            continue
        drawn = study.choices[end - study.listed[k] : end].tolist()
        drawn += [int(study.moves[k])] * int(study.counts[k] - study.listed[k])
        assert len(drawn) == study.counts[k]
        moves = tree.moves[drawn_by_hand(tree, decided, node, 1.0, 5)].tolist()
        often = [drawn.count(move) for move in moves]
        assert max(often) - min(often) < len(moves)
        assert sum(often) >= len(drawn) / 2
        several += len(moves) > 1
    assert several > 0


@pytest.mark.slow
def test_a_varied_book_plays_many_lines_and_wins(tmp_path):
    program = load_program(*PERFECT)
    with Study.open(tmp_path / "a.study", program.identity()) as study:
        session = Session(study, ThreadArena(1), program)
        found = BookLearner(moves=6).learn(session, Budget(20_000))
        assert [each.name for each in tmp_path.glob("*.npz")] == ["a-books-1-moves-6.npz"]
        again = BookLearner(moves=6).learn(session, Budget(20_000))
        more = BookLearner(moves=6).learn(session, Budget(24_000))
    straight = BookLearner(moves=6).learn(session_for(program), Budget(24_000))
    with Study.open(tmp_path / "a.study", program.identity()) as study:
        session = Session(study, ThreadArena(1), program)
        success = evaluate_books(session, found.plays, 60, own=30).success
    assert found.games == 20_000
    file = written_books(program.for_books, found.plays)
    for colour in (0, 1):
        (book,), (same_book,) = found.plays[colour].books, again.plays[colour].books
        assert same(book, same_book)
        assert len(np.unique(book.states)) < len(book)
        assert same(more.plays[colour].books[0], straight.plays[colour].books[0])
        # Files have an entry for each move of a state.
        pair = book, *file.portfolio(program.game)[colour].books
        moves = [sorted(zip(b.states, b.moves, b.games, strict=True)) for b in pair]
        assert moves[0] == moves[1]
    assert success[0].mean > 0.6


def test_an_external_engine_cannot_have_it(tmp_path):
    (tmp_path / "gnugo.toml").write_text(
        '[game]\nname = "go"\nboard = 5\nkomi = 6.5\n'
        '[player]\nprotocol = "gtp"\ncommand = "gnugo --mode gtp"\n'
        'setup = ["set_random_seed {seed}"]\n'
    )
    program = load_program(str(tmp_path / "gnugo.toml"))
    with pytest.raises(SpecificationError, match="moves takes too many games"):
        BookLearner(moves=2).check(program)


def test_large_budgets_are_for_a_book_with_variety(tmp_path, monkeypatch):
    assert [moves_for(games) for games in (1, 3_999_999, 4_000_000, 10**9)] == [1, 1, 12, 12]
    monkeypatch.setattr("seedfolio.learning.book.learner._GAMES_TO_VARY", 3000)
    program = load_program(*PERFECT)
    with Study.open(tmp_path / "a.study", program.identity()) as study:
        session = Session(study, ThreadArena(1), program)
        twelve = {"moves": 12}
        several = {}, twelve, {**twelve, "exploiters": 1}, {"books": 1}, {"exploiters": 1}
        usual, named, drawn, one, strangers = (
            BookLearner(**given).learn(session, Budget(6000)).plays for given in several
        )
    names = sorted(each.name for each in tmp_path.glob("*.npz"))
    assert names == ["a-books-1-moves-12.npz", "a-books-1.npz"]
    for colour in (0, 1):
        (book,) = usual[colour].books
        for plays in (named, drawn):
            assert same(book, plays[colour].books[0])
        assert len(np.unique(book.states)) < len(book)
        for plays in (one, strangers):
            (book,) = plays[colour].books
            assert len(np.unique(book.states)) == len(book)


def test_a_checkpoint_of_other_rounds_is_refused(tmp_path, monkeypatch):
    program = load_program(*PERFECT)
    with Study.open(tmp_path / "a.study", program.identity()) as study:
        session = Session(study, ThreadArena(1), program)
        BookLearner(moves=6).learn(session, Budget(2000))
        monkeypatch.setattr("seedfolio.learning.book.self_play._VARIED_GROWTH", 16)
        with pytest.raises(StudyError, match="another program or version"):
            BookLearner(moves=6).learn(session, Budget(4000))
