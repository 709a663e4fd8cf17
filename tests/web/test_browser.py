"""The page in a real browser: whole games in three ways, the book, accessibility."""

import re

import pytest
from web_browser import Watched, by_click, by_keyboard, by_typing, offered, served

slow = pytest.mark.slow
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


@pytest.fixture(scope="module")
def address(boosted):
    with served(boosted) as found:
        yield found


def wanted(watched):
    """Return a move: three on the board, then only passes; in Pig roll twice, then hold."""
    moves = sorted(offered(watched), key=lambda move: move not in ("pass", "hold"))
    own = watched.page.locator("ol.moves li.you").count()
    on = own < 3 or ("hold" in moves and own % 3)
    return moves[-1] if on else moves[0]


@pytest.mark.parametrize(
    ("game", "options", "way"),
    [
        ("domineering", ("4x4", 5), by_click),
        pytest.param("phantom-go", ("5x5", 5), by_keyboard, marks=slow),
        pytest.param("pig", (), by_typing, marks=slow),
    ],
)
def test_a_whole_game(watched, game, options, way):
    watched.begin(game, *options)
    heard = set()
    while not watched.is_over:
        at = watched.at
        way(watched, wanted(watched))
        watched.moved(at)
        heard.add(watched.page.locator("#news[aria-live=polite]").inner_text())
    assert re.search("You win|A draw|The program wins", watched.page.locator(".turn").inner_text())
    assert "It played seed" in watched.page.locator(".after").inner_text()
    assert all(heard)
    assert len(heard) > 1 or game == "pig"  # where the dice may end the game at once
    if game == "phantom-go":
        assert watched.page.get_by_role("link", name="SGF").count() == 1


@slow
def test_wrong_moves_undo_swap_and_resign(watched):
    watched.begin("domineering", "4x4", 5)
    watched.page.locator("#move").fill("zz")
    watched.page.keyboard.press("Enter")
    watched.page.locator("#problem").get_by_text("'zz' is not a move").wait_for()
    assert all("400" in each for each in watched.complaints)  # as a browser notes a refusal
    watched.complaints.clear()
    by_click(watched, wanted(watched))
    watched.moved("0")
    watched.page.get_by_role("button", name="Undo").click()
    watched.moved("2")
    assert watched.at == "0"
    watched.page.get_by_role("button", name="Swap sides").click()
    watched.page.get_by_text("You are horizontal").wait_for()
    watched.settle()
    watched.page.get_by_role("button", name="Resign").click()
    watched.page.get_by_text("You resigned.").wait_for()


@slow
def test_without_scripts(chromium, address):
    watched = Watched(chromium, address, java_script_enabled=False)
    watched.begin("domineering", "4x4", 5)
    while not watched.is_over:
        watched.page.locator("button[name=move]").first.click()
        watched.settle()
    assert "It played seed" in watched.page.locator(".after").inner_text()
    watched.page.goto("/")
    watched.page.locator(".card a").first.click()
    assert watched.page.get_by_role("table").count() == 1
    assert watched.complaints == []
    watched.context.close()


@slow
def test_the_book_is_explored(watched):
    page = watched.page
    page.goto("/")
    page.locator(".card a").first.click()
    for name in ("seeds", "curves", "matrix"):
        page.locator(f"#figure-{name} img").wait_for()
    page.get_by_role("link", name="explore the book").click()
    page.get_by_text("Where it begins").wait_for()
    page.goto("/")
    page.get_by_role("link", name="book", exact=True).last.click()
    depth = 0
    while page.locator(".entries a").count():
        moves = page.locator(".entries a strong").first.inner_text()
        page.locator(".entries a").first.click()
        page.locator("[aria-current=page] strong").wait_for()
        assert moves.split()[-1] == page.locator("[aria-current=page] strong").inner_text()
        assert page.locator(".one-entry svg.picture").count() == 1
        depth += 1
    assert depth > 1
    assert page.get_by_text("The book ends here").count() == 1
    page.locator(".path a").first.click()
    page.get_by_text("Where it begins").wait_for()


def pages_to_check(watched):
    """Visit every page; yield after each."""
    page = watched.page
    for address in ("/", "/play", "/nothing"):
        page.goto(address)
        yield
    page.goto("/")
    study = page.locator(".card a").first.get_attribute("href")
    portfolios = [each.get_attribute("href") for each in page.locator("tbody th a").all()]
    book = page.get_by_role("link", name="book", exact=True).first.get_attribute("href")
    page.goto(study)
    page.locator("#figure-curves img").wait_for()
    yield
    for address in (*portfolios[:3], book, f"{book}?entry=0"):
        page.goto(address)
        yield
    watched.begin("domineering", "4x4", 5)
    yield
    watched.begin("pig")
    yield
    watched.begin("chess", "fen=7k/P7/8/8/8/8/1R6/6K1 w - - 0 1", 5)
    watched.page.locator(".cells a").first.click()
    watched.page.locator(".cells a[aria-current]").wait_for()
    yield
    watched.begin("hex", "3x3", 5)
    yield
    watched.page.get_by_role("button", name="Resign").click()
    watched.page.get_by_text("You resigned.").wait_for()
    yield


@slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_checker_finds_no_serious_barrier(chromium, address, scheme):
    from axe_playwright_python.sync_playwright import Axe

    watched = Watched(chromium, address, color_scheme=scheme, **(PHONE if scheme == "dark" else {}))
    visited = 0
    for _ in pages_to_check(watched):
        found = Axe().run(watched.page).response["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        told = [(each["id"], each["nodes"][0]["html"]) for each in serious]
        assert told == [], watched.page.url
        wide = watched.page.evaluate("() => document.scrollingElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{watched.page.url} scrolls sideways"
        visited += 1
    assert visited == 14
    assert all("404" in each for each in watched.complaints)
    watched.context.close()
