"""The cap on games at once and on thinking holds for ordinary, blind and taught games together."""

import re
import time
from contextlib import closing
from dataclasses import replace

import pytest
from web_client import FREE, Guest, make_app

from seedfolio.web.database import WebDatabase
from seedfolio.web.games_at_once import GamesAtOnce
from seedfolio.web.guard import PageError
from seedfolio.web.library import PORTFOLIO
from seedfolio.web.opponents import ORIGINAL, OpponentChoice
from seedfolio.web.settings import Settings
from seedfolio.web.tables import Tables

SETTINGS = Settings(games_each=2, games=3, idle=100.0)
GAME = OpponentChoice(ORIGINAL, "domineering:4x4", "", 5)
SMALL = {"kind": "original", "name": "domineering", "options": "4x4", "effort": "5"}


class Clock:
    """The time, and some seconds more."""

    ahead = 0.0

    def __call__(self):
        return time.time() + self.ahead


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def database(tmp_path):
    with closing(WebDatabase(tmp_path)) as opened:
        yield opened


@pytest.fixture
def at_once(database, clock):
    return GamesAtOnce(database, SETTINGS, clock)


def test_games_of_all_kinds_count_together(at_once, database):
    tables = Tables(database, None, None, at_once)
    game = tables.begin("ann", GAME, 0)
    at_once.go_on("pupil 1", "ann")
    for begin in (lambda: tables.begin("ann", GAME, 0), lambda: at_once.go_on("series 1", "ann")):
        with pytest.raises(PageError, match="You have 2 games"):
            begin()
    at_once.go_on("pupil 1", "ann")  # the same game may go on
    at_once.go_on("series 2", "bob")
    with pytest.raises(PageError, match="Too many games") as full:
        at_once.go_on("series 3", "cat")
    assert full.value.passes
    at_once.end("pupil 1")
    tables.resign(game)
    at_once.go_on("series 1", "ann")
    tables.begin("ann", GAME, 0)


def test_games_that_are_idle_do_not_count_and_can_go_on(at_once, database, clock):
    tables = Tables(database, None, None, at_once)
    game = tables.begin("ann", GAME, 0)
    at_once.go_on("pupil 1", "ann")
    clock.ahead += 101
    assert tables.find("ann", game.id) == game  # stored as it was
    at_once.check_idle("ann", game.changed)
    at_once.go_on("pupil 2", "ann")
    at_once.go_on("pupil 3", "ann")
    # Those that were idle would count again: there is no room now.
    with pytest.raises(PageError, match="You have 2 games"):
        at_once.check_idle("ann", game.changed)
    with pytest.raises(PageError, match="You have 2 games"):
        at_once.go_on("pupil 1", "ann")
    at_once.end("pupil 3")
    at_once.go_on("pupil 1", "ann")


def test_a_game_that_does_not_begin_does_not_count(at_once):
    for _ in range(3):
        with pytest.raises(ValueError, match="no"), at_once.beginning("pupil 1", "ann"):
            raise ValueError("no")
    at_once.go_on("a", "ann")
    at_once.go_on("b", "ann")


def test_the_default_is_a_day():
    assert Settings().idle == 24 * 3600


def seat_of(guest, person):
    address = guest.post("/teach", person=person, **SMALL).headers["location"]
    guest.settle(address)
    return address


def trial_of(app, guest):
    (file,) = app.state.site.library.files(PORTFOLIO)
    guest.settle(f"/blind/{file.id}")
    return f"/blind/{file.id}"


def test_the_pages_count_blind_and_taught_games(judged):
    with closing((app := make_app(judged, replace(FREE, games_each=1))).state.site):
        guest = Guest(app)
        first, second = seat_of(guest, "Ann"), seat_of(guest, "Ben")
        assert guest.post(f"{first}/game", colour="first").status_code == 303
        series = guest.post(trial_of(app, guest), games="4").headers["location"]
        for refused in (f"{second}/game", f"{series}/game"):
            answer = guest.post(refused, colour="first")
            assert (answer.status_code, "You have 1 games" in answer.text) == (429, True)
        assert guest.post("/games", **SMALL).status_code == 429
        assert guest.post(f"{first}/resign").status_code == 303
        assert guest.post(f"{series}/game").status_code == 303
        assert guest.post(f"{second}/game", colour="first").status_code == 429
        assert guest.post(f"{series}/end").status_code == 303
        assert guest.post(f"{second}/game", colour="first").status_code == 303


def test_the_cap_on_thinking_holds_for_blind_and_taught_games(judged):
    """A visitor does not pay for loading, and pays for every thought."""
    poor = replace(FREE, thinking=1e-9, thinking_burst=1e-9)
    with closing((app := make_app(judged, poor)).state.site):
        for begin in (begin_taught, begin_blind):
            guest = Guest(app)
            address = begin(app, guest)
            page = guest.settle(address)
            answer = guest.play(address, guest.moves(page)[0])
            if answer.status_code == 303:  # it was the first thought
                page = guest.settle(address)
                answer = guest.play(address, guest.moves(page)[0])
            assert answer.status_code == 429
            assert re.search("thought for long enough", answer.text)


def begin_taught(app, guest):
    seat = seat_of(guest, "Cleo")
    assert guest.post(f"{seat}/game", colour="second").status_code == 303
    return seat


def begin_blind(app, guest):
    series = guest.post(trial_of(app, guest), games="4").headers["location"]
    assert guest.post(f"{series}/game").status_code == 303
    return series
