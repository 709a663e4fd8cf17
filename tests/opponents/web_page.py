"""A game on the page against one program, as a visitor plays it."""

from contextlib import closing

from seedfolio.web.library import ENGINE, GAME, PORTFOLIO
from seedfolio.web.opponents import EXTERNAL, ORIGINAL, OWN, OpponentChoice
from seedfolio.web.settings import Settings
from seedfolio.web.site import Site


def page_against(folder, words):
    """Return the name of the program and its first two moves; the visitor has the second move."""
    with closing(Site(folder, Settings())) as site:
        game = site.tables.begin("ann", _choice(site, words), 1)
        site.tables.proceed(game).result()
        stored = site.tables.find("ann", game.id)
        assert not stored.failure, stored.failure
        now = site.tables.now(stored)
        stored = site.tables.play(stored, now.game.move_name(now.position.moves[0]))
        if (thinks := site.tables.proceed(stored)) is not None:
            thinks.result()
        stored = site.tables.find("ann", game.id)
        assert not stored.failure, stored.failure
        return site.tables.opponent_name(stored), stored.history[::2]


def _choice(site, words):
    """Return what a visitor chooses for a file in the folder, or for a built-in game."""
    for kind, files in ((EXTERNAL, ENGINE), (OWN, GAME), (PORTFOLIO, PORTFOLIO)):
        for file in site.library.files(files):
            if file.path.name == words:
                if kind == PORTFOLIO:
                    return site.opponents.boosted(file)
                return OpponentChoice(kind, file.id)
    return OpponentChoice(ORIGINAL, words)
