"""Games of chess from many positions share one program of the page."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from seedfolio.web.guard import PageError
from seedfolio.web.library import Library
from seedfolio.web.opponents import ORIGINAL, OpponentChoice, Opponents
from seedfolio.web.settings import Settings


@pytest.mark.long
def test_positions_do_not_fill_the_limit_of_programs() -> None:
    # Of built-in games no library is asked.
    opponents = Opponents(cast(Library, None), replace(Settings(), programs=2))
    chess = OpponentChoice(ORIGINAL, "chess", effort=5)
    places = [f"chess:fen=8/8/8/4k3/8/8/4P3/{k}K{7 - k}_w_-_-_0_1" for k in range(1, 7)]
    choices = [replace(chess, name=place) for place in places]
    for choice in choices:
        opponent = opponents.load(choice)
        game, arm = opponent.game, opponent.new_game(0, key=7)
        assert arm.choose([]) in game.position([]).moves
        assert game.picture()[:8].index(11) == places.index(choice.name) + 1, "the white king"
        assert opponents.load(choice) is opponent
    assert opponents.ready(choices[0]) is None, "the oldest is forgotten"
    assert opponents.ready(choices[-1]) is not None
    opponents.load(replace(chess, name="nim", effort=None))
    with pytest.raises(PageError, match="as many programs as it may"):
        opponents.load(replace(chess, name="pig", effort=None))
