"""The page in a real browser: whole games by click, keyboard and typing, the book, barriers."""

import io
import re
import shutil
from dataclasses import replace

import chess.pgn
import pytest
from web_browser import Watched, by_click, by_keyboard, by_typing, enter, offered, served
from web_client import FREE, blind_address

slow, long = pytest.mark.slow, pytest.mark.long
PHONE = {"viewport": {"width": 390, "height": 740}, "is_mobile": True, "has_touch": True}
CONTRAST = {"runOnly": ["color-contrast"]}
VIEWS = [
    ("light", {"width": 390, "height": 740}, None),
    ("dark", {"width": 1280, "height": 740}, CONTRAST),
]
"""A game of each kind, below, is looked at in the others."""
MATE_IN_TWO = "7k/P7/8/8/8/8/1R6/6K1 w - - 0 1"
"""Black has one move, and then a promotion mates."""


@pytest.fixture(scope="module")
def folder(boosted, tmp_path_factory):
    return shutil.copytree(boosted, tmp_path_factory.mktemp("browser"), dirs_exist_ok=True)


@pytest.fixture(scope="module")
def address(folder):
    with served(folder) as found:
        yield found


def wanted(watched):
    moves = sorted(offered(watched), key=lambda move: move not in ("pass", "hold"))
    own = watched.page.locator("ol.moves li.you").count()
    on = own < 3 or ("hold" in moves and own % 3)
    return moves[-1] if on else moves[0]


def play(watched, way, move=None):
    at = watched.at
    way(watched, move or wanted(watched))
    watched.moved(at)
    return watched.page.locator("#news[aria-live=polite]").inner_text()


def play_out(watched, way):
    watched.settle()
    heard = []
    while not watched.is_over:
        heard.append(play(watched, way))
    return heard


def step(watched, *, moved=True):
    """Go back in a game that is over, and to its end again; the keyboard stays where it is."""
    board, place = watched.page.locator(".side-board"), watched.page.locator(".steps .place")
    end, last = board.inner_html(), place.inner_text().split()[-1]
    watched.page.get_by_role("link", name="back", exact=True).focus()
    watched.page.keyboard.press("Enter")
    place.get_by_text(f"{int(last) - 1} of {last}").wait_for()
    watched.page.locator("[data-step=back]:focus").wait_for()
    assert not moved or board.inner_html() != end
    watched.page.get_by_role("link", name="to the end").click()
    place.get_by_text(f"{last} of {last}").wait_for()
    assert board.inner_html() == end


def resign(page):
    page.locator("summary", has_text="Resign").click()
    page.get_by_role("button", name="Yes, resign").click()
    page.locator(".turn:focus", has_text="You resigned.").wait_for()


GAMES = {
    "domineering": ("4x4", 5),
    "breakthrough": ("5x5", 5),
    "hex": ("3x3", 5),
    "kuhn-poker": (),
    "phantom-go": ("5x5", 5),
    "liars-dice": (),
    "nim": (),
    "rolit": ("4x4,players=3,seat=1", 5),
}
"""One of each kind: to place or to move pieces, hexagons, cards, hidden, dice, numbers, seats."""
SOME = GAMES.keys() - {"domineering"}
"""A test below clicks on the other, too."""
MORE = {"leduc-poker": (), "phantom-tic-tac-toe": (), "pig": (), "morra": ()}
"""More of these kinds, at full size only."""
PLACES = [
    (390, "dark", by_keyboard),
    (1280, "light", None),  # no scripts
    (1280, "light", by_keyboard),
    (390, "dark", None),
    (390, "light", by_typing),
    (1280, "dark", by_click),
]
COVERED = """() => [...document.querySelectorAll('.side-board .where')].filter(text => {
    const box = text.getBBox(), y = box.y + box.height / 2;
    const drawn = [...text.closest('svg').querySelectorAll('rect, circle, polygon')];
    const seen = text.getBoundingClientRect();
    return seen.left < 0 || seen.right > document.documentElement.clientWidth ||
        [0, .5, 1].some(part => drawn.some(each =>
            each.isPointInFill(new DOMPoint(box.x + part * box.width, y))));
}).map(text => text.textContent)"""
"""The coordinates that something on the board covers, or that are beside the window."""


