"""Books of external engines: learning, files, serving, and going on after an interruption."""

import json
import sys
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from external import (
    BREAKTHROUGH,
    Kept,
    need_open_spiel,
    program_of,
    scripted_text,
    seeded_text,
    started,
)
from sessions import session_for

from seedfolio import Opponent, ProcessArena, boost, load_program, match, replay, show_book
from seedfolio.arena import Silent
from seedfolio.boosting.boost import default_learners
from seedfolio.engines.play.book_side import BookSide, looked_up, state_after
from seedfolio.errors import EngineError, PortfolioError, SpecificationError
from seedfolio.learning.auto import Auto
from seedfolio.learning.book.learner import BookLearner, games_for_arms
from seedfolio.learning.book.self_play import rows_of_proposals
from seedfolio.learning.book.statistics import Rows, rows_of
from seedfolio.learning.book.tree import tree_of
from seedfolio.learning.learner import Budget
from seedfolio.opponents.load import load_boosted
from seedfolio.players.books.table import NO_STATE, Instructions, pack
from seedfolio.portfolios.book.book import ORIGINAL, Book, BookPortfolio, one_book
from seedfolio.portfolios.book.engine import written_engine_books
from seedfolio.portfolios.book.rows import StatesBook
from seedfolio.portfolios.file import load_portfolio
from seedfolio.protocols.served_game import ServedGame

MNK = BREAKTHROUGH.format(simulations=4).replace(
    "breakthrough(rows=5,columns=5)", "mnk(m=200,n=200,k=5)"
)
CONNECT = MNK.replace("mnk(m=200,n=200,k=5)", "connect_four(rows=4,columns=5,x_in_row=3)")
SIZES = {"k": 2, "opponents": 20, "learners": "book", "budget": 300}


def words_of(*entries):
    states = np.array([state_after(line) for line, _ in entries], np.uint64)
    moves = np.array([move for _, move in entries], np.int64)
    return pack([[(1.0, Instructions.of(states, moves))], []], symmetric=False)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    need_open_spiel()
    folder = tmp_path_factory.mktemp("learnt")
    (folder / "bot.toml").write_text(CONNECT)
    outcome = boost(folder / "bot.toml", **SIZES, study=folder / "a.study")
    return outcome, outcome.save_portfolios()["book"]


def moves_of(path):
    book = load_portfolio(path).book
    return [{row.line: row.move for row in side[0].entries} for side in (book.first, book.second)]


@pytest.mark.slow
def test_a_book_beats_the_original_on_unseen_seeds(learnt):
    outcome, path = learnt
    file = load_portfolio(path)
    assert (file.provenance.games, file.book.symmetric, file.first) == (300, False, {})
    # Two of our seeds meet each opponent, of whom there are more than of an arm with many games.
    assert file.evaluation.unseen_arms == (50, 50)
    gained = outcome.rows[-1].estimates[0]
    assert gained.mean - 0.5 > max(0.1, 3 * gained.error)
    # The control, 300 games to learn from, and two of our seeds against each unseen one.
    assert outcome.engine.games == 2 * 2 * 20 + 300 + 2 * 2 * 50
    assert 0 <= outcome.engine.saved < 1
    program = file.engine_program(path.parent)
    assert written_engine_books(program, file.plays_engine(program)) == file.book
    for colour, books in enumerate((file.book.first, file.book.second)):
        (entries,) = (each.entries for each in books)
        assert len(entries) >= 3
        for entry in entries:
            line = (entry.line or "").split()
            assert len(line) % 2 == colour
            above = entries[entry.parent] if entry.parent >= 0 else None
            start = [*(above.line or "").split(), above.move] if above else []
            assert line[: len(start)] == start
    with pytest.raises(PortfolioError, match="has no board in Seedfolio"):
        show_book(path)


@pytest.mark.slow
def test_the_boosted_engine_plays_the_book_and_then_itself(learnt, tmp_path):
    _, path = learnt
    books, record = moves_of(path), tmp_path / "games.jsonl"
    known = books[0]
    with closing(load_boosted(path)) as engine:
        game = ServedGame(engine, 3)
        line = []
        while " ".join(line) in known:
            line.append(game.choose(0))
            assert line[-1] == known[" ".join(line[:-1])]
            line.append(game.choose(1))
        assert len(line) >= 2
        own = game.choose(0)
        with closing(started(engine.engine, engine.draw_arm(0, 3))) as alone:
            for ply, move in enumerate(line):
                alone.told(ply % 2, move)
            assert alone.choose(0) == own
        game.undo()
        assert game.choose(0) == own
    replayed = replay(path, 3, 5)
    assert replayed.moves[0] == known[""]
    assert "Both play the book; where it ends, their arms." in replayed.text
    match(path, path.with_name("bot.toml"), games=10, record=record)
    for played in map(json.loads, record.read_text().splitlines()[1:]):
        colour = played["programs"].index("boosted bot (book)")
        for ply in range(colour, len(played["moves"]), 2):
            before = " ".join(played["moves"][:ply])
            if before not in books[colour]:
                break
            assert played["moves"][ply] == books[colour][before]


