"""Portfolio files: schema, versions, sizes; those that somebody changed are refused in one line."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from one_line import refused
from walking import played_out

from seedfolio import load_boosted, load_game, load_program, portfolio_schema, show, show_book
from seedfolio.cli import run
from seedfolio.errors import PortfolioError
from seedfolio.players.books.table import Instructions, pack
from seedfolio.portfolios.book.file import states_and_moves
from seedfolio.portfolios.book.rows import MovesBook, StatesBook, WrittenEntry, written_book
from seedfolio.portfolios.file import load_portfolio, parse_portfolio
from seedfolio.web.library import PORTFOLIO, Library

OLD = Path(__file__).parent / "old_files"
"""Files from before the release, with the games that the program of then played with them."""
PLAYS = json.loads((OLD / "plays.json").read_text())
PUBLISHED = Path(__file__).parents[2] / "docs" / "portfolio.schema.json"


def old(name):
    return OLD / f"{name}-2.json"


def valid(text):
    Draft202012Validator(portfolio_schema()).validate(json.loads(text))


def whole_book(game, number):
    entries, lines = [], [((), -1)]
    for line, parent in lines:
        if not (moves := game.position(line).moves):
            continue
        names, move = " ".join(map(game.move_name, line)), moves[number % len(moves)]
        games = 10**6 // 9 ** len(line) + number
        success = (0.1 + len(entries) * 0.6180339 + number * 0.4142135) % 1
        entries.append(WrittenEntry(names, game.move_name(move), parent, games, success, 0.1))
        answers = game.position([*line, move]).moves
        lines += [((*line, move, each), len(entries) - 1) for each in answers]
    return entries


@pytest.fixture(scope="module")
def large():
    file = load_portfolio(old("perfect"))
    game = load_game(file.game.source)
    books = [written_book(1 / 96, whole_book(game, number)) for number in range(96)]
    assert all(isinstance(each, MovesBook) for each in books)
    assert sum(len(each.rows) for each in books) > 10_000
    return file.model_copy(update={"book": file.book.model_copy(update={"first": books})})


@pytest.fixture
def few(large):
    book = large.book.first[0].model_copy(update={"weight": 1.0})
    books = large.book.model_copy(update={"first": [book], "second": []})
    return large.model_copy(update={"book": books})


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYS)
def test_old_files_play_the_same(name, tmp_path):
    again = load_portfolio(old(name)).save(str(tmp_path / "again.json"))
    for path in (old(name), again):
        program = load_boosted(path)
        game = program.program.game
        for key, played in enumerate(PLAYS[name][1:], 1):  # with key 0 it drew no arm then
            arms = [program.new_game(colour, key + 1000 * colour) for colour in (0, 1)]
            history, _ = played_out(game, *(arm.choose for arm in arms))
            assert " ".join(map(game.move_name, history)) == played


def test_a_program_that_plays_otherwise_is_refused(tmp_path):
    data = json.loads(load_portfolio(old("perfect")).text())
    data["behaviour"] = data["behaviour"][::-1]
    (tmp_path / "other.json").write_text(json.dumps(data))
    with pytest.raises(PortfolioError, match="plays other moves here"):
        load_boosted(tmp_path / "other.json")


@pytest.mark.parametrize("name", PLAYS)
def test_files_are_written_as_they_were(name):
    text = old(name).read_text()
    valid(text)  # books of moves and of states
    file = load_portfolio(old(name))
    assert (file.text(), parse_portfolio(text, "it")) == (text, file)


def test_the_schema_is_the_published_one_and_a_command_prints_it(capsys):
    Draft202012Validator.check_schema(portfolio_schema())
    assert (run(["show", "--schema"]), capsys.readouterr().out) == (0, PUBLISHED.read_text())
    assert run(["show"]) == 2
    assert "--schema" in capsys.readouterr().err
    assert run(["show", str(old("perfect")), "--schema"]) == 2
    assert "leave out the file" in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(schema_version=1),
        lambda d: d.update(more=1),
        lambda d: d.pop("behaviour"),
        lambda d: d["book"]["first"][0].update(kind="moves"),
        lambda d: d["book"]["first"][0]["rows"][0].append(1),
        lambda d: d["book"]["first"][0]["rows"][0].__setitem__(5, 1.5),
        lambda d: d["book"]["first"][0].update(columns=["depth"]),
    ],
)
def test_the_schema_and_the_program_refuse_the_same(change):
    data = json.loads(load_portfolio(old("perfect")).text())
    change(data)
    data["book"]["second"] = []
    assert not Draft202012Validator(portfolio_schema()).is_valid(data)
    with pytest.raises(PortfolioError):
        parse_portfolio(json.dumps(data), "it")


def test_a_large_file_is_compressed_and_found_by_either_name(large, few, tmp_path, capsys):
    plain, packed = tmp_path / "a-book.json", tmp_path / "a-book.json.gz"
    assert (few.save(plain), large.save(plain)) == (plain, packed)
    assert packed.read_bytes() == large.save(tmp_path / "other.json").read_bytes()
    (tmp_path / "other.json.gz").unlink()
    assert [each.name for each in tmp_path.iterdir()] == ["a-book.json.gz"]
    assert gzip.decompress(packed.read_bytes()).decode() == large.text()
    assert 4 * packed.stat().st_size < len(large.text())
    for name in (plain, packed):
        assert load_portfolio(name) == large
    assert (show(packed), show_book(packed, most=3).text.count("\n")) == (large, 3)
    assert run(["book", "show", str(plain), "--most", "3", "--changed"]) == 0
    assert run(["show", str(plain), "--json"]) == 0
    assert capsys.readouterr().out.endswith(large.text())
    library = Library(tmp_path)
    (found,) = library.files(PORTFOLIO)
    assert (found.name, library.portfolio(found)) == ("a-book", large)


def test_only_what_it_replaces_is_removed(large, few, tmp_path):
    plain = tmp_path / "a-book.json"
    plain.write_text("a list of mine")
    packed = large.save(plain)
    assert plain.read_text() == "a list of mine"
    plain.unlink()
    more = large.provenance.model_copy(update={"games": large.provenance.games + 1})
    longer = few.model_copy(update={"provenance": more})
    longer.save(plain)
    assert not packed.exists()
    assert large.yields_to(plain)
    assert large.yields_to(packed)
    large.save(plain)
    assert (load_portfolio(plain), load_portfolio(packed)) == (longer, large)


def test_a_small_file_is_plain_unless_its_name_says_otherwise(large, tmp_path):
    small, plain = load_portfolio(old("perfect")), tmp_path / "a.json"
    large.save(plain)
    assert (small.save(plain), [*tmp_path.iterdir()]) == (plain, [plain])
    assert load_portfolio(tmp_path / "a.json.gz") == small
    assert small.save(tmp_path / "b.json.gz") == tmp_path / "b.json.gz"
    assert gzip.decompress((tmp_path / "b.json.gz").read_bytes()).decode() == small.text()


ROWS = [
    [0, "", "b2b3", 9, 0.5, 0.5],
    [1, "a1b1", "c2c3", 5, 0.5, 0.5],
    [1, "c1d1", "c2c3", 4, 0.5, 0.5],
]


def file_with(name, books, folder):
    data = json.loads(load_portfolio(OLD / f"{name}-2.json").text())
    data["book"]["first"] = books
    (folder / "p.json").write_text(json.dumps(data))
    return folder / "p.json"


COLUMNS = ["depth", "since", "move", "games", "success", "original"]


def moves_book(rows, weight=1.0):
    return {"kind": "moves", "weight": weight, "columns": COLUMNS, "rows": rows}


def with_row(place, **changes):
    changed = [changes.get(name, old) for name, old in zip(COLUMNS, ROWS[place], strict=True)]
    return [*ROWS[:place], changed, *ROWS[place + 1 :]]


REFUSED = {
    "a child before its parent": (with_row(0, depth=1), "depth"),
    "a gap in the tree": (with_row(2, depth=3), "depth"),
    "the same state and move twice": (with_row(2, since="a1b1"), "the same move twice"),
    "a move that the game does not have": (with_row(1, move="z9"), "'z9' is not a move"),
    "a move on an occupied cell": (with_row(1, move="b2b3"), "b2b3 is not legal after b2b3 a1b1"),
    "a move of the other colour": (with_row(1, move="c2d2"), "c2d2 is not legal"),
    "an illegal move in a line": (with_row(1, since="b2c2"), "b2c2 is not legal after b2b3"),
    "not its turn": (with_row(1, since="a1b1 c2c3"), "not the turn of vertical"),
    "longer than any game": (with_row(1, since="a1b1 " * 40), "at most"),
    "a negative number of games": (with_row(0, games=-1), "rows.0"),
    "a success over 1": (with_row(0, success=1.5), "rows.0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_changed_rows_are_refused(case, tmp_path):
    rows, saying = REFUSED[case]
    path = file_with("perfect", [moves_book(rows)], tmp_path)
    for words in (["play"], ["book", "show"]):
        refused(*words, path, cwd=tmp_path, saying=saying)


def test_the_unchanged_rows_are_played_and_none_are_refused(tmp_path, capsys):
    path = file_with("perfect", [moves_book(ROWS)], tmp_path)
    program = load_boosted(path)
    assert program.program.game.move_name(program.new_game(0, 1).choose([])) in ("b2b3", "c2c3")
    assert run(["book", "show", str(path)]) == 0
    assert "3 entries" in capsys.readouterr().out
    path.write_text(json.dumps(json.loads(path.read_text()) | {"book": None}))
    with pytest.raises(PortfolioError, match="there is no book"):
        load_boosted(path)
    with pytest.raises(PortfolioError, match="there is no book"):
        show_book(path)


DEEP = [[depth, "", "b2b3", 1, 0.5, 0.5] for depth in range(30_000)]


@pytest.mark.parametrize(
    ("books", "saying"),
    [
        *(([moves_book(ROWS, w) for w in each], "add up to 1") for each in ([0.5], [0.5, 0.6])),
        ([moves_book(DEEP)], "depth over"),
    ],
    ids=["less", "more", "deep"],
)
def test_weights_add_up_and_depths_have_an_end(books, saying, tmp_path):
    for word in ("show", "play"):
        refused(word, file_with("perfect", books, tmp_path), cwd=tmp_path, saying=saying)


@pytest.mark.parametrize(
    ("column", "value", "saying"),
    [
        (1, "0" * 15 + "7", "does not lead to the state"),
        (2, "a1 a1 a1", "is not legal after"),
        (2, "b2", "not the turn"),
        (1, "x" * 16, "rows."),
    ],
)
def test_states_follow_from_their_lines(column, value, saying, tmp_path):
    books = json.loads(load_portfolio(OLD / "hidden-2.json").text())["book"]["first"]
    next(row for row in books[0]["rows"] if row[2] is not None)[column] = value
    refused("play", file_with("hidden", books, tmp_path), cwd=tmp_path, saying=saying)


@pytest.mark.slow
def test_an_illegal_move_whose_line_is_not_known_is_not_played():
    """The program plays there itself, in whole games and move by move."""
    program = load_program("domineering:4x4", "uct:simulations=5")
    first = program.choose([], arm=3)
    game = program.game
    answers = game.position([first]).moves
    illegal = next(m for m in range(len(game.rules.move_names)) if m not in answers)
    state = game.information([first], 1).history
    book = Instructions.of(np.array([state], np.uint64), np.array([illegal]))
    booked = program.with_books(pack([[], [(1.0, book)]], symmetric=False))
    assert booked.choose_noting([first], arm=5) == (program.choose([first], arm=5), False)
    assert booked.play_line((3, 5), 1) == program.play_line((3, 5), 1)
    seeds = [np.array([seed], np.uint64) for seed in (3, 5)]
    games = [each.play(*seeds, each.workspace()) for each in (booked, program)]
    assert [each.tolist() for each in games[0]] == [each.tolist() for each in games[1]]


def test_arms_under_a_symmetry_that_the_board_lacks_and_files_without_end(tmp_path):
    data = json.loads(load_portfolio(OLD / "perfect-2.json").text())
    del data["book"]
    data |= {"first": {str(9 << 48): 1.0}, "second": {"1": 1.0}}
    (tmp_path / "p.json").write_text(json.dumps(data))
    refused("play", "p.json", cwd=tmp_path, saying="symmetry 9")
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(bytes(150 * 2**20)))
    refused("show", "bomb.json.gz", cwd=tmp_path, saying="more than 100 MiB")
    os.mkfifo(tmp_path / "pipe.json")
    refused("show", "pipe.json", cwd=tmp_path, saying="not a regular file")
    for number, text in enumerate(("[" * 10**6, '{"a":' * 10**6, "1" * 10**6)):
        (tmp_path / f"{number}.json").write_text(text)
        refused("show", f"{number}.json", cwd=tmp_path, saying=f"{number}.json")


def test_a_book_with_states_needs_no_lines():
    rows = [(0, f"{7:016x}", None, "b2b3", 1, 0.5, 0.5)]
    states, _ = states_and_moves(StatesBook(weight=1.0, rows=rows), load_game("domineering:4x4"), 0)
    assert states.tolist() == [7]
