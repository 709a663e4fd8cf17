"""Blind series: the visitor plays the original or the boosted program, not told which."""

from __future__ import annotations

from typing import Any

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from seedfolio.errors import SpecificationError
from seedfolio.people.blind.design import PROGRAMS
from seedfolio.people.blind.games import GUESSES, BlindGame, Series
from seedfolio.people.blind.trial import BlindTrial
from seedfolio.web.guard import PageError
from seedfolio.web.library import PORTFOLIO, LibraryFile
from seedfolio.web.seen import seen_game
from seedfolio.web.site import Later, Visit, endpoint
from seedfolio.web.study_state import portfolio_line

LENGTHS = (4, 8, 12, 20)
_EXPORTS = {"csv": "text/csv", "jsonl": "application/jsonl", "json": "application/json"}


def trials(visit: Visit) -> Response:
    """Show the portfolios of the folder, each of which has a trial."""
    library = visit.site.library
    lines = [
        line
        for file in library.files(PORTFOLIO)
        if not (line := portfolio_line(library, file)).problem
        and library.portfolio(file).engine is None
    ]
    return visit.page("blind_list.html", portfolios=lines)


def trial(visit: Visit) -> Response | Later:
    """Show a trial: its rules, its result so far, and the form that begins a series."""
    file = _file(visit)
    done = visit.site.blind.load(visit.visitor.id, file)
    return _trial(visit, file) if done is None else Later(done, lambda: _trial(visit, file))


def begin(visit: Visit) -> Response:
    """Begin a series."""
    file = _file(visit)
    opened = visit.site.blind.ready(file)
    if opened is None:
        return visit.go_to(f"/blind/{file.id}")
    length = visit.text_fields.get("games", "8")
    if length not in map(str, LENGTHS):
        raise SpecificationError(f"a series has {', '.join(map(str, LENGTHS))} games")
    series = visit.site.blind.begin(visit.visitor.id, file, opened, int(length))
    return visit.go_to(_base(file, series))


def look(visit: Visit) -> Response | Later:
    """Show a series: its game, the question after it, or the plan when it is closed."""
    return _proceeded(visit, lambda: _series_page(visit))


def table(visit: Visit) -> Response | Later:
    """Show the table alone, for htmx."""
    return _proceeded(visit, lambda: _table(visit))


def begin_game(visit: Visit) -> Response:
    """Begin the next game of a series."""
    file, opened, series = _found(visit)
    visit.site.blind.begin_game(visit.visitor.id, opened, series.token)
    visit.site.blind.proceed(visit.visitor.id, file, series.token)
    return visit.go_to(_base(file, series))


def move(visit: Visit) -> Response | Later:
    """Play a move of the visitor."""
    _, opened, series = _found(visit)
    visit.site.blind.check_turn(series.token)
    shown = visit.site.blind.seen(opened, series)
    if shown is not None and visit.form.get("at") != str(len(shown[1].seen.events)):
        raise PageError(409, "The game has gone on meanwhile. Look at it again.")
    text = visit.text_fields.get("move", "")
    if not text or len(text) > 40:
        raise PageError(400, "Type a move, or choose one on the board.")
    visit.site.blind.move(visit.visitor.id, opened, series.token, text)
    return _answered(visit)


def resign(visit: Visit) -> Response | Later:
    """Give the game up."""
    _, opened, series = _found(visit)
    visit.site.blind.check_turn(series.token)
    opened.resign(series.token)
    return _answered(visit)


def guess(visit: Visit) -> Response:
    """Keep which program the visitor takes the last one for."""
    file, opened, series = _found(visit)
    visit.site.blind.check_turn(series.token)
    opened.guess(series.token, visit.text_fields.get("guess", ""))
    return visit.go_to(_base(file, series))


def end(visit: Visit) -> Response:
    """Close a series early."""
    file, opened, series = _found(visit)
    visit.site.blind.end(opened, series.token)
    return visit.go_to(_base(file, series))


def plan(visit: Visit) -> Response:
    """Send the plan of a closed series, as it was committed to."""
    _, opened, series = _found(visit)
    return _download(opened.reveal(series.token).text, "text/plain", "plan.txt")


def export(visit: Visit) -> Response:
    """Send the result, or all games that count."""
    opened = visit.site.blind.ready(_file(visit))
    if opened is None:
        raise PageError(409, "The programs are being loaded. Try again in a moment.")
    ending, result = visit.path["ending"], opened.result()
    if ending not in _EXPORTS:
        raise PageError(404, "There is no such file of this trial.")
    texts = {"csv": result.csv, "jsonl": result.json_lines, "json": result.json}
    return _download(texts[ending](), _EXPORTS[ending], f"blind.{ending}")


def _file(visit: Visit) -> LibraryFile:
    return visit.site.library.find(PORTFOLIO, visit.path["id"])


