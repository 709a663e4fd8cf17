"""The application: all pages of a folder, with the guard around them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NoReturn

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request

from seedfolio.errors import SpecificationError
from seedfolio.web import blind_pages, book_pages, home_pages, play_pages, study_pages, teach_pages
from seedfolio.web.guard import Guard, PageError
from seedfolio.web.settings import Settings
from seedfolio.web.site import Site
from seedfolio.web.static_files import static_routes


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

    pages = (home_pages, play_pages, study_pages, book_pages, blind_pages, teach_pages)
    app = Starlette(
        routes=[*(route for each in pages for route in each.ROUTES), *static_routes()],
        middleware=[
            Middleware(Guard, visitors=site.visitors, settings=settings, error_page=site.error_page)
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
