"""The cap on games at once and on thinking holds for ordinary, blind and taught games together."""

import threading
import time
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest
from web_client import FREE, SMALL, Guest, blind_address, make_app

from seedfolio.web.guard import PageError
from seedfolio.web.kinds import PlayedGames
from seedfolio.web.opponents import ORIGINAL, LoadedPrograms, OpponentChoice
from seedfolio.web.settings import Settings
from seedfolio.web.sittings import BLIND, PLAY, TEACH, Sittings, open_page

SETTINGS = Settings(games_each=2, games=3, idle=100.0)
GAME = OpponentChoice(ORIGINAL, "domineering:4x4", "", 5)


class Clock:
    ahead = 0.0

    def __call__(self):
        return time.time() + self.ahead


@pytest.fixture
def sittings(tmp_path):
    with closing(open_page(tmp_path)) as file:
        yield Sittings(file, SETTINGS, Clock())


@pytest.fixture
def sit(sittings):
    return lambda visitor, kind: sittings.add(visitor, kind, GAME)


def test_games_of_all_kinds_count_together(sittings, sit):
    played, refused = PlayedGames(sittings, None), sit("ann", TEACH)
    for _ in range(3):  # games that do not begin do not count
        with pytest.raises(ValueError, match="no"), sittings.beginning(refused):
            raise ValueError("no")
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


def test_games_that_are_idle_do_not_count_and_can_go_on(sittings, sit):
    assert Settings().idle == 24 * 3600
    game = PlayedGames(sittings, None).begin("ann", GAME, 0)
    first, second, third = (sit("ann", TEACH) for _ in range(3))
    sittings.play(first)
    sittings._clock.ahead += 101
    assert sittings.find("ann", PLAY, game.id).playing  # stored as it was
    sittings.play(second)
    sittings.play(third)
    # Those that were idle would count again: there is no room now.
    for idle in (game, first):
        with pytest.raises(PageError, match="You have 2 games"):
            sittings.play(idle)
    sittings.end(third)
    sittings.play(first)


def sitting_of(guest, person):
    address = guest.post("/teach", person=person, **SMALL).headers["location"]
    guest.settle(address)
    return address


def test_the_pages_count_blind_and_taught_games(judged):
    with closing((app := make_app(judged, replace(FREE, games_each=1))).state.site):
        site, guest = app.state.site, Guest(app)
        first, second = sitting_of(guest, "Ann"), sitting_of(guest, "Ben")
        assert guest.post(f"{first}/game", colour="first").status_code == 303
        guest.settle(blind_address(judged))
        series = guest.post(blind_address(judged), games="4").headers["location"]
        for refused in (f"{second}/game", f"{series}/game"):
            answer = guest.post(refused, colour="first")
            assert (answer.status_code, "You have 1 games" in answer.text) == (429, True)
        assert guest.post("/games", **SMALL).status_code == 429
        assert guest.post(f"{first}/resign").status_code == 303
        assert guest.post(f"{series}/game").status_code == 303
        assert guest.post(f"{second}/game", colour="first").status_code == 429
        assert guest.post(f"{series}/end").status_code == 303
        assert guest.post(f"{second}/game", colour="first").status_code == 303
        site.sittings._settings = replace(FREE, games=1)  # of all visitors
        full = Guest(app).post("/games", kind="original", name="pig")
        assert (full.status_code, full.headers["retry-after"]) == (503, "60")


class Use:
    def __init__(self):
        self.programs, self.log = LoadedPrograms(2), []

    def load(self, name):
        self.log.append(f"+{name}")
        return SimpleNamespace(name=name, close=lambda: self.log.append(f"-{name}"))

    def __call__(self, name):
        return self.programs.using(name, lambda: self.load(name))


@pytest.fixture
def use():
    return Use()


def test_the_one_used_least_recently_is_closed_and_opened_again(use):
    for name in "xyz":  # what fails takes no room
        with pytest.raises(ZeroDivisionError), use.programs.using(name, lambda: 1 / 0):
            pass
    for name in "abab":
        with use(name) as program:
            assert program.name == name
    assert use.programs.get("a").name == "a"  # a page looks at it
    for name in "cb":
        with use(name):
            pass
    assert use.log == ["+a", "+b", "-b", "+c", "-a", "+b"]
    assert use.programs.get("a") is None
    use.programs.close()
    assert sorted(use.log[-2:]) == ["-b", "-c"]


def test_a_program_that_thinks_is_not_closed(use):
    with use("a"), use("b"):
        with pytest.raises(PageError, match="All programs") as refused, use("c"):
            pass
        assert refused.value.passes
    with use("a"), use("c"):
        assert use.programs.get("a") is not None
    assert use.log == ["+a", "+b", "-b", "+c"]


def test_two_threads_load_a_program_once(use):
    begun, go_on, found = threading.Event(), threading.Event(), []

    def slow():
        begun.set()
        go_on.wait()
        return use.load("a")

    def ask():
        with use.programs.using("a", slow) as program:
            found.append(program)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    threads[0].start()
    begun.wait()
    threads[1].start()
    assert use.programs.get("a") is None  # no page waits for it
    go_on.set()
    for thread in threads:
        thread.join()
    assert use.log == ["+a"]
    assert found[0] is found[1]
