"""Books in portfolio files: played, shown, and refused where they are not right."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from booked import HIDDEN, PERFECT

from seedfolio.boosting.boost import boost
from seedfolio.boosting.compare import compare
from seedfolio.cli import run
from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.games import load_game
from seedfolio.opponents.load import load_boosted
from seedfolio.opponents.opponent import Opponent
from seedfolio.portfolios.book.rows import WrittenEntry, written_book
from seedfolio.portfolios.file import load_portfolio
from seedfolio.report.books.sgf import book_sgf
from seedfolio.report.books.show import show_book

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=[PERFECT, HIDDEN], ids=lambda case: case[0])
def boosted(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    sizes = {"k": 20, "opponents": 100, "budget": 6000}
    outcome = boost(*request.param, learners=["book"], study=folder / "some.study", **sizes)
    return outcome, outcome.save_portfolios()["book"]


def success_of(program, colour, games):
    """Return the success of a boosted program in whole games against the original."""
    original = Opponent(program.program)
    points = 0
    for key in range(games):
        arms = [original.new_game(side, key) for side in (0, 1)]
        arms[colour] = program.new_game(colour, key + 10**6)
        history = []
        while (position := original.program.game.position(history)).moves:
            history.append(arms[position.mover].choose(history))
        points += position.score if colour == 0 else 2 - position.score
    return points / (2 * games)


def test_the_boosted_program_plays_as_well_as_the_table_says(boosted):
    outcome, path = boosted
    program = load_boosted(path)
    kept = load_portfolio(path).evaluation.success[0]
    assert kept.success == outcome.rows[-1].estimates[0].mean
    for colour, expected in enumerate((kept.first, kept.second)):
        assert success_of(program, colour, 150) == pytest.approx(expected, abs=0.12)


def test_lines_lead_to_their_states(boosted):
    file = load_portfolio(boosted[1])
    game = file.loaded_game()
    plays = file.plays(game)
    for colour, books in enumerate((file.book.first, file.book.second)):
        assert books[0].kind == ("states" if game.rules.hides else "moves")
        states = plays[colour].books[0].states
        for entry, state in zip(books[0].entries, states, strict=True):
            moves = [game.parse_move(name) for name in entry.line.split()]
            assert game.information(moves, colour).history == state
            assert entry.success >= entry.original
            if entry.parent >= 0:
                assert books[0].entries[entry.parent].games >= entry.games


def test_the_text_shows_the_tree(boosted, capsys):
    entries = load_portfolio(boosted[1]).book.second[0].entries
    assert run(["book", "show", str(boosted[1]), "--second", "--most", "7"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"{len(entries):,} entries, {min(7, len(entries))} shown" in lines[0]
    assert len(lines) == 1 + min(7, len(entries))
    most = max(entries, key=lambda entry: entry.games)
    assert any(f"> {most.move} " in line and f"{most.games:,} games" in line for line in lines)


def test_a_result_shows_its_book_as_its_file_does(boosted):
    outcome, path = boosted
    text = show_book(path).text
    assert show_book(outcome).text == show_book(outcome, "book").text == text
    assert show_book(outcome.portfolios["book"]).text == text
    for given, message in [
        ((outcome, "nash"), "there is no portfolio of 'nash'; there are book"),
        ((path, "book"), "leave out `learner`"),
        ((42,), "a portfolio is a file, or what boost or load_portfolio returned, not 42"),
    ]:
        with pytest.raises(SpecificationError, match=message):
            show_book(*given)


def test_of_several_books_the_recommended_one_is_shown(tmp_path):
    asked = {"budget": 2000, "k": 8, "opponents": 17, "study": tmp_path / "several.study"}
    program = "domineering:4x4", "uct:simulations=5"
    outcome = boost(*program, learners=["book", "book:moves=2", "nash"], **asked)
    assert outcome.portfolios[outcome.recommended].book is not None
    assert show_book(outcome).text == show_book(outcome, outcome.recommended).text
    with pytest.raises(SpecificationError, match="the portfolio of nash holds no book"):
        show_book(outcome, "nash")
    unclear = replace(outcome, rows=outcome.rows[:2])
    with pytest.raises(SpecificationError, match="several books; name the `learner`: book, book:"):
        show_book(unclear)
    without = replace(unclear, portfolios={"nash": outcome.portfolios["nash"]})
    with pytest.raises(SpecificationError, match="has no book; learn one"):
        show_book(without)


def test_a_line_shows_what_follows_it_however_the_board_is_turned(boosted, capsys):
    portfolio = load_portfolio(boosted[1])
    game, entries = portfolio.loaded_game(boosted[1].parent), portfolio.book.second[0].entries
    line = max((each for each in entries if each.line), key=lambda each: each.games).line
    below = sum(f"{each.line} ".startswith(f"{line} ") for each in entries)
    for symmetry in (np.arange(len(game.rules.move_names)), game.rules.symmetries[0].moves):
        names = [game.move_name(int(symmetry[game.parse_move(name)])) for name in line.split()]
        asked = ["book", "show", str(boosted[1]), "--second", "--most", "999"]
        assert run([*asked, "--line", " ".join(names)]) == 0
        assert f"{below:,} entries, {below} shown" in capsys.readouterr().out
    assert run(["book", "show", str(boosted[1]), "--line", " ".join([line] * 3)]) == 2
    assert "shorten --line" in capsys.readouterr().err


def test_changed_shows_where_the_book_gains_most(boosted, capsys):
    entries = load_portfolio(boosted[1]).book.first[0].entries
    most = max(entries, key=lambda each: each.success - each.original)
    assert run(["book", "show", str(boosted[1]), "--changed", "--most", "1"]) == 0
    _, line = capsys.readouterr().out.splitlines()
    assert f"{most.line} > {most.move}".strip() in line


def test_json_and_diagrams(boosted, capsys, tmp_path):
    assert run(["book", "show", str(boosted[1]), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["weight"] == 1.0
    assert {"state", "move", "success", "games", "board"} <= shown["entries"][0].keys()
    picture = tmp_path / "book.svg"
    assert run(["book", "show", str(boosted[1]), "--most", "5", "--svg", str(picture)]) == 0
    drawn = ElementTree.parse(picture).getroot()
    groups = [each for each in drawn if each.tag.endswith("}g")]
    assert len(groups) == min(5, len(shown["entries"]))


def test_a_book_that_was_tampered_with_is_refused(boosted, tmp_path, capsys):
    text = boosted[1].read_text()
    for wrong, message in (
        (re.sub(r'"[^"]*",(\d+,[\d.]+,[\d.]+\])', r'"nowhere",\1', text, count=1), "not a move"),
        (re.sub(r"^\[0,", "[1,", text, count=1, flags=re.MULTILINE), "row 0 has depth 1"),
        (re.sub(r"^\[0,", "[0,0,", text, count=1, flags=re.MULTILINE), "not a portfolio"),
        (re.sub(r'"book": \{.*', '"book": null}', text, flags=re.DOTALL), "there is no book"),
    ):
        assert wrong != text
        path = tmp_path / "wrong.json"
        path.write_text(wrong)
        with pytest.raises(PortfolioError, match=message):
            load_boosted(path)
        assert run(["book", "show", str(path), "--most", "9999"]) == 2
        shown = capsys.readouterr().err
        assert len(shown.splitlines()) == 1
        assert "Traceback" not in shown


def test_learners_are_compared_with_the_book(tmp_path):
    learners = ["book", "halving"]
    outcome = compare(
        *PERFECT, budget=4000, learners=learners, opponents=17, study=tmp_path / "c.study"
    )
    assert [row.name for row in outcome.rows[-2:]] == learners
    assert outcome.learnt["book"].games == 4000


def test_what_holds_no_book_is_told_so(tmp_path, capsys):
    sizes = {"k": 5, "kt": 5, "opponents": 17}
    outcome = boost(*PERFECT, learners=["nash"], study=tmp_path / "n.study", **sizes)
    path = outcome.save_portfolios()["nash"]
    assert run(["book", "show", str(path)]) == 2
    assert "holds no book" in capsys.readouterr().err


def entry(line, move, parent, games):
    return WrittenEntry(
        state=f"{games:016x}",
        line=line,
        move=move,
        parent=parent,
        games=games,
        success=0.75,
        original=0.5,
    )


def test_sgf_where_all_is_seen():
    entries = [entry("", "C3", -1, 90), entry("C3 B2", "D2", 0, 50), entry("C3 A1", "B1", 0, 7)]
    book = written_book(1.0, entries)
    text = book_sgf(book, load_game("atari-go:5x5"), 0, 9)
    comment = "success 75.0%, the program by itself 50.0%, {} games"
    assert text.split("\n", 1)[0].startswith("(;FF[4]GM[1]CA[UTF-8]AP[Seedfolio:")
    assert text.split("\n", 1)[1] == (
        f"(;B[cc]C[{comment.format(90)}]\n"
        f"(;W[bd];B[dd]C[{comment.format(50)}])\n"
        f"(;W[ae];B[be]C[{comment.format(7)}])))\n"
    )
    assert "B[dd]" not in book_sgf(book, load_game("atari-go:5x5"), 0, 1)


def test_sgf_where_something_is_hidden():
    entries = [entry("C3", "C3", -1, 9), entry("C3 C3", "B2", 0, 4)]
    book = written_book(1.0, entries)
    text = book_sgf(book, load_game("phantom-go:5x5"), 1, 9)
    first, second = text.split("\n(")[1:]
    assert "AB" not in first
    assert "PL[W]TR[cc]C[... success" in first
    # The refused try has shown the stone.
    assert "AB[cc]PL[W]TR[bd]C[refused: success" in second
