"""Take the pictures of docs/web.md anew: `python website/screenshots.py FOLDER`.

FOLDER holds the study of `seedfolio boost domineering:7x7` and its portfolios. If it is empty, only
the pictures of games are taken.
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


def main(folder):
    """Take all pictures."""
    with served(folder) as address, browser() as chromium:
        take_first_pages(chromium, address)
        if any(folder.glob("*.study")):
            take_study(chromium, address)
        take_games(chromium, address)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
