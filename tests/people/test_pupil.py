"""A program that learns what a person loses to, against people whose weakness is known."""

import sqlite3
from contextlib import closing

import pytest
from scripted_people import SMALL_NIM, play_out, weak_after

from seedfolio.core.seeds import FIRST_PLAY_SEED
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.people.pupil import Pupil
from seedfolio.people.store import PeopleGames, person_name
from seedfolio.programs.built_in import load_built_in

PROGRAM = load_built_in(SMALL_NIM, "uct:simulations=30")


@pytest.fixture
def games(tmp_path):
    with closing(PeopleGames.open(tmp_path / "a.teach")) as kept:
        yield kept


def opening(game):
    return PROGRAM.game.move_name(game.history[0])


def test_it_finds_the_weakness_and_plays_it_more_and_more(games):
    """The person loses after b3 alone, with which few arms begin."""
    pupil = Pupil(PROGRAM, games, "Ann")
    person = weak_after(PROGRAM.game, lambda: ["b3"])
    played = [play_out(pupil, person, "second", key) for key in range(60)]
    assert all((game.points == 0) == (opening(game) == "b3") for game in played)
    early, late = ([game.points for game in part].count(0) for part in (played[:20], played[-20:]))
    assert late > early
    assert late >= 14
    found = pupil.findings().colours[1]
    worst = found.arms[0]
    assert worst.lost == worst.games > 20
    assert worst.in_use
    assert worst.seed == FIRST_PLAY_SEED + worst.number
    assert found.recent < 0.5
    assert pupil.findings().colours[0].games == 0


def test_it_follows_a_person_who_changes(games):
    pupil = Pupil(PROGRAM, games, "Ann")
    weak = ["c3"]
    person = weak_after(PROGRAM.game, lambda: weak)
    before = [play_out(pupil, person, "second", key) for key in range(50)]
    assert [opening(game) for game in before[-20:]].count("c3") >= 14
    weak[:] = ["b3"]
    after = [play_out(pupil, person, "second", 50 + key) for key in range(60)]
    assert [opening(game) for game in after[-20:]].count("b3") >= 14


def test_each_colour_and_each_person_has_a_bandit(games):
    ann, ben = Pupil(PROGRAM, games, "Ann"), Pupil(PROGRAM, games, "Ben")
    for key in range(4):
        game = ann.begin("both", key)
        assert game.colour == key % 2
        ann.resign(game)
    assert [len(ann.finished(colour)) for colour in (0, 1)] == [2, 2]
    assert ann.bandit(0).mean(0) == 1
    assert ben.bandit(0).mean(0) is None
    assert [len(games.of(each.identity, each.name)) for each in (ann, ben)] == [4, 0]
    other = Pupil(load_built_in(SMALL_NIM, "uct:simulations=31"), games, "Ann")
    assert other.finished(0) == []


def test_a_game_that_was_left_continues_in_another_process(tmp_path):
    path = tmp_path / "a.teach"
    with closing(PeopleGames.open(path)) as kept:
        pupil = Pupil(PROGRAM, kept, "Ann")
        left = pupil.answer(pupil.begin("second", 3))
        assert len(left.history) == 1
    with closing(PeopleGames.open(path)) as kept:
        again = Pupil(PROGRAM, kept, "  Ann ")
        assert again.going_on() == left
        assert again.begin("first", 99) == left
        moved = again.move(left, PROGRAM.game.move_name(again.in_progress(left).position.moves[0]))
        with pytest.raises(StudyError, match="another window"):
            again.resign(left)
        assert again.going_on() == moved


def test_what_a_person_may_not_do(games):
    pupil = Pupil(PROGRAM, games, "Ann")
    game = pupil.begin("second", 3)
    with pytest.raises(SpecificationError, match="not your turn"):
        pupil.move(game, "a1")
    game = pupil.answer(game)
    gone = opening(game)
    with pytest.raises(SpecificationError, match="is not legal now"):
        pupil.move(game, gone)
    game = pupil.resign(game)
    assert (game.ending, game.points) == ("resigned", 0)
    with pytest.raises(SpecificationError, match="is over"):
        pupil.move(game, "a1")
    with pytest.raises(SpecificationError, match="`colour` must be first, second, both"):
        pupil.begin("white")


def test_names_have_one_spelling():
    assert person_name(" Zoe\u0308  B. ") == "Zo\u00eb B."
    for name in ("", "  ", "a" * 61, "a\x00b", "\ud800", 7):
        with pytest.raises(SpecificationError, match="`name`"):
            person_name(name)


def test_files_of_others_are_refused(tmp_path):
    (tmp_path / "text").write_text("no database, and longer than a header " * 9)
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE a (b)")
        other.commit()
    before = (tmp_path / "other").read_bytes()
    for name in ("text", "other"):
        with pytest.raises(StudyError, match="not a record of teaching"):
            PeopleGames.open(tmp_path / name)
    assert (tmp_path / "other").read_bytes() == before
    with pytest.raises(StudyError, match="is a folder"):
        PeopleGames.open(tmp_path)
    with pytest.raises(StudyError, match="there is no folder"):
        PeopleGames.open(tmp_path / "no" / "a.teach")
    (tmp_path / "new.teach").touch()
    PeopleGames.open(tmp_path / "new.teach").close()
    with closing(sqlite3.connect(tmp_path / "new.teach")) as newer:
        newer.execute("PRAGMA user_version = 9")
    with pytest.raises(StudyError, match="schema 9"):
        PeopleGames.open(tmp_path / "new.teach")
