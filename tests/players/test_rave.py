"""RAVE and GRAVE against a plain second implementation, and what they must be good at."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from reference_rave import ReferenceRave
from reference_uct import history_hash

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.program import Program
from seedfolio.players.rave import UNIT_BITS, Rave, value_bits
from seedfolio.players.tree import MAX_SIMULATIONS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "options"),
    [
        ("hex:3x3,swap=1", {"simulations": 60}),
        ("hex:3x3,swap=1", {"simulations": 150, "grave": 10, "bias": Decimal("0.3")}),
        ("hex:3x3,swap=1", {"simulations": 40, "exploration": Decimal("0.7"), "bias": Decimal(0)}),
        ("domineering:4x4", {"simulations": 50, "exploration": Decimal("0.2")}),
        ("domineering:4x4", {"simulations": 80, "grave": 5}),
    ],
)
def test_plays_the_same_games_as_the_reference(board: str, options: dict[str, object]) -> None:
    game = load_game(board)
    player = Rave(**options)  # type: ignore[arg-type]
    program, reference = Program(game, player), ReferenceRave(game, player)
    rows, columns = np.array([[0, 2**40 + 3], [7, 2**63 + 1]], np.uint64)
    scores, hashes = program.play(rows, columns, program.workspace())
    for row, column, score, found in zip(rows, columns, scores, hashes, strict=True):
        expected, history = reference.play(int(row), int(column))
        assert (int(score), int(found)) == (expected, history_hash(history))


@pytest.mark.slow
def test_more_simulations_win() -> None:
    game = load_game("hex:3x3,swap=1")
    programs = [Program(game, Rave(simulations=200)), Program(game, Rave(simulations=1))]
    points = 0
    for number in range(60):
        history: list[int] = []
        while (position := game.position(history)).score is None:
            program = programs[position.mover ^ (number % 2)]
            history.append(program.choose(history, arm=number))
        points += position.score if number % 2 == 0 else 2 - position.score
    assert points / 120 >= 0.9


def test_nothing_overflows_and_values_stay_apart() -> None:
    for simulations in (1, 1000, MAX_SIMULATIONS):
        bits, unit = value_bits(simulations), 2**UNIT_BITS
        # The most points, with the greatest bias.
        most = 2 * simulations * (unit + unit * simulations) + 2 * simulations * unit
        assert most << bits < 2**63
        assert bits >= 10


def test_the_short_form_says_what_differs() -> None:
    assert load_player("rave").text == "rave:simulations=1000"
    text = "rave:simulations=50,grave=20,bias=0.5,exploration=0.1"
    assert load_player(text).text == text
    assert load_player("rave:bias=0.50").text == "rave:simulations=1000,bias=0.5"


@pytest.mark.parametrize(
    "options", ["simulations=0", "grave=-1", "bias=2", "exploration=-1", "exploration=nan"]
)
def test_parameters_out_of_range(options: str) -> None:
    with pytest.raises(SpecificationError, match=r"^rave: "):
        load_player(f"rave:{options}")


@pytest.mark.parametrize("game", ["phantom-go:5x5", "pig"])
def test_games_that_it_does_not_play(game: str) -> None:
    with pytest.raises(SpecificationError, match=r"^rave does not play"):
        Rave().bind(load_game(game))
