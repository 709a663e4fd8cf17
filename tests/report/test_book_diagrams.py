"""Diagrams of a book: coordinates, lines, what the numbers are, source and target apart."""

import re
from xml.etree import ElementTree

import pytest
from sparing import levels

from seedfolio import SpecificationError, load_game
from seedfolio.portfolios.book.rows import WrittenEntry, written_book
from seedfolio.report.boards.reason import why_won
from seedfolio.report.boards.sheet import Diagram
from seedfolio.report.boards.svg import SHEET, BoardPicture
from seedfolio.report.books.svg import book_svg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text, *lines):
    entries = [
        WrittenEntry(line, move, n - 1, 1000 - n, 0.766, 0.551, state=f"{n:016x}")
        for n, (line, move) in enumerate(lines)
    ]
    book = written_book(1.0, entries)
    return ElementTree.fromstring(book_svg(book, load_game(text), 0, 40))


def texts(svg):
    return [each.text for each in svg.iter(f"{SVG}text")]


BREAKTHROUGH = "breakthrough:5x5,pawn_rows=1"


def test_a_diagram_says_where_how_and_how_well():
    svg = drawn("domineering:5x5", ("", "b2b3"), ("b2b3 d3e3 a1a2 d2e2", "c4c5"))
    kinds = [each.get("class") for each in svg.iter(f"{SVG}rect")]
    assert kinds.count("piece of0") == kinds.count("piece of1") == 2
    assert kinds.count("mark") == 4
    assert not list(svg.iter(f"{SVG}line"))  # a domino has no source
    with pytest.raises(SpecificationError, match="no board to draw"):
        drawn("pig", ("", "roll"))
    said = texts(svg)
    assert said[0] == "domineering 5x5: book of vertical (first player)"
    assert [said.count(each) for each in ("a", "e", "1", "5")] == [2, 2, 2, 2]
    assert {"1. b2b3", "at the start", "2. c4c5", "after b2b3 d3e3 a1a2 d2e2"} <= set(said)
    assert "76.6% (55.1%), 1,000 games" in said
    told = " ".join(said[1:6])
    assert "success of that move in learning" in told
    assert "the program's own play there" in told
    assert "arrow" not in told


@pytest.mark.slow
def test_captions_do_not_overlap():
    game = load_game("go:5x5")
    line = " ".join(game.move_name(move) for move in legal_line(game, 18))
    svg = drawn("go:5x5", ("", "C3"), (line, "pass"))
    placed = []
    for group in svg.findall(f"{SVG}g"):
        x, y = map(float, re.findall(r"[\d.]+", group.get("transform")))
        captions = group.findall(f"{SVG}text")
        placed += [(x, y + float(each.get("y")), len(each.text)) for each in captions]
    assert len(placed) > 2 * 3  # the long line is wrapped
    assert len({(x, y) for x, y, _ in placed}) == len(placed)
    first, second = sorted({x for x, _, _ in placed})
    assert max(6.7 * letters for _, _, letters in placed) <= second - first
    assert max(y for _, y, _ in placed) < float(svg.get("height"))
    picture = BoardPicture.of(game, [], game.position([]).cells)
    assert min(y for _, y, _ in placed) > Diagram(picture, ()).size[1]


def legal_line(game, moves):
    history = []
    for _ in range(moves):
        history.append(game.position(history).moves[0])
    return history


@pytest.mark.slow  # compiles Breakthrough
def test_source_and_target_are_told_apart():
    svg = drawn(BREAKTHROUGH, ("", "d1c2"))
    (arrow,) = svg.iter(f"{SVG}line")
    (source,) = [each for each in svg.iter(f"{SVG}rect") if each.get("stroke-dasharray")]
    (target,) = [each for each in svg.iter(f"{SVG}rect") if each.get("class") == "mark"]
    middle = float(source.get("x")) + float(source.get("width")) / 2
    assert middle == float(arrow.get("x1"))  # column d
    assert float(target.get("x")) + float(target.get("width")) / 2 == float(arrow.get("x2"))
    assert float(arrow.get("x2")) < float(arrow.get("x1"))  # to column c
    assert float(arrow.get("y2")) < float(arrow.get("y1"))  # and up
    assert "an arrow from the piece that moves" in " ".join(texts(svg))


@levels("text", ["domineering:4x4"], slow=[BREAKTHROUGH, "chess", "go:5x5", "hex:3x3,swap=1"])
def test_every_class_has_its_colour(text):
    game = load_game(text)
    history = legal_line(game, 2)
    picture = BoardPicture.of(game, history, game.position(history).cells, [0])
    for name in re.findall(r'class="([^"]*)"', "".join(picture.parts())):
        assert any(f".{each}" in SHEET for each in name.split()), name


def test_refused_tries_of_a_hidden_game_are_in_brackets():
    svg = drawn("phantom-go:5x5", ("", "B3"), ("B3 B3 D1", "C3"))
    assert "after B3 (B3) D1" in texts(svg)
    assert "refused tries in brackets" in " ".join(texts(svg))


@pytest.mark.parametrize(
    ("text", "own", "other", "won", "why"),
    [
        ("hex:3x3", "b1 b2 b3 c1", "c2 c3 a1", "b1 b2 b3", "a chain from side to side"),
        ("havannah:base=4", "a1 b1 c1 d1 c2", "c4", "a1 b1 c1 d1", "a bridge of two corners"),
        ("havannah:base=4", "b1 b2 b3 b4 b5 c1 a2", "c4", "a2 b1 b2 b3 b4 b5 c1", "a fork"),
        ("havannah:base=4", "c3 d3 e4 e5 d5 c4", "b2", "c3 d3 e4 e5 d5 c4", "a ring"),
        ("atari-go:5x5", "A2 B1 C2", "B2 D4", "", ""),
        ("atari-go:5x5", "A2 B1 C2 B3", "B2 D4", "B2", "a capture"),
        ("phantom-tic-tac-toe", "a1 b2 c3", "a2 b1", "a1 b2 c3", "3 in a row"),
        ("phantom-four", "a1 a2 a3 b1", "a4", "", ""),
        ("nim", "a1", "b1", "", ""),
    ],
)
def test_why_a_game_was_won(text, own, other, won, why):
    board, cells = (game := load_game(text)).rules.board, [0] * load_game(text).rules.board.size
    for colour, names in ((1, own), (len(board.glyphs) - 1, other)):
        for name in names.split():
            cells[board.cells_of(name)[0]] = min(colour, 2)
    found, words = why_won(game, board.cells_of(own.split()[0])[0], cells)
    assert found == {board.cells_of(name)[0] for name in won.split()}
    assert words.startswith(why)
