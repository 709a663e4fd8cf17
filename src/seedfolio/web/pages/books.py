"""The book of a portfolio as a tree of boards to click through.

A page shows one entry and those right below it, so that a book of any size can be explored.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from seedfolio.core.files import file_name
from seedfolio.core.trust import Permit
from seedfolio.games.board import Panel
from seedfolio.games.game import Game
from seedfolio.games.go.area import has_go_stones
from seedfolio.portfolios.book.rows import WrittenBook, WrittenEntry
from seedfolio.report.boards.svg import BoardPicture
from seedfolio.report.books.show import OpenedBooks, ShownBook
from seedfolio.report.books.tree import happened_before, line_moves
from seedfolio.web.catalogue import people_side
from seedfolio.web.guard import PageError
from seedfolio.web.library import PORTFOLIO, LibraryFile
from seedfolio.web.pages.play import PAGE
from seedfolio.web.site import Visit, endpoint

_SIDES = {"first": 0, "second": 1}
_A_PAGE = 24
"""Entries that a page shows at once."""
_MOST_IN_FILE = 2_000
"""Entries in a download: those that most games reached."""


@dataclass(frozen=True)
class BookIndex:
    """A book with the entries below each entry, those that most games reached first."""

    book: WrittenBook
    game: Game
    colour: int
    below: dict[int, list[int]]
    choices: Counter[str | None]
    """By state: how many moves the book has there."""
    orders: dict[tuple[str, ...], list[int]]
    """By the moves of both colours in alphabetical order: entries of the same position, mostly."""

    @classmethod
    def of(cls, book: WrittenBook, game: Game, colour: int) -> BookIndex:
        """Return the index of a book."""
        below: dict[int, list[int]] = defaultdict(list)
        for place in sorted(range(len(book.entries)), key=lambda k: -book.entries[k].games):
            below[book.entries[place].parent].append(place)
        orders = defaultdict(list)
        if not game.rules.hides and not game.rules.chance:
            for place, entry in enumerate(book.entries):
                orders[_in_any_order(entry)].append(place)
        choices = Counter(each.key for each in book.entries)
        return cls(book, game, colour, below, choices, orders)

    def shown(self, place: int) -> dict[str, Any]:
        """Return what a page tells of an entry."""
        entry = self.book.entries[place]
        above = None if entry.parent < 0 else self.book.entries[entry.parent]
        known = entry.line is not None and (above is None or above.line is not None)
        return {
            "place": place,
            "move": entry.move,
            "before": happened_before(entry, above, self.game, self.colour) if known else "",
            "choices": self.choices[entry.key],
            "success": f"{100 * entry.success:.1f}",
            "bar": round(100 * entry.success),
            "original": f"{100 * entry.original:.1f}",
            "games": f"{entry.games:,}",
            "line": entry.line,
            "picture": self._picture(entry),
            "below": len(self.below.get(place, ())),
        }

    def transpositions(self, place: int) -> list[int]:
        """Return the entries of other states after the same moves in another order."""
        entry = self.book.entries[place]
        same = self.orders.get(_in_any_order(entry), ())
        return [each for each in same if self.book.entries[each].key != entry.key]

    def path_to(self, place: int) -> list[int]:
        """Return the entries that lead to an entry, and itself."""
        path = [place]
        while (parent := self.book.entries[path[-1]].parent) >= 0:
            path.append(parent)
        return path[::-1]

    def _picture(self, entry: WrittenEntry) -> Markup:
        """Return the board as the colour sees it, with the book's move marked."""
        game, board = self.game, self.game.rules.board
        if entry.line is None or isinstance(board, Panel):
            return Markup("")
        history = line_moves(entry, game)
        cells, marked = game.information(history, self.colour).cells, board.cells_of(entry.move)
        picture = BoardPicture.of(game, history, cells, marked)
        return Markup(picture.svg(f"board before {entry.move}"))


def _in_any_order(entry: WrittenEntry) -> tuple[str, ...]:
    moves = (entry.line or "").split()
    return (*sorted(moves[::2]), "", *sorted(moves[1::2]))


