"""A program that learns what a person loses to, against people whose weakness is known."""

import sqlite3
from contextlib import closing

import pytest
from scripted_people import SMALL_NIM, play_out, weak_after

from seedfolio import SpecificationError, StudyError, load_game
from seedfolio.core.seeds import FIRST_PLAY_SEED
from seedfolio.people.deviations import partings
from seedfolio.people.findings import ArmFound, ColourFindings, Findings
from seedfolio.people.pupil import Pupil
from seedfolio.people.store import PeopleGames, PersonGame, person_name
from seedfolio.programs.built_in import load_built_in

PROGRAM = load_built_in(SMALL_NIM, "uct:simulations=30")


@pytest.fixture
def games(tmp_path):
    with closing(PeopleGames.open(tmp_path / "a.teach")) as kept:
        yield kept


def opening(game):
    return PROGRAM.game.move_name(game.history[0])


def test_it_finds_the_weakness_and_plays_it_more_and_more(games):
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


@pytest.mark.slow
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
    assert ([len(ann.finished(colour)) for colour in (0, 1)], ann.bandit(0).mean(0)) == ([2, 2], 1)
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
        assert (again.going_on(), again.begin("first", 99)) == (left, left)
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
    assert person_name(" Zoe\u0308  B. ") == "Zo\u00eb B."
    for name in ("", "  ", "a" * 61, "a\x00b", "\ud800", 7):
        with pytest.raises(SpecificationError, match="`name`"):
            person_name(name)


def test_files_of_others_are_refused(tmp_path):
    (tmp_path / "text").write_text("no database, and longer than a header " * 9)
    (tmp_path / "new").touch()
    PeopleGames.open(tmp_path / "new").close()
    for name, statement in (("other", "CREATE TABLE a (b)"), ("new", "PRAGMA user_version = 9")):
        with closing(sqlite3.connect(tmp_path / name)) as changed:
            changed.execute(statement)
            changed.commit()
    before = (tmp_path / "other").read_bytes()
    for name, said in (
        *(("text", "not a record of teaching"), ("other", "not a record of teaching")),
        *((".", "is a folder"), ("no/a.teach", "there is no folder"), ("new", "schema 9")),
    ):
        with pytest.raises(StudyError, match=said):
            PeopleGames.open(tmp_path / name)
    assert (tmp_path / "other").read_bytes() == before


NIM = PROGRAM.game


def played(moves, points, colour=0):
    history = tuple(NIM.parse_move(move) for move in moves.split())
    return PersonGame(1, colour, 0, 0, history, "played", points)


WON = played("a1 b2 b3 a2 a3", 2)
LOST = played("a1 b2 c3 a2 b3 a3", 0)


def test_a_lost_game_parts_where_the_person_played_otherwise():
    once = played("b2 a1 a2 a3", 0)
    found, other = partings(NIM, 0, [WON, once, LOST, LOST, played("a2 a1 a3", 1)])
    assert (found.lost, other.lost) == (2, 1)  # those lost most come first
    assert (found.history, found.by_person, found.unknown) == (WON.history[:2], True, False)
    assert [(NIM.move_name(each.move), each.games, each.success) for each in found.moves] == [
        ("b3", 1, 1.0),
        ("c3", 2, 0.0),
    ]
    assert partings(NIM, 0, [WON, WON]) == partings(NIM, 0, []) == ()


def test_a_lost_game_parts_where_the_program_answered_otherwise():
    (found,) = partings(NIM, 0, [WON, played("a1 c3 b2 a2 b3 a3", 0)])
    assert found.history == ()
    assert not found.by_person
    assert [(NIM.move_name(each.move), each.games, each.points) for each in found.moves] == [
        ("a1", 2, 2)
    ]
    # Without any won game: where two lost games were, or else the last move of the person.
    lines = [played(each, 0) for each in ("a1 b2 c3 a2 b3 a3", "a1 b2 b3 a2 a3", "b2 a1 a2 a3")]
    found = partings(NIM, 0, lines)
    assert [each.history for each in found] == [lines[0].history[:2], lines[2].history[:2]]
    assert [(each.lost, each.unknown) for each in found] == [(2, True), (1, True)]
    # An opening of the program that was never beaten is apart.
    won, lost = (played(*each, colour=1) for each in (("a1 b3 a3 a2", 2), ("a2 a1 a3", 0)))
    (found,) = partings(NIM, 1, [won, lost])
    assert found.history == lost.history[:1]
    assert found.unknown


def test_hidden_stones_of_the_program_do_not_set_positions_apart():
    """Two games that the person cannot tell apart before their move have that position."""
    game = load_game("phantom-tic-tac-toe")
    one, other = (tuple(map(game.parse_move, moves.split())) for moves in ("a1 b2 c1", "a1 c3 b1"))
    games = (
        PersonGame(1, 0, 0, 0, one, "resigned", 2),
        PersonGame(2, 0, 1, 0, other, "resigned", 0),
    )
    (found,) = partings(game, 0, games)
    assert len(found.history) == 2
    assert found.by_person


def test_the_text_and_the_data_say_the_same():
    arms = (ArmFound(3, 11, (0, 0), True), ArmFound(0, 8, (2, 0), False))
    first = ColourFindings(0, (2, 0, 0, 0), arms, partings(NIM, 0, [WON, LOST]))
    found = Findings("Ann", NIM, "uct", (first, ColourFindings(1, (), (), ())))
    text = " ".join(found.text().split())
    for said in (
        *("Ann, 4 games", "As first player: 4 games, success 25%, in the last 4 25%."),
        *("seed 11 2 of 2 games", "seed 8 1 of 2 games, given up", "1 lost game: here you played"),
        *("b3: 1 game, success 100% c3: 1 game, success 0%", "As second player: no game yet."),
    ):
        assert said in text
    data = found.as_data()["colours"][0]
    assert data["success"] == 0.25
    worst = {"arm": 3, "seed": 11, "games": 2, "lost": 2, "success": 0.0, "in_use": True}
    assert data["arms"][0] == worst
    (parting,) = data["partings"]
    assert parting["after"] == ["a1", "b2"]
    assert parting["moves"][0] == {"move": "b3", "games": 1, "success": 1.0}
