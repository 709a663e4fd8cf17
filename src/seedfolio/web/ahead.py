"""Compile ahead: what the first page offers, and what was played here before.

A server does it in the background. `python -m seedfolio.web.ahead FOLDER` does it and ends, so that
a server that starts later finds the code on disk.
"""

from __future__ import annotations

import sys
import threading
from concurrent.futures import CancelledError
from pathlib import Path

from seedfolio.core.plain_text import put
from seedfolio.errors import SeedfolioError
from seedfolio.games import BUILT_IN
from seedfolio.web.library import PORTFOLIO
from seedfolio.web.opponents import BOOSTED, ORIGINAL, OpponentChoice
from seedfolio.web.pages.home import offers
from seedfolio.web.settings import Settings
from seedfolio.web.site import Site
from seedfolio.web.sittings import PLAY

_MOST = 12


def programs_ahead(site: Site) -> list[OpponentChoice]:
    """Return the programs of the first page, then those that were played last."""
    played = [each for each in site.sittings.choices(_MOST) if _is_built_in(site, each)]
    return list(dict.fromkeys([*(each.choice for each in offers(site)), *played]))[:_MOST]


def _is_built_in(site: Site, choice: OpponentChoice) -> bool:
    """Tell whether loading a program only compiles it: no file of a user's runs, no engine."""
    if choice.kind != BOOSTED:
        return choice.kind == ORIGINAL
    try:
        content = site.library.portfolio(site.library.find(PORTFOLIO, choice.name))
    except SeedfolioError:  # it is gone
        return False
    return content.engine is None and content.game.source.partition(":")[0] in BUILT_IN


def load_ahead(site: Site) -> threading.Thread:
    """Load programs in the background, one at a time, so that one thread is free for visitors."""

    def load() -> None:
        try:
            for choice in programs_ahead(site):
                site.tables.load(PLAY, choice).result()
        except (SeedfolioError, CancelledError):  # the server ends, or is busy
            return

    thread = threading.Thread(target=load, name="ahead", daemon=True)
    thread.start()
    return thread


def main(folder: str = "studies") -> None:
    """Compile the programs of a folder's first page."""
    if not Path(folder).is_dir():
        return
    site = Site(Path(folder), Settings())
    try:
        load_ahead(site).join()
    finally:
        site.close()
    put("The page is ready: .venv/bin/seedfolio web")


if __name__ == "__main__":
    main(*sys.argv[1:])