@pytest.mark.slow
def test_a_book_that_does_not_fit_its_game_is_refused(learnt, tmp_path):
    _, path = learnt
    content, book = json.loads(path.read_text()), load_portfolio(path).book
    opening = book.first[0].entries[0].move
    of_moves = {"kind": "moves", "columns": book.second[0].columns}
    of_states = {"kind": "states", "columns": StatesBook.model_fields["columns"].default}
    for kind, row, problem in (
        (of_moves, (0, "z9", opening), "z9 is not legal after z9"),
        (of_states, (0, "0" * 15 + "1", "", opening), "the state after no moves"),
        (of_states, (0, "0" * 16, None, opening), "without its line"),
    ):
        content["book"]["second"] = [{**kind, "weight": 1.0, "rows": [[*row, 9, 0.5, 0.5]]}]
        (tmp_path / "changed.json").write_text(json.dumps(content))
        file = load_portfolio(tmp_path / "changed.json")
        with pytest.raises(PortfolioError, match=problem):
            file.plays_engine(file.engine_program(path.parent))


@pytest.mark.slow
def test_the_best_arm_may_play_on_where_the_book_ends(learnt, tmp_path):
    file = learnt[1].with_name("bot.toml")
    sizes = {**SIZES, "learners": "book:behind=1", "opponents": 3, "budget": 100}
    outcome = boost(file, **sizes, study=tmp_path / "a.study")
    path = outcome.save_portfolios()["book:behind=1"]
    written = load_portfolio(path)
    (first,), (second,) = written.first, written.second
    assert games_for_arms(100) == games_for_arms(96) == 32
    with closing(load_boosted(path)) as engine:
        assert [engine.draw_arm(colour, 5) for colour in (0, 1)] == [first, second]
    # Each book meets as many opponents as a portfolio of one arm.
    assert written.evaluation.unseen_arms == (15, 15)
    resumed = boost(file, **sizes, study=tmp_path / "a.study")
    assert resumed.portfolios["book:behind=1"] == written


class Interrupted(Silent):
    def __init__(self, games):
        self.left = games

    def advance(self, cells):
        self.left -= cells
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_an_interrupted_book_goes_on_to_the_same_book(learnt, tmp_path):
    straight, file = load_portfolio(learnt[1]), learnt[1].with_name("bot.toml")
    study = tmp_path / "a.study"
    for games in (60, 150):  # in the control, then in learning
        with pytest.raises(KeyboardInterrupt):
            boost(file, **SIZES, study=study, threads=1, progress=Interrupted(games))
    resumed = boost(file, **SIZES, study=study).portfolios["book"]
    assert (resumed.book, resumed.evaluation) == (straight.book, straight.evaluation)


def test_where_a_side_left_its_book():
    words = words_of(([], 3), ([3, 5], 1))
    side = BookSide(words, 0, luck=7)
    assert (side.state, side.consult()) == (0, 3)
    side.notice(0, 3)
    side.notice(1, 5)
    assert side.consult() == 1
    side.notice(0, 1)
    assert side.trail == (NO_STATE, state_after([3, 5]), 2 << 16)
    side.notice(1, 2)
    assert side.consult() is None
    assert side.trail == (NO_STATE, state_after([3, 5]), 2 << 16)
    side.notice(0, 6)
    assert not side.reading
    assert side.trail == (state_after([3, 5, 1, 2]), state_after([3, 5]), 7 | 2 << 16)
    assert looked_up(words, 0, 7, [(0, 3), (1, 5)]) == 1
    assert looked_up(words, 0, 7, [(0, 3), (1, 4)]) is None
    assert looked_up(words, 1, 7, [(0, 3)]) is None


