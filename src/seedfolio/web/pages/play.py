"""Playing: choosing an opponent, the table, and what it shows when the game is over."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from seedfolio.core.trust import Permit
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SeedfolioError, SpecificationError
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
from seedfolio.web.pages.table import TablePage, resigned
from seedfolio.web.site import Visit, endpoint
from seedfolio.web.sittings import PLAY, Sitting
from seedfolio.web.study_state import portfolio_line
from seedfolio.web.tables import View

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
        played=listed_games(visit),
        most=visit.site.settings.simulations,
    )


def begin(visit: Visit) -> Response:
    """Begin a game against what the form names."""
    return _begun(visit, choice_of_form(visit), _person(visit.form.get("colour", FIRST)))


def again(visit: Visit) -> Response:
    """Begin another game against the same program, with the same colour or the other."""
    sitting = PAGE.sitting(visit)
    colour = visit.site.played.table(sitting).last().colour
    person = 1 - colour if visit.form.get("sides") == "swap" else colour
    return _begun(visit, visit.site.opponents.renewed(sitting.choice), person)


def _begun(visit: Visit, choice: OpponentChoice, person: int) -> Response:
    return PAGE.shown(visit, visit.site.played.begin(visit.visitor.id, choice, person))


def record(visit: Visit) -> Response:
    """Send the record of a game that is over: it tells all that was hidden."""
    sitting, ending = PAGE.sitting(visit), visit.path["ending"]
    view = visit.site.tables.look(sitting)
    if not view.ended:
        raise PageError(409, "The record is there when the game is over.")
    if view.now is None:
        raise PageError(409, "The program is being loaded. Try again in a moment.")
    if not (text := record_text(view.now, _record(visit, sitting, view, view.now), ending)):
        raise PageError(404, "There is no such record of this game.")
    return visit.download(text, RECORD_TYPES[ending], f"game-{sitting.id[:8]}.{ending}")


def _context(visit: Visit, sitting: Sitting, view: View) -> dict[str, Any]:
    return {
        "title": visit.site.opponents.title(sitting.choice),
        "opponent": _opponent(visit, sitting),
        "record": _after_game(visit, sitting, view) if view.ended else None,
    }


def _record(visit: Visit, sitting: Sitting, view: View, now: GameInProgress) -> GameRecord:
    gave_up = (None, now.person, 1 - now.person)[resigned(view)]
    return now.record(_opponent(visit, sitting), resigned=gave_up)


def _after_game(visit: Visit, sitting: Sitting, view: View) -> dict[str, Any] | None:
    """Return what the table tells after a game: the arm, its book, which records."""
    now = view.now
    if now is None:
        return None
    record = _record(visit, sitting, view, now)
    kinds = [kind for kind in ("sgf", "pgn") if record_text(now, record, kind)]
    return {"arm": now.arm.name, "book": book_text(now), "kinds": kinds}


def _opponent(visit: Visit, sitting: Sitting) -> str:
    """Return the name of the program; empty as long as it is not loaded."""
    opponent = visit.site.opponents.ready(sitting.choice)
    return "" if opponent is None else opponent.full_name


@dataclass(frozen=True)
class ListedGame:
    """A game in a list."""

    id: str
    title: str
    state: str
    when: str


def listed_games(visit: Visit) -> list[ListedGame]:
    """Return the visitor's last games."""
    return [
        ListedGame(
            sitting.id, visit.site.opponents.title(sitting.choice), _state(visit, sitting), when
        )
        for sitting in visit.site.sittings.of(visit.visitor.id, PLAY)
        if (when := datetime.fromtimestamp(sitting.changed, UTC).strftime("%Y-%m-%d %H:%M"))
    ]


def _state(visit: Visit, sitting: Sitting) -> str:
    try:
        ending = visit.site.played.table(sitting).last().ending
    except SeedfolioError:
        return "damaged"  # its page says how
    # Not how many moves: tries of the program that were refused are its secret.
    return "in play" if ending is None else "over" if ending == "played" else ending


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


PAGE = TablePage(PLAY, "/games/{id}", _context, counts=False)
ROUTES = [
    Route("/play", endpoint(choose)),
    Route("/games", endpoint(begin), methods=["POST"]),
    *PAGE.routes(),
    Route("/games/{id:str}/again", endpoint(again), methods=["POST"]),
    Route("/games/{id:str}/record.{ending:str}", endpoint(record)),
]
