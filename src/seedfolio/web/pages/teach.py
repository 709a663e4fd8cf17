"""Be taught: games against a program that learns what the visitor loses to."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from seedfolio.errors import SpecificationError
from seedfolio.games.board import Panel
from seedfolio.games.game import Game
from seedfolio.people.deviations import Parting
from seedfolio.people.findings import SHOWN_ARMS, SHOWN_PARTINGS, Findings, parting_text
from seedfolio.people.pupil import Pupil
from seedfolio.report.boards.svg import BoardPicture
from seedfolio.web.catalogue import game_cards, people_side
from seedfolio.web.library import GAME
from seedfolio.web.opponents import ORIGINAL, OWN
from seedfolio.web.pages.play import choice_of_form
from seedfolio.web.pages.table import TablePage
from seedfolio.web.site import Visit, endpoint
from seedfolio.web.sittings import TEACH, Sitting
from seedfolio.web.tables import View


def choose(visit: Visit) -> Response:
    """Show all games, and where the visitor has begun."""
    library = visit.site.library
    sittings = visit.site.sittings.of(visit.visitor.id, TEACH)
    return visit.page(
        "teach_list.html",
        cards=game_cards(),
        own=library.files(GAME),
        sittings=[(each, visit.site.opponents.title(each.choice)) for each in sittings],
    )


def sit_down(visit: Visit) -> Response:
    """Take a name."""
    choice = choice_of_form(visit)
    if choice.kind not in (ORIGINAL, OWN):
        raise SpecificationError("a program that teaches chooses its own seeds; name a game")
    name = visit.form.get("person", "")
    return PAGE.shown(visit, visit.site.taught.sit_down(visit.visitor.id, choice, name))


def _begin_game(visit: Visit, sitting: Sitting) -> None:
    """Begin a game, unless one is in play."""
    visit.site.taught.begin(sitting, visit.text_fields.get("colour", "both"))


def _context(visit: Visit, sitting: Sitting, view: View) -> dict[str, Any]:
    """Return what the templates show beside the last game: once it is over, the findings."""
    common: dict[str, Any] = {"title": _title(visit, sitting), "after": "teach_after.html"}
    pupil = view.table
    if not isinstance(pupil, Pupil):
        return common  # the program is not loaded yet
    board = pupil.game.rules.board
    common["elsewhere"] = pupil.elsewhere()
    common["colours"] = [people_side(each, board) for each in board.colours]
    if view.now is None or not view.ended:
        return common  # while a game is in play, the findings have a separate page
    return common | {
        "arm": f"opponent {(0 if view.game is None else view.game.arm or 0) + 1}",
        "below": "teach_findings.html",
        "findings": _shown(pupil.findings()),
    }


def _title(visit: Visit, sitting: Sitting) -> str:
    return f"{sitting.name}: {visit.site.opponents.title(sitting.choice)}"


def found(visit: Visit) -> Response:
    """Show what the program has found out, as a page or as JSON."""
    sitting = PAGE.sitting(visit)
    findings = visit.site.taught.pupil(sitting).findings()
    if visit.query.get("as") == "json":
        text = json.dumps(findings.as_data(), indent=2)
        return Response(text, media_type="application/json; charset=utf-8")
    return visit.page(
        "teach_found.html",
        title=_title(visit, sitting),
        base=PAGE.base(sitting),
        findings=_shown(findings),
    )


def _shown(findings: Findings) -> list[dict[str, Any]]:
    """Return the findings by colour, with pictures."""
    game = findings.game
    return [
        {
            "side": people_side(game.rules.board.colours[each.colour], game.rules.board),
            "found": each,
            "arms": [arm for arm in each.arms if arm.lost][:SHOWN_ARMS],
            "partings": [
                _parting(game, each.colour, parting) for parting in each.partings[:SHOWN_PARTINGS]
            ],
        }
        for each in findings.colours
    ]


def _parting(game: Game, colour: int, parting: Parting) -> dict[str, Any]:
    cells = game.information(parting.history, colour).cells
    board = game.rules.board
    picture = Markup("")
    if not isinstance(board, Panel):
        drawn = BoardPicture.of(game, parting.history, cells)
        picture = Markup(drawn.svg(f"{game.title}: the position"))
    return {
        "says": parting_text(parting, game),
        "picture": picture,
        "text": board.draw(cells),
        "columns": board.columns,
        "moves": [(game.move_name(each.move), each) for each in parting.moves],
    }


PAGE = TablePage(TEACH, "/teach/{id}", _context, {"game": _begin_game})
ROUTES = [
    Route("/teach", endpoint(choose)),
    Route("/teach", endpoint(sit_down), methods=["POST"]),
    *PAGE.routes(),
    Route("/teach/{id:str}/found", endpoint(found)),
]
