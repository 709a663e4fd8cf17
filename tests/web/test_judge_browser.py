"""Blind series and teaching in a real browser, by click, by keyboard and by typing."""

import re
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe
from web_browser import by_click, by_keyboard, by_typing, offered, served
from web_client import FREE

from seedfolio.web.library import PORTFOLIO, Library

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(judged):
    with served(judged, replace(FREE, answer_times=(0.01, 0.02))) as found:
        yield found


@pytest.fixture
def trial(judged):
    (file,) = [each for each in Library(judged).files(PORTFOLIO) if each.name == "small-book"]
    return f"/blind/{file.id}"


def check_access(page):
    found = Axe().run(page).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert not serious, [(each["id"], each["nodes"][0]["html"]) for each in serious]


def play(watched, move):
    """Play until the game is over; return how many moves."""
    watched.settle()
    number = 0
    while not watched.is_over:
        at = watched.at
        move(watched, offered(watched)[0])
        watched.moved(at)
        number += 1
    return number


def test_a_blind_series_to_its_result(watched, trial):
    page = watched.page
    page.goto("/blind")
    check_access(page)
    page.locator(f'a[href="{trial}"]').click()
    page.wait_for_selector("text=Begin a series")
    check_access(page)
    page.get_by_label("Games in your series").select_option("4")
    page.get_by_role("button", name="Begin a series").click()
    commitment = page.locator("code.hash").inner_text()
    for number, move in enumerate((by_click, by_keyboard, by_typing, by_click), 1):
        page.get_by_role("button", name=f"Begin game {number} of 4").click()
        assert play(watched, move) >= 1
        if number == 1:
            check_access(page)
        assert re.search("You win|The program wins", page.locator("#news").inner_text())
        page.get_by_role("button", name="original").click()
    page.wait_for_selector("text=The series is closed")
    assert page.locator("code.hash").inner_text() == commitment
    assert page.locator("td:last-child", has_text="boosted").count() == 2
    check_access(page)
    page.get_by_role("link", name="The result of all visitors").click()
    page.wait_for_selector("text=The result so far")
    assert "50.0%" in page.locator("main").inner_text()  # of the guesses
    check_access(page)


def test_being_taught(watched):
    page = watched.page
    card = page.locator(".card", has=page.get_by_role("heading", name="domineering"))

    def sit_down():
        page.goto("/teach")
        card.get_by_label("Your name").fill("Ann")
        card.get_by_label("Options").fill("4x4")
        card.get_by_label("Simulations a move").fill("5")
        check_access(page)
        card.get_by_role("button").click()

    sit_down()
    for button, move in (("First game", by_click), ("Next game", by_typing)):
        page.get_by_role("button", name=button).click()
        assert play(watched, move) >= 1
        assert "It played seed" in page.locator("#table").inner_text()
    check_access(page)
    page.get_by_role("link", name="What it has found out").click()
    page.wait_for_selector("text=You as vertical")
    assert page.locator("main").inner_text().count("1 game,") >= 2
    check_access(page)
    page.context.clear_cookies()
    sit_down()  # the name is known again, on another visit
    page.wait_for_selector("text=Next game")
