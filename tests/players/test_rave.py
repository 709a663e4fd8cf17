"""RAVE and GRAVE against a plain second implementation, and what they must be good at."""

from decimal import Decimal

import numpy as np
from reference_rave import ReferenceRave
from reference_uct import history_hash
from sparing import levels

from seedfolio.games import load_game
from seedfolio.players.program import Program
from seedfolio.players.rave import UNIT_BITS, Rave, value_bits
from seedfolio.players.tree import MAX_SIMULATIONS

HEX = "hex:3x3,swap=1"


@levels(
    ("board", "options"),
    [("domineering:4x4", {"simulations": 30, "grave": 5, "exploration": Decimal("0.2")})],
    slow=[
        (HEX, {"simulations": 60}),
        (HEX, {"simulations": 80, "grave": 10, "bias": Decimal("0.3")}),
        (HEX, {"simulations": 40, "exploration": Decimal("0.7"), "bias": Decimal(0)}),
    ],
)
def test_plays_the_same_games_as_the_reference(board, options):
    game = load_game(board)
    player = Rave(**options)  # type: ignore[arg-type]
    program, reference = Program(game, player), ReferenceRave(game, player)
    rows, columns = np.array([[0, 2**40 + 3], [7, 2**63 + 1]], np.uint64)
    scores, hashes = program.play(rows, columns, program.workspace())
    for row, column, score, found in zip(rows, columns, scores, hashes, strict=True):
        expected, history = reference.play(int(row), int(column))
        assert (int(score), int(found)) == (expected, history_hash(history))


def test_nothing_overflows_and_values_stay_apart():
    for simulations in (1, 1000, MAX_SIMULATIONS):
        bits, unit = value_bits(simulations), 2**UNIT_BITS
        # The most points, with the greatest bias.
        most = 2 * simulations * (unit + unit * simulations) + 2 * simulations * unit
        assert most << bits < 2**63
        assert bits >= 10
