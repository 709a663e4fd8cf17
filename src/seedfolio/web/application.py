"""The application: all pages of a folder, with the guard around them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import NoReturn

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from seedfolio.errors import SpecificationError
from seedfolio.web.guard import Guard, PageError
from seedfolio.web.pages import blind as blind_pages
from seedfolio.web.pages import books as book_pages
from seedfolio.web.pages import home as home_pages
from seedfolio.web.pages import play as play_pages
from seedfolio.web.pages import studies as study_pages
from seedfolio.web.pages import study_list as study_list_pages
from seedfolio.web.pages import teach as teach_pages
from seedfolio.web.settings import Settings
from seedfolio.web.site import Site

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


def static_routes() -> list[Route]:
    """Return a route for each file in the package's folder `static`."""
    folder = files("seedfolio.web") / "static"
    found = sorted(folder.iterdir(), key=lambda each: each.name)
    return [Route(f"/static/{each.name}", _serving(each.name, each.read_bytes())) for each in found]


def _serving(name: str, content: bytes) -> Callable[[Request], Awaitable[Response]]:
    ending = name[name.rindex(".") :]
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "public, max-age=300"}

    async def serve(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=_TYPES[ending], headers=headers)

    return serve


def create_app(folder: str | Path = "studies", settings: Settings | None = None) -> Starlette:
    """Return the page for a folder of studies and portfolios, as an ASGI application.

    The folder is made if it does not exist. `settings` are the limits. `serve_web` runs it; so does
    any ASGI server.

    >>> from seedfolio import create_app
    >>> app = create_app("studies")
    >>> [route.path for route in app.routes][:2]
    ['/', '/play']
    """
    path = Path(folder)
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise SpecificationError(
            f"cannot make the folder {path}: {error.strerror}; name another"
        ) from error
    settings = settings or Settings()
    site = Site(path, settings)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        site.close()

    playing = (home_pages, play_pages, blind_pages, teach_pages)
    looking = (study_list_pages, study_pages, book_pages)
    app = Starlette(
        routes=[
            *(route for each in (*playing, *looking) for route in each.ROUTES),
            *static_routes(),
        ],
        middleware=[
            Middleware(
                Guard, visitors=site.visitors, settings=settings, error_page=site.error_page
            ),
            Middleware(GZipMiddleware, compresslevel=5),
        ],
        exception_handlers={HTTPException: _as_page_error},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.site = site
    return app


def _as_page_error(request: Request, error: Exception) -> NoReturn:
    """Let the guard answer what the router refuses."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    text = "There is no such page." if status == 404 else "Pages here do not take that."
    raise PageError(status, text)
