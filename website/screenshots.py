"""Take the pictures of the page in docs anew: `python website/screenshots.py FOLDER [NAME ...]`.

FOLDER holds the study of `seedfolio boost domineering:7x7` and its portfolios. If it is empty, only
the pictures of games are taken. Names are first, study, games, blind and teach: what to take.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/shared"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/web"))

from web_browser import Watched, browser, by_typing, served

IMAGES = Path(__file__).parents[1] / "docs/images"
SIZE = {"viewport": {"width": 1100, "height": 760}}
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}


def some_moves(watched, number):
    """Play moves in the middle of those that are offered."""
    for _ in range(number):
        at, offered = watched.at, watched.page.locator(".cells button[name=move]")
        offered.nth(offered.count() // 2).click()
        watched.moved(at)


def take_first_pages(chromium, address):
    """Take the pictures of the first page and of all games."""
    page = Watched(chromium, address, **SIZE).page
    for place, name in (("/", "web-first"), ("/play", "web-games")):
        page.goto(place)
        page.screenshot(path=IMAGES / f"{name}.png")


def take_study(chromium, address):
    """Take the pictures of a study and its book."""
    page = Watched(chromium, address, **SIZE).page
    page.goto("/")
    page.locator("#lists .card a").first.click()
    page.locator("[id^=figure-curves] img").wait_for()
    page.screenshot(path=IMAGES / "web-study.png")
    page.get_by_role("link", name="explore the book").first.click()
    page.locator(".entries a").first.click()
    page.locator(".one-entry").wait_for()
    page.screenshot(path=IMAGES / "web-book.png")


def take_games(chromium, address):
    """Take the pictures of games."""
    light = Watched(chromium, address, **SIZE)
    light.begin("domineering", "7x7", 100)
    some_moves(light, 4)
    light.page.mouse.move(0, 0)
    light.page.screenshot(path=IMAGES / "web-play.png")
    light.begin("chess", None, 100)
    for move in ("e2e4", "g1f3", "f1c4", "e1g1"):
        at = light.at
        by_typing(light, move)
        light.moved(at)
    light.page.locator(".cells a[data-cell=d2]").click()
    light.page.locator(".cells a[aria-current]").wait_for()
    light.page.mouse.move(0, 0)
    light.page.screenshot(path=IMAGES / "web-chess.png")
    dark = Watched(chromium, address, color_scheme="dark", **PHONE)
    dark.begin("phantom-go", "5x5", 100)
    some_moves(dark, 4)
    dark.page.screenshot(path=IMAGES / "web-phone.png")
    dark.begin("havannah", "base=5", 100)
    some_moves(dark, 6)
    dark.page.screenshot(path=IMAGES / "web-havannah.png")


def play_out(watched):
    """Play a game to its end."""
    while not watched.is_over:
        some_moves(watched, 1)


def take_blind(chromium, address):
    """Take the pictures of a blind game and of the result of a trial."""
    watched = Watched(chromium, address, **SIZE)
    page = watched.page
    page.goto("/blind")
    page.locator("main .card a").first.click()
    page.get_by_label("Games in your series").select_option("4")
    page.get_by_role("button", name="Begin a series").click()
    for number in range(1, 5):
        page.get_by_role("button", name=f"Begin game {number} of 4").click()
        watched.settle()
        play_out(watched)
        if number == 1:
            page.screenshot(path=IMAGES / "blind-game.png")
        page.get_by_role("button", name=("original", "boosted")[number % 2]).click()
    page.get_by_role("link", name="The result of all visitors").click()
    page.get_by_text("The result so far").wait_for()
    page.screenshot(path=IMAGES / "blind-result.png", full_page=True)


def take_teach(chromium, address):
    """Take the picture of what a program has found out about a person."""
    watched = Watched(chromium, address, **SIZE)
    page = watched.page
    page.goto("/play/domineering#teach")
    page.get_by_label("Your name").fill("Ann")
    watched.choose(page.locator("#teach"), "5x5", 100)
    for button in ("First game", *["Next game"] * 3):
        page.get_by_role("button", name=button).click()
        watched.settle()
        play_out(watched)
    page.get_by_role("link", name="What it has found out").click()
    page.get_by_role("heading", name="You as vertical").wait_for()
    page.screenshot(path=IMAGES / "teach-found.png")


TAKES = {
    "first": take_first_pages,
    "study": take_study,
    "games": take_games,
    "blind": take_blind,
    "teach": take_teach,
}


def main(folder, names):
    """Take the pictures of these names, or all."""
    usual = TAKES if any(folder.glob("*.study")) else ("first", "games")
    with served(folder) as address, browser() as chromium:
        for name in names or usual:
            TAKES[name](chromium, address)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
