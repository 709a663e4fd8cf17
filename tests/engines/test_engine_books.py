"""Books of external engines: learning, files, serving, and going on after an interruption."""

import json
import sys
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from external import Kept, need_open_spiel, program_of, scripted_text, started
from sessions import session_for

from seedfolio import boost, load_program, match, replay, show_book
from seedfolio.arena import Silent
from seedfolio.arena.processes import ProcessArena
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
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.books.table import NO_STATE, Instructions, pack
from seedfolio.portfolios.book.book import ORIGINAL, Book, BookPortfolio, one_book
from seedfolio.portfolios.book.engine import written_engine_books
from seedfolio.portfolios.book.rows import StatesBook
from seedfolio.portfolios.file import load_portfolio
from seedfolio.protocols.served_game import ServedGame

BOT = """
[game]
name = "open_spiel:{game}"
[player]
protocol = "open_spiel"
bot = "mcts"
options = {{ simulations = {simulations} }}
"""
CONNECT = BOT.format(game="connect_four(rows=4,columns=5,x_in_row=3)", simulations=4)
SIZES = {"k": 2, "opponents": 20, "learners": "book", "budget": 300}
OPENING = "the first player's opening"


def words_of(*entries):
    """Return the books in which the first player has these moves after these lines."""
    states = np.array([state_after(line) for line, _ in entries], np.uint64)
    moves = np.array([move for _, move in entries], np.int64)
    return pack([[(1.0, Instructions.of(states, moves))], []], symmetric=False)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """A book of 300 games, evaluated on unseen seeds, and its file."""
    need_open_spiel()
    folder = tmp_path_factory.mktemp("learnt")
    (folder / "bot.toml").write_text(CONNECT)
    outcome = boost(folder / "bot.toml", **SIZES, study=folder / "a.study")
    return outcome, outcome.save_portfolios()["book"]


def moves_of(path):
    """Return the moves of both books in a file, by the line before each."""
    book = load_portfolio(path).book
    return [
        {each.line: each.move for each in side[0].entries} for side in (book.first, book.second)
    ]


@pytest.mark.slow
def test_a_book_beats_the_original_on_unseen_seeds(learnt):
    outcome, path = learnt
    file = load_portfolio(path)
    assert (file.provenance.games, file.book.symmetric, file.first) == (300, False, {})
    # Two of our seeds meet each opponent, of whom there are more than of an arm with many games.
    assert file.evaluation.unseen_arms == (50, 50)
    gained = outcome.rows[-1].estimates[0]
    assert outcome.rows[-1].name == "book"
    assert gained.mean - 0.5 > max(0.1, 3 * gained.error)
    # The control, 300 games to learn from, and two of our seeds against each unseen one.
    assert outcome.engine.games == 2 * 2 * 20 + 300 + 2 * 2 * 50
    assert 0 <= outcome.engine.saved < 1


@pytest.mark.slow
def test_a_file_has_the_line_to_every_entry(learnt):
    _, path = learnt
    file = load_portfolio(path)
    program = file.engine_program(path.parent)
    assert written_engine_books(program, file.plays_engine(program)) == file.book
    for colour, books in enumerate((file.book.first, file.book.second)):
        (entries,) = (each.entries for each in books)
        assert len(entries) >= 3
        for entry in entries:
            line = (entry.line or "").split()
            assert len(line) % 2 == colour
            if entry.parent >= 0:
                above = entries[entry.parent]
                start = [*(above.line or "").split(), above.move]
                assert line[: len(start)] == start
    with pytest.raises(PortfolioError, match="has no board in Seedfolio"):
        show_book(path)


@pytest.mark.slow
def test_the_boosted_engine_plays_the_book_and_then_itself(learnt):
    _, path = learnt
    known, _ = moves_of(path)
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
    record = replay(path, 3, 5)
    assert record.moves[0] == known[""]
    assert "Both play the book; where it ends, their arms." in record.text
    assert record.as_data()["book"]


