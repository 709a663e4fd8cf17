"""The page of a table: the same for ordinary games, blind series and games of teaching."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from seedfolio.errors import SeedfolioError
from seedfolio.opponents.game_in_progress import GameInProgress
from seedfolio.web.guard import PageError
from seedfolio.web.site import Later, Visit, endpoint
from seedfolio.web.sittings import BLIND, PLAY, Sitting
from seedfolio.web.table_view import THEIRS, seen_game
from seedfolio.web.tables import View

PERSON_RESIGNED, PROGRAM_RESIGNED = 1, 2
Action = Callable[[Visit, Sitting], None]
"""What a form does."""


@dataclass(frozen=True)
class Steps:
    """Where the visitor is in a game that is over, to step through it."""

    ply: int
    """After how many moves the board is shown."""
    last: int
    move: str
    """The move before, in words; empty at the start."""

    @classmethod
    def of(cls, visit: Visit, now: GameInProgress) -> Steps:
        """Return where the address says that the visitor is; at the end if it does not."""
        last, text = len(now.history), visit.query.get("ply", "")
        ply = min(int(text), last) if re.fullmatch("[0-9]{1,4}", text) else last
        notice = now.notice(ply - 1) if ply else None
        return cls(ply, last, "" if notice is None else notice.text)


@dataclass(frozen=True)
class TablePage:
    """The pages of one kind of sittings."""

    kind: str
    address: str
    """With `{id}` for the sitting, and perhaps `{file}` for the portfolio."""
    more: Callable[[Visit, Sitting, View], dict[str, Any]]
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

    def sitting(self, visit: Visit) -> Sitting:
        """Return the sitting of the address; PageError if there is none, or it is not theirs."""
        sitting = visit.site.sittings.find(visit.visitor.id, self.kind, visit.path["id"])
        if visit.path.get("file", sitting.choice.name) != sitting.choice.name:
            raise PageError(404, "There is no such page, or it is not yours.")
        return sitting

    def base(self, sitting: Sitting) -> str:
        """Return the address of a sitting."""
        return self.address.format(id=sitting.id, file=sitting.choice.name)

    def look(self, visit: Visit) -> Response | Later:
        """Show a table; where the program is to move it is asked to."""
        return self._proceeded(visit, self.page)

    def table(self, visit: Visit) -> Response | Later:
        """Show the table alone, for htmx."""
        return self._proceeded(visit, self.fragment)

    def page(self, visit: Visit, sitting: Sitting) -> Response:
        """Return the whole page as it is now."""
        return visit.page("game.html", **self.context(visit, sitting))

    def fragment(self, visit: Visit, sitting: Sitting) -> Response:
        """Return the table alone as it is now."""
        context = self.context(visit, sitting)
        return HTMLResponse(visit.site.render("table.html", visitor=visit.visitor, **context))

    def answered(self, visit: Visit, sitting: Sitting) -> Response | Later:
        """Return the table after a form was accepted; without htmx a browser loads the page."""
        return self.table(visit) if visit.fragment else self.shown(visit, sitting)

    def answered_now(self, visit: Visit, sitting: Sitting) -> Response:
        """Return the table as it is now, or for a browser without htmx the whole page."""
        return (self.fragment if visit.fragment else self.page)(visit, sitting)

    def shown(self, visit: Visit, sitting: Sitting) -> Response:
        """Send the browser to the page of a sitting, and let the program think meanwhile."""
        visit.site.tables.proceed(sitting)
        return visit.go_to(self.base(sitting))

    def context(self, visit: Visit, sitting: Sitting) -> dict[str, Any]:
        """Return what the templates show. Before the end of a game, only what the colour sees."""
        tables = visit.site.tables
        view = tables.look(sitting)
        seen, steps = None, None
        if view.now is not None:
            # What a program did unseen might tell which one it is.
            whole = self.kind != BLIND or not view.now.game.rules.hides
            steps = Steps.of(visit, view.now) if view.ended and whole else None
            ply = None if steps is None else steps.ply
            seen = seen_game(view.now, visit.query.get("from", ""), ended=view.ended, ply=ply)
        return {
            "base": self.base(sitting),
            "opponent": "The program",
            "ready": view.ready,
            "seen": seen,
            "steps": steps,
            "waits": not view.failure and (seen.turn == THEIRS if seen else not view.ready),
            "place": tables.place(sitting),
            "wait": None if view.ready or view.failure else self._wait(visit, sitting),
            "resigned": resigned(view),
            "failure": view.failure,
            "ended": view.ended,
            "record": None,
            "hint": None,
            "can_advise": False,
            "counts": self.counts,
            "after": None,
            "below": None,
            "fragment": visit.fragment,
            **self.more(visit, sitting, view),
        }

    def _wait(self, visit: Visit, sitting: Sitting) -> tuple[int, int] | None:
        try:
            return visit.site.opponents.wait(sitting.choice)
        except SeedfolioError:  # its file is gone, which loading will tell
            return None

    def _form(
        self,
        action: Action,
        then: Callable[[Visit, Sitting], Response | Later],
    ) -> Callable[[Visit], Response | Later]:
        def accept(visit: Visit) -> Response | Later:
            sitting = self.sitting(visit)
            action(visit, sitting)
            return then(visit, sitting)

        return accept

    def _proceeded(
        self, visit: Visit, show: Callable[[Visit, Sitting], Response]
    ) -> Response | Later:
        sitting = self.sitting(visit)
        done = visit.site.tables.proceed(sitting)
        return show(visit, sitting) if done is None else Later(done, lambda: show(visit, sitting))


def resigned(view: View) -> int:
    """Return who gave the game up: 1, the person; 2, the program; 0, nobody."""
    if view.game is None or view.game.ending != "resigned":
        return 0
    return PROGRAM_RESIGNED if view.game.points else PERSON_RESIGNED


def _move(visit: Visit, sitting: Sitting) -> None:
    fields = visit.text_fields
    if sitting.kind == PLAY:
        visit.site.check_no_trial(sitting.choice)
    visit.site.tables.move(sitting, fields.get("move", ""), fields.get("at", ""))


def _undo(visit: Visit, sitting: Sitting) -> None:
    visit.site.check_no_trial(sitting.choice)
    visit.site.tables.undo(sitting)


def _resign(visit: Visit, sitting: Sitting) -> None:
    visit.site.tables.resign(sitting)
