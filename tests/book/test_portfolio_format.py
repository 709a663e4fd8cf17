"""The format of portfolio files: its schema, its versions, and how large ones are stored."""

import gzip
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from seedfolio import portfolio_schema, show, show_book
from seedfolio.cli import run
from seedfolio.errors import PortfolioError
from seedfolio.games import load_game
from seedfolio.opponents.load import load_boosted
from seedfolio.portfolios.book.rows import MovesBook, WrittenEntry, written_book
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
    """Return the entries of a book of the first player that has a move wherever it can come to."""
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
    """A portfolio whose books have more entries than a plain file."""
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
    again = load_portfolio(old(name)).save(tmp_path / "again.json")
    for path in (old(name), again):
        program = load_boosted(path)
        game = program.program.game
        for key, played in enumerate(PLAYS[name][1:], 1):  # with key 0 it drew no arm then
            arms = [program.new_game(colour, key + 1000 * colour) for colour in (0, 1)]
            history = []
            while (position := game.position(history)).moves:
                history.append(arms[position.mover].choose(history))
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
