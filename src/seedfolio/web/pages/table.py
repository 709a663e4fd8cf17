"""The page of a table: the same for ordinary games, blind series and games of teaching."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from seedfolio.web.guard import PageError
from seedfolio.web.seats import Seat
from seedfolio.web.site import Later, Visit, endpoint
from seedfolio.web.table_view import THEIRS, seen_game
from seedfolio.web.tables import View

PERSON_RESIGNED, PROGRAM_RESIGNED = 1, 2
Action = Callable[[Visit, Seat], None]
"""What a form does."""


@dataclass(frozen=True)
class TablePage:
    """The pages of one kind of seats."""

    kind: str
    address: str
    """With `{id}` for the seat, and perhaps `{file}` for the portfolio."""
    more: Callable[[Visit, Seat, View], dict[str, Any]]
    """Returns what the templates show beside the game, its title at least. `after` is a template
    under the game, and `below` one under the table."""
    actions: Mapping[str, Action] = field(default_factory=dict)
    """Further forms, by the end of their address; then the whole page is shown."""
    counts: bool = True
    """Whether the games count, so that no move is taken back."""

    def routes(self) -> list[Route]:
        """Return the pages of a table."""
        base = self.address.replace("}", ":str}")
        at_table = {"move": _move, "resign": _resign, **({} if self.counts else {"undo": _undo})}
        forms = {name: self._form(action, self.answered) for name, action in at_table.items()}
        forms |= {name: self._form(action, self.shown) for name, action in self.actions.items()}
        return [
            Route(base, endpoint(self.look)),
            Route(f"{base}/table", endpoint(self.table)),
            *(
                Route(f"{base}/{name}", endpoint(form), methods=["POST"])
                for name, form in forms.items()
            ),
        ]

    def seat(self, visit: Visit) -> Seat:
        """Return the seat of the address; PageError if there is none, or it is not theirs."""
        seat = visit.site.seats.find(visit.visitor.id, self.kind, visit.path["id"])
        if visit.path.get("file", seat.choice.name) != seat.choice.name:
            raise PageError(404, "There is no such page, or it is not yours.")
        return seat

    def base(self, seat: Seat) -> str:
        """Return the address of a seat."""
        return self.address.format(id=seat.id, file=seat.choice.name)

    def look(self, visit: Visit) -> Response | Later:
        """Show a table; where the program is to move it is asked to."""
        return self._proceeded(visit, self.page)

    def table(self, visit: Visit) -> Response | Later:
        """Show the table alone, for htmx."""
        return self._proceeded(visit, self.fragment)

    def page(self, visit: Visit, seat: Seat) -> Response:
        """Return the whole page as it is now."""
        return visit.page("game.html", **self.context(visit, seat))

    def fragment(self, visit: Visit, seat: Seat) -> Response:
        """Return the table alone as it is now."""
        context = self.context(visit, seat)
        return HTMLResponse(visit.site.render("table.html", visitor=visit.visitor, **context))

    def answered(self, visit: Visit, seat: Seat) -> Response | Later:
        """Return the table after a form was accepted; without htmx a browser loads the page."""
        return self.table(visit) if visit.fragment else self.shown(visit, seat)

    def shown(self, visit: Visit, seat: Seat) -> Response:
        """Send the browser to the page of a seat, and let the program think meanwhile."""
        visit.site.tables.proceed(seat)
        return visit.go_to(self.base(seat))

    def context(self, visit: Visit, seat: Seat) -> dict[str, Any]:
        """Return what the templates show. Before the end of a game, only what the colour sees."""
        tables = visit.site.tables
        view = tables.look(seat)
        seen = None
        if view.now is not None:
            seen = seen_game(view.now, visit.query.get("from", ""), ended=view.ended)
        stopped = view.game is not None and view.game.ending == "stopped"
        return {
            "base": self.base(seat),
            "opponent": "The program",
            "ready": view.ready,
            "seen": seen,
            "waits": not view.ended and (seen.turn == THEIRS if seen else not view.ready),
            "place": tables.place(seat),
            "resigned": resigned(view),
            "failure": view.game.note if stopped and view.game else "",
            "ended": view.ended,
            "record": None,
            "counts": self.counts,
            "after": None,
            "below": None,
            "fragment": visit.fragment,
            **self.more(visit, seat, view),
        }

    def _form(
        self,
        action: Action,
        then: Callable[[Visit, Seat], Response | Later],
    ) -> Callable[[Visit], Response | Later]:
        def accept(visit: Visit) -> Response | Later:
            seat = self.seat(visit)
            action(visit, seat)
            return then(visit, seat)

        return accept

    def _proceeded(self, visit: Visit, show: Callable[[Visit, Seat], Response]) -> Response | Later:
        seat = self.seat(visit)
        done = visit.site.tables.proceed(seat)
        return show(visit, seat) if done is None else Later(done, lambda: show(visit, seat))


def resigned(view: View) -> int:
    """Return who gave the game up: 1, the person; 2, the program; 0, nobody."""
    if view.game is None or view.game.ending != "resigned":
        return 0
    return PROGRAM_RESIGNED if view.game.points else PERSON_RESIGNED


def _move(visit: Visit, seat: Seat) -> None:
    fields = visit.text_fields
    visit.site.tables.move(seat, fields.get("move", ""), fields.get("at", ""))


def _undo(visit: Visit, seat: Seat) -> None:
    visit.site.tables.undo(seat)


def _resign(visit: Visit, seat: Seat) -> None:
    visit.site.tables.resign(seat)
