"""Books that draw between moves: which ones, how often, and what holds against one who learns."""

from ast import literal_eval

import numpy as np
import pytest
from booked import HIDDEN, PERFECT, learnt, same
from case_files import cases
from experiments.exact import left_exactly
from sessions import session_for, session_in
from small_tree import drawn_at, rows_from, some_games

from seedfolio import SpecificationError, StudyError, load_program
from seedfolio.learning.book.decisions import Caution, decide, studied
from seedfolio.learning.book.learner import BookLearner, moves_for
from seedfolio.learning.book.mixture import entered, holding_book
from seedfolio.learning.book.self_play import ColourExperience
from seedfolio.learning.book.several_moves import DRAWS, NO_BOUND, MoveVariety
from seedfolio.learning.book.tree import tree_of
from seedfolio.learning.learner import Budget
from seedfolio.players.books.table import NO_STATE
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio
from seedfolio.portfolios.book.file import WrittenBooks, written_books
from seedfolio.portfolios.book.rows import shares

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
    study, several = studied(tree, decided), 0
    for k in range(len(study.states)):
        node = int(np.searchsorted(tree.states, study.states[k]))
        if decided.best[node] < 0:
            continue
        drawn = drawn_at(study, k)
        assert len(drawn) == study.counts[k]
        moves = tree.moves[drawn_by_hand(tree, decided, node, 1.0, 5)].tolist()
        often = [drawn.count(move) for move in moves]
        assert max(often) - min(often) < len(moves)
        assert sum(often) >= len(drawn) / 2
        several += len(moves) > 1
    assert several > 0


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
    with session_in(tmp_path, program) as session:
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
    with session_in(tmp_path, program) as session:
        BookLearner(moves=6).learn(session, Budget(2000))
        monkeypatch.setattr("seedfolio.learning.book.self_play._VARIED_GROWTH", 16)
        with pytest.raises(StudyError, match="another program or version"):
            BookLearner(moves=6).learn(session, Budget(4000))


def test_moves_are_drawn_as_often_as_the_tilt_says():
    tree = tree_of(rows_from(some_games(2000)))
    decided = decide(tree, Caution(visits=10, variety=MoveVariety(tilt=7.0)))
    study = studied(tree, decided)
    seen = 0
    for node in np.flatnonzero(decided.best >= 0):
        edges = np.arange(tree.first[node], tree.first[node + 1])
        edges = edges[tree.arms[edges] != np.uint64(NO_STATE)]
        weights = (tree.natural_games[edges] + 0.3) * np.exp(7.0 * decided.bounds[edges])
        expected = weights / weights.sum()
        draws = decided.draws[edges]
        assert np.abs(draws / DRAWS - expected).max() <= 0.5 / DRAWS + 0.01
        assert decided.values[node] == pytest.approx(
            (draws * decided.edge_values[edges]).sum() / draws.sum()
        )
        # The next games draw all of them as often, beside a few to explore.
        k = int(np.flatnonzero(study.states == tree.states[node])[0])
        listed = drawn_at(study, k)
        if (draws > 0).sum() > 1:
            assert all(listed.count(tree.moves[e]) >= decided.draws[e] for e in edges)
            seen += 1
    assert seen >= 3


@pytest.mark.parametrize("game", [PERFECT, pytest.param(HIDDEN, marks=pytest.mark.slow)])
def test_it_resumes_and_its_file_says_how_often(tmp_path, game):
    program, learner = load_program(*game), BookLearner(hold=0.5)
    with session_in(tmp_path, program) as session:
        learner.learn(session, Budget(4_000))
    assert [each.name for each in tmp_path.glob("*.npz")] == ["a-books-1-hold-0.5.npz"]
    with session_in(tmp_path, program) as session:
        more = learner.learn(session, Budget(6_000)).plays
        (tmp_path / "a-books-1-hold-0.9.npz").write_bytes(
            (tmp_path / "a-books-1-hold-0.5.npz").read_bytes()
        )
        with pytest.raises(StudyError, match="another program"):
            BookLearner(hold=0.9).learn(session, Budget(6_000))
    straight = learner.learn(session_for(program), Budget(6_000)).plays
    file = written_books(program.for_books, more)
    read = WrittenBooks.model_validate_json(file.model_dump_json()).portfolio(program.game)
    for colour in (0, 1):
        (book,) = more[colour].books
        assert same(book, straight[colour].books[0])
        assert book.times.max() > 1
        (again,) = read[colour].books
        pairs = [sorted(zip(b.states, b.moves, b.times, strict=True)) for b in (book, again)]
        assert pairs[0] == pairs[1]
        entries = (file.first, file.second)[colour][0].entries
        assert sum(shares(entries)) == pytest.approx(len(np.unique(book.states)))
    short = file.first[0].model_copy(update={"times": [1]})
    with pytest.raises(ValueError, match="times has 1 numbers"):
        type(short).model_validate_json(short.model_dump_json())


def test_less_tilt_stays_nearer_to_the_program():
    rows = learnt(*PERFECT).colours[0][0].rows
    widths = []
    for tilt in (0.01, 5.0, 200.0):
        caution = Caution(variety=MoveVariety(tilt=tilt))
        seen = ColourExperience.of(rows, caution)
        book = holding_book(seen, caution, average=False)
        root = book.times[book.parents < 0]
        widths.append(len(root))
        own = np.flatnonzero(seen.tree.parents < 0)[0]
        if tilt == 0.01:
            edges = np.arange(seen.tree.first[own], seen.tree.first[own + 1])
            natural = seen.tree.natural_games[edges] + 0.3
            expected = {
                int(seen.tree.moves[e]): share
                for e, share in zip(edges, natural / natural.sum(), strict=True)
            }
            for move, often in zip(book.moves[book.parents < 0], root, strict=True):
                assert often / root.sum() == pytest.approx(expected[int(move)], abs=0.04)
    assert widths[0] >= widths[1] >= widths[2] == 1


@pytest.mark.parametrize(
    ("given", "message"), cases(__file__, "what it does not take", literal_eval)
)
def test_what_it_does_not_take(given, message):
    with pytest.raises(SpecificationError, match=message):
        BookLearner(**given)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "hold", "few", "many", "near"),
    [
        ("kuhn-poker", 1.0, 2_000, 20_000, 0.05),
        ("domineering:4x4", 0.5, 2_000, 20_000, 0.02),
        ("leduc-poker", 1.0, 2_000, 200_000, 0.05),
    ],
)
def test_an_exact_best_response_leaves_more_with_more_games(game, hold, few, many, near):
    """The most that can be held over both colours is half of all points."""
    program = load_program(game, "table", 1)

    def held(plays):
        return sum(left_exactly(program, plays, colour) for colour in (0, 1)) / 2

    original = held(BookPortfolio(ORIGINAL, ORIGINAL))
    learner, session = BookLearner(hold=hold), session_for(program)
    less, more = (held(learner.learn(session, Budget(games)).plays) for games in (few, many))
    usual = held(BookLearner().learn(session_for(program), Budget(many)).plays)
    assert max(usual, less, original) < more <= 0.5
    assert 0.5 - more < near
