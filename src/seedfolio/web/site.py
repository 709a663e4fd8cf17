"""A site: all that its pages share, and how one page is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

from seedfolio.people.blind.answer_times import AnswerTimes
from seedfolio.version import __version__
from seedfolio.web.guard import PageError
from seedfolio.web.hints import Hints
from seedfolio.web.kinds import BlindSeries, PlayedGames, TaughtGames
from seedfolio.web.library import Library, without_folder
from seedfolio.web.opponents import OpponentChoice, Opponents
from seedfolio.web.queue import Queue
from seedfolio.web.settings import Settings
from seedfolio.web.sittings import BLIND, PLAY, TEACH, Sittings, load_secret, open_page
from seedfolio.web.study_state import Paces
from seedfolio.web.tables import TableKind, Tables
from seedfolio.web.visitors import Visitor, Visitors

PATIENCE = 0.7
"""Seconds that a page waits for a program before it shows that the program thinks."""
TITLES = {
    400: "Not possible",
    403: "Refused",
    404: "Not found",
    409: "Too late",
    429: "Too fast",
    503: "Not now",
}
"""Headings of the pages for errors, by status."""


class Site:
    """What all pages share. Close it when the server ends."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder = folder
        self.settings = settings
        self.file = open_page(folder)
        self.visitors = Visitors(load_secret(self.file))
        self.library = Library(folder)
        self.opponents = Opponents(self.library, settings)
        self.queue = Queue(settings)
        self.sittings = Sittings(self.file, settings)
        self.hints = Hints()
        self.paces = Paces()
        self.played = PlayedGames(self.sittings, self.opponents)
        times = AnswerTimes(*settings.answer_times)
        self.blind = BlindSeries(self.sittings, self.opponents, times)
        self.taught = TaughtGames(self.sittings, self.opponents)
        kinds: dict[str, TableKind] = {PLAY: self.played, BLIND: self.blind, TEACH: self.taught}
        self.tables = Tables(self.sittings, self.queue, kinds)
        self.templates = Environment(
            loader=PackageLoader("seedfolio.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(version=__version__)

    def close(self) -> None:
        """Close all that is open."""
        self.queue.close()
        self.blind.close()
        self.taught.close()
        self.opponents.close()
        self.file.close()

    def check_no_trial(self, choice: OpponentChoice) -> None:
        """Raise PageError while a blind series of a portfolio is open.

        Who could play against it, or read its book, could tell which program they meet there.
        """
        if self.sittings.in_trial(choice):
            raise PageError(
                403,
                "A blind series of this portfolio is open, so nobody may play it, read its book or "
                "download it. Judge it blind, or come back when the series is closed.",
            )

    def render(self, template: str, **context: Any) -> str:
        """Return a template filled in."""
        return self.templates.get_template(template).render(**context)

    def error_page(self, scope: Scope, status: int, text: str) -> Response:
        """Return the page for an error; it shows no path of the folder."""
        text = without_folder(text, self.folder)
        title = TITLES.get(status, "Error")
        fragment = (b"hx-request", b"true") in scope.get("headers", [])
        template = "error_fragment.html" if fragment else "error.html"
        visitor = scope["state"]["visitor"]
        content = self.render(template, title=title, text=text, visitor=visitor)
        response = HTMLResponse(content, status)
        if fragment:
            response.headers["HX-Retarget"] = "#problem"
            response.headers["HX-Reswap"] = "innerHTML"
        return response


@dataclass(frozen=True)
class Visit:
    """One request, as a page sees it."""

    site: Site
    visitor: Visitor
    path: Mapping[str, str]
    """The parts of the address that the route names."""
    query: Mapping[str, str]
    form: Mapping[str, str]
    fragment: bool
    """Whether htmx asks, so that a part of the page is enough."""

    def page(self, template: str, **context: Any) -> Response:
        """Return a whole page."""
        return HTMLResponse(self.site.render(template, visitor=self.visitor, **context))

    def download(self, text: str, kind: str, name: str) -> Response:
        """Send a file."""
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)

    def go_to(self, address: str) -> Response:
        """Send the browser to another page of the site, after a form was accepted."""
        if self.fragment:
            return Response(status_code=204, headers={"HX-Redirect": address})
        return RedirectResponse(address, status_code=303)

    @cached_property
    def text_fields(self) -> Mapping[str, str]:
        """The fields of the form, without blanks around them."""
        return {name: value.strip() for name, value in self.form.items()}


@dataclass(frozen=True)
class Later:
    """An answer that waits, for a moment, for a program to think."""

    done: Future[None]
    then: Callable[[], Response]


Page = Callable[[Visit], Response | Later]
"""A page: a function of the visit. It runs in a thread, so it may read files."""


def endpoint(page: Page) -> Callable[[Request], Awaitable[Response]]:
    """Return a page as Starlette calls it."""

    async def answer(request: Request) -> Response:
        visit = Visit(
            site=request.app.state.site,
            visitor=request.state.visitor,
            path=request.path_params,
            query=request.query_params,
            form=request.state.form,
            fragment=request.headers.get("hx-request") == "true",
        )
        answered = await run_in_threadpool(page, visit)
        if isinstance(answered, Later):
            # No thread is held while the program thinks.
            await asyncio.wait([asyncio.wrap_future(answered.done)], timeout=PATIENCE)
            return await run_in_threadpool(answered.then)
        return answered

    return answer
