"""Playing: choosing an opponent, the table, and what it shows when the game is over."""

from __future__ import annotations

import re
import secrets
from functools import cache
from typing import Any

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from seedfolio.core.trust import Permit
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.games import BUILT_IN, load_game
from seedfolio.games.game import Game
from seedfolio.opponents.game_in_progress import GameInProgress
from seedfolio.players import load_player
from seedfolio.web.game_record import RECORD_TYPES, book_text, record_text
from seedfolio.web.guard import PageError
from seedfolio.web.library import ENGINE, GAME, PORTFOLIO, LibraryFile
from seedfolio.web.opponents import (
    BOOSTED,
    EXTERNAL,
    ORIGINAL,
    OWN,
    OpponentChoice,
    check_built_in,
)
from seedfolio.web.seen import SeenGame, seen_game
from seedfolio.web.shown_games import choice_title, shown_games
from seedfolio.web.site import Later, Visit, endpoint
from seedfolio.web.study_state import portfolio_line
from seedfolio.web.tables import StoredGame

FIRST, SECOND, EITHER = "first", "second", "either"
_OPTIONS = re.compile(r"[a-zA-Z0-9_=.,/ -]{0,120}")
"""Capital letters, slashes and spaces are those of a FEN."""


def choose(visit: Visit) -> Response:
    """Show all opponents."""
    library = visit.site.library
    lines = [portfolio_line(library, file) for file in library.files(PORTFOLIO)]
    return visit.page(
        "play.html",
        games=offered_games(),
        own=[*((OWN, file) for file in library.files(GAME)), *_engines(visit)],
        portfolios=[line for line in lines if not line.problem],
        played=shown_games(visit),
        most=visit.site.settings.simulations,
    )


def begin(visit: Visit) -> Response:
    """Begin a game against what the form names."""
    choice = choice_of_form(visit)
    person = _person(visit.form.get("colour", FIRST))
    game = visit.site.tables.begin(visit.visitor.id, choice, person)
    visit.site.tables.proceed(game)
    return visit.go_to(f"/games/{game.id}")


def look(visit: Visit) -> Response | Later:
    """Show a game; where the program is to move it is asked to."""
    return _proceeded(visit, _stored(visit), lambda stored: _page(visit, stored))


def table(visit: Visit) -> Response | Later:
    """Show the table alone, for htmx."""
    return _proceeded(visit, _stored(visit), lambda stored: _table(visit, stored))


def move(visit: Visit) -> Response | Later:
    """Play a move of the visitor."""
    stored = _stored(visit)
    now = visit.site.tables.now(stored)
    if now is not None and visit.form.get("at") != str(len(now.seen.events)):
        raise PageError(409, "The game has gone on meanwhile. Look at it again.")
    text = visit.text_fields.get("move", "")
    if not text or len(text) > 40:
        raise PageError(400, "Type a move, or choose one on the board.")
    return _answered(visit, visit.site.tables.play(stored, text))


def undo(visit: Visit) -> Response | Later:
    """Take back the visitor's last move."""
    return _answered(visit, visit.site.tables.undo(_stored(visit)))


def resign(visit: Visit) -> Response | Later:
    """Give the game up."""
    return _answered(visit, visit.site.tables.resign(_stored(visit)))


def again(visit: Visit) -> Response:
    """Begin another game against the same program, with the same colour or the other."""
    stored = _stored(visit)
    person = 1 - stored.person if visit.form.get("sides") == "swap" else stored.person
    choice = visit.site.opponents.renewed(stored.choice)
    game = visit.site.tables.begin(visit.visitor.id, choice, person)
    visit.site.tables.proceed(game)
    return visit.go_to(f"/games/{game.id}")


