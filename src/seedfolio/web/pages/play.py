"""Playing: choosing an opponent, the table, and what it shows when the game is over."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
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
from seedfolio.portfolios.book.rows import WrittenBook
from seedfolio.web.catalogue import KINDS, game_card, game_cards
from seedfolio.web.game_record import RECORD_TYPES, book_text, record_text
from seedfolio.web.guard import PageError
from seedfolio.web.hints import advise, book_moves, can_advise
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
from seedfolio.web.site import Later, Visit, endpoint
from seedfolio.web.sittings import PLAY, Sitting
from seedfolio.web.study_state import portfolio_line
from seedfolio.web.tables import View

FIRST, SECOND, EITHER = "first", "second", "either"
_OPTIONS = re.compile(r"[a-zA-Z0-9_=.,/ -]{0,120}")
"""Capital letters, slashes and spaces are those of a FEN."""


def choose(visit: Visit) -> Response:
    """Show all games, or those of one kind, and the programs of the folder."""
    library, kind = visit.site.library, visit.query.get("kind", "")
    lines = [portfolio_line(library, file) for file in library.files(PORTFOLIO)]
    return visit.page(
        "play.html",
        cards=[card for card in game_cards() if kind not in KINDS or card.kind == kind],
        kinds=KINDS,
        kind=kind,
        own=[*((OWN, file) for file in library.files(GAME)), *_engines(visit)],
        portfolios=[line for line in lines if not line.problem],
        played=listed_games(visit),
    )


def game(visit: Visit) -> Response:
    """Show the rules of a built-in game, and the forms that begin one."""
    name = visit.path["name"]
    if name not in BUILT_IN:
        raise PageError(404, "There is no such game.")
    library = visit.site.library
    lines = [portfolio_line(library, file) for file in library.files(PORTFOLIO)]
    return visit.page(
        "choose.html",
        card=game_card(name),
        portfolios=[each for each in lines if each.plays and each.game.partition(":")[0] == name],
        most=visit.site.settings.simulations,
    )


def begin(visit: Visit) -> Response:
    """Begin a game against what the form names."""
    return _begun(visit, choice_of_form(visit), _person(visit.form.get("colour", FIRST)))


def again(visit: Visit) -> Response:
    """Begin another game against the same program, with the same colour or the other.

    It may begin at a position of this game, if that is over.
    """
    sitting = PAGE.sitting(visit)
    last = visit.site.played.table(sitting).last()
    person = 1 - last.colour if visit.form.get("sides") == "swap" else last.colour
    history: tuple[int, ...] = ()
    if ply := visit.form.get("ply", ""):
        now = visit.site.tables.look(sitting).now
        earlier = re.fullmatch("[0-9]{1,4}", ply) and int(ply) < len(last.history)
        if last.ending is None or now is None or not now.can_undo or not earlier:
            raise PageError(400, "This game cannot go on from there.")
        history = last.history[: int(ply)]
    return _begun(visit, visit.site.opponents.renewed(sitting.choice), person, history)


def _begun(
    visit: Visit, choice: OpponentChoice, person: int, history: tuple[int, ...] = ()
) -> Response:
    visit.site.check_no_trial(choice)
    begun = visit.site.played.begin(visit.visitor.id, choice, person, history=history)
    return PAGE.shown(visit, begun)


def hint(visit: Visit) -> Later:
    """Let the program say what it would play in the visitor's place, and show that."""
    sitting = PAGE.sitting(visit)
    visit.site.check_no_trial(sitting.choice)
    opponent, now = visit.site.opponents.ready(sitting.choice), _now(visit, sitting)
    if opponent is None or now is None or not can_advise(opponent, now):
        raise PageError(400, "There is a hint when it is your turn, from a built-in program.")

    def work() -> None:
        with visit.site.opponents.using(sitting.choice) as program:
            said = [m for book in _books(visit, sitting, now) for m in book_moves(book, now)]
            visit.site.hints.keep(sitting.id, now, advise(program, now, said))

    def shown() -> Response:
        if visit.site.hints.find(sitting.id, now) is None:
            raise PageError(409, "The program thinks about it. Ask again in a moment.", 2.0)
        return PAGE.answered_now(visit, sitting)

    return Later(visit.site.queue.ask(f"hint {sitting.id}", visit.visitor.id, work), shown)


def _books(visit: Visit, sitting: Sitting, now: GameInProgress) -> Iterable[WrittenBook]:
    """Return the books of a portfolio for the visitor's colour."""
    if sitting.choice.kind != BOOSTED:
        return ()
    library = visit.site.library
    books = library.portfolio(library.find(PORTFOLIO, sitting.choice.name)).book
    return () if books is None else (books.first, books.second)[now.person]


def _now(visit: Visit, sitting: Sitting) -> GameInProgress | None:
    view = visit.site.tables.look(sitting)
    return None if view.ended else view.now


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
    now = None if view.ended else view.now
    opponent = visit.site.opponents.ready(sitting.choice)
    return {
        "title": visit.site.opponents.title(sitting.choice),
        "opponent": f"The program, {_opponent(visit, sitting)}," if opponent else "The program",
        "record": _after_game(visit, sitting, view) if view.ended else None,
        "hint": None if now is None else visit.site.hints.find(sitting.id, now),
        "can_advise": now is not None and can_advise(opponent, now),
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
    options = fields.get("other") or options
    if kind == BOOSTED:
        return visit.site.opponents.boosted(visit.site.library.find(PORTFOLIO, name))
    if kind == EXTERNAL:
        return OpponentChoice(EXTERNAL, visit.site.library.find(ENGINE, name).id)
    if not _OPTIONS.fullmatch(options):
        raise SpecificationError("options look like 7x7 or komi=3.5")
    effort = _effort(
        fields.get("simulations") or fields.get("effort", ""), visit.site.settings.simulations
    )
    if kind == OWN:
        return OpponentChoice(OWN, visit.site.library.find(GAME, name).id, options, effort)
    if kind != ORIGINAL:
        raise SpecificationError("there is no such opponent")
    check_built_in(f"{name}:{options}")
    chosen = load_game(f"{name}:{options}")
    if chosen.rules.seats > 2 and chosen.seat is None:
        # One seat plays against the others, so that somebody must have it.
        chosen = load_game(f"{chosen.text},seat=1")
    if effort is not None and effort == _usual_effort(chosen):
        effort = None  # the same program is loaded once
    return OpponentChoice(ORIGINAL, chosen.text, "", effort)


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


PAGE = TablePage(PLAY, "/games/{id}", _context, counts=False)
ROUTES = [
    Route("/play", endpoint(choose)),
    Route("/play/{name:str}", endpoint(game)),
    Route("/games", endpoint(begin), methods=["POST"]),
    *PAGE.routes(),
    Route("/games/{id:str}/hint", endpoint(hint)),
    Route("/games/{id:str}/again", endpoint(again), methods=["POST"]),
    Route("/games/{id:str}/record.{ending:str}", endpoint(record)),
]
