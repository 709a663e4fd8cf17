"""A person at a table of three, against a program in one seat and the original in the other."""

import pytest

from seedfolio.games import load_game
from seedfolio.games.game import half_points_of
from seedfolio.opponents.game_in_progress import LUCK, PERSON, PROGRAM, GameInProgress, result_of

ROLL, HOLD, SIX = "roll", "hold", "6"


class Cautious:
    name = "cautious"

    def choose(self, history):
        return 1

    def draw_chance(self, history):
        return 7


def test_the_person_has_the_first_of_the_other_seats():
    now = GameInProgress(load_game("pig:target=6,players=3,seat=1"), Cautious(), person=1)
    assert (now.me, now.sides, now.turn) == (1, ("seat 2", "seat 1, and plays the rest"), PROGRAM)
    now = now.step()
    assert now.turn == PERSON
    now = now.play(HOLD)
    assert now.turn == PROGRAM  # the third seat is not the person's
    now = now.step().step()
    assert now.turn == PERSON
    now = now.play(ROLL)
    assert now.turn == LUCK
    now = now.step().play(HOLD)
    assert (now.turn, now.points, now.half_points, now.result) == (None, 3, 2, "You win.")
    said = [each.text for each in now.notices()]
    assert said[:3] == ["Seat 1 plays hold.", "You play hold.", "Seat 3 plays hold."]
    assert said[-2:] == ["Chance: 6.", "You play hold."]


def test_who_takes_the_seat_plays_against_all_others():
    now = GameInProgress(load_game("pig:target=6,players=3,seat=2"), Cautious(), person=0)
    assert (now.me, now.sides, now.step().turn) == (1, ("seat 2", "all other seats"), PERSON)


@pytest.mark.parametrize(
    ("text", "points", "half", "said"),
    [
        ("pig:players=3", 1, 1, "You share the win."),
        ("pig:players=3", 0, 0, "You lose."),
        ("kuhn-poker", 4, 2, "You win 2."),
        ("kuhn-poker", 1, 0, "You lose 1."),
        ("leduc-poker", 13, 1, "A draw."),
        ("pig", 0, 0, "The program wins."),
    ],
)
def test_the_result_in_words(text, points, half, said):
    rules = load_game(text).rules
    assert (half_points_of(rules, points), result_of(rules, points)) == (half, said)
