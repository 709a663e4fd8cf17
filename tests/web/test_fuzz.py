"""Requests that nobody means: each gets a page of ours, whatever it holds, and no traceback."""

import asyncio
import logging
import random
import re
import socket
from contextlib import closing, suppress
from urllib.parse import quote, urlsplit
from urllib.request import urlopen

import pytest
from web_browser import served
from web_client import FREE, SMALL, Guest, make_app

ALLOWED = {200, 204, 303, 304, 400, 403, 404, 405, 408, 409, 413, 414, 415, 421, 429, 503}
METHODS = ["GET"] * 8 + ["POST"] * 8 + ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "Ø"]
PIECES = [
    *("..", "/", "%00", "\0", "%2e%2e%2f", "\\", "'", '"', "<script>", "é", "￾", "\ud800"),
    *("-1", "0", "99999999999999999999", "NaN", "1e9", "a" * 300, "null", "[]", " ", "\r\n", ";"),
    *("first", "second", "swap", "book", "a1a2", "b2b3", "pass", "roll", "4x4", "99x99", "size=-1"),
    "{{7*7}}",
]


def any_text(draw):
    return "".join(draw.choice(PIECES) for _ in range(draw.randrange(4)))


def any_path(draw, known):
    path = draw.choice(known)
    if draw.random() < 0.5:
        parts = path.split("/")
        parts[draw.randrange(len(parts))] = any_text(draw)
        path = "/".join(parts)
    return path + any_text(draw) if draw.random() < 0.1 else path


def any_body(draw, token):
    if draw.random() < 0.1:
        return draw.randbytes(draw.randrange(200))
    names = ["move", "at", "kind", "name", "options", "effort", "colour", "sides", any_text(draw)]
    names += ["person", "guess", "games"]
    fields = [(draw.choice(names), any_text(draw)) for _ in range(draw.randrange(6))]
    if draw.random() < 0.8:
        fields.append(("token", token))
    if draw.random() < 0.5:
        fields.append(("kind", draw.choice(["original", "own", "boosted", "external"])))
    return "&".join(
        f"{quote(k, errors='replace')}={quote(v, errors='replace')}" for k, v in fields
    ).encode()


def any_headers(draw, cookie):
    headers = [(b"host", b"127.0.0.1")]
    if draw.random() < 0.9:
        headers.append((b"cookie", f"seedfolio={cookie}".encode()))
    if draw.random() < 0.8:
        headers.append((b"content-type", b"application/x-www-form-urlencoded"))
    if draw.random() < 0.3:
        headers.append((b"hx-request", b"true"))
    names = (b"host", b"origin", b"cookie", b"content-length", b"content-type", b"if-none-match")
    if draw.random() < 0.3:
        headers.append((draw.choice(names), any_text(draw).encode("latin-1", "replace")))
    return headers


async def ask(app, draw, known, token, cookie):
    """Send one request; return (its method, its path, the status), the headers and the body."""
    path, body = any_path(draw, known), any_body(draw, token)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": draw.choice(METHODS),
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "root_path": "",
        "query_string": quote(any_text(draw), safe="=&?", errors="replace").encode(),
        "headers": any_headers(draw, cookie),
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }
    chunks = [{"type": "http.request", "body": body, "more_body": False}]
    sent = []

    async def receive():
        return chunks.pop(0) if chunks else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    await app(scope, receive, send)
    headers = {k.decode().lower(): v.decode() for k, v in sent[0]["headers"]}
    answer = b"".join(message.get("body", b"") for message in sent[1:])
    return (scope["method"], path, sent[0]["status"]), headers, answer


def fuzz(app, number, caplog):
    guest = Guest(app)
    address = guest.begin(options="4x4", effort="5")
    token, cookie = guest.token(), guest.client.cookies["seedfolio"]
    site = app.state.site
    study, *_ = site.library.files("study")
    book = next(each for each in site.library.files("portfolio") if each.name.endswith("book"))
    known = [
        *("/", "/play", "/games", "/static/seedfolio.css"),
        *(f"{address}{end}" for end in ("", "/table", "/move", "/undo", "/again", "/record.json")),
        *(f"/studies/{study.id}{end}" for end in ("", "/download.csv", "/figures/matrix")),
        *(f"/portfolios/{book.id}{end}" for end in ("", "/book/first", "/book/second/book.txt")),
    ]
    guest.settle(trial := f"/blind/{book.id}")
    series = guest.post(trial, games="4").headers["location"]
    guest.post(f"{series}/game")
    seat = guest.post("/teach", person="Fay", **SMALL).headers["location"]
    guest.settle(seat)
    guest.post(f"{seat}/game")
    known += [
        *("/blind", trial, f"{trial}/games.csv", "/teach"),
        *(f"{series}{end}" for end in ("", "/table", "/move", "/guess", "/game", "/plan.txt")),
        *(f"{seat}{end}" for end in ("", "/table", "/move", "/found", "/game", "/resign")),
    ]
    draw = random.Random(2026)
    caplog.set_level(logging.ERROR)

    async def all_of_them():
        for _ in range(number):
            said, headers, body = await ask(app, draw, known, token, cookie)
            assert said[-1] in ALLOWED, said
            assert b"Traceback" not in body, said
            assert str(site.folder).encode() not in body, said
            assert "default-src 'none'" in headers["content-security-policy"], said

    asyncio.run(all_of_them())
    guest.post(f"{series}/end")
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]
    # It still works, and the game is where it was or further.
    assert re.search("Your turn|wins|You win", guest.settle(address))


@pytest.mark.parametrize(
    "number",
    [pytest.param(2_000, marks=pytest.mark.slow), pytest.param(100_000, marks=pytest.mark.long)],
)
def test_fuzzed_requests(boosted, caplog, number):
    with closing((app := make_app(boosted, FREE)).state.site):
        fuzz(app, number, caplog)


RAW = [
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET /\0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"POST /games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    b"POST /games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n",
    b"POST /games HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + b"a" * 100_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
]


def test_malformed_bytes_do_not_stop_the_server(boosted):
    draw = random.Random(7)
    noise = [draw.randbytes(draw.randrange(1, 300)) + b"\r\n\r\n" for _ in range(50)]
    with served(boosted) as address:
        place = urlsplit(address)
        for data in [*RAW, *noise]:
            with socket.create_connection((place.hostname, place.port)) as connection:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                answer = b""
                with suppress(ConnectionResetError):
                    while more := connection.recv(65_536):
                        answer += more
            assert b"Traceback" not in answer, data[:80]
            assert not answer or answer.startswith(b"HTTP/1.1 "), data[:80]
            assert b"HTTP/1.1 5" not in answer[:12], data[:80]
        with urlopen(address) as page:
            assert page.status == 200