@pytest.mark.parametrize(
    ("game", "width", "scheme", "way"),
    [
        # The kinds take turns in the first two places.
        pytest.param(game, *place, marks=slow if game in SOME and number == kind % 2 else long)
        for kind, game in enumerate(GAMES | MORE)
        for number, place in enumerate(PLACES)
    ],
)
def test_a_whole_game_of_each_kind(chromium, address, game, width, scheme, way):
    size = {"viewport": {"width": width, "height": 740}, "color_scheme": scheme}
    watched = Watched(chromium, address, **size, java_script_enabled=way is not None)
    watched.begin(game, *(GAMES | MORE)[game])
    while not watched.is_over:
        assert watched.page.evaluate(COVERED) == []
        assert watched.page.evaluate(WIDE) <= width
        play(watched, way or by_click, some_move(watched, way or by_click))
    assert re.search(RESULT, watched.page.locator(".turn").inner_text())
    if way is not None:
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(watched.page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
    assert watched.complaints == []
    watched.context.close()


RESULT = "You win|You lose|A draw|The program wins|You share"
WIDE = "() => document.scrollingElement.scrollWidth"  # innerWidth would grow


def some_move(watched, way):
    if not offered(watched):
        piece = watched.page.locator(".cells a").last
        enter(watched, piece) if way is by_keyboard else piece.click()
        watched.page.locator(".cells a[aria-current]").wait_for()
    return wanted(watched)


@pytest.mark.parametrize(
    ("game", "options", "way"),
    [
        ("domineering", ("4x4", 5), by_click),
        pytest.param("phantom-go", ("5x5", 5), by_keyboard, marks=slow),
        pytest.param("havannah", ("base=4", 5), by_click, marks=long),
    ],
)
def test_a_game_is_heard_and_stepped_through(watched, game, options, way):
    watched.begin(game, *options)
    heard = play_out(watched, way)
    last = watched.page.locator(".turn:focus").inner_text()
    assert re.search("You win|A draw|The program wins", last)
    assert "It played seed" in watched.page.locator(".after").inner_text()
    step(watched, moved=game != "phantom-go")  # whose last move is a pass
    assert all(heard)
    assert len({*heard}) > 1
    if game == "phantom-go":
        assert watched.page.get_by_role("link", name="SGF").count() == 1


@slow
@pytest.mark.parametrize(
    "way", [by_keyboard, *(pytest.param(way, marks=long) for way in (by_click, by_typing))]
)
def test_a_whole_game_of_chess(watched, way):
    page = watched.page
    watched.begin("chess", f"fen={MATE_IN_TWO}", 5)
    assert "The program plays Kg8." in play(watched, way, "Rb7" if way is by_typing else "b2b7")
    if way is by_click:
        page.locator(".cells a[data-cell=a7]").click()
        page.locator(".others button").first.wait_for()
        assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n"} <= {*offered(watched)}
    assert "You win. Checkmate." in play(watched, way, "a7a8q")
    assert page.locator(".turn").inner_text() == "You win. Checkmate."
    with page.expect_download() as download:
        page.get_by_role("link", name="PGN").click()
    record = chess.pgn.read_game(io.StringIO(download.value.path().read_text()))
    assert (record.headers["FEN"], record.headers["Result"]) == (MATE_IN_TWO, "1-0")
    assert [move.uci() for move in record.mainline_moves()] == ["b2b7", "h8g8", "a7a8q"]


@slow
def test_wrong_moves_undo_swap_and_resign(watched):
    watched.begin("domineering", "4x4", 5)
    by_typing(watched, "zz")
    watched.page.locator("#problem").get_by_text("'ZZ' is not a move").wait_for()
    assert all("400" in each for each in watched.complaints)  # as a browser notes a refusal
    watched.complaints.clear()
    play(watched, by_click)
    watched.page.get_by_role("button", name="Undo").click()
    watched.moved("2")
    assert watched.at == "0"
    watched.page.get_by_role("button", name="Swap sides").click()
    watched.page.get_by_text("You are horizontal").wait_for()
    watched.settle()
    resign(watched.page)


def check_access(page):
    """A checker finds no barrier, on a phone and a desktop; dark colours differ in contrast."""
    from axe_playwright_python.sync_playwright import Axe

    for scheme, size, options in VIEWS:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        found = Axe().run(page, options=options).response["violations"]
        told = [(each["id"], each["nodes"][0]["html"]) for each in found]
        assert told == [], page.url
        assert page.evaluate(WIDE) <= size["width"], f"{page.url} scrolls sideways"


@slow
def test_a_checker_finds_no_barrier(chromium, address):
    watched = Watched(chromium, address, **PHONE)
    page = watched.page
    page.goto("/")
    check_access(page)
    study, other = (each.get_attribute("href") for each in page.locator("#lists .card h3 a").all())
    portfolio = page.locator("tbody th a").first.get_attribute("href")
    book = page.get_by_role("link", name="book", exact=True).first.get_attribute("href")
    for each in (
        "/play",
        "/play/chess",
        "/play/pig",
        "/teach",
        "/nothing",
        "/studies",
        portfolio,
        book,
        f"{book}?entry=0",
        study,
        f"/side-by-side?one={study[9:]}&other={other[9:]}",
    ):
        page.goto(each)
        if study[9:] in each:
            page.locator("[id^=figure-curves] img").first.wait_for()
        check_access(page)
    watched.begin("pig")
    check_access(page)
    watched.begin("chess", f"fen={MATE_IN_TWO}", 5)
    page.locator(".cells a").first.click()
    page.locator(".cells a[aria-current]").wait_for()
    check_access(page)
    watched.begin("hex", "3x3", 5)
    page.get_by_role("link", name="What would the program play here?").click()
    page.get_by_role("heading", name="Hint").wait_for()
    check_access(page)
    resign(page)
    check_access(page)
    assert all("404" in each for each in watched.complaints)
    watched.context.close()


@slow
def test_a_blind_series_to_its_result(watched, folder):
    page = watched.page
    page.goto("/blind")
    check_access(page)
    page.locator(f'a[href="{blind_address(folder)}"]').click()
    page.wait_for_selector("text=Begin a series")
    page.get_by_label("Games in your series").select_option("4")
    page.get_by_role("button", name="Begin a series").click()
    commitment = page.locator("code.hash").inner_text()
    for number, way in enumerate((by_click, by_keyboard, by_typing, by_click), 1):
        page.get_by_role("button", name=f"Begin game {number} of 4").click()
        assert re.search("You win|The program wins", play_out(watched, way)[-1])
        if number == 1:
            check_access(page)
        page.get_by_role("button", name="original").click()
    page.wait_for_selector("text=The series is closed")
    check_access(page)
    assert page.locator("code.hash").inner_text() == commitment
    assert page.locator("td:last-child", has_text="boosted").count() == 2
    page.get_by_role("link", name="The result of all visitors").click()
    page.wait_for_selector("text=The result so far")
    assert "50.0%" in page.locator("main").inner_text()  # of the guesses
    check_access(page)


@slow
def test_a_page_asks_again_where_it_got_no_answer(chromium, boosted, tmp_path):
    """As when the server ends while a program thinks, and another one begins."""
    shutil.copy(boosted / "small-book.json", tmp_path)
    asked = []

    def lose_the_first(route):
        asked.append(route)
        route.abort() if len(asked) == 1 else route.continue_()

    with served(tmp_path, replace(FREE, answer_times=(2.0, 2.1))) as address:
        watched = Watched(chromium, address)
        watched.page.route("**/table", lose_the_first)
        watched.page.goto(blind_address(tmp_path))
        watched.page.get_by_role("button", name="Begin a series").click()
        watched.page.get_by_role("button", name="Begin game 1 of 8").click()
        watched.settle()
        play(watched, by_click)
        assert len(asked) > 1
        watched.context.close()


@slow
def test_being_taught(watched):
    page = watched.page

    def sit_down():
        page.goto("/teach")
        page.get_by_role("link", name="Domineering").click()
        page.get_by_label("Your name").fill("Ann")
        watched.choose(page.locator("#teach"), "4x4", 5)

    sit_down()
    for button, way in (("First game", by_click), ("Next game", by_typing)):
        page.get_by_role("button", name=button).click()
        assert play_out(watched, way)
        assert "It played opponent" in page.locator("#table").inner_text()
    check_access(page)
    page.get_by_role("link", name="What it has found out").click()
    page.wait_for_selector("text=You as vertical")
    assert page.locator("main").inner_text().count("1 game,") >= 2
    check_access(page)
    page.context.clear_cookies()
    sit_down()  # the name is known again, on another visit
    page.wait_for_selector("text=Next game")