@pytest.mark.slow
def test_a_boosted_engine_plays_its_book_in_a_match(learnt, tmp_path):
    _, path = learnt
    books, record = moves_of(path), tmp_path / "games.jsonl"
    played = match(path, path.with_name("bot.toml"), games=40, record=record)
    assert played.names == ("boosted bot (book)", "bot")
    assert played.pairings[0].success.mean > 0.55
    for game in map(json.loads, record.read_text().splitlines()[1:]):
        colour = game["programs"].index("boosted bot (book)")
        for ply in range(colour, len(game["moves"]), 2):
            before = " ".join(game["moves"][:ply])
            if before not in books[colour]:
                break
            assert game["moves"][ply] == books[colour][before]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("moves", 0, "z9", OPENING), "z9 is not legal after z9"),
        (("moves", 0, "", "z9"), "z9 is not legal after no moves"),
        (("states", 0, "0" * 15 + "1", "", OPENING), "the state after no moves"),
        (("states", 0, "0" * 16, None, OPENING), "without its line"),
    ],
)
def test_a_book_that_does_not_fit_its_game_is_refused(learnt, tmp_path, change, problem):
    _, path = learnt
    content = json.loads(path.read_text())
    book = load_portfolio(path).book
    kind, *row = (book.first[0].entries[0].move if each == OPENING else each for each in change)
    columns = book.second[0].columns
    if kind == "states":
        columns = StatesBook.model_fields["columns"].default
    written = {"kind": kind, "weight": 1.0, "columns": columns, "rows": [[*row, 9, 0.5, 0.5]]}
    content["book"]["second"] = [written]
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(content))
    file = load_portfolio(changed)
    with pytest.raises(PortfolioError, match=problem):
        file.plays_engine(file.engine_program(path.parent))


@pytest.mark.slow
def test_the_best_arm_may_play_on_where_the_book_ends(tmp_path):
    need_open_spiel()
    file = tmp_path / "bot.toml"
    file.write_text(CONNECT)
    sizes = {**SIZES, "learners": "book:behind=1", "opponents": 17, "budget": 100}
    outcome = boost(file, **sizes, study=tmp_path / "a.study")
    path = outcome.save_portfolios()["book:behind=1"]
    written = load_portfolio(path)
    (first,), (second,) = written.first, written.second
    plays = written.plays_engine(written.engine_program(path.parent))
    assert plays.arms == (first, second)
    assert games_for_arms(100) == games_for_arms(96) == 32
    with closing(load_boosted(path)) as engine:
        assert [engine.draw_arm(colour, 5) for colour in (0, 1)] == [first, second]
    # Each book meets as many opponents as a portfolio of one arm.
    assert written.evaluation.unseen_arms == (85, 85)
    resumed = boost(file, **sizes, study=tmp_path / "a.study")
    assert resumed.portfolios["book:behind=1"] == written


class Interrupted(Silent):
    """Progress that is interrupted after a number of games."""

    def __init__(self, games):
        self.left = games

    def advance(self, cells):
        self.left -= cells
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_an_interrupted_book_goes_on_to_the_same_book(learnt, tmp_path):
    _, path = learnt
    straight = load_portfolio(path)
    file = tmp_path / "bot.toml"
    file.write_text(CONNECT)
    study = tmp_path / "a.study"
    for games in (60, 150):  # in the control, then in learning
        with pytest.raises(KeyboardInterrupt):
            boost(file, **SIZES, study=study, threads=1, progress=Interrupted(games))
    resumed = boost(file, **SIZES, study=study)
    assert resumed.portfolios["book"].book == straight.book
    assert resumed.portfolios["book"].evaluation == straight.evaluation


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
    # A game that ends here ends in the book.
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
    assert set(tree.moves[root].tolist()) == proposed | {best}
    assert tree.games.sum() == 7
    # Without learning, nobody is asked.
    with ProcessArena(program, games=1, remember=True) as arena:
        (block,) = arena.play(program.with_books(words_of(([], best))), seeds[:1], seeds[:1])
        assert block.proposed is None


def test_few_arms_meet_in_all_pairs(tmp_path):
    text = scripted_text(tmp_path, "well", seed="0", more='setup = ["seed {seed}"]')
    program = program_of(tmp_path, text.replace("[arms]", '[arms]\nseeds = "1..19"'))
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
    assert Auto().settled(engine, 1000) == BookLearner()
    assert Auto().settled(engine, 999) == Auto()
    # What the built-in players have unless given is a number like any other here.
    assert Auto(book=5000).settled(engine, 4999) == Auto(book=5000)
    assert Auto(book=5000).settled(engine, 5000) == BookLearner()
    BookLearner().check(engine)
    many = program_of(tmp_path, BOT.format(game="mnk(m=200,n=200,k=5)", simulations=1))
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
