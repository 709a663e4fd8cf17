"""What the page refuses, and that every refusal is one line without a traceback."""

import os
import re
import socket
import threading
from contextlib import suppress
from dataclasses import replace
from itertools import repeat
from urllib.parse import urlsplit

import pytest
from waiting import PATIENCE
from web_browser import served
from web_client import FREE, HOST, Guest, make_app

from seedfolio import Settings, StudyError, serve_web
from seedfolio.web.guard import PageError
from seedfolio.web.limits import Buckets
from seedfolio.web.opponents import ORIGINAL, OpponentChoice
from seedfolio.web.queue import NOBODY, Queue
from seedfolio.web.sittings import PLAY


def is_calm(answer):
    return "Traceback" not in answer.text and "seedfolio/web" not in answer.text


def test_the_cookie_is_random_for_http_alone_and_not_forged(app):
    cookies = set()
    for _ in range(3):
        header = (guest := Guest(app)).get("/").headers["set-cookie"]
        cookies.add(re.match(r"seedfolio=([0-9a-f]{32})\.[0-9a-f]{64}; ", header)[1])
        assert "; HttpOnly" in header
        assert "; SameSite=Lax" in header
    assert len(cookies) == 3
    known = guest.client.cookies["seedfolio"]
    assert "set-cookie" not in guest.get("/").headers
    name, mac = known.split(".")
    assert mac != guest.token()  # which is on every page
    for forged in (f"{'0' * 32}.{mac}", f"{name}.{'0' * 64}", name, "x", "", f"{known}0", "é;\x01"):
        answer = Guest(app).get("/", headers={"cookie": f"seedfolio={forged}".encode()})
        assert answer.status_code == 200
        assert name not in answer.headers["set-cookie"]


