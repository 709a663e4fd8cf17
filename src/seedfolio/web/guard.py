"""What every request passes before a page sees it, and every answer before it leaves.

Here are the limits, the visitor's cookie, the token of forms and the security headers. A request
that is refused gets a short page with one line, never a traceback.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import logging
import sqlite3
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seedfolio.errors import SeedfolioError
from seedfolio.study.sqlite_file import primary_code
from seedfolio.web.limits import Buckets
from seedfolio.web.settings import Settings
from seedfolio.web.visitors import COOKIE, FIELD, Visitor, Visitors

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_MOST_FIELDS = 40
_LONGEST_QUERY = 2_048
_BODY_SECONDS = 10
_FULL = (
    "The disk of this server is full, so nothing was changed. Who runs it must free some space; "
    "then try again."
)
_YEAR = 365 * 24 * 3600
_log = logging.getLogger("seedfolio.web")


class PageError(SeedfolioError):
    """A request is refused: the status, and one line for the visitor."""

    def __init__(self, status: int, text: str, retry: float = 0.0) -> None:
        super().__init__(text)
        self.status = status
        self.retry = retry
        """Seconds after which the same request may succeed; 0: never."""

    @property
    def passes(self) -> bool:
        """Whether it says nothing about a game but that now is not the time to go on with it."""
        return self.retry > 0 or self.status == 409


ErrorPage = Callable[[Scope, int, str], Response]
"""Returns the page for a status and a line."""


class Guard:
    """The middleware around all pages."""

    def __init__(
        self, app: ASGIApp, visitors: Visitors, settings: Settings, error_page: ErrorPage
    ) -> None:
        self._app = app
        self._visitors = visitors
        self._settings = settings
        self._error_page = error_page
        self._by_visitor = Buckets(settings.requests, settings.requests_burst)
        self._by_address = Buckets(settings.address_requests, settings.address_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever it is."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there is no WebSocket here
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        visitor = self._visitors.of_cookie(_cookie(headers))
        scope.setdefault("state", {}).update(visitor=visitor, form={})
        answered = False

        async def guarded(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                self._add_headers(MutableHeaders(scope=message), scope, visitor)
            await send(message)

        try:
            self._check(scope, headers, visitor)
            if scope["method"] == "POST":
                scope["state"]["form"] = await self._form(headers, receive, visitor)
            await self._app(scope, receive, guarded)
        except Exception as error:
            if answered:  # nothing can be said any more
                raise
            await self._refusal(scope, error)(scope, receive, guarded)

    def _check(self, scope: Scope, headers: Headers, visitor: Visitor) -> None:
        """Raise PageError if the request is refused before its body is read."""
        address = scope["client"][0] if scope.get("client") else ""
        wait = self._by_address.take(address)
        if not wait and not visitor.fresh:
            wait = self._by_visitor.take(visitor.id)
        if wait:
            raise PageError(429, "Too many requests. Wait a moment, then try again.", wait)
        if not self._known_host(headers.get("host", "")):
            raise PageError(
                421, "This page is not served under that name; see `hosts` of its settings."
            )
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise PageError(405, "Pages here take GET and POST only.")
        if len(scope.get("query_string", b"")) > _LONGEST_QUERY:
            raise PageError(414, "That address is too long.")
        if not _is_text(scope["path"]):
            raise PageError(404, "There is no such page.")

    def _known_host(self, host: str) -> bool:
        if "*" in self._settings.hosts:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in {known.strip("[]").lower() for known in self._settings.hosts}

    async def _form(
        self, headers: Headers, receive: Receive, visitor: Visitor
    ) -> Mapping[str, str]:
        """Return the form of a request; PageError if it is not one of ours."""
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/x-www-form-urlencoded":
            raise PageError(415, "Pages here take forms only.")
        try:
            body = await asyncio.wait_for(self._body(headers, receive), _BODY_SECONDS)
        except TimeoutError:
            raise PageError(408, "The request took too long to arrive.") from None
        try:
            fields = parse_qsl(
                body.decode("ascii"),
                keep_blank_values=True,
                errors="strict",
                max_num_fields=_MOST_FIELDS,
            )
        except ValueError:
            raise PageError(400, "That is not a form.") from None
        form = dict(fields)
        if not all(_is_text(text) for field in form.items() for text in field):
            raise PageError(400, "That is not a form.")
        origin = headers.get("origin")
        if origin not in (None, "null") and _site(origin) != headers.get("host"):
            raise PageError(403, "That form comes from another site.")
        if not hmac.compare_digest(form.pop(FIELD, "").encode(), visitor.token.encode()):
            raise PageError(403, "That form is out of date. Reload its page and try again.")
        return form

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        most = self._settings.body
        given = headers.get("content-length", "0")
        if not given.isdecimal() or len(given) > 18:
            raise PageError(400, "That is not a request.")
        body, more = b"", int(given) <= most
        if not more:
            raise PageError(413, f"That is more than {most:,} bytes.")
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise PageError(400, "The request ended early.")
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > most:
                raise PageError(413, f"That is more than {most:,} bytes.")
        return body

    def _refusal(self, scope: Scope, error: Exception) -> Response:
        """Return the page for an error."""
        if isinstance(error, PageError):
            response = self._error_page(scope, error.status, str(error))
            if error.retry:
                response.headers["Retry-After"] = str(max(1, round(error.retry)))
            return response
        if is_full(error):
            _log.warning("%s %s: the disk is full; free some space", scope["method"], scope["path"])
            response = self._error_page(scope, 503, _FULL)
            response.headers["Retry-After"] = "60"
            return response
        if isinstance(error, SeedfolioError):
            return self._error_page(scope, 400, _sentence(str(error)))
        _log.error("%s %s failed", scope["method"], scope["path"], exc_info=error)
        return self._error_page(
            scope, 500, "Something went wrong. The log of the server says what."
        )

    def _add_headers(self, headers: MutableHeaders, scope: Scope, visitor: Visitor) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        headers.setdefault("Cache-Control", "no-store")
        # Files that all share may be cached, so they give nobody a cookie.
        if visitor.fresh and headers["Cache-Control"] == "no-store":
            secure = "; Secure" if self._settings.secure else ""
            headers.append(
                "Set-Cookie",
                f"{COOKIE}={self._visitors.cookie(visitor)}; Path=/; Max-Age={_YEAR}; HttpOnly; "
                f"SameSite=Lax{secure}",
            )


def is_full(error: BaseException | None) -> bool:
    """Tell whether an error, or one that caused it, is that the disk has no space left."""
    while error is not None:
        if isinstance(error, sqlite3.Error):
            # SQLite says so only where it writes; it also maps a file, or reads beside it.
            if primary_code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                return True
        elif isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        error = error.__cause__ or error.__context__
    return False


def _sentence(error: str) -> str:
    """Return the line of an error as a sentence; what people have typed stays as it is."""
    first, _, _ = error.partition(" ")
    text = error[:1].upper() + error[1:] if first.isalpha() else error
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _is_text(text: str) -> bool:
    """Tell whether a text has no NUL and no half of a character."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _site(origin: str) -> str | None:
    """Return the host of an origin; None if it is not an address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _cookie(headers: Headers) -> str | None:
    """Return the value of our cookie; None if there is none."""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE)
