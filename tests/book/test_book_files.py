"""Books in portfolio files: played, shown, and refused where they are not right."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from booked import HIDDEN

from seedfolio import SpecificationError, boost, load_game, load_portfolio, show_book
from seedfolio.cli import run
from seedfolio.portfolios.book.rows import WrittenEntry, written_book
from seedfolio.report.books.sgf import book_sgf


@pytest.fixture(scope="module", params=["perfect", "hidden"])
def boosted(request, made, tmp_path_factory):
    if request.param == "perfect":
        return made.boosted("tree"), made.portfolio("book", "tree")
    study = tmp_path_factory.mktemp("books") / "some.study"
    sizes = {"k": 20, "opponents": 100, "budget": 4000}
    outcome = boost(*HIDDEN, learners=["book"], study=study, **sizes)
    return outcome, outcome.save_portfolios()["book"]


@pytest.mark.slow
def test_the_tree_as_text_data_and_diagrams(boosted, capsys, tmp_path):
    path, book = str(boosted[1]), load_portfolio(boosted[1]).book
    entries = book.second[0].entries
    assert run(["book", "show", path, "--second", "--most", "7"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"{len(entries):,} entries, {min(7, len(entries))} shown" in lines[0]
    assert len(lines) == 1 + min(7, len(entries))
    most = max(entries, key=lambda entry: entry.games)
    assert any(f"> {most.move} " in line and f"{most.games:,} games" in line for line in lines)
    entries = book.first[0].entries
    most = max(entries, key=lambda each: each.success - each.original)
    assert run(["book", "show", path, "--changed", "--most", "1"]) == 0
    assert f"{most.line} > {most.move}".strip() in capsys.readouterr().out.splitlines()[1]
    assert run(["book", "show", path, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["weight"] == 1.0
    assert {"state", "move", "success", "games", "board"} <= shown["entries"][0].keys()
    picture = tmp_path / "book.svg"
    assert run(["book", "show", path, "--most", "5", "--svg", str(picture)]) == 0
    groups = [each for each in ElementTree.parse(picture).getroot() if each.tag.endswith("}g")]
    assert len(groups) == min(5, len(entries))


def test_which_book_of_a_result_is_shown(made):
    path, outcome = made.portfolio("book"), made.boosted()
    text = show_book(path).text
    for shown in ((outcome,), (outcome, "book"), (outcome.portfolios["book"],)):
        assert show_book(*shown).text == text
    two = outcome.portfolios | {"book:moves=2": outcome.portfolios["book"]}
    unclear = replace(outcome, rows=outcome.rows[:2], portfolios=two)
    without = replace(unclear, portfolios={"nash": outcome.portfolios["nash"]})
    for given, message in [
        ((outcome, "halfing"), "'halfing'; there are book, "),
        ((outcome, "nash"), "nash holds no book"),
        ((made.portfolio("nash"),), "holds no book"),
        ((unclear,), "name the `learner`: book, book:"),
        ((without,), "has no book; learn one"),
        ((path, "book"), "leave out `learner`"),
        ((42,), "not 42"),
    ]:
        with pytest.raises(SpecificationError, match=message):
            show_book(*given)


def sgf(game, colour, most, *rows):
    entries = [WrittenEntry(*row, 0.75, 0.5, state=f"{row[-1]:016x}") for row in rows]
    return book_sgf(written_book(1.0, entries), load_game(game), colour, most)


def test_sgf_where_all_is_seen_and_where_something_is_hidden():
    rows = ("", "C3", -1, 90), ("C3 B2", "D2", 0, 50), ("C3 A1", "B1", 0, 7)
    text = sgf("atari-go:5x5", 0, 9, *rows)
    comment = "success 75.0%, the program by itself 50.0%, {} games"
    assert text.split("\n", 1)[0].startswith("(;FF[4]GM[1]CA[UTF-8]AP[Seedfolio:")
    assert text.split("\n", 1)[1] == (
        f"(;B[cc]C[{comment.format(90)}]\n"
        f"(;W[bd];B[dd]C[{comment.format(50)}])\n"
        f"(;W[ae];B[be]C[{comment.format(7)}])))\n"
    )
    assert "B[dd]" not in sgf("atari-go:5x5", 0, 1, *rows)
    text = sgf("phantom-go:5x5", 1, 9, ("C3", "C3", -1, 9), ("C3 C3", "B2", 0, 4))
    first, second = text.split("\n(")[1:]
    assert "AB" not in first
    assert "PL[W]TR[cc]C[... success" in first
    # The refused try has shown the stone.
    assert "AB[cc]PL[W]TR[bd]C[refused: success" in second
