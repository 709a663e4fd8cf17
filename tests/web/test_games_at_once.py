"""The cap on games at once and on thinking holds for ordinary, blind and taught games together."""

import re
import time
from contextlib import closing
from dataclasses import replace

import pytest
from waiting import wait_until
from web_client import FREE, Guest, make_app

from seedfolio.web.guard import PageError
from seedfolio.web.kinds import PlayedGames
from seedfolio.web.library import PORTFOLIO
from seedfolio.web.opponents import ORIGINAL, OpponentChoice
from seedfolio.web.settings import Settings
from seedfolio.web.sittings import BLIND, PLAY, TEACH, Sittings, open_page

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
def sittings(tmp_path, clock):
    with closing(open_page(tmp_path)) as file:
        yield Sittings(file, SETTINGS, clock)


@pytest.fixture
def sit(sittings):
    """Return a function that gives a visitor a sitting."""
    return lambda visitor, kind: sittings.add(visitor, kind, GAME)


def test_games_of_all_kinds_count_together(sittings, sit):
    played = PlayedGames(sittings, None)
    game, taught, blind = played.begin("ann", GAME, 0), sit("ann", TEACH), sit("ann", BLIND)
    sittings.play(taught)
    for begin in (lambda: played.begin("ann", GAME, 0), lambda: sittings.play(blind)):
        with pytest.raises(PageError, match="You have 2 games"):
            begin()
    assert len(sittings.of("ann", PLAY)) == 1  # nothing is left of a game that was refused
    sittings.play(taught)  # the same game may go on
    sittings.play(sit("bob", BLIND))
    with pytest.raises(PageError, match="Too many games") as full:
        sittings.play(sit("cat", BLIND))
    assert full.value.passes
    sittings.end(taught)
    sittings.end(game)
    sittings.play(blind)
    played.begin("ann", GAME, 0)


def test_games_that_are_idle_do_not_count_and_can_go_on(sittings, sit, clock):
    game = PlayedGames(sittings, None).begin("ann", GAME, 0)
    first, second, third = (sit("ann", TEACH) for _ in range(3))
    sittings.play(first)
    clock.ahead += 101
    assert sittings.find("ann", PLAY, game.id).playing  # stored as it was
    sittings.play(second)
    sittings.play(third)
    # Those that were idle would count again: there is no room now.
    for idle in (game, first):
        with pytest.raises(PageError, match="You have 2 games"):
            sittings.play(idle)
    sittings.end(third)
    sittings.play(first)


def test_a_game_that_does_not_begin_does_not_count(sittings, sit):
    refused = sit("ann", TEACH)
    for _ in range(3):
        with pytest.raises(ValueError, match="no"), sittings.beginning(refused):
            raise ValueError("no")
    sittings.play(sit("ann", TEACH))
    sittings.play(sit("ann", BLIND))


def test_the_default_is_a_day():
    assert Settings().idle == 24 * 3600


def sitting_of(guest, person):
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
        first, second = sitting_of(guest, "Ann"), sitting_of(guest, "Ben")
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
            answer = play(app, guest, address)
            if answer.status_code == 303:  # it was the first thought
                answer = play(app, guest, address)
            assert answer.status_code == 429
            assert re.search("thought for long enough", answer.text)


def play(app, guest, address):
    """Play a move once the last thought is paid for."""
    page, job = guest.settle(address), address.rpartition("/")[2]
    wait_until(lambda: app.state.site.queue.place(job) is None, "the program has thought")
    return guest.play(address, guest.moves(page)[0])


def begin_taught(app, guest):
    sitting = sitting_of(guest, "Cleo")
    assert guest.post(f"{sitting}/game", colour="second").status_code == 303
    return sitting


def begin_blind(app, guest):
    series = guest.post(trial_of(app, guest), games="4").headers["location"]
    assert guest.post(f"{series}/game").status_code == 303
    return series
