"""What a program that teaches has found out about a person, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from seedfolio.core.seeds import name_of_arm
from seedfolio.games.game import Game
from seedfolio.people.deviations import LOST, MoveFound, Parting

RECENT = 10
"""How many games count as recent."""
SHOWN_ARMS = 10
SHOWN_PARTINGS = 3


@dataclass(frozen=True)
class ArmFound:
    """An arm of the program and how the person did against it."""

    number: int
    seed: int
    points: tuple[int, ...]
    """Half points of the person in each game."""
    in_use: bool
    """Whether the program may choose it again."""

    @property
    def games(self) -> int:
        """How many games it played."""
        return len(self.points)

    @property
    def lost(self) -> int:
        """How many of them the person lost."""
        return self.points.count(LOST)

    @property
    def success(self) -> float:
        """Of the person, from 0 to 1."""
        return _success(self.points)


@dataclass(frozen=True)
class ColourFindings:
    """What was found out about a person as one colour."""

    colour: int
    points: tuple[int, ...]
    """Half points of the person in each game, in their order."""
    arms: tuple[ArmFound, ...]
    """Those first to which the person lost most games."""
    partings: tuple[Parting, ...]

    @property
    def games(self) -> int:
        """How many games the person has finished."""
        return len(self.points)

    @property
    def success(self) -> float:
        """Of the person in all games."""
        return _success(self.points)

    @property
    def recent(self) -> float:
        """Of the person in the last few games."""
        return _success(self.points[-RECENT:])


@dataclass(frozen=True)
class Findings:
    """What was found out about a person."""

    name: str
    game: Game
    player: str
    colours: tuple[ColourFindings, ...]

    @property
    def games(self) -> int:
        """How many games the person has finished."""
        return sum(each.games for each in self.colours)

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "name": self.name,
            "game": self.game.text,
            "player": self.player,
            "colours": [self._data(each) for each in self.colours],
        }

    def text(self) -> str:
        """Return it for people."""
        lines = [f"{self.game.title} against {self.player}: {self.name}, {_count(self.games)}"]
        for each in self.colours:
            lines += self._lines(each)
        return "\n".join(lines)

    def _data(self, found: ColourFindings) -> dict[str, Any]:
        name = self.game.move_name
        return {
            "colour": self.game.rules.board.colours[found.colour],
            "games": found.games,
            "success": found.success if found.games else None,
            "recent": found.recent if found.games else None,
            "half_points": list(found.points),
            "arms": [
                {
                    "arm": arm.number,
                    "seed": arm.seed,
                    "games": arm.games,
                    "lost": arm.lost,
                    "success": arm.success,
                    "in_use": arm.in_use,
                }
                for arm in found.arms
            ],
            "partings": [
                {
                    "after": [name(move) for move in parting.history],
                    "lost": parting.lost,
                    "by": "person" if parting.by_person else "program",
                    "moves": [
                        {"move": name(each.move), "games": each.games, "success": each.success}
                        for each in parting.moves
                    ],
                }
                for parting in found.partings
            ],
        }

    def _lines(self, found: ColourFindings) -> list[str]:
        side = self.game.rules.board.colours[found.colour]
        if not found.games:
            return [f"\nAs {side}: no game yet."]
        lines = [
            f"\nAs {side}: {_count(found.games)}, success {100 * found.success:.0f}%, "
            f"in the last {min(RECENT, found.games)} {100 * found.recent:.0f}%."
        ]
        losing = [arm for arm in found.arms if arm.lost][:SHOWN_ARMS]
        lines.append("You lose to:" if losing else "You have lost to no arm yet.")
        lines += [
            f"  {name_of_arm(arm.seed):<18}{arm.lost} of {_count(arm.games)}"
            f"{'' if arm.in_use else ', given up'}"
            for arm in losing
        ]
        for parting in found.partings[:SHOWN_PARTINGS]:
            lines += ["", *self._parting(found.colour, parting)]
        return lines

    def _parting(self, colour: int, parting: Parting) -> list[str]:
        said = parting_text(parting, self.game)
        moves = [f"  {move_text(each, self.game)}" for each in parting.moves]
        return [said, self.game.draw(parting.history, colour), *moves]


def parting_text(parting: Parting, game: Game) -> str:
    """Return in a sentence what happens in a position."""
    lost = f"{_count(parting.lost, 'lost game')}"
    if parting.unknown:
        return f"{lost}: you have won none that begins like this."
    if parting.by_person:
        return f"{lost}: here you played otherwise than in games that you won."
    return f"{lost}: here you played as in games that you won, and the program answered otherwise."


def move_text(found: MoveFound, game: Game) -> str:
    """Return what a move brought."""
    success = 100 * found.success
    return f"{game.move_name(found.move)}: {_count(found.games)}, success {success:.0f}%"


def _count(number: int, what: str = "game") -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _success(points: tuple[int, ...]) -> float:
    return sum(points) / (2 * len(points)) if points else 0.0
