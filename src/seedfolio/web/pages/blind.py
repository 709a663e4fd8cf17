"""Blind series: the visitor plays the original or the boosted program, not told which."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from seedfolio.errors import SpecificationError
from seedfolio.people.blind.design import PROGRAMS
from seedfolio.people.blind.series import GUESSES
from seedfolio.people.blind.trial import BlindTable
from seedfolio.people.store import PersonGame
from seedfolio.web.catalogue import people_side
from seedfolio.web.guard import PageError
from seedfolio.web.library import PORTFOLIO, LibraryFile
from seedfolio.web.opponents import OpponentChoice
from seedfolio.web.pages.table import TablePage
from seedfolio.web.site import Later, Visit, endpoint
from seedfolio.web.sittings import BLIND, Sitting
from seedfolio.web.study_state import portfolio_line
from seedfolio.web.tables import View

LENGTHS = (4, 8, 12, 20)
_EXPORTS = {"csv": "text/csv", "jsonl": "application/jsonl", "json": "application/json"}


def trials(visit: Visit) -> Response:
    """Show the portfolios of the folder, each of which has a trial."""
    library = visit.site.library
    lines = [
        line for file in library.files(PORTFOLIO) if (line := portfolio_line(library, file)).plays
    ]
    return visit.page("blind_list.html", portfolios=lines)


def trial(visit: Visit) -> Response | Later:
    """Show a trial: its rules, its result so far, and the form that begins a series."""
    file, choice = _trial(visit)
    if visit.site.blind.ready(choice) is not None:
        return _trial_page(visit, file, choice)
    done = visit.site.tables.load(BLIND, choice)
    return Later(done, lambda: _trial_page(visit, file, choice))


def begin(visit: Visit) -> Response:
    """Begin a series."""
    file, choice = _trial(visit)
    if visit.site.blind.ready(choice) is None:
        return visit.go_to(f"/blind/{file.id}")
    length = visit.text_fields.get("games", "8")
    if length not in map(str, LENGTHS):
        raise SpecificationError(f"a series has {', '.join(map(str, LENGTHS))} games")
    sitting = visit.site.blind.begin(visit.visitor.id, choice, int(length))
    return visit.go_to(PAGE.base(sitting))


def plan(visit: Visit) -> Response:
    """Send the plan of a closed series, as it was committed to."""
    sitting = PAGE.sitting(visit)
    text = visit.site.blind.trial(sitting.choice).reveal(sitting.id).text
    return visit.download(text, "text/plain", "plan.txt")


def export(visit: Visit) -> Response:
    """Send the result, or all games that count."""
    result = visit.site.blind.trial(_trial(visit)[1]).result()
    ending = visit.path["ending"]
    if ending not in _EXPORTS:
        raise PageError(404, "There is no such file of this trial.")
    texts = {"csv": result.csv, "jsonl": result.json_lines, "json": result.json}
    return visit.download(texts[ending](), _EXPORTS[ending], f"blind.{ending}")


def _begin_game(visit: Visit, sitting: Sitting) -> None:
    """Begin the next game of a series."""
    visit.site.blind.begin_game(sitting)


def _guess(visit: Visit, sitting: Sitting) -> None:
    """Keep which program the visitor takes the last one for."""
    visit.site.tables.check_turn(sitting)
    visit.site.blind.guess(sitting, visit.text_fields.get("guess", ""))


def _end(visit: Visit, sitting: Sitting) -> None:
    """Close a series early."""
    visit.site.blind.end(sitting)


def _trial(visit: Visit) -> tuple[LibraryFile, OpponentChoice]:
    file = visit.site.library.find(PORTFOLIO, visit.path["file"])
    return file, visit.site.opponents.boosted(file)


def _trial_page(visit: Visit, file: LibraryFile, choice: OpponentChoice) -> Response:
    opened = visit.site.blind.ready(choice)
    line = portfolio_line(visit.site.library, file)
    result, mine = None, None
    if opened is not None:
        result = opened.result()
        mine = visit.site.blind.going_on(visit.visitor.id, choice)
    base = None if mine is None else PAGE.base(mine)
    return visit.page("blind.html", portfolio=line, result=result, lengths=LENGTHS, mine=base)


def _context(visit: Visit, sitting: Sitting, view: View) -> dict[str, Any]:
    """Return what the templates of a series show: the same for both programs."""
    file = visit.site.library.find(PORTFOLIO, sitting.choice.name)
    table = view.table if isinstance(view.table, BlindTable) else None
    return {
        "title": f"Blind series: {portfolio_line(visit.site.library, file).game}",
        "after": "blind_after.html",
        "place": None,
        "guesses": GUESSES,
        "trial": f"/blind/{file.id}",
        "series": None if table is None else table.series,
        "games": None if table is None else _games(table, view.game),
    }


def _games(table: BlindTable, shown: PersonGame | None) -> list[dict[str, str | int]]:
    """Return the games of a series in a list; the programs once it is closed."""
    results = {2: "won", 1: "a draw", 0: "lost"}
    lines: list[dict[str, str | int]] = []
    series, board = table.series, table.game.rules.board
    for game in series.games:
        assignment = series.assignment(game)
        if shown is not None and game.number == shown.number:
            game = shown
        lines.append(
            {
                "number": series.number_of(game),
                "side": people_side(board.colours[assignment.colour], board),
                "result": "" if game.points is None else results[game.points],
                "ending": game.ending or "",
                "guess": game.note,
                "program": "" if series.closed is None else PROGRAMS[assignment.program],
            }
        )
    return lines


PAGE = TablePage(
    BLIND, "/blind/{file}/{id}", _context, {"game": _begin_game, "guess": _guess, "end": _end}
)
ROUTES = [
    Route("/blind", endpoint(trials)),
    Route("/blind/{file:str}", endpoint(trial)),
    Route("/blind/{file:str}", endpoint(begin), methods=["POST"]),
    Route("/blind/{file:str}/games.{ending:str}", endpoint(export)),
    *PAGE.routes(),
    Route("/blind/{file:str}/{id:str}/plan.txt", endpoint(plan)),
]
