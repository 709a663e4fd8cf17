"""One person against a program that learns which of its arms they lose to.

The program has an EndlessUcbt for each colour. Its arms are the seeds from FIRST_PLAY_SEED on, the
same for everybody. It is rebuilt from the person's finished games whenever a game begins.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from seedfolio.analysis.ucbt import DISCOUNT, EndlessUcbt
from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import FIRST_PLAY_SEED
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.seat import CompiledSeat
from seedfolio.people.deviations import partings
from seedfolio.people.findings import ArmFound, ColourFindings, Findings
from seedfolio.people.person_table import PersonTable
from seedfolio.people.store import PeopleGames, PersonGame, person_name
from seedfolio.players.interface import identity
from seedfolio.players.program import Program
from seedfolio.study.identity import canonical

COLOURS = ("first", "second", "both")
"""What a person may ask to play: a colour, or both in turn."""


@dataclass(frozen=True)
class Pupil(PersonTable):
    """A person, the program that teaches them, and the file that keeps their games."""

    program: Program
    games: PeopleGames
    name: str
    discount: float = DISCOUNT

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", person_name(self.name))
        EndlessUcbt(discount=self.discount)  # refuses what is no discount

    @property
    def game(self) -> Game:
        """The rules."""
        return self.program.game

    @cached_property
    def identity(self) -> str:
        """What the games of a person are tied to: the game and the player."""
        parts = {"game": self.game.identity(), "player": identity(self.program.player)}
        return canonical(parts)

    def begin(self, colour: str = "both", key: int | None = None) -> PersonGame:
        """Return the game that the person has not finished, or else a new one.

        `key`, fresh random bits if None, breaks ties between arms and is the luck of the game.
        """
        drawn = secrets.randbits(64) if key is None else key
        person = self._colour(colour)
        arm = self.bandit(person).choose(drawn)
        new = PersonGame(0, person, arm, mix_int(drawn + 1))
        return self.games.begin(self.identity, self.name, new)

    def arm(self, game: PersonGame) -> CompiledSeat:
        """Return the arm that plays a game."""
        return CompiledSeat(self.program, seed_of(self._arm(game)), game.luck)

    def bandit(self, colour: int) -> EndlessUcbt:
        """Return what the program has learnt against the person as `colour`."""
        return self._bandit(self.finished(colour))

    def finished(self, colour: int) -> list[PersonGame]:
        """Return the finished games of the person as `colour`."""
        return self.games.finished(self.identity, self.name, colour)

    def elsewhere(self) -> dict[str, int]:
        """Return the number of the person's games in this game against each other player."""
        found = {}
        for program, count in self.games.programs(self.name).items():
            with suppress(ValueError, LookupError, TypeError, AttributeError):  # not ours
                kept = json.loads(program)
                if program != self.identity and kept["game"] == self.game.identity():
                    found[_short_form(kept["player"])] = count
        return found

    def findings(self) -> Findings:
        """Return what the program has found out about the person."""
        found = (self._found(colour) for colour in (0, 1))
        return Findings(self.name, self.game, self.program.player.text, tuple(found))

    def _found(self, colour: int) -> ColourFindings:
        games = self.finished(colour)
        bandit = self._bandit(games)
        numbers = sorted({self._arm(game) for game in games})
        arms = [
            ArmFound(
                arm,
                seed_of(arm),
                tuple(game.points or 0 for game in games if self._arm(game) == arm),
                arm in bandit.open_arms,
            )
            for arm in numbers
        ]
        arms.sort(key=lambda arm: (-arm.lost, -arm.games, arm.number))
        return ColourFindings(
            colour,
            tuple(game.points or 0 for game in games),
            tuple(arms),
            partings(self.game, colour, games),
        )

    def _bandit(self, games: Sequence[PersonGame]) -> EndlessUcbt:
        played = ((self._arm(game), 1 - (game.points or 0) / 2) for game in games)
        return EndlessUcbt.after(played, discount=self.discount)

    def _arm(self, game: PersonGame) -> int:
        if game.arm is None:
            raise self.games.damaged(game, "it has no arm")
        return game.arm

    def _colour(self, colour: str) -> int:
        if colour not in COLOURS:
            raise SpecificationError(f"`colour` must be {', '.join(COLOURS)}, not {colour!r}")
        if colour != "both":
            return COLOURS.index(colour)
        first, second = (len(self.finished(each)) for each in (0, 1))
        return 0 if first <= second else 1


def _short_form(player: dict[str, Any]) -> str:
    options = ",".join(f"{name}={value}" for name, value in player["parameters"].items())
    return f"{player['name']}:{options}" if options else str(player["name"])


def seed_of(arm: int) -> int:
    """Return the seed of an arm by its number."""
    return FIRST_PLAY_SEED + arm
