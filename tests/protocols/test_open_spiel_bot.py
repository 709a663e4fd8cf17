"""Programs as bots of OpenSpiel: its `evaluate_bots` plays the games of `match`."""

import numpy as np
import pytest
from sparing import levels

from seedfolio import Opponent, SpecificationError, as_open_spiel_bot, load_program, match
from seedfolio.portfolios.portfolio import Distribution, Portfolio

pyspiel = pytest.importorskip("pyspiel")
GAMES = {
    "nim": ("nim(pile_sizes=1;3;5;7,is_misere=false)", "table"),
    "hex:3x3": ("hex(board_size=3)", "uct:simulations=5"),
    "breakthrough:5x5,pawn_rows=1": ("breakthrough(rows=5,columns=5)", "uct:simulations=5"),
    "nim:misere=1": ("nim(pile_sizes=1;3;5;7)", "uct:simulations=5"),
    "havannah:base=4": ("havannah(board_size=4)", "uct:simulations=5"),
    "phantom-tic-tac-toe": ("phantom_ttt", "table"),
}
OFTEN, LARGE = "nim", "havannah:base=4"
ARMS = Distribution((3, 8, 11), (0.5, 0.25, 0.25))
TIMES = 40


def points_of(form, *players):
    """The half points of the first of two bots in games that OpenSpiel plays."""
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    bots = [as_open_spiel_bot(each, key=7) for each in players]
    points = []
    for game in range(TIMES):
        order = bots if game % 2 == 0 else bots[::-1]
        returns = evaluate_bots(pyspiel.load_game(form).new_initial_state(), order, None)
        points.append(1 + int(np.sign(returns[order.index(bots[0])])))
    return tuple(points)


@levels("text", [OFTEN], slow=sorted({*GAMES} - {OFTEN, LARGE}), long=[LARGE])
def test_whole_games_have_the_success_that_match_shows(text):
    form, player = GAMES[text]
    program = load_program(text, player)
    boosted = Opponent(program, Portfolio(ARMS, ARMS), "nash")
    (pairing,) = match(boosted, program, games=TIMES, key=7).pairings
    assert pairing.points == points_of(form, boosted, program)
    assert 0 < pairing.success.mean < 1


def test_what_cannot_play_says_so():
    for given, said in [
        ("domineering:4x4", "OpenSpiel has no domineering like ours"),
        ("pig:players=3,seat=1", "more than two players"),
    ]:
        with pytest.raises(SpecificationError, match=said):
            as_open_spiel_bot(given)
    bot = as_open_spiel_bot("hex:3x3", "uct:simulations=5")
    with pytest.raises(SpecificationError, match="the bot plays hex"):
        bot.step(pyspiel.load_game("hex(board_size=4)").new_initial_state())