def _found(visit: Visit) -> tuple[LibraryFile, BlindTrial, Series]:
    """Return the series of the address; PageError if there is none, or it is not ready."""
    file = _file(visit)
    visit.site.blind.check_owner(visit.visitor.id, visit.path["token"])
    opened = visit.site.blind.ready(file)
    if opened is None:
        raise PageError(409, "The programs are being loaded. Try again in a moment.")
    try:
        return file, opened, opened.series(visit.path["token"])
    except SpecificationError:
        raise PageError(404, "There is no such series.") from None


def _proceeded(visit: Visit, show: Any) -> Response | Later:
    file = _file(visit)
    visit.site.blind.check_owner(visit.visitor.id, visit.path["token"])
    if visit.site.blind.ready(file) is not None:
        _found(visit)
    done = visit.site.blind.proceed(visit.visitor.id, file, visit.path["token"])
    shown: Response | Later = show() if done is None else Later(done, show)
    return shown


def _answered(visit: Visit) -> Response | Later:
    """Return the table after a form was accepted; a browser without htmx loads the page again."""
    file = _file(visit)
    if visit.fragment:
        return _proceeded(visit, lambda: _table(visit))
    visit.site.blind.proceed(visit.visitor.id, file, visit.path["token"])
    return visit.go_to(f"/blind/{file.id}/{visit.path['token']}")


def _trial(visit: Visit, file: LibraryFile) -> Response:
    opened = visit.site.blind.ready(file)
    line = portfolio_line(visit.site.library, file)
    result, mine = None, None
    if opened is not None:
        result = opened.result()
        mine = visit.site.blind.going_on(visit.visitor.id, file, opened)
    base = None if mine is None else _base(file, mine)
    return visit.page("blind.html", portfolio=line, result=result, lengths=LENGTHS, mine=base)


def _series_page(visit: Visit) -> Response:
    return visit.page("blind_series.html", **_context(visit))


def _table(visit: Visit) -> Response:
    context = _context(visit)
    return HTMLResponse(visit.site.render("blind_table.html", visitor=visit.visitor, **context))


def _context(visit: Visit) -> dict[str, Any]:
    """Return what the templates of a series show: the same for both programs."""
    file = _file(visit)
    opened = visit.site.blind.ready(file)
    line = portfolio_line(visit.site.library, file)
    base = f"/blind/{file.id}/{visit.path['token']}"
    common: dict[str, Any] = {
        "base": base,
        "title": f"Blind series: {line.game}",
        "opponent": "The program",
        "place": None,
        "failure": "",
        "record": None,
        "counts": True,
        "fragment": visit.fragment,
        "guesses": GUESSES,
        "trial": f"/blind/{file.id}",
        "resigned": False,
        "ended": False,
        "seen": None,
        "series": None,
    }
    if opened is None:
        return common
    series = opened.series(visit.path["token"])
    shown = visit.site.blind.seen(opened, series)
    common |= {"series": series, "games": _games(opened, series, shown and shown[0])}
    if shown is None or series.closed is not None:
        return common
    game, now = shown
    ended = game.ending is not None
    return common | {
        "seen": seen_game(now, visit.query.get("from", ""), ended=ended),
        "ended": ended,
        "resigned": game.ending == "resigned",
        "number": game.number,
    }


def _games(
    opened: BlindTrial, series: Series, shown: BlindGame | None
) -> list[dict[str, str | int]]:
    """Return the games of a series in a list; the programs once it is closed."""
    results = {2: "won", 1: "a draw", 0: "lost"}
    lines: list[dict[str, str | int]] = []
    for game in series.games:
        if shown is not None and game.number == shown.number:
            game = shown
        assignment = series.assignment(game)
        lines.append(
            {
                "number": game.number,
                "side": opened.game.rules.board.colours[assignment.colour],
                "result": "" if game.points is None else results[game.points],
                "ending": game.ending or "",
                "guess": game.guess or "",
                "program": "" if series.closed is None else PROGRAMS[assignment.program],
            }
        )
    return lines


def _base(file: LibraryFile, series: Series) -> str:
    return f"/blind/{file.id}/{series.token}"


def _download(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


_SERIES = "/blind/{id:str}/{token:str}"
ROUTES = [
    Route("/blind", endpoint(trials)),
    Route("/blind/{id:str}", endpoint(trial)),
    Route("/blind/{id:str}", endpoint(begin), methods=["POST"]),
    Route("/blind/{id:str}/games.{ending:str}", endpoint(export)),
    Route(_SERIES, endpoint(look)),
    Route(f"{_SERIES}/table", endpoint(table)),
    Route(f"{_SERIES}/plan.txt", endpoint(plan)),
    Route(f"{_SERIES}/game", endpoint(begin_game), methods=["POST"]),
    Route(f"{_SERIES}/move", endpoint(move), methods=["POST"]),
    Route(f"{_SERIES}/resign", endpoint(resign), methods=["POST"]),
    Route(f"{_SERIES}/guess", endpoint(guess), methods=["POST"]),
    Route(f"{_SERIES}/end", endpoint(end), methods=["POST"]),
]