def test_every_page_has_a_policy_and_is_for_the_names_of_this_machine(app):
    guest = Guest(app)
    for address in ("/", "/play", "/nothing", "/static/seedfolio.js"):
        headers = guest.get(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-encoding"] == "gzip"
    assert "style=" not in guest.text("/play")
    assert not re.search(r"<script(?! src=)| on[a-z]+=", guest.text("/play"))
    assert not re.search(r"(src|href)=\"(https?:)?//", guest.text("/play"))
    for host, status in (("localhost:8000", 200), ("evil.example", 421), ("[::1]", 200)):
        assert Guest(app).get("/", headers={"host": host}).status_code == status
    for host in ("", "127.0.0.1.evil.example", "[", "a b", "127.0.0.1:x"):
        answer = Guest(app).get("/", headers={"host": host})
        assert answer.status_code in (200, 421)
        assert is_calm(answer)


TRAVERSALS = [
    *("/../../etc/passwd", "/static/../pyproject.toml", "/static/%2e%2e/%2e%2e/application.py"),
    *("/static/..%2f..%2fetc/passwd", "/static/htmx.min.js%00.css", "/static/", "//etc/passwd"),
    *("/studies/%00", "/studies/..%2f..%2fsmall.study", "/studies/small.study", "/studies/small"),
    *("/portfolios/..%2f", "/portfolios/%2e%2e%2f%2e%2e/portfolio.json", "/games/' OR 1=1 --"),
    *("/games/%c3%28", "/games/a/record.../../x", "/" + "a" * 5000),
]


def test_symbolic_links_and_strange_files_are_passed_over(tmp_path, monkeypatch):
    folder = tmp_path / "folder"
    (folder / "folder.study").mkdir(parents=True)
    (tmp_path / "secret.json").write_text('{"format": "seedfolio portfolio", "secret": 1}')
    (tmp_path / "secret.study").write_text("secret")
    for name in ("json", "study"):
        (folder / f"linked.{name}").symlink_to(tmp_path / f"secret.{name}")
    os.mkfifo(folder / "pipe.json")
    (folder / "foreign.json").write_text("{}")
    (folder / "broken.json").write_text('{"format": "seedfolio portfolio"}')
    (folder / "broken.study").write_text("no study")
    monkeypatch.chdir(tmp_path)
    app = make_app("folder")
    page = Guest(app).text("/")
    app.state.site.close()
    assert not re.search("linked|pipe|foreign", page)
    assert page.count('class="problem"') == 2
    assert str(tmp_path) not in page


def test_large_and_malformed_requests(app):
    guest = Guest(app)
    token, send = guest.token(), guest.client.post
    kind = {"content-type": "application/x-www-form-urlencoded"}
    cases = [
        (413, {"content": b"a=" + b"x" * 20_000, "headers": kind}),
        (413, {"content": iter([b"a=" + b"x" * 9_000] * 3), "headers": kind}),
        (415, {"json": {"token": token}}),
        (415, {"files": {"f": b"x"}}),
        (415, {"content": b"token"}),
        (400, {"content": b"token=%ff", "headers": kind}),
        (400, {"content": b"token=\xff", "headers": kind}),
        (400, {"content": f"token={token}&kind=%00".encode(), "headers": kind}),
        (400, {"content": b"&".join(b"a%d=1" % n for n in range(100)), "headers": kind}),
        (403, {"content": b"", "headers": kind}),
    ]
    for status, options in cases:
        answer = send("/games", **options)
        assert (answer.status_code, is_calm(answer)) == (status, True), answer.text
    assert guest.client.put("/games").status_code == 405
    assert guest.client.request("TRACE", "/").status_code == 405
    assert guest.client.post("/", data={"token": token}).status_code == 405
    assert guest.get("/play?" + "a" * 3000).status_code == 414


def test_a_visitor_who_asks_too_often_waits(boosted):
    settings = Settings(requests=1, requests_burst=3, address_requests=1, address_burst=6)
    app = make_app(boosted, settings)
    guest, other = Guest(app), Guest(app)
    assert [guest.get("/nothing").status_code for _ in range(5)] == [404] * 4 + [429]
    assert int(guest.get("/nothing").headers["retry-after"]) >= 1
    assert other.get("/nothing").status_code == 429  # the same address
    app.state.site.close()


def test_buckets_fill_with_time():
    now = 0.0
    buckets = Buckets(rate=2, burst=4, clock=lambda: now)
    assert ([buckets.take("a") for _ in range(5)], buckets.take("b")) == ([0, 0, 0, 0, 0.5], 0)
    now = 1.0
    assert [buckets.take("a") for _ in range(3)] == [0, 0, 0.5]
    buckets.charge("a", 10)
    assert buckets.wait("a") == 5
    now = 100.0
    assert (buckets.wait("a"), buckets.take("a", 4)) == (0, 0)


def test_games_wait_in_a_queue_and_know_their_place():
    queue = Queue(Settings(workers=1, waiting=3, waiting_each=2))
    go_on, begun, order = threading.Event(), threading.Event(), []

    def long():
        begun.set()
        go_on.wait()

    first = queue.ask("first", "ann", long)
    begun.wait()
    second = queue.ask("second", "ann", lambda: order.append("second"))
    third = queue.ask("third", "bob", lambda: order.append("third"))
    assert [queue.place(name) for name in ("first", "second", "third", "none")] == [0, 1, 2, None]
    assert queue.ask("second", "ann", lambda: None) is second
    with pytest.raises(PageError, match="several of your games"):
        queue.ask("fourth", "ann", lambda: None)
    queue.ask("fifth", "cat", lambda: 1 / 0)
    with pytest.raises(PageError, match="Too many games"):
        queue.ask("sixth", "dan", lambda: None)
    go_on.set()
    assert [each.result() for each in (first, second, third)] == [None] * 3
    assert order == ["second", "third"]
    queue.close()


def test_what_is_for_all_waits_for_nobody():
    """Nine blind trials at once."""
    queue, go_on = Queue(Settings(workers=1, waiting_each=1)), threading.Event()
    asked = [queue.ask(f"load {number}", NOBODY, lambda: go_on.wait()) for number in range(9)]
    go_on.set()
    assert [each.result() for each in asked] == [None] * 9
    queue.close()


def test_a_full_disk_is_told_and_passes(tmp_path):
    app = make_app(tmp_path)
    guest, file = Guest(app), app.state.site.file
    assert guest.text("/")
    pages = file.rows("PRAGMA page_count")[0][0]
    file.rows(f"PRAGMA max_page_count = {pages}")  # SQLite says so as on a full disk
    form = {"kind": "original", "name": "pig"}
    choice = OpponentChoice(ORIGINAL, "pig")
    with suppress(StudyError):
        while app.state.site.sittings.add("ann", PLAY, choice):
            pass
    answer = guest.post("/games", **form)
    assert (answer.status_code, answer.headers["retry-after"], is_calm(answer)) == (503, "60", True)
    assert "free some space" in answer.text
    file.rows("PRAGMA max_page_count = 100000")
    assert guest.post("/games", **form).status_code == 303
    app.state.site.close()


def test_headers_that_do_not_arrive_end_the_connection(tmp_path, monkeypatch):
    monkeypatch.setattr("seedfolio.web.serve.HEADER_SECONDS", 0.05)
    whole = b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with served(tmp_path) as address:
        place = urlsplit(address)
        for before, half in ((b"", b""), (b"", whole[:20]), (whole, whole[:20])):
            with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as slow:
                slow.sendall(before)
                assert not before or slow.recv(65_536).startswith(b"HTTP/1.1 200")
                slow.sendall(half)
                while slow.recv(65_536):  # until it is closed
                    pass


def test_who_does_not_read_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("seedfolio.web.serve.READING_SECONDS", 0.05)
    with served(tmp_path) as address, socket.socket() as deaf:
        deaf.settimeout(PATIENCE)
        deaf.connect((urlsplit(address).hostname, urlsplit(address).port))
        asked = b"GET /static/htmx.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100
        with pytest.raises(ConnectionError):
            any(map(deaf.sendall, repeat(asked)))


def test_programs_that_are_loaded_are_limited_and_games_go_on(boosted):
    """One program at a time: each makes room for the other, and is loaded again."""
    app = make_app(boosted, replace(FREE, programs=1))
    guest = Guest(app)
    first = guest.begin(options="4x4", effort="5")
    assert guest.moves(guest.settle(guest.begin(options="4x4", effort="6")))
    late = guest.post(f"{first}/move", move="b2b3", at="0")
    assert (late.status_code, "being loaded" in late.text) == (409, True)
    guest.settle(first)
    guest.play(first, "b2b3")
    assert "The program plays" in guest.settle(first)
    app.state.site.close()


def test_a_finished_game_is_shown_once_its_program_is_loaded_again(boosted):
    app, go_on = make_app(boosted, replace(FREE, programs=1)), threading.Event()
    guest, kinds = Guest(app), app.state.site.opponents._kinds
    guest.post(f"{(first := guest.begin(options='4x4', effort='5'))}/resign")
    guest.begin(options="4x4", effort="6")
    load = kinds[ORIGINAL]
    kinds[ORIGINAL] = lambda choice: go_on.wait() and load(choice)
    assert "http-equiv" in guest.text(first)
    go_on.set()
    assert "After the game" in guest.settle(first)
    app.state.site.close()


def test_forms_need_the_token_of_their_visitor_and_come_from_here(app):
    guest, other = Guest(app), Guest(app)
    form = {"kind": "original", "name": "pig"}
    for token in ("", "0" * 64, other.token(), guest.token()[:-1]):
        answer = guest.post("/games", token=token, **form)
        assert answer.status_code == 403
        assert is_calm(answer)
    assert guest.client.post("/games", data=form).status_code == 403
    assert guest.post("/games", **form).status_code == 303
    data = {"token": guest.token(), **form}
    for origin, status in (
        ("https://evil.example", 403),
        (HOST, 303),
        ("http://127.0.0.1:1", 403),
        ("http://[", 403),
    ):
        told = {"headers": {"origin": origin}, "follow_redirects": False}
        assert guest.client.post("/games", data=data, **told).status_code == status


def test_files_are_named_by_identifiers_alone(app):
    for address in TRAVERSALS:
        answer = Guest(app).get(address)
        assert answer.status_code == 404, address
        assert is_calm(answer)


def test_a_visitor_pays_for_thinking_alone_and_not_for_loading():
    queue = Queue(Settings(workers=1, thinking=1e-9, thinking_burst=1e-9))
    for _ in range(5):
        queue.ask("one", "ann", lambda: 0.0).result()
    queue.ask("one", "ann", lambda: None).result()
    with pytest.raises(PageError, match="thought for long enough"):
        queue.ask("two", "ann", lambda: None)
    queue.ask("three", "bob", lambda: None).result()
    queue.close()


def test_it_listens_here_alone_unless_told(tmp_path):
    said, stop = [], threading.Event()
    stop.set()
    for host in ("127.0.0.1", "0.0.0.0"):
        serve_web(tmp_path, host=host, port=0, say=said.append, stop=stop)
    assert re.match(r"Seedfolio is at http://127\.0\.0\.1:\d+/", said[0])
    assert "everybody who can reach" in said[1]
    assert "not encrypted" in said[1]
