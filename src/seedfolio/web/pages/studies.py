"""Studies and portfolios: tables, verdicts, plots, downloads."""

from __future__ import annotations

import json
import re
import tempfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from seedfolio.boosting.look import export
from seedfolio.core.files import file_name
from seedfolio.engines.specification.positions import chess_start
from seedfolio.portfolios.file import PortfolioFile
from seedfolio.portfolios.shown import heaviest_arms
from seedfolio.report.books.polyglot import polyglot_book
from seedfolio.report.plots.figures import values_in
from seedfolio.report.plots.matrix import png_size
from seedfolio.report.portfolio import opponents_of, portfolio_rows
from seedfolio.report.records.study import study_pgn
from seedfolio.report.table import success_table
from seedfolio.study.store import Study
from seedfolio.web.guard import PageError
from seedfolio.web.library import PORTFOLIO, STUDY, LibraryFile
from seedfolio.web.pages.study_pictures import PICTURES, draw, picture
from seedfolio.web.site import Later, Visit, endpoint
from seedfolio.web.study_state import portfolio_line, study_line

_MOST_ARMS = 20
_TYPES = {"csv": "text/csv", "npz": "application/octet-stream", "json": "application/json"}


def study(visit: Visit) -> Response:
    """Show what a study found, or how far it is."""
    file = _study(visit)
    context = study_context(visit, file)
    if context["state"].problem:
        raise PageError(400, context["state"].problem)
    portfolios = [] if context["state"].found is None else _beside(visit, file)
    return visit.page("study.html", portfolios=portfolios, **context)


def study_context(visit: Visit, file: LibraryFile) -> dict[str, Any]:
    """Return what pages show of a study."""
    state = study_line(file, visit.site.paces)
    found = state.found
    return {
        "state": state,
        "table": None if found is None else found.table(),
        "notes": {} if found is None else found.notes,
        "verdict": "" if state.verdict is None else state.verdict.text,
        "pictures": [_shown(visit, file, name) for name in PICTURES] if found else [],
    }


def figure(visit: Visit) -> Response | Later:
    """Show one picture of a study, or that it is being drawn; for htmx."""
    file, name = _study(visit), visit.path["name"]

    def shown() -> Response:
        context = _shown(visit, file, name)
        return HTMLResponse(visit.site.render("figure.html", picture=context))

    if picture(visit.site, file, name) is not None:
        return shown()
    return Later(draw(visit.site, visit.visitor.id, file, name), shown)


def image(visit: Visit) -> Response | Later:
    """Send one picture of a study."""
    file, name = _study(visit), visit.path["name"]

    def sent() -> Response:
        found = picture(visit.site, file, name)
        if found is None:
            raise PageError(503, "The picture is being drawn. Try again in a moment.", 1.0)
        if isinstance(found, str):
            raise PageError(404, found)
        return Response(found, media_type=PICTURES[name][0])

    if picture(visit.site, file, name) is not None:
        return sent()
    return Later(draw(visit.site, visit.visitor.id, file, name), sent)


