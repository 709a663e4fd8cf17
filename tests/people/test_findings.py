"""What is told to a person: the arms they lose to, and where lost games part from won ones."""

from seedfolio.games import load_game
from seedfolio.people.deviations import partings
from seedfolio.people.findings import ArmFound, ColourFindings, Findings
from seedfolio.people.store import PersonGame

NIM = load_game("nim:first=1,second=2,third=3,fourth=0")


def played(moves, points, colour=0):
    history = tuple(NIM.parse_move(move) for move in moves.split())
    return PersonGame(1, colour, 0, 0, history, "played", points)


WON = played("a1 b2 b3 a2 a3", 2)
LOST = played("a1 b2 c3 a2 b3 a3", 0)


def test_a_lost_game_parts_where_the_person_played_otherwise():
    once = played("b2 a1 a2 a3", 0)
    found, other = partings(NIM, 0, [WON, once, LOST, LOST, played("a2 a1 a3", 1)])
    assert (found.lost, other.lost) == (2, 1)  # those lost most come first
    assert found.history == WON.history[:2]
    assert (found.by_person, found.unknown) == (True, False)
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
    # An opening of the program that was never beaten is apart.
    won, lost = (
        played(moves, points, colour=1) for moves, points in (("a1 b3 a3 a2", 2), ("a2 a1 a3", 0))
    )
    (found,) = partings(NIM, 1, [won, lost])
    assert found.history == lost.history[:1]
    assert found.unknown


def test_hidden_stones_of_the_program_do_not_set_positions_apart():
    """Two games that the person cannot tell apart before their move have that position."""
    game = load_game("phantom-tic-tac-toe")
    one, other = (
        tuple(game.parse_move(move) for move in moves.split()) for moves in ("a1 b2", "a1 c3")
    )
    c1 = game.parse_move("c1")
    b1 = game.parse_move("b1")
    games = [
        PersonGame(1, 0, 0, 0, (*one, c1), "resigned", 2),
        PersonGame(2, 0, 1, 0, (*other, b1), "resigned", 0),
    ]
    (found,) = partings(game, 0, games)
    assert len(found.history) == 2
    assert found.by_person


def test_the_text_and_the_data_say_the_same():
    arms = (ArmFound(3, 11, (0, 0), True), ArmFound(0, 8, (2, 0), False))
    first = ColourFindings(0, (2, 0, 0, 0), arms, partings(NIM, 0, [WON, LOST]))
    found = Findings("Ann", NIM, "uct", (first, ColourFindings(1, (), (), ())))
    text = found.text()
    assert "Ann, 4 games" in text
    assert "As first player: 4 games, success 25%, in the last 4 25%." in text
    assert "  seed 11           2 of 2 games\n" in text
    assert "  seed 8            1 of 2 games, given up\n" in text
    assert "1 lost game: here you played otherwise than in games that you won.\n   a b c" in text
    assert "  b3: 1 game, success 100%\n  c3: 1 game, success 0%" in text
    assert text.endswith("As second player: no game yet.")
    data = found.as_data()["colours"][0]
    assert data["success"] == 0.25
    assert data["arms"][0] == {
        "arm": 3, "seed": 11, "games": 2, "lost": 2, "success": 0.0, "in_use": True
    }  # fmt: skip
    (parting,) = data["partings"]
    assert parting["after"] == ["a1", "b2"]
    assert parting["moves"][0] == {"move": "b3", "games": 1, "success": 1.0}
