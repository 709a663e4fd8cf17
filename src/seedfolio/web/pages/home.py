"""The first page: what is in the folder, and the visitor's games."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from seedfolio.web.library import PORTFOLIO, STUDY
from seedfolio.web.pages.play import listed_games
from seedfolio.web.site import Visit, endpoint
from seedfolio.web.study_state import portfolio_line, study_line


def home(visit: Visit) -> Response:
    """Show the studies, the portfolios and the visitor's games."""
    library = visit.site.library
    return visit.page(
        "home.html",
        studies=[study_line(file) for file in library.files(STUDY)],
        portfolios=[portfolio_line(library, file) for file in library.files(PORTFOLIO)],
        games=listed_games(visit),
    )


ROUTES = [Route("/", endpoint(home))]
