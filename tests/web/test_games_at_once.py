"""Games on the page: how many at once, how much thinking, and files that fail or change."""

import os
import re
import sqlite3
import threading
import time
from contextlib import closing, contextmanager
from dataclasses import replace
from types import SimpleNamespace

import pytest
from case_files import cases
from web_client import FREE, SMALL, Guest, blind_address, make_app

from seedfolio import EngineError, Settings, StudyError
from seedfolio.people.pupil import Pupil
from seedfolio.web.guard import PageError
from seedfolio.web.kinds import PlayedGames
from seedfolio.web.library import PORTFOLIO
from seedfolio.web.opponents import BOOSTED, ORIGINAL, LoadedPrograms, OpponentChoice
from seedfolio.web.site import Site
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
