"""The error of a failed check: one sentence with the game, the broken rule and the moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from seedfolio.errors import SeedfolioError
from seedfolio.games.game import Game
from seedfolio.games.rules import Rules

_RAISED_BY_RULES = (ArithmeticError, AssertionError, LookupError, RuntimeError, ValueError)


class ConformanceError(SeedfolioError, AssertionError):
    """A game breaks a rule that every game must keep.

    >>> from dataclasses import replace
    >>> from seedfolio import ConformanceError, check_game, load_game
    >>> game = load_game("domineering:4x4")
    >>> wrong = replace(game, rules=replace(game.rules, max_plies=3))
    >>> try:
    ...     check_game(wrong)
    ... except ConformanceError as error:
    ...     print(error)
    domineering 4x4: the game goes on beyond max_plies=3, after c3c4 a2b2 c1c2
    """


def broken(game: Game, rule: str, history: NDArray[np.int64] | None = None) -> ConformanceError:
    """Return the error for `game`; `history` has the moves after which the rule is broken."""
    if history is None:
        return ConformanceError(f"{game.title}: {rule}")
    played = moves_text(game, history)
    return ConformanceError(f"{game.title}: {rule}, {f'after {played}' if played else 'at start'}")


def allowed_points(rules: Rules) -> str:
    """Return which points a seat can have at the end of a game."""
    return "0, 1 or 2 half points" if rules.scale == 2 else f"0 to scale={rules.scale} points"


def moves_text(game: Game, history: NDArray[np.int64]) -> str:
    """Return the names of the moves, separated by spaces."""
    return " ".join(game.move_name(int(move)) for move in history)


@contextmanager
def rules_may_raise(
    game: Game, history: NDArray[np.int64], plies: NDArray[np.int64]
) -> Iterator[None]:
    """Turn an error that the rules raise, after `plies[0]` moves, into a ConformanceError."""
    try:
        yield
    except _RAISED_BY_RULES as error:
        rule = f"the rules raise {type(error).__name__}: {error}"
        raise broken(game, rule, history[: int(plies[0])]) from error
