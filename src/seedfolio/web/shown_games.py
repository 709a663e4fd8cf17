"""A visitor's games as they stand in a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from seedfolio.web.library import ENGINE, GAME, PORTFOLIO, Library
from seedfolio.web.opponents import EXTERNAL, ORIGINAL, OWN, OpponentChoice
from seedfolio.web.site import Visit
from seedfolio.web.tables import StoredGame


@dataclass(frozen=True)
class ShownGame:
    """A game in a list."""

    id: str
    title: str
    state: str
    when: str


def shown_games(visit: Visit) -> list[ShownGame]:
    """Return the visitor's last games."""
    library = visit.site.library
    return [
        ShownGame(each.id, choice_title(library, each.choice), _state(each), _when(each.changed))
        for each in visit.site.tables.games_of(visit.visitor.id)
    ]


def choice_title(library: Library, choice: OpponentChoice) -> str:
    """Return what a visitor chose to play against, without loading it."""
    if choice.kind == ORIGINAL:
        return choice.name
    kind = {OWN: GAME, EXTERNAL: ENGINE}.get(choice.kind, PORTFOLIO)
    for file in library.files(kind):
        if file.id == choice.name:
            return file.name
    return "a file that is gone"


def _state(game: StoredGame) -> str:
    if game.failure:
        return "stopped"
    if game.resigned:
        return "resigned"
    # Not how many moves: tries of the program that were refused are its secret.
    return "over" if game.over else "in play"


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
