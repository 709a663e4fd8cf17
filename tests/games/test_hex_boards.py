"""Hexagonal boards for people: text, diagrams of books, the page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from seedfolio.games import load_game
from seedfolio.games.hex.board import HexBoard, hexagon_symmetries, rim_of_hexagon
from seedfolio.report.boards.hexagons import Hexagons
from seedfolio.report.boards.svg import MARGIN, BoardPicture


@pytest.mark.parametrize("base", [4, 7, 10])
def test_a_hexagon_has_twelve_symmetries(base: int) -> None:
    board = HexBoard.hexagon(base)
    assert len(board.places) == 3 * base * (base - 1) + 1
    images = {tuple(map(turn, board.places)) for turn in hexagon_symmetries(base).values()}
    assert len(images) == 11
    assert tuple(board.places) not in images
    assert all({*image} == {*board.places} for image in images)
    # Neighbours stay neighbours: they are where cells touch.
    corners, sides = rim_of_hexagon(base)
    for turn in hexagon_symmetries(base).values():
        assert {turn(place) for place in corners} == {*corners}
        assert all({turn(p) for p in side} in [{*other} for other in sides] for side in sides)


def test_the_last_move_is_marked_and_colours_do_not_move_anything() -> None:
    board = HexBoard.rhombus(3)
    cells = [1, 0, 0, 0, 2, 0, 0, 0, 0]
    assert board.draw(cells, [4]).splitlines()[2] == "  2 .[O]."
    assert board.draw(cells, [2]).splitlines()[1] == " 1 X .(.)"
    painted = board.draw(cells, [4], lambda content, glyph: f"<{content}{glyph}>")
    plain = re.sub(r"<\d(.)>", r"\1", painted)
    assert plain == board.draw(cells, [4])


@pytest.mark.parametrize("move", ["a5", "h1", "e1", "swap", "pass"])
def test_what_names_no_cell(move: str) -> None:
    assert HexBoard.hexagon(4).cells_of(move) == ()


@pytest.mark.parametrize("board", [HexBoard.hexagon(4), HexBoard.rhombus(5)])
def test_cells_touch_and_do_not_overlap(board: HexBoard) -> None:
    hexagons = Hexagons(board, 20)
    corners = [
        [tuple(map(int, corner.split(","))) for corner in hexagons.outline(*place).split()]
        for place in board.places
    ]
    every = [corner for cell in corners for corner in cell]
    assert min(x for x, _ in every) == min(y for _, y in every) == 0
    assert (max(x for x, _ in every), max(y for _, y in every)) == (hexagons.width, hexagons.height)
    # Inside the board three cells meet in a corner, never more.
    assert max(every.count(corner) for corner in every) == 3


@pytest.mark.parametrize("text", ["havannah:base=4,swap=1", "hex:3x3,swap=1"])
def test_diagrams_show_cells_stones_and_coordinates(text: str) -> None:
    game = load_game(text)
    board = game.rules.board
    assert isinstance(board, HexBoard)
    cells = [0] * board.size
    cells[board.cells_of("b1")[0]] = 1
    picture = BoardPicture(game, cells, frozenset(board.cells_of("b2")))
    width, height = picture.size
    svg = ElementTree.fromstring(f"<svg>{''.join(picture.parts(outside=True))}</svg>")
    filled = [each for each in svg.iter("polygon") if each.get("class") == "cell mark"]
    assert len(list(svg.iter("polygon"))) == len(board.places)
    assert len(filled) == len(list(svg.iter("circle"))) == 1
    assert {each.text for each in svg.iter("text")} >= {"a", "b", "1", "3"}
    for each in svg.iter("text"):
        assert -MARGIN < float(each.get("x", 0)) < width + MARGIN
        assert -MARGIN < float(each.get("y", 0)) < height + MARGIN