def book(visit: Visit) -> Response:
    """Show an entry of a book and the entries below it, or where the book begins."""
    file, index = _index(visit)
    place = _number(visit, "entry", -1, len(index.book.rows) - 1)
    below = index.below.get(place, [])
    begin = _number(visit, "from", 0, 10**9)
    number = _number(visit, "number", 1, 10**6)
    return visit.page(
        "book.html",
        base=f"/portfolios/{file.id}/book/{visit.path['side']}?number={number}",
        download=f"/portfolios/{file.id}/book/{visit.path['side']}",
        portfolio=f"/portfolios/{file.id}",
        title=index.game.title,
        side=visit.site.library.portfolio(file).sides[index.colour],
        colour=people_side(index.game.rules.board.colours[index.colour], index.game.rules.board),
        number=number,
        total=len(index.book.rows),
        entry=None if place < 0 else index.shown(place),
        path=[] if place < 0 else [index.shown(each) for each in index.path_to(place)],
        same=[] if place < 0 else [index.shown(each) for each in index.transpositions(place)],
        entries=[index.shown(each) for each in below[begin : begin + _A_PAGE]],
        begin=begin,
        next=begin + _A_PAGE if begin + _A_PAGE < len(below) else None,
        count=len(below),
        has_board=not isinstance(index.game.rules.board, Panel),
        has_stones=has_go_stones(index.game),
        can_begin=place >= 0 and _can_begin(index, place),
    )


def play(visit: Visit) -> Response:
    """Begin a game against the portfolio at an entry of its book, which moves next."""
    file, index = _index(visit)
    place = _number(visit, "entry", -1, len(index.book.rows) - 1)
    if place < 0 or not _can_begin(index, place):
        raise PageError(400, "No game can begin at this entry.")
    history = tuple(line_moves(index.book.entries[place], index.game))
    choice = visit.site.opponents.boosted(file)
    played = visit.site.played
    begun = played.begin(visit.visitor.id, choice, 1 - index.colour, history=history)
    return PAGE.shown(visit, begun)


def _can_begin(index: BookIndex, place: int) -> bool:
    """Tell whether a game may begin at an entry: all is open there, and the moves are known."""
    rules = index.game.rules
    known = index.book.entries[place].line is not None
    return known and not rules.hides and not rules.chance and index.game.seat is None


def download(visit: Visit) -> Response:
    """Send a book as SGF, SVG or JSON."""
    file, index = _index(visit)
    shown = ShownBook(index.book, index.game, index.colour, _MOST_IN_FILE)
    ending = visit.path["ending"]
    if ending == "sgf":
        content, kind = shown.sgf, "application/x-go-sgf"
    elif ending == "svg":
        content, kind = shown.svg, "image/svg+xml"
    elif ending == "txt":
        content, kind = shown.text, "text/plain"
    else:
        raise PageError(404, "There is no such download.")
    name = f"{file_name(file.name)}-{visit.path['side']}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=f"{kind}; charset=utf-8", headers=headers)


def _index(visit: Visit) -> tuple[LibraryFile, BookIndex]:
    """Return the book that the address names; PageError if there is none."""
    library = visit.site.library
    file = library.find(PORTFOLIO, visit.path["id"])
    content = library.portfolio(file)
    visit.site.check_no_trial(visit.site.opponents.boosted(file))
    if content.book is None or visit.path["side"] not in _SIDES:
        raise PageError(404, "There is no such book.")
    colour = _SIDES[visit.path["side"]]
    written = content.book
    books = (written.first, written.second)[colour]
    number = _number(visit, "number", 1, 10**6)
    if not 1 <= number <= len(books):
        raise PageError(404, "There is no such book.")

    def make() -> BookIndex:
        game = OpenedBooks(content, written, file.name, file.path.parent).load_game(Permit.PAGE)
        return BookIndex.of(books[number - 1], game, colour)

    index: BookIndex = library.remember(f"book {colour} {number}", file, make)
    return file, index


def _number(visit: Visit, name: str, default: int, most: int) -> int:
    text = visit.query.get(name) or visit.form.get(name, "")
    if not text:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > 10 or int(text) > most:
        raise PageError(404, "There is no such entry.")
    return int(text)


ROUTES = [
    Route("/portfolios/{id:str}/book/{side:str}", endpoint(book)),
    Route("/portfolios/{id:str}/book/{side:str}/play", endpoint(play), methods=["POST"]),
    Route("/portfolios/{id:str}/book/{side:str}/book.{ending:str}", endpoint(download)),
]
