"""Serving the page with uvicorn."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from seedfolio.core.plain_text import put
from seedfolio.errors import SpecificationError
from seedfolio.web.ahead import load_ahead
from seedfolio.web.application import create_app
from seedfolio.web.settings import Settings

HEADER_SECONDS = 10.0
"""In which a browser must send the address and the headers of a request."""
READING_SECONDS = 30.0
"""In which a browser must read something of what was sent to it."""
_KEEP_SECONDS = 15
"""How long a connection may wait for its next request."""


class PatientProtocol(H11Protocol):
    """HTTP on one connection, which ends if headers do not arrive in time, or answers are not read.

    uvicorn would wait for ever, and count the connection among those that it allows.
    """

    _late: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give the first request its time."""
        super().connection_made(transport)
        self._begin()
        self._expect_reading(0)

    def data_received(self, data: bytes) -> None:
        """Stop the clock when a request is there; start it when the next one begins."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._late is None:
            self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks."""
        self._stop()
        if self._reading is not None:
            self._reading.cancel()
        super().connection_lost(exc)

    def _expect_reading(self, before: int) -> None:
        """End the connection if it has as many bytes to send as the time before."""
        left = self.transport.get_write_buffer_size()
        if left and left == before:
            self.transport.abort()
        else:
            self._reading = self.loop.call_later(READING_SECONDS, self._expect_reading, left)

    def _begin(self) -> None:
        self._late = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def _say(text: str) -> None:
    put(text, file=sys.stderr)


def serve_web(
    folder: str | Path = "studies",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    names: tuple[str, ...] = (),
    settings: Settings | None = None,
    say: Callable[[str], None] = _say,
    stop: threading.Event | None = None,
) -> None:
    """Serve the page of a folder until it is interrupted, or until `stop` is set.

    Args:
        folder: The folder of studies and portfolios; made if missing.
        host: The address to listen on; the default is this machine alone.
        port: The port; 0 takes any free one.
        names: A name under which browsers reach the page, or several.
        settings: The limits of the page.
        say: Receives the address.
        stop: Set it to end the server.

    >>> from threading import Event
    >>> from seedfolio import serve_web
    >>> stop, said = Event(), []
    >>> stop.set()  # without this line it goes on
    >>> serve_web("studies", port=0, say=said.append, stop=stop)
    >>> said[0].partition("http://127.0.0.1:")[1]
    'http://127.0.0.1:'
    """
    settings = settings or Settings()
    allowed = (*settings.hosts, *names, *(() if _is_any(host) else (host,)))
    settings = replace(settings, hosts=("*",) if _is_any(host) and not names else allowed)
    with closing(_listen(host, port)) as listening:
        app = create_app(folder, settings)
        for line in _greeting(listening, host, folder, settings):
            say(line)
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                server_header=False,
                date_header=False,
                timeout_keep_alive=_KEEP_SECONDS,
                http=PatientProtocol,
                timeout_graceful_shutdown=5,
                limit_concurrency=2_000,
            )
        )
        if settings.ahead:
            load_ahead(app.state.site)
        if stop is not None:
            threading.Thread(target=_stop_when, args=(stop, server), daemon=True).start()
        try:
            server.run(sockets=[listening])
        finally:
            app.state.site.close()


def _greeting(
    listening: socket.socket, host: str, folder: str | Path, settings: Settings
) -> Iterator[str]:
    """Yield where the page is, after what it means to listen there."""
    address = listening.getsockname()
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    if not _is_local(host):
        yield (
            f"warning: everybody who can reach {shown}:{address[1]} can play here and read the "
            f"studies in {folder}; what they send is not encrypted. Leave out `host` to keep the "
            "page to this machine"
        )
    if settings.secure:
        yield (
            "cookies are for HTTPS alone: open the page through the web server with HTTPS in front "
            "of it"
        )
    yield f"Seedfolio is at http://{shown}:{address[1]}/ (stop it with Ctrl+C)"


def _stop_when(stop: threading.Event, server: uvicorn.Server) -> None:
    stop.wait()
    server.should_exit = True


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; SpecificationError if the address is not usable."""
    if not 0 <= port <= 65_535:
        raise SpecificationError(f"`port` must be 0 to 65535, not {port}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(1_024)
    except OSError as error:
        listening.close()
        raise SpecificationError(
            f"cannot listen on {host} port {port}: {error.strerror or error}; choose another `port`"
        ) from error
    return listening


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
