"""A game on the page against one program, as a visitor plays it."""

from contextlib import closing

from seedfolio.web.library import ENGINE, GAME, PORTFOLIO
from seedfolio.web.opponents import EXTERNAL, ORIGINAL, OWN, OpponentChoice
from seedfolio.web.settings import Settings
from seedfolio.web.site import Site


def page_against(folder, words):
    """Return the name of the program and its first two moves; the visitor has the second move."""
    with closing(Site(folder, Settings())) as site:
        sitting = site.played.begin("ann", _choice(site, words), 1)
        site.tables.proceed(sitting).result()
        view = site.tables.look(sitting)
        assert not view.game.note, view.game.note
        move = view.now.game.move_name(view.now.position.moves[0])
        site.tables.move(sitting, move, str(len(view.now.seen.events)))
        if (thinks := site.tables.proceed(sitting)) is not None:
            thinks.result()
        view = site.tables.look(sitting)
        assert not view.game.note, view.game.note
        return view.table.opponent.full_name, view.game.history[::2]


def _choice(site, words):
    """Return what a visitor chooses for a file in the folder, or for a built-in game."""
    for kind, files in ((EXTERNAL, ENGINE), (OWN, GAME), (PORTFOLIO, PORTFOLIO)):
        for file in site.library.files(files):
            if file.path.name == words:
                if kind == PORTFOLIO:
                    return site.opponents.boosted(file)
                return OpponentChoice(kind, file.id)
    return OpponentChoice(ORIGINAL, words)
