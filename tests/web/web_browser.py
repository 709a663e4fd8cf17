"""A server in a thread, and Debian's Chromium to look at it."""

import shutil
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

from needed import missing
from waiting import PATIENCE, wait_until
from web_client import FREE

from seedfolio.web.serve import serve_web

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
FLAGS += ["--disable-background-networking", "--disable-component-update"]


@contextmanager
def served(folder, settings=FREE):
    said, stop = [], threading.Event()
    options = {"port": 0, "settings": settings, "say": said.append, "stop": stop}
    thread = threading.Thread(target=serve_web, args=(folder,), kwargs=options)
    thread.start()
    try:
        wait_until(lambda: said, "the server says its address")
        yield said[0].split()[3].rstrip("/")
    finally:
        stop.set()
        thread.join()


@contextmanager
def browser():
    """Lend a browser; without one tests are skipped, and fail under CI=true."""
    if CHROMIUM is None:
        missing("there is no chromium: run make engines, or apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


class Watched:
    """A page in a browser, and all that it complains about."""

    def __init__(self, browser, address, **options):
        self.address = address
        self.context = browser.new_context(base_url=address, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.complaints: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._request)

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _request(self, request):
        if urlsplit(request.url).netloc != urlsplit(self.address).netloc:
            self.complaints.append(f"asks {request.url}")

    def begin(self, game, options=None, effort=None):
        self.page.goto(f"/play/{game}")
        self.choose(self.page.locator("form[action='/games']").first, options, effort)
        self.settle()

    def choose(self, form, options=None, effort=None):
        form.locator("summary").click()
        if options is not None:
            form.locator("[name=other]").fill(options)
        if effort is not None:
            form.locator("[name=simulations]").fill(str(effort))
        form.get_by_role("button").click()

    def settle(self):
        self.page.locator("p.turn.yours, p.turn.over").wait_for()
        self.page.wait_for_load_state()  # before its script runs, a form loads another page

    def moved(self, before):
        self.page.locator(f"#table:not([data-at='{before}'])").wait_for()
        self.settle()

    @property
    def at(self):
        return self.page.locator("#table").get_attribute("data-at") or ""

    @property
    def is_over(self):
        return self.page.locator("p.turn.over").count() > 0


def offered(watched):
    found = watched.page.locator("button[name=move]").evaluate_all("all => all.map(b => b.value)")
    return [str(each) for each in found]


def by_click(watched, move):
    if move not in offered(watched):
        _piece(watched, move).click()
    _button(watched, move).click()


def by_keyboard(watched, move):
    if move not in offered(watched):
        enter(watched, _piece(watched, move))
        _button(watched, move).wait_for()
    enter(watched, _button(watched, move))


def by_typing(watched, move):
    watched.page.locator("#move").fill(move.upper())
    watched.page.keyboard.press("Enter")


def _button(watched, move):
    return watched.page.locator(f"button[name=move][value='{move}']")


def _piece(watched, move):
    return watched.page.locator(f".cells a[data-cell='{move[:2]}']")


def enter(watched, target):
    page = watched.page
    in_board = target.evaluate("each => each.closest('.cells') !== null")
    for _ in range(60):
        if target.evaluate("each => each === document.activeElement"):
            page.keyboard.press("Enter")
            return
        on_board = page.evaluate("() => document.activeElement.matches('.cells *')")
        page.keyboard.press("ArrowRight" if on_board and in_board else "Tab")
    raise AssertionError("the move is not reached by the keyboard")