def test_arms_propose_moves_in_place_of_their_book(tmp_path):
    program = program_of(tmp_path, scripted_text(tmp_path, "well"))
    judge = program.make_judge()
    best = judge.number("a4")
    kept = Kept()
    seeds = np.arange(3, 9, dtype=np.uint64)
    with ProcessArena(program, games=1, remember=True, archive=kept) as arena:
        playing = program.studying(words_of(([], best)))
        blocks = list(arena.play(playing, seeds, seeds + np.uint64(1)))
        answers = {each.arm: each.text for each in kept.kept if each.history == bytes(16)}
    assert len({game.moves[0] for game in kept.games}) == 1
    for block in blocks:
        assert block.proposed is not None
        assert block.left is not None
        assert (block.left[:, 1] == [NO_STATE, NO_STATE, 0]).all()
        for colour, state, move, last, last_move, arm in block.proposed.tolist():
            assert (colour, state, last, last_move) == (0, 0, NO_STATE, 0)
            assert judge.name(move - 1) == answers[arm]
    # A book plays only what a game has shown before.
    shown = np.array([[0, NO_STATE, best + 1]], np.uint64)
    rows = Rows.none().and_more(
        rows_of(np.array([2], np.uint64), np.array([2], np.uint8), shown),
        *(rows_of(block.rows, block.results, block.left[:, 0]) for block in blocks),
        *(rows_of_proposals(block.proposed) for block in blocks),
    )
    tree = tree_of(rows)
    root = slice(tree.first[0], tree.first[1])
    proposed = {judge.number(move) for move in answers.values()}
    assert len(proposed) > 1
    assert (set(tree.moves[root].tolist()), tree.games.sum()) == (proposed | {best}, 7)
    with ProcessArena(program, games=1, remember=True) as arena:
        (block,) = arena.play(program.with_books(words_of(([], best))), seeds[:1], seeds[:1])
        assert block.proposed is None


def test_few_arms_meet_in_all_pairs(tmp_path):
    text = seeded_text(tmp_path)
    program = program_of(tmp_path, text.replace("[arms]", '[arms]\nseeds = "1..19"'))
    assert not np.equal(*program_of(tmp_path, text).book_arms(np.arange(6, dtype=np.uint64))).any()
    arms = program.arms.training
    ours, theirs = program.book_arms(np.arange(arms * (arms - 1), dtype=np.uint64))
    pairs = set(zip(ours.tolist(), theirs.tolist(), strict=True))
    assert pairs == {(i, j) for i in range(arms) for j in range(arms) if i != j}
    with ProcessArena(program, games=1, remember=True) as arena:
        found = BookLearner().learn(session_for(program, arena), Budget(4 * arms))
    assert found.games == 4 * arms


def test_a_book_is_learnt_by_default_where_it_pays(tmp_path):
    need_open_spiel()
    engine = program_of(tmp_path, CONNECT)
    assert "book" not in default_learners(engine, 20, 20)
    assert "book" in default_learners(engine, 100, 40)
    assert "book" in default_learners(load_program("domineering:4x4"), 8, 8)
    for auto, least in ((Auto(), 1000), (Auto(book=5000), 5000)):
        assert auto.settled(engine, least) == BookLearner()
        assert auto.settled(engine, least - 1) == auto
    BookLearner().check(engine)
    many = program_of(tmp_path, MNK)
    for learner, program, problem in (
        (BookLearner(), many, "too many different moves for a book"),
        (BookLearner(2), engine, "several books take too many games"),
        (BookLearner(behind=1), load_program("domineering:4x4"), "for one book of an external"),
    ):
        with pytest.raises(SpecificationError, match=problem):
            learner.check(program)


def test_while_a_book_lasts_no_engine_starts(tmp_path):
    text = scripted_text(tmp_path, "well").replace(repr(sys.executable), '"no-such-engine"')
    program = program_of(tmp_path, text)
    first, answer, second = (program.make_judge().number(move) for move in ("a4", "a3", "a2"))
    states = np.array([state_after(line) for line in ([], [first, answer])], np.uint64)
    book = replace(Book.none(), states=states, moves=np.array([first, second]))
    plays = BookPortfolio(one_book(book), ORIGINAL, symmetric=False)
    with closing(Opponent(program, plays, "book")) as engine:
        game = ServedGame(engine, 1)
        assert game.choose(0) == "a4"
        with pytest.raises(EngineError, match="no-such-engine"):
            game.choose(1)
        game = ServedGame(engine, 2)
        assert game.choose(0) == "a4"
    seat = engine.draw_engine(0, 2)
    assert seat.planned_after(["a4", "a3"]) == "a2"
    for other in (["a4", "b3"], ["a4"], ["a4", "h9"]):
        assert seat.planned_after(other) is None
