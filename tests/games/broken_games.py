"""Sound rules with one change each, for tests that the conformance suite catches the change."""

from dataclasses import replace
from pathlib import Path
from types import LambdaType

import numpy as np
import pytest

from seedfolio import ConformanceError, Symmetry, check_game, compiled
from seedfolio.games.game import Game

MARKS = {"+": (), "-": pytest.mark.long}
"""A case whose name begins with + is in `make test`, with - in `make test-long`, else between."""


def game_of(rules, version=1):
    return Game("odd", version, {}, "odd", rules, source="odd")


def check_says(expected, rules, **changes):
    """The rules with `changes` fail in one line, in which `expected` is found."""
    with pytest.raises(ConformanceError, match=rf"^odd: .*{expected}") as caught:
        check_game(game_of(replace(rules, **changes)), games=20)
    assert "\n" not in str(caught.value)


@compiled
def put(out, at, value):
    """Write a number; 0, so that an expression can write."""
    out[at] = value
    return 0


def cases(names, *sections):
    """Parametrise over changes and what is said of each: the cases of `broken_rules.txt`."""
    params = []
    for part in Path(__file__).with_name("broken_rules.txt").read_text().split("\n[")[1:]:
        section, _, text = part.partition("]\n")
        for case in text.strip().replace("\n  ", " ").splitlines() if section in sections else ():
            name, _, rest = case.partition(": ")
            changes, _, pattern = rest.rpartition("->")
            given = eval(f"dict({changes})", {**globals(), **names})
            given = {k: compiled(v) if isinstance(v, LambdaType) else v for k, v in given.items()}
            marks = MARKS.get(name[0], pytest.mark.slow)
            params.append(
                pytest.param(given, pattern.strip(), id=f"{section}, {name}", marks=marks)
            )
    return pytest.mark.parametrize(("changes", "expected"), params)


# Both sound games fill a board of 2x2 in turn; stones of both are the first parts of a state. The
# first player wins with a diagonal, draws with a row and loses with a column.


@compiled
def free_moves(state, out, at):
    n = 0
    for cell in range(4):
        if (state[0] | state[1]) >> cell & 1 == 0:
            out[at + n] = cell
            n += 1
    return n


@compiled
def score(state):
    first = state[0]
    if first == 0b0101 or first == 0b1010:
        return 0
    return 1 if first == 0b0011 or first == 0b1100 else 2


@compiled
def cells(state, out):
    for cell in range(4):
        out[cell] = (state[0] >> cell & 1) + 2 * (state[1] >> cell & 1)


def symmetry(name, *images):
    return Symmetry(name, np.array(images))


LEFT_RIGHT = symmetry("left-right", 1, 0, 3, 2)
UP_DOWN = symmetry("up-down", 2, 3, 0, 1)
HALF_TURN = symmetry("half-turn", 3, 2, 1, 0)
ALL_SYMMETRIES = [LEFT_RIGHT, UP_DOWN, HALF_TURN]
