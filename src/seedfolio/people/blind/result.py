"""The result of a blind trial: success against each program, guesses, and the raw data."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from seedfolio.evaluation.betting import AnytimeInterval
from seedfolio.people.blind.design import BLOCK, PROGRAMS, SIDES, Assignment
from seedfolio.people.store import PersonGame

COLUMNS = (
    "series", "game", "program", "visitor", "ending", "half_points", "guess", "arm", "key", "begun",
    "ended", "moves",
)  # fmt: skip


@dataclass(frozen=True)
class CountedGame:
    """A game with what is no longer secret."""

    series: int
    number: int
    """In the series, from 1."""
    game: PersonGame
    assignment: Assignment
    arm: int
    moves: tuple[str, ...]

    @property
    def success(self) -> float:
        """Of the visitor: 1 for a win."""
        return (self.game.points or 0) / 2

    @property
    def abandoned(self) -> bool:
        """Whether the visitor left it."""
        return self.game.ending == "abandoned"

    @property
    def right(self) -> bool | None:
        """Whether the guess was right; None without a guess."""
        if self.game.note not in PROGRAMS:
            return None
        return PROGRAMS.index(self.game.note) == self.assignment.program

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data, one value for each of COLUMNS."""
        game = self.game
        values = (
            self.series, self.number, PROGRAMS[self.assignment.program],
            SIDES[self.assignment.colour], game.ending, game.points, game.note or None, self.arm,
            f"{self.assignment.key:016x}", game.begun, game.ended, " ".join(self.moves),
        )  # fmt: skip
        return dict(zip(COLUMNS, values, strict=True))


@dataclass(frozen=True)
class ProgramResult:
    """How the visitors did against one program."""

    games: int
    abandoned: int
    success: AnytimeInterval
    """Of the visitors; abandoned games count as lost."""
    without_abandoned: AnytimeInterval
    by_colour: tuple[AnytimeInterval, AnytimeInterval]
    """As first and as second player."""

    @classmethod
    def of(cls, games: list[CountedGame]) -> ProgramResult:
        """Return the result of games against one program, in their order."""
        first, second = (
            AnytimeInterval.of([each.success for each in games if each.assignment.colour == colour])
            for colour in (0, 1)
        )
        return cls(
            len(games),
            sum(each.abandoned for each in games),
            AnytimeInterval.of([each.success for each in games]),
            AnytimeInterval.of([each.success for each in games if not each.abandoned]),
            (first, second),
        )

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        first, second = self.by_colour
        return {
            "games": self.games,
            "abandoned": self.abandoned,
            "success": self.success.as_data(),
            "without_abandoned": self.without_abandoned.as_data(),
            "as_first": first.as_data(),
            "as_second": second.as_data(),
        }


@dataclass(frozen=True)
class BlindResult:
    """The result of a blind trial so far. All intervals may be looked at at any time."""

    title: str
    games: tuple[CountedGame, ...]
    """In the order in which their series began."""
    series: int
    """How many series count."""
    waiting: int
    """How many do not count yet: they, or some that began before them, go on."""

    @property
    def original(self) -> ProgramResult:
        """Against the original program."""
        return ProgramResult.of(self._against(0))

    @property
    def boosted(self) -> ProgramResult:
        """Against the boosted program."""
        return ProgramResult.of(self._against(1))

    @property
    def difference(self) -> AnytimeInterval:
        """By how much the visitors' success against the original is higher."""
        first, second = ([each.success for each in self._against(p)] for p in (0, 1))
        return AnytimeInterval.of_difference(first, second)

    @property
    def guesses(self) -> AnytimeInterval:
        """How often guesses were right, where there was one.

        The programs of the two games of a block in which the visitor has the same colour are not
        independent: they differ. So each such pair is one result of twice the range.
        """
        pairs: dict[tuple[int, int, int], list[bool]] = defaultdict(list)
        for each in self.games:
            if each.right is not None:
                block = (each.number - 1) // BLOCK
                pairs[each.series, block, each.assignment.colour].append(each.right)
        return AnytimeInterval.of_pairs(list(pairs.values()))

    @property
    def cannot_tell(self) -> int:
        """In how many games the visitor could not tell."""
        return sum(each.game.note == "cannot tell" for each in self.games)

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data, without the single games."""
        return {
            "trial": self.title,
            "series": self.series,
            "waiting": self.waiting,
            "original": self.original.as_data(),
            "boosted": self.boosted.as_data(),
            "difference": self.difference.as_data(),
            "guesses": {**self.guesses.as_data(), "cannot_tell": self.cannot_tell},
        }

    def csv(self) -> str:
        """Return every game as a line of CSV, below a line of names."""
        file = io.StringIO()
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(each.as_data() for each in self.games)
        return file.getvalue()

    def json_lines(self) -> str:
        """Return every game as a line of JSON."""
        return "".join(f"{json.dumps(each.as_data())}\n" for each in self.games)

    def json(self) -> str:
        """Return the result as JSON, without the single games."""
        return json.dumps(self.as_data(), indent=2)

    def _against(self, program: int) -> list[CountedGame]:
        return [each for each in self.games if each.assignment.program == program]