def download(visit: Visit) -> Response:
    """Send the matrix of a study (CSV, NPZ), its table (JSON), or its games (SGF in a ZIP, PGN)."""
    file, ending = _study(visit), visit.path["ending"]
    name = file_name(file.name)
    if ending == "pgn":
        with Study.read(file.path) as opened:
            text = study_pgn(opened)
        return _sent(text.encode(), f"{name}-games.pgn", "application/vnd.chess-pgn")
    if ending == "zip":
        return _sent(_games(file), f"{name}-games.zip", "application/zip")
    if ending == "json":
        state = study_line(file)
        if state.found is None:
            raise PageError(409, "This study has no result yet.")
        text = json.dumps(state.found.as_data(), indent=2)
        return _sent(text.encode(), f"{name}.json", _TYPES["json"])
    if ending not in _TYPES:
        raise PageError(404, "There is no such download.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"matrix.{ending}"
        export(file.path, path)
        return _sent(path.read_bytes(), f"{name}-matrix.{ending}", _TYPES[ending])


def portfolio(visit: Visit) -> Response:
    """Show what a portfolio holds."""
    file = _portfolio(visit)
    content = visit.site.library.portfolio(file)
    return visit.page(
        "portfolio.html",
        line=portfolio_line(visit.site.library, file),
        content=content,
        table=success_table("", portfolio_rows(content), caption=""),
        opponents=opponents_of(content),
        arms=[_arms(content, each) for each in (content.first, content.second)],
        judged=visit.site.sittings.in_trial(visit.site.opponents.boosted(file)),
        books=[] if content.book is None else _books(content),
        is_chess=chess_start(content.game.source) is not None,
    )


def portfolio_file(visit: Visit) -> Response:
    """Send the file itself."""
    file = _portfolio(visit)
    visit.site.check_no_trial(visit.site.opponents.boosted(file))
    content = visit.site.library.portfolio(file)  # refuses a file that is none
    return _sent(content.text().encode(), f"{file_name(file.name)}.json", _TYPES["json"])


def polyglot(visit: Visit) -> Response:
    """Send the books of a chess portfolio in Polyglot's format."""
    file = _portfolio(visit)
    visit.site.check_no_trial(visit.site.opponents.boosted(file))
    content = visit.site.library.portfolio(file)
    made = visit.site.library.remember("polyglot", file, lambda: polyglot_book(content))
    return _sent(made, f"{file_name(file.name)}.bin", "application/octet-stream")


def _study(visit: Visit) -> LibraryFile:
    return visit.site.library.find(STUDY, visit.path["id"])


def _portfolio(visit: Visit) -> LibraryFile:
    return visit.site.library.find(PORTFOLIO, visit.path["id"])


def _sent(content: bytes, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


def _games(file: LibraryFile) -> bytes:
    """Return the games of a Go engine's study; SeedfolioError if it has none."""
    with tempfile.TemporaryDirectory() as folder:
        games = Path(folder) / "games"
        export(file.path, games)
        written = BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
            for each in sorted(games.rglob("*.sgf")):
                archive.write(each, each.relative_to(games))
        return written.getvalue()


def _shown(visit: Visit, file: LibraryFile, name: str) -> dict[str, Any]:
    if name not in PICTURES:
        raise PageError(404, "There is no such picture.")
    found = picture(visit.site, file, name)
    return {
        "study": file.id,
        "name": name,
        "label": PICTURES[name][1],
        "drawn": isinstance(found, bytes),
        "problem": found if isinstance(found, str) else "",
        **(_of_svg(found) if isinstance(found, bytes) and name != "matrix" else {}),
        "axes": png_size(found) if name == "matrix" and isinstance(found, bytes) else None,
        # Another address for another picture, so that a browser shows the one of now.
        "version": len(found) if isinstance(found, bytes) else 0,
    }


def _of_svg(picture: bytes) -> dict[str, Any]:
    """Return where a plot has values to show under the mouse: an image shows none itself."""
    text = picture.decode()
    box = re.search(r'viewBox="([^"]*)"', text)
    return {"view": box[1] if box else "", "shown": values_in(text)}


def _beside(visit: Visit, study: LibraryFile) -> list[Any]:
    """Return the portfolios that were saved beside a study."""
    library = visit.site.library
    return [
        portfolio_line(library, file)
        for file in library.files(PORTFOLIO)
        if file.name.startswith(f"{study.name}-")
    ]


def _arms(content: PortfolioFile, weights: dict[int, float]) -> list[tuple[str, str]]:
    """Return the heaviest arms of a colour, each with its share."""
    shown, rest = heaviest_arms(weights, content.arm_names, _MOST_ARMS)
    return [*shown, *([(f"and {rest:,} more", "")] if rest else [])]


def _books(content: PortfolioFile) -> list[dict[str, Any]]:
    assert content.book is not None
    written = ("first", content.book.first), ("second", content.book.second)
    return [
        {
            "side": side,
            "owner": owner,
            "number": number,
            "entries": len(book.rows),
            "weight": book.weight,
        }
        for owner, (side, books) in zip(content.sides, written, strict=True)
        for number, book in enumerate(books, 1)
    ]


ROUTES = [
    Route("/studies/{id:str}", endpoint(study)),
    Route("/studies/{id:str}/figures/{name:str}", endpoint(figure)),
    Route("/studies/{id:str}/pictures/{name:str}", endpoint(image)),
    Route("/studies/{id:str}/download.{ending:str}", endpoint(download)),
    Route("/portfolios/{id:str}", endpoint(portfolio)),
    Route("/portfolios/{id:str}/portfolio.json", endpoint(portfolio_file)),
    Route("/portfolios/{id:str}/book.bin", endpoint(polyglot)),
]
