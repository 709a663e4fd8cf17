"""Chess, Havannah and Hex in a real browser: whole games, moves of two clicks, hexagonal cells."""

import io
import re

import chess.pgn
import pytest
from web_browser import by_click, by_keyboard, by_typing, offered, served

pytestmark = pytest.mark.slow

MATE_IN_TWO = "7k/P7/8/8/8/8/1R6/6K1 w - - 0 1"
"""Black has one move, and then a promotion mates."""
long = pytest.mark.long  # one way for each game is enough for `make test-all`


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with served(tmp_path_factory.mktemp("boards")) as found:
        yield found


def play(watched, way, move):
    at = watched.at
    way(watched, move)
    watched.moved(at)


@pytest.mark.parametrize(
    "way", [by_keyboard, *(pytest.param(way, marks=long) for way in (by_click, by_typing))]
)
def test_a_whole_game_of_chess(watched, way):
    page = watched.page
    watched.begin("chess", f"fen={MATE_IN_TWO}", 5)
    play(watched, way, "b2b7")
    assert "The program plays h8g8." in page.locator("#news[aria-live=polite]").inner_text()
    if way is by_click:
        page.locator(".cells a[data-cell=a7]").click()
        page.locator(".others button").first.wait_for()
        assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n"} <= {*offered(watched)}
    at = watched.at
    way(watched, "a7a8q")
    page.locator(f"#table:not([data-at='{at}'])").wait_for()
    assert page.locator(".turn").inner_text() == "You win. Checkmate."
    assert "You win. Checkmate." in page.locator("#news").inner_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="PGN").click()
    record = chess.pgn.read_game(io.StringIO(download.value.path().read_text()))
    assert record is not None
    assert record.headers["FEN"] == MATE_IN_TWO
    assert record.headers["Result"] == "1-0"
    assert [move.uci() for move in record.mainline_moves()] == ["b2b7", "h8g8", "a7a8q"]


@pytest.mark.parametrize(
    ("game", "options", "way"),
    [
        pytest.param("havannah", "base=4", by_click, marks=long),
        pytest.param("havannah", "base=4", by_keyboard, marks=long),
        ("hex", "3x3", by_typing),
        pytest.param("hex", "3x3", by_click, marks=long),
        pytest.param("hex", "3x3", by_keyboard, marks=long),
    ],
)
def test_a_whole_game_on_hexagons(watched, game, options, way):
    watched.begin(game, options, 5)
    while not watched.is_over:
        moves = offered(watched)
        play(watched, way, moves[len(moves) // 2])
    assert re.search("You win|A draw|The program wins", watched.page.locator(".turn").inner_text())
    assert "It played seed" in watched.page.locator(".after").inner_text()


@pytest.mark.parametrize(
    ("game", "options", "cells"),
    [("hex", "3x3", 9), pytest.param("havannah", "base=4", 37, marks=long)],
)
def test_every_hexagonal_cell_is_clicked_where_it_is_drawn(watched, game, options, cells):
    """The middle of each button lies in the cell of its name."""
    watched.begin(game, options, 5)
    page = watched.page
    assert page.locator("polygon.cell").count() == len(offered(watched)) == cells
    drawn = page.locator("polygon.cell").evaluate_all(
        "all => all.map(p => p.getBoundingClientRect()).map(r => [r.x, r.y, r.width, r.height])"
    )
    for button in page.locator(".cells button").all():
        box = button.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        inside = [
            k
            for k, (left, top, width, height) in enumerate(drawn)
            if abs(x - left - width / 2) < width / 4 and abs(y - top - height / 2) < height / 4
        ]
        assert len(inside) == 1, button.get_attribute("value")
        drawn[inside[0]] = (-99, -99, 1, 1)


def test_black_looks_at_the_board_from_its_own_side(watched):
    watched.begin("chess", f"fen={MATE_IN_TWO}", 5)
    places = {}
    for side in ("white", "black"):
        box = watched.page.locator(".cells [data-cell=a1]").bounding_box()
        board = watched.page.locator(".board svg").bounding_box()
        places[side] = box["x"] < board["x"] + 20, box["y"] > board["y"] + board["height"] / 2
        if side == "white":
            watched.page.get_by_role("button", name="Swap sides").click()
            watched.page.get_by_text("You are Black").wait_for()
            watched.settle()
    assert places == {"white": (True, True), "black": (False, False)}
