"""Files with games of people that version 0.2.0 wrote open, and nothing in them is lost."""

import sqlite3
from contextlib import closing

import pytest
from scripted_people import SMALL_NIM

from seedfolio import BlindTrial, Opponent, StudyError
from seedfolio.people import version_1
from seedfolio.people.blind.design import SeriesPlan
from seedfolio.people.pupil import Pupil
from seedfolio.people.store import PeopleGames
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.built_in import load_built_in
from seedfolio.study import sqlite_file
from seedfolio.study.sqlite_guard import schema_of

PROGRAM = load_built_in(SMALL_NIM, "uct:simulations=30")


def write(path, application, schema, **tables):
    with closing(sqlite3.connect(path)) as connection:
        for statement in schema:
            connection.execute(statement)
        for name, rows in tables.items():
            places = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {name} VALUES ({places})", rows)
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()


def write_teach(path, identity):
    rows = [
        (1, identity, "Ann", 1, 0, f"{7:016x}", "0 1", "resigned", 0),
        (2, identity, "Ann", 0, 3, f"{2**64 - 1:016x}", "", None, None),
    ]
    write(path, 0x53464F54, version_1.TEACH, game=rows)


def test_a_record_of_teaching(tmp_path):
    path = tmp_path / "a.teach"
    with closing(PeopleGames.open(tmp_path / "new.teach")) as games:
        identity = Pupil(PROGRAM, games, "Ann").identity
    write_teach(path, identity)
    for _ in range(2):  # as it was, and as it is now
        with closing(PeopleGames.open(path)) as games:
            pupil = Pupil(PROGRAM, games, "Ann")
            (lost,) = pupil.finished(1)
            assert (lost.number, lost.arm, lost.luck, lost.points) == (1, 0, 7, 0)
            assert (lost.history, lost.ending) == ((0, 1), "resigned")
            left = pupil.going_on()
            assert left is not None
            assert (left.number, left.arm, left.luck) == (2, 3, 2**64 - 1)
            assert pupil.begin("second") == left


def test_another_program_upgrades_it_meanwhile(tmp_path, monkeypatch):
    """Version and tables are read at one moment, even if the other comes in between."""
    path = tmp_path / "a.teach"
    write_teach(path, "{}")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    others = []

    def after_the_other(*statements):
        if not others:
            others.append(path)
            with closing(PeopleGames.open(path)) as games:
                assert len(games.of("{}", "Ann")) == 2
        return schema_of(*statements)

    with monkeypatch.context() as patched:
        patched.setattr(sqlite_file, "schema_of", after_the_other)
        with closing(PeopleGames.open(path)) as games:
            assert [game.number for game in games.of("{}", "Ann")] == [1, 2]
    assert others


def test_a_strange_file_of_that_version_is_refused_as_it_is(tmp_path):
    path = tmp_path / "a.teach"
    write_teach(path, "{}")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE more (x)")
    before = path.read_bytes()
    with pytest.raises(StudyError, match="a table named 'more'"):
        PeopleGames.open(path)
    assert path.read_bytes() == before


def test_a_blind_trial(tmp_path):
    one = Distribution((3,), (1.0,))
    portfolio = Opponent(PROGRAM, Portfolio(one, one), "best-seed")
    with closing(BlindTrial(tmp_path / "new.blind", portfolio)) as trial:
        identity = trial.identity
    plans = [SeriesPlan.draw("trial", games) for games in (4, 12)]

    series = [
        (number, f"{number:032x}", plan.text, plan.commitment, 1e12, closed)
        for number, plan, closed in zip((1, 2), plans, (None, 9.5), strict=True)
    ]
    games = [(2, each, "", "resigned", 0, "boosted", 3.0 + each, 4.0) for each in range(1, 13)]
    games += [(1, 1, "", None, None, None, 2.5, None)]
    path = tmp_path / "a.blind"
    write(path, 0x53464F42, version_1.BLIND, trial=[(1, identity)], series=series, game=games)
    for _ in range(2):
        with closing(BlindTrial(path, portfolio, clock=lambda: 100.0)) as trial:
            first, second = (trial.series(f"{number:032x}") for number in (1, 2))
            assert [first.plan, second.plan] == plans
            for series in (first, second):
                for game in series.games:
                    planned = series.assignment(game)
                    assert (game.colour, game.luck) == (planned.colour, planned.key)
            assert [game.begun for game in second.games] == [3.0 + each for each in range(1, 13)]
            assert {game.note for game in second.games} == {"boosted"}
            assert (first.current, second.closed) == (first.games[0], 9.5)
            assert trial.result().waiting == 2