def record(visit: Visit) -> Response:
    """Send the record of a game that is over: it tells all that was hidden."""
    stored = _stored(visit)
    if not stored.ended:
        raise PageError(409, "The record is there when the game is over.")
    now, ending = visit.site.tables.now(stored), visit.path["ending"]
    if now is None:
        raise PageError(409, "The program is being loaded. Try again in a moment.")
    if not (text := record_text(now, _record(visit, stored, now), ending)):
        raise PageError(404, "There is no such record of this game.")
    name = f"game-{stored.id[:8]}.{ending}"
    return Response(
        text,
        media_type=f"{RECORD_TYPES[ending]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _stored(visit: Visit) -> StoredGame:
    return visit.site.tables.find(visit.visitor.id, visit.path["id"])


def _answered(visit: Visit, stored: StoredGame) -> Response | Later:
    """Return the table after a form was accepted; a browser without htmx loads the page again."""
    if visit.fragment:
        return _proceeded(visit, stored, lambda later: _table(visit, later))
    visit.site.tables.proceed(stored)
    return visit.go_to(f"/games/{stored.id}")


def _proceeded(visit: Visit, stored: StoredGame, show: Any) -> Response | Later:
    done = visit.site.tables.proceed(stored)
    if done is None:
        shown: Response = show(stored)
        return shown
    return Later(done, lambda: show(_stored(visit)))


def _page(visit: Visit, stored: StoredGame) -> Response:
    return visit.page("game.html", **_context(visit, stored))


def _table(visit: Visit, stored: StoredGame) -> Response:
    context = _context(visit, stored)
    return HTMLResponse(visit.site.render("table.html", visitor=visit.visitor, **context))


def _context(visit: Visit, stored: StoredGame) -> dict[str, Any]:
    """Return what the templates of a game show. Before its end, only what the colour sees."""
    seen: SeenGame | None = None
    now = visit.site.tables.now(stored)
    if now is not None:
        seen = seen_game(now, visit.query.get("from", ""), ended=stored.ended)
    return {
        "base": f"/games/{stored.id}",
        "title": choice_title(visit.site.library, stored.choice),
        "opponent": visit.site.tables.opponent_name(stored),
        "seen": seen,
        "place": visit.site.tables.place(stored),
        "resigned": stored.resigned,
        "failure": stored.failure,
        "ended": stored.ended,
        "record": _after_game(visit, stored, now) if stored.ended and now is not None else None,
        "fragment": visit.fragment,
    }


def _record(visit: Visit, stored: StoredGame, now: GameInProgress) -> GameRecord:
    gave_up = (None, now.person, 1 - now.person)[stored.resigned]
    return now.record(visit.site.tables.opponent_name(stored), resigned=gave_up)


def _after_game(visit: Visit, stored: StoredGame, now: GameInProgress) -> dict[str, Any]:
    """Return what the table tells after a game: the arm, its book, which records."""
    record = _record(visit, stored, now)
    kinds = [kind for kind in ("sgf", "pgn") if record_text(now, record, kind)]
    return {"arm": now.arm.name, "book": book_text(now), "kinds": kinds}


def choice_of_form(visit: Visit) -> OpponentChoice:
    """Return what the form names; SpecificationError if there is no such opponent."""
    fields = visit.text_fields
    kind, name, options = (fields.get(each, "") for each in ("kind", "name", "options"))
    if kind == BOOSTED:
        return visit.site.opponents.boosted(visit.site.library.find(PORTFOLIO, name))
    if kind == EXTERNAL:
        return OpponentChoice(EXTERNAL, visit.site.library.find(ENGINE, name).id)
    if not _OPTIONS.fullmatch(options):
        raise SpecificationError("options look like 7x7 or komi=3.5")
    effort = _effort(fields.get("effort", ""), visit.site.settings.simulations)
    if kind == OWN:
        return OpponentChoice(OWN, visit.site.library.find(GAME, name).id, options, effort)
    if kind != ORIGINAL:
        raise SpecificationError("there is no such opponent")
    check_built_in(f"{name}:{options}")
    game = load_game(f"{name}:{options}")
    if effort is not None and effort == _usual_effort(game):
        effort = None  # the same program is loaded once
    return OpponentChoice(ORIGINAL, game.text, "", effort)


def _engines(visit: Visit) -> list[tuple[str, LibraryFile]]:
    return [(EXTERNAL, file) for file in visit.site.library.files(ENGINE)]


def _effort(text: str, most: int) -> int | None:
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text) or not 1 <= int(text) <= most:
        raise SpecificationError(f"a program may think for 1 to {most:,} simulations a move")
    return int(text)


def _usual_effort(game: Game) -> int | None:
    player = load_player(game.rules.player, Permit.PAGE)
    return None if player.thinking is None else int(player.parameters[player.thinking])


def _person(colour: str) -> int:
    if colour not in (FIRST, SECOND, EITHER):
        raise SpecificationError("play first, second, or either")
    return secrets.randbelow(2) if colour == EITHER else int(colour == SECOND)


@cache
def offered_games() -> list[dict[str, Any]]:
    """Return what the page of opponents says of the built-in games."""
    return [_offered(load_game(name)) for name in BUILT_IN]


def _offered(game: Game) -> dict[str, Any]:
    """Return what the page of opponents says of a built-in game."""
    return {
        "name": game.name,
        "options": game.text.partition(":")[2],
        "sides": game.rules.board.colours,
        "effort": _usual_effort(game),
        "hides": game.rules.hides,
        "chance": game.rules.chance,
    }


ROUTES = [
    Route("/play", endpoint(choose)),
    Route("/games", endpoint(begin), methods=["POST"]),
    Route("/games/{id:str}", endpoint(look)),
    Route("/games/{id:str}/table", endpoint(table)),
    Route("/games/{id:str}/move", endpoint(move), methods=["POST"]),
    Route("/games/{id:str}/undo", endpoint(undo), methods=["POST"]),
    Route("/games/{id:str}/resign", endpoint(resign), methods=["POST"]),
    Route("/games/{id:str}/again", endpoint(again), methods=["POST"]),
    Route("/games/{id:str}/record.{ending:str}", endpoint(record)),
]
