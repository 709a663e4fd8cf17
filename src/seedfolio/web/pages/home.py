"""The first page: three games to play at once, what is in the folder, the visitor's games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from starlette.responses import Response
from starlette.routing import Route

from seedfolio.games import BUILT_IN, load_game
from seedfolio.web.catalogue import GameCard, game_card
from seedfolio.web.library import PORTFOLIO, STUDY, LibraryFile
from seedfolio.web.opponents import ORIGINAL, OpponentChoice
from seedfolio.web.pages.play import listed_games
from seedfolio.web.site import Site, Visit, endpoint
from seedfolio.web.study_state import portfolio_line, study_line

_HIDDEN, _CLASSIC, _PLAIN = "phantom-go:5x5", "hex:7x7", "domineering:7x7"
"""What the first page offers; the last where the folder has no boosted program."""


@dataclass(frozen=True)
class Offer:
    """A game to play at once."""

    card: GameCard
    badge: str
    strength: str
    choice: OpponentChoice


def home(visit: Visit) -> Response:
    """Show three games, the studies, the portfolios and the visitor's games."""
    library = visit.site.library
    return visit.page(
        "home.html",
        offers=list(offers(visit.site)),
        studies=[study_line(file, visit.site.paces) for file in library.files(STUDY)],
        portfolios=[portfolio_line(library, file) for file in library.files(PORTFOLIO)],
        games=listed_games(visit),
        address="/",
    )


def offers(site: Site) -> Iterator[Offer]:
    """Yield three games: one boosted, one of hidden information, one that most know."""
    boosted = max(_boosted(site), default=None, key=lambda each: each[0])
    if boosted is None:
        yield _original(_PLAIN, "not boosted yet")
    else:
        success, _, file, name = boosted
        strength = f"Boosted: it wins {success:.0f}% of its games against its own original."
        yield Offer(game_card(name), "boosted", strength, site.opponents.boosted(file))
    yield _original(_HIDDEN, "hidden")
    yield _original(_CLASSIC, "classic")


def _boosted(site: Site) -> Iterator[tuple[float, str, LibraryFile, str]]:
    for file in site.library.files(PORTFOLIO):
        line = portfolio_line(site.library, file)
        name = line.game.partition(":")[0]
        playable = line.plays and line.success and name in BUILT_IN
        if not playable or site.library.portfolio(file).engine is not None:
            continue
        if not site.sittings.in_trial(site.opponents.boosted(file)):
            yield float(line.success), file.id, file, name


def _original(text: str, badge: str) -> Offer:
    card, choice = game_card(text.partition(":")[0]), OpponentChoice(ORIGINAL, load_game(text).text)
    return Offer(card, badge, card.strength, choice)


ROUTES = [Route("/", endpoint(home))]
