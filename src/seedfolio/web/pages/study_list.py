"""All studies, sorted and filtered by their game, with their portfolios; two side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import Route

from seedfolio.web.guard import PageError
from seedfolio.web.library import PORTFOLIO, STUDY, LibraryFile
from seedfolio.web.pages.studies import study_context
from seedfolio.web.site import Visit, endpoint
from seedfolio.web.study_state import StudyState, portfolio_line, study_line

_Line = tuple[LibraryFile, StudyState]
_ORDERS: dict[str, tuple[str, Callable[[_Line], Any]]] = {
    "name": ("by name", lambda each: each[1].title),
    "newest": ("changed last", lambda each: [-when for when, _ in each[0].stamp]),
    "games": ("most games", lambda each: -each[1].games),
    "success": ("most success", lambda each: -each[1].success),
}
"""By the word in an address: what people read, and what sorts."""


def listed(visit: Visit) -> Response:
    """Show the studies and portfolios of the folder, or those of one game, in an order."""
    library, game, order = visit.site.library, visit.query.get("game", ""), visit.query.get("sort")
    studies = [(each, study_line(each, visit.site.paces)) for each in library.files(STUDY)]
    portfolios = [portfolio_line(library, each) for each in library.files(PORTFOLIO)]
    shown = [each for each in studies if game in ("", each[1].game)]
    chosen = order if order in _ORDERS else "name"
    return visit.page(
        "studies.html",
        address=f"/studies?{urlencode({'game': game, 'sort': chosen})}",
        kinds=sorted({each.game for _, each in studies if each.game}),
        game=game,
        orders={name: words for name, (words, _) in _ORDERS.items()},
        order=chosen,
        studies=[each for _, each in sorted(shown, key=_ORDERS[chosen][1])],
        all_studies=[each for _, each in studies if not each.problem],
        portfolios=[each for each in portfolios if game in ("", each.game.partition(":")[0])],
        games=[],
    )


def side_by_side(visit: Visit) -> Response:
    """Show two studies beside each other."""
    files = [visit.site.library.find(STUDY, visit.query.get(each, "")) for each in ("one", "other")]
    if files[0] == files[1]:
        raise PageError(400, "Choose two different studies.")
    both = [study_context(visit, each) for each in files]
    if problem := next((each["state"].problem for each in both if each["state"].problem), ""):
        raise PageError(400, problem)
    return visit.page("side_by_side.html", both=both)


ROUTES = [
    Route("/studies", endpoint(listed)),
    Route("/side-by-side", endpoint(side_by_side)),
]
