"""A visitor without a browser: pages, forms and games over the application itself."""

import re
from html import unescape

import httpx2
import pytest

from seedfolio import Settings, boost, create_app

pytest.importorskip("starlette", reason="the page needs pip install 'seedfolio[web]'")

from starlette.testclient import TestClient
from waiting import PATIENCE, start_command, wait_until

from seedfolio.web.library import PORTFOLIO, Library

HOST = "http://127.0.0.1"
FREE = Settings(
    requests=1e6,
    requests_burst=1e6,
    address_requests=1e6,
    address_burst=1e6,
    thinking=1e3,
    thinking_burst=1e6,
    games_each=10_000,
    answer_times=(0.01, 0.02),
    ahead=False,
)
"""Settings that let a test ask as often as it likes."""
PROGRAM = "domineering:4x4", "uct:simulations=5"
PLAYED = re.compile(r'<li class="you">You play ([^<]+)\.</li>')
"""The visitor's moves on the page of a game."""
SMALL = {"kind": "original", "name": "domineering", "options": "4x4", "effort": "5"}


def started(folder, port="0"):
    process = start_command(["web", ".", "--port", port], folder)
    return process, re.search(r"http://[\d.]+:\d+", process.stderr.readline())[0]


def boosted_folder(folder):
    """Make a study with a matrix, a book and all portfolios in a folder; return the folder."""
    boost(*PROGRAM, k=16, opponents=17, study=folder / "small.study").save_portfolios()
    deep = {"learners": "book", "budget": 20_000, "k": 16, "opponents": 17}
    boost(*PROGRAM, **deep, study=folder / "tree.study").save_portfolios()
    return folder


def blind_address(folder, name="small-book"):
    (file,) = [each for each in Library(folder).files(PORTFOLIO) if each.name == name]
    return f"/blind/{file.id}"


class Guest:
    def __init__(self, place):
        if isinstance(place, str):
            self.client = httpx2.Client(base_url=place, timeout=PATIENCE)
        else:
            self.client = TestClient(place, base_url=HOST, raise_server_exceptions=False)
        self.known = None

    def get(self, address, **options):
        return self.client.get(address, **options)

    def text(self, address):
        answer = self.get(address)
        assert answer.status_code == 200, answer.text
        return answer.text

    def token(self):
        if self.known is None:
            self.known = re.search(r'name="token" value="([0-9a-f]{64})"', self.text("/"))[1]
        return self.known

    def post(self, address, htmx=False, **form):
        form = {"token": self.token(), **form}
        headers = {"HX-Request": "true"} if htmx else {}
        return self.client.post(address, data=form, headers=headers, follow_redirects=False)

    def begin(self, kind="original", name="domineering", **form):
        answer = self.post("/games", kind=kind, name=name, **form)
        assert answer.status_code == 303, answer.text
        address = answer.headers["location"]
        self.settle(address)
        return address

    def settle(self, address):
        found = ""

        def settled():
            nonlocal found
            found = self.text(address)
            return "http-equiv" not in found

        wait_until(settled, f"the program has moved in {address}")
        return found

    def moves(self, page):
        return [unescape(each) for each in re.findall(r'<button name="move" value="([^"]+)"', page)]

    def play(self, address, move):
        page = self.text(address)
        at = re.search(r'name="at" value="(\d+)"', page)[1]
        return self.post(f"{address}/move", move=move, at=at)


def make_app(folder, settings=FREE):
    return create_app(folder, settings)
