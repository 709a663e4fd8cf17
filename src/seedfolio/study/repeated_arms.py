"""Which arms of an external engine play alike: move for move the same, against every opponent.

Engines often have fewer forms than arms: a setting may change nothing. Arms that play alike say the
same thing twice, in a table and in a standard error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.study.store import Study

Groups = NDArray[np.intp]
_Games = Mapping[tuple[int, int], tuple[str, ...]]


@dataclass(frozen=True)
class Variety:
    """How many arms there are, and how many of them play differently, as each colour."""

    arms: int
    different: tuple[int, int]
    opponents: int
    different_opponents: tuple[int, int]
    """As each colour of their own."""

    @property
    def has_duplicates(self) -> bool:
        """Whether an arm, or an unseen opponent, plays like another."""
        own, theirs = min(self.different), min(self.different_opponents)
        return own < self.arms or theirs < self.opponents

    @property
    def text(self) -> str:
        """A line for users."""
        first, second = self.different
        one, other = self.different_opponents
        return (
            f"arms        {self.arms} of each colour, different: {first} as first player, {second} "
            f"as second; unseen {self.opponents}, different: {one} and {other}; the rest play the "
            "same games as one of these"
        )


def played_games(study: Study) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return the moves of all games without books in a study, by the two arms."""
    games = study.engine_games().games()
    return {game.arms: (*game.moves, game.ending.value) for game in games}


def alike(games: _Games, rows: Sequence[int], columns: Sequence[int]) -> tuple[Groups, Groups]:
    """Return groups of rows that play alike against all columns, and of columns likewise.

    Rows move first. A game that is missing is like no other.
    """
    table = [[games.get((row, column), (row, column)) for column in columns] for row in rows]
    numbers: dict[Any, int] = {}
    coded = [[numbers.setdefault(game, len(numbers)) for game in line] for line in table]
    return _groups(coded), _groups([list(line) for line in zip(*coded, strict=True)])


def variety(
    games: _Games, arms: Sequence[int], unseen: tuple[Sequence[int], Sequence[int]]
) -> Variety:
    """Count what is different among arms against unseen opponents.

    `unseen` are the opponents of the first player's arms, and those of the second player's.
    """
    first, as_second = alike(games, arms, unseen[0])
    as_first, second = alike(games, unseen[1], arms)
    counts = [len(set(each.tolist())) for each in (first, second, as_first, as_second)]
    return Variety(len(arms), (counts[0], counts[1]), len(unseen[0]), (counts[2], counts[3]))


def _groups(lines: list[list[int]]) -> Groups:
    found: dict[tuple[int, ...], int] = {}
    return np.array([found.setdefault(tuple(line), len(found)) for line in lines], np.intp)
