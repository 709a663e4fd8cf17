"""The boosted program: draws its arm from the portfolio and plays it as the study did."""

from collections import Counter

import pytest

import seedfolio
from seedfolio import Opponent, SpecificationError, load_boosted
from seedfolio.cli import run
from seedfolio.core.seeds import FIRST_PLAY_SEED
from seedfolio.people.terminal import play_game
from seedfolio.portfolios.portfolio import Distribution

GAME, PLAYER = "domineering:4x4", "uct:simulations=5"


@pytest.fixture
def portfolio(made):
    return made.portfolio("nash")


def test_draws_follow_the_weights():
    distribution = Distribution((3, 7, 11), (0.5, 0.3, 0.2))
    counts = Counter(distribution.draw(key) for key in range(20_000))
    for arm, weight in zip(distribution.arms, distribution.weights, strict=True):
        assert abs(counts[arm] / 20_000 - weight) < 4 * (weight * (1 - weight) / 20_000) ** 0.5
    none = [((), ()), ((1,), (0.5,)), ((1, 1), (0.5, 0.5)), ((1, 2), (1.5, -0.5)), ((1, 2), (1.0,))]
    for seeds, weights in none:
        with pytest.raises(ValueError, match=r"distribution|weights"):
            Distribution(seeds, weights)


def test_an_original_draws_seeds_of_its_own_for_each_colour(portfolio):
    original = Opponent(seedfolio.load_program("nim", "table"))
    drawn = [original.draw_arm(0, key) for key in range(100_000)]
    assert min(drawn) >= FIRST_PLAY_SEED, "one in 16,000 is near the lower end"
    assert FIRST_PLAY_SEED not in drawn  # key 0 draws like every other
    both = load_boosted(portfolio)
    pairs = {(both.new_game(0, key).number, both.new_game(1, key).number) for key in range(2000)}
    assert len(pairs) > max(both.plays.sizes)
    with pytest.raises(SpecificationError, match="a portfolio is a file, or what boost or load"):
        load_boosted(42)


def test_the_first_move_of_a_person_can_be_taken_back(portfolio):
    boosted = load_boosted(portfolio)
    answers = iter(["a1a2", "undo", "a1a2", "undo", "undo", "quit"])
    said: list[str] = []
    play_game(boosted, person=0, key=3, ask=lambda prompt: next(answers), say=said.append)
    replies = [line for line in said if line.startswith("The program plays")]
    assert len(replies) == 2
    assert replies[0] == replies[1], "the arm is drawn once a game, so the answer is the same"
    assert "You have no move to take back." in said
    assert "You left at move 1;" in said[-1]


def test_a_replay_plays_the_book_and_says_so(made, capsys):
    file = made.portfolio("book")
    records = [seedfolio.replay(each, 3, 5) for each in (file, load_boosted(file))]
    assert len({tuple(each.moves) for each in records}) == 1
    record, alone = records[0], seedfolio.replay(GAME, 3, 5, PLAYER)
    move, from_book = record.program.choose_noting([], 3, 0)
    assert (record.moves[0], from_book) == (record.program.game.move_name(move), True)
    assert record.moves != alone.moves
    said = "seed 5 is horizontal. Both play the book; where it ends, their arms.\n"
    assert (said in record.text, "book" in alone.text) == (True, False)
    assert (record.as_data()["book"], alone.as_data()["book"]) == (True, False)
    assert run(["replay", str(file), "3", "5"]) == 0
    assert said in capsys.readouterr().out
