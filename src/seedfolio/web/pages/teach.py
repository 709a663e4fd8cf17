"""Be taught: games against a program that learns what the visitor loses to."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from seedfolio.errors import SpecificationError
from seedfolio.games.board import Panel
from seedfolio.games.game import Game
from seedfolio.people.deviations import Parting
from seedfolio.people.findings import SHOWN_ARMS, SHOWN_PARTINGS, Findings, parting_text
from seedfolio.people.pupil import Pupil
from seedfolio.people.taught_games import TaughtGame
from seedfolio.report.boards.svg import BoardPicture
from seedfolio.web.guard import PageError
from seedfolio.web.library import GAME
from seedfolio.web.opponents import ORIGINAL, OWN
from seedfolio.web.pages.play import choice_of_form, offered_games
from seedfolio.web.pupils import PupilSeat
from seedfolio.web.seen import seen_game
from seedfolio.web.shown_games import choice_title
from seedfolio.web.site import Later, Visit, endpoint


def choose(visit: Visit) -> Response:
    """Show all games, and where the visitor has begun."""
    library = visit.site.library
    seats = visit.site.pupils.seats(visit.visitor.id)
    return visit.page(
        "teach_list.html",
        games=offered_games(),
        own=library.files(GAME),
        seats=[(each, choice_title(library, each.choice)) for each in seats],
        most=visit.site.settings.simulations,
    )


def sit_down(visit: Visit) -> Response:
    """Take a name."""
    choice = choice_of_form(visit)
    if choice.kind not in (ORIGINAL, OWN):
        raise SpecificationError("a program that teaches chooses its own seeds; name a game")
    name = visit.form.get("person", "")
    seat = visit.site.pupils.sit_down(visit.visitor.id, choice, name)
    visit.site.pupils.proceed(visit.visitor.id, seat)
    return visit.go_to(f"/teach/{seat.id}")


def look(visit: Visit) -> Response | Later:
    """Show the game that goes on, and what the program has found out."""
    return _proceeded(visit, lambda: visit.page("teach.html", **_context(visit)))


def table(visit: Visit) -> Response | Later:
    """Show the table alone, for htmx."""
    return _proceeded(visit, lambda: _table(visit))


def begin_game(visit: Visit) -> Response:
    """Begin a game, unless one goes on."""
    seat, pupil = _found(visit)
    colour = visit.text_fields.get("colour", "both")
    visit.site.pupils.begin(visit.visitor.id, seat, pupil, colour)
    visit.site.pupils.proceed(visit.visitor.id, seat)
    return visit.go_to(f"/teach/{seat.id}")


def move(visit: Visit) -> Response | Later:
    """Play a move of the visitor."""
    seat, pupil = _found(visit)
    game = _playing(pupil)
    if visit.form.get("at") != str(len(pupil.in_progress(game).seen.events)):
        raise PageError(409, "The game has gone on meanwhile. Look at it again.")
    text = visit.text_fields.get("move", "")
    if not text or len(text) > 40:
        raise PageError(400, "Type a move, or choose one on the board.")
    visit.site.pupils.move(visit.visitor.id, seat, pupil, text)
    return _answered(visit)


def resign(visit: Visit) -> Response | Later:
    """Give the game up."""
    _, pupil = _found(visit)
    pupil.resign(_playing(pupil))
    return _answered(visit)


def _seat(visit: Visit) -> PupilSeat:
    return visit.site.pupils.find(visit.visitor.id, visit.path["id"])


def _found(visit: Visit) -> tuple[PupilSeat, Pupil]:
    seat = _seat(visit)
    pupil = visit.site.pupils.pupil(seat)
    if pupil is None:
        visit.site.pupils.proceed(visit.visitor.id, seat)  # loads it, perhaps again
        raise PageError(409, "The program is being loaded. Try again in a moment.", 2.0)
    return seat, pupil


def _playing(pupil: Pupil) -> TaughtGame:
    game = pupil.going_on()
    if game is None:
        raise PageError(400, "The game is over.")
    return game


def _proceeded(visit: Visit, show: Any) -> Response | Later:
    done = visit.site.pupils.proceed(visit.visitor.id, _seat(visit))
    shown: Response | Later = show() if done is None else Later(done, show)
    return shown


def _answered(visit: Visit) -> Response | Later:
    """Return the table after a form was accepted; a browser without htmx loads the page again."""
    if visit.fragment:
        return _proceeded(visit, lambda: _table(visit))
    seat = _seat(visit)
    visit.site.pupils.proceed(visit.visitor.id, seat)
    return visit.go_to(f"/teach/{seat.id}")


def _table(visit: Visit) -> Response:
    context = _context(visit)
    return HTMLResponse(visit.site.render("teach_table.html", visitor=visit.visitor, **context))


def _context(visit: Visit) -> dict[str, Any]:
    """Return what the templates show: the game that goes on, or else the last and the findings."""
    seat = _seat(visit)
    pupil = visit.site.pupils.pupil(seat)
    common: dict[str, Any] = {
        "base": f"/teach/{seat.id}",
        "title": f"{seat.name}: {choice_title(visit.site.library, seat.choice)}",
        "opponent": "The program",
        "place": visit.site.pupils.place(seat),
        "failure": "",
        "record": None,
        "counts": True,
        "fragment": visit.fragment,
        "resigned": False,
        "ended": False,
        "seen": None,
        "ready": pupil is not None,
        "findings": None,
    }
    if pupil is None:
        return common
    game = pupil.going_on() or _last(pupil)
    common["colours"] = pupil.game.rules.board.colours
    if game is None:
        return common
    ended = game.ending is not None
    now = pupil.in_progress(game)
    return common | {
        "seen": seen_game(now, visit.query.get("from", ""), ended=ended),
        "ended": ended,
        "resigned": game.ending == "resigned",
        "arm": now.arm.name,
        # While a game goes on, what was found out has a separate page.
        "findings": _shown(pupil.findings()) if ended else None,
    }


def _last(pupil: Pupil) -> TaughtGame | None:
    games = [game for colour in (0, 1) for game in pupil.finished(colour)]
    return max(games, key=lambda game: game.number, default=None)


def found(visit: Visit) -> Response:
    """Show what the program has found out, as a page or as JSON."""
    seat, pupil = _found(visit)
    findings = pupil.findings()
    if visit.query.get("as") == "json":
        text = json.dumps(findings.as_data(), indent=2)
        return Response(text, media_type="application/json; charset=utf-8")
    return visit.page(
        "teach_found.html",
        title=f"{seat.name}: {choice_title(visit.site.library, seat.choice)}",
        base=f"/teach/{seat.id}",
        findings=_shown(findings),
    )


def _shown(findings: Findings) -> list[dict[str, Any]]:
    """Return the findings by colour, with pictures."""
    game = findings.game
    return [
        {
            "side": game.rules.board.colours[each.colour],
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


ROUTES = [
    Route("/teach", endpoint(choose)),
    Route("/teach", endpoint(sit_down), methods=["POST"]),
    Route("/teach/{id:str}", endpoint(look)),
    Route("/teach/{id:str}/table", endpoint(table)),
    Route("/teach/{id:str}/found", endpoint(found)),
    Route("/teach/{id:str}/game", endpoint(begin_game), methods=["POST"]),
    Route("/teach/{id:str}/move", endpoint(move), methods=["POST"]),
    Route("/teach/{id:str}/resign", endpoint(resign), methods=["POST"]),
]
