"""Games in the database, without a browser and without a program that thinks."""

import os
import re
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import replace

import pytest
from case_files import cases
from web_client import FREE, Guest, make_app

from seedfolio.errors import EngineError, StudyError
from seedfolio.people.pupil import Pupil
from seedfolio.web.guard import PageError
from seedfolio.web.library import PORTFOLIO
from seedfolio.web.opponents import BOOSTED, ORIGINAL, OpponentChoice
from seedfolio.web.site import Site
from seedfolio.web.sittings import TEACH

GAME = OpponentChoice(ORIGINAL, "domineering:4x4", "", 5)
GONE = OpponentChoice(BOOSTED, "0123456789abcdef", "version")


@pytest.fixture
def open_site(tmp_path):
    @contextmanager
    def opened(**settings):
        with closing(Site(tmp_path, replace(FREE, **settings))) as site:
            yield site

    return opened


def failing(site, error):
    def fail(choice):
        raise error

    site.opponents._kinds[ORIGINAL] = fail
    return site


PASSING = [
    PageError(503, "Too many games wait for their programs.", 10.0),
    PageError(409, "The game has gone on meanwhile."),
    sqlite3.OperationalError("database is locked"),
    OSError(24, "Too many open files"),
]
LASTING = [EngineError("it crashed"), ValueError("a bug")]


@pytest.mark.parametrize("error", [*PASSING, *LASTING], ids=lambda error: type(error).__name__)
def test_what_will_pass_does_not_end_a_game(open_site, error):
    with open_site() as site:
        failing(site, error)
        sitting = site.played.begin("ann", GAME, 1)
        site.tables.proceed(sitting).result()
        game = site.tables.look(sitting).game
        if error in PASSING:
            assert (game.ending, game.note) == (None, "")
            site.tables.proceed(sitting).result()  # it may be asked again
        else:
            assert game.ending == "stopped"
            assert game.note
            assert site.tables.proceed(sitting) is None
        taught = site.taught.sit_down("ann", GAME, "Ann")
        site.tables.proceed(taught).result()
        if error in PASSING:
            assert not site.tables.look(taught).ready
        else:
            with pytest.raises(PageError):
                site.tables.look(taught)


def test_a_game_does_not_go_on_with_a_changed_portfolio(open_site, tmp_path):
    """The page says so in one line; a copy of the same content is no change."""
    file = tmp_path / "a.json"
    file.write_text('{"format": "seedfolio portfolio"}')
    with open_site() as site:
        (found,) = site.library.files(PORTFOLIO)
        choice = site.opponents.boosted(found)
        os.utime(file, (1, 1))
        assert site.opponents.boosted(found) == choice
        sitting = site.played.begin("ann", choice, 1)
        file.write_text('{"format": "seedfolio portfolio", "learnt": "anew"}')
        assert site.opponents.boosted(found) != choice
        site.tables.proceed(sitting).result()
        view = site.tables.look(sitting)
        assert "portfolio has changed" in view.game.note
        assert view.ended
        assert site.opponents.renewed(choice) == site.opponents.boosted(found)


@pytest.mark.parametrize("error", [StudyError("it is locked"), ValueError()])
def test_what_fails_in_one_game_of_teaching_is_asked_again(open_site, monkeypatch, error):
    """Other visitors are taught by the same program meanwhile."""

    def fail(*_):
        raise error

    with open_site() as site:
        site.tables.load(TEACH, GAME).result()
        sitting = site.taught.sit_down("ann", GAME, "Ann")
        site.taught.begin(sitting, "second")
        for name in ("answer", "last"):
            with monkeypatch.context() as patched:
                patched.setattr(Pupil, name, fail)
                site.tables._think(sitting)
        with monkeypatch.context() as patched:
            patched.setattr(site.taught, "table", fail)
            site.tables._think(sitting)
        assert site.tables.look(site.taught.sit_down("ben", GAME, "Ben")).ready
        site.tables.proceed(sitting).result()
        assert site.tables.look(sitting).game.history


def test_games_whose_portfolio_is_gone(tmp_path):
    """One in play ends, and a finished one is shown without its program."""
    with closing((app := make_app(tmp_path, FREE)).state.site) as site:
        guest = Guest(app)
        folder = guest.begin(options="4x4", effort="5").rpartition("/")[0]
        ((visitor,),) = site.file.rows("SELECT visitor FROM sitting")
        playing, finished = (site.played.begin(visitor, GONE, 1) for _ in range(2))
        site.tables.proceed(playing).result()
        assert "no such portfolio" in site.tables.look(playing).game.note
        site.tables.resign(finished)
        assert site.tables.look(finished).failure == ""
        site.tables.proceed(finished).result()
        view = site.tables.look(finished)
        assert "no such portfolio" in view.failure
        assert view.game.ending == "resigned"
        assert site.tables.proceed(finished) is None
        for path in (f"{folder}/{finished.id}", f"{folder}/{finished.id}/table"):
            page = guest.text(path)
            assert "no such portfolio" in page
            assert "Getting the program ready" not in page


def test_a_damaged_row_is_a_page_that_says_so(tmp_path):
    with closing((app := make_app(tmp_path, FREE)).state.site) as site:
        for change, said in cases(__file__, "damaged rows"):
            guest = Guest(app)
            address = guest.begin(options="4x4", effort="5")
            with site.file.transaction() as connection:
                connection.execute(change)
            for path in (address, f"{address}/table", "/play", "/"):
                answer = guest.get(path)
                assert answer.status_code < 500, answer.text
                assert str(tmp_path) not in answer.text
                if path == address:
                    assert answer.status_code in (400, 404)
                    assert re.search(said, answer.text), answer.text
            assert guest.get("/teach").status_code == 200
            with site.file.transaction() as connection:
                connection.execute("DELETE FROM game")
                connection.execute("DELETE FROM sitting")
