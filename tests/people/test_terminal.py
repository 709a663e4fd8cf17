"""A person at the terminal sees what their colour may see, until the game is over."""

import re
from ast import literal_eval
from itertools import cycle

import pytest
from case_files import cases

from seedfolio import Opponent, Program, SpecificationError, load_game, load_player
from seedfolio.engines.endings import Ending
from seedfolio.games.game import half_points_of
from seedfolio.opponents.game_in_progress import LUCK, PERSON, PROGRAM, GameInProgress, result_of
from seedfolio.people.terminal import play_game, typed_move


def sit_down(game, player, answers, person=0, key=5):
    """Play with these answers; return all lines, each answer behind a `>`, the boards unmarked."""
    said: list[str] = []

    def ask(prompt):
        said.append(f"> {(answer := next(answers))}")
        return answer

    def say(text):
        said.extend(re.sub(r"[\[\]()]", " ", line) for line in text.split("\n"))

    play_game(Opponent(Program(game, load_player(player))), person, key, ask=ask, say=say)
    return said


def boards(lines, rows):
    drawn = [line for line in lines if line[:2].strip().isdigit()]
    cells = ["".join(line.split()[1:-1]) for line in drawn]
    return ["".join(cells[k : k + rows]) for k in range(0, len(cells), rows)]


CELLS = [f"{letter}{number}" for letter in "abc" for number in (1, 2, 3)]


@pytest.mark.parametrize("person", [0, 1])
def test_stones_of_the_program_are_seen_only_where_a_try_was_refused(person):
    game = load_game("phantom-tic-tac-toe")
    own, other = "XO"[person], "XO"[1 - person]
    tries = 0
    for key in range(12):
        lines = sit_down(game, "table", cycle(CELLS), person, key)
        *seen, whole = boards(lines, 3)
        refused, shown = 0, iter(seen)
        for line in lines:
            refused += line.startswith("refused: ")
            if line.startswith(" 3 ") and (board := next(shown, None)) is not None:
                assert board.count(other) == refused
        moved = lines.count("The program has moved.")
        assert whole.count(other) == moved >= refused
        assert own in whole
        assert not any("plays" in line for line in lines)
        assert lines[-2] in ("You win.", "A draw.", "The program wins.")
        assert lines.index("The game is over. The whole board:") > lines.index(f"> {CELLS[0]}")
        tries += refused
    assert tries > 2


def test_nothing_hidden_is_taken_back():
    game = load_game("phantom-tic-tac-toe")
    lines = sit_down(game, "table", iter(["a1", "undo", "help", "moves", "quit"]))
    refusal = "There is no undo in games with hidden information or chance."
    assert lines[lines.index("> undo") + 1] == refusal
    assert "undo" not in lines[lines.index("> help") + 1]
    assert lines[lines.index("> moves") + 1].split() == sorted(CELLS, key=lambda c: c[::-1])[1:]
    # The event of the own stone and that of the program's: tries of the program are not counted.
    assert lines[-1].startswith("You left at move 3;")


@pytest.mark.slow  # compiles another game
def test_a_pass_of_the_program_is_announced():
    game, said = load_game("phantom-go:5x5"), set()
    keys = iter(range(20))
    while "The program passes." not in said:
        lines = sit_down(game, "table", cycle(["pass"]), person=1, key=next(keys))
        said = {line for line in lines if line.startswith("The program")}
        assert said <= {"The program has moved.", "The program passes.", "The program wins."}
    assert {cell for board in boards(lines, 5)[:-1] for cell in board} == {"."}


def test_chance_comes_from_the_key_alone_and_is_announced():
    game = load_game("pig")
    first, again, other = (
        sit_down(game, "table", cycle(["roll", "roll", "hold"]), key=key) for key in (1, 1, 2)
    )
    assert first == again
    assert first != other
    drawn = [line for line in first if line.startswith("Chance: ")]
    assert len(drawn) > 4
    assert set(drawn) <= {f"Chance: {side}." for side in range(1, 7)}
    rolls = first.count("> roll") + first.count("The program plays roll.")
    assert len(drawn) == rolls - sum("is not legal now" in line for line in first)
    original = Opponent(Program(load_game("pig"), load_player("table")))
    arms = [original.new_game(colour, key) for key in range(50) for colour in (0, 1)]
    assert [arm.luck for arm in arms[::2]] == [arm.luck for arm in arms[1::2]]
    assert (len({arm.luck for arm in arms}), len({arm.number for arm in arms})) == (50, 100)
    assert not {arm.luck for arm in arms} & {arm.number for arm in arms}


@pytest.mark.slow
def test_simultaneous_choices_are_shown_when_both_are_made():
    game = load_game("morra:rounds=1")
    ends = {sit_down(game, "table", iter(["1/1"]), key=key)[-2] for key in range(20)}
    assert "A draw." in ends
    second = sit_down(game, "table", iter(["1/1"]), person=1)
    asked = second.index("> 1/1")
    assert second.index("The program has moved.") < asked
    for part in (second[:asked], second[asked:]):
        assert [line.split()[-1] for line in part if line.startswith("first shows")] == ["0"]
    assert any(line.startswith("first last showed") and line[-1] in "12" for line in second[asked:])


def test_the_own_last_move_is_marked_where_the_other_is_hidden():
    game = load_game("phantom-tic-tac-toe")
    said: list[str] = []
    answers = iter(["b2", "help", "resign"])
    opponent = Opponent(Program(game, load_player("table")))
    played = play_game(opponent, 0, 5, ask=lambda prompt: next(answers), say=said.append)
    text = "\n".join(said)
    assert " 2 .[X]. 2" in text
    assert "a try on a taken cell is refused" in " ".join(text.split())
    assert said[-1].startswith("You resign. The program wins. It played seed ")
    assert (played.ending, played.points, played.moves[0]) == (Ending.RESIGNATION, 0, "b2")
    assert played.players[0] == "person"


def meant(name, before, text):
    game = load_game(name)
    position = game.position([game.parse_move(move) for move in before.split()])
    return game.move_name(typed_move(text, game, position))


def test_what_is_understood_and_what_is_refused():
    for typed, move in cases(__file__, "understood", literal_eval):
        assert meant(*typed) == move
    for typed, problem in cases(__file__, "refused", literal_eval):
        with pytest.raises(SpecificationError, match=problem):
            meant(*typed)


ROLL, HOLD = "roll", "hold"


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
