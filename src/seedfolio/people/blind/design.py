"""The design of a blind series: who plays which game, and a commitment to it.

Games come in blocks of four: the original and the boosted program, each against the visitor as
first and as second player, in random order. So in every block the two programs meet the same
visitor equally often with each colour, and who knows the colour knows nothing about the program.

The plan of a series is a short text with a random nonce. Its SHA-256 is published before the first
game and the text after the last: `sha256sum plan.txt` shows that nothing was changed in between.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from seedfolio.errors import SpecificationError

PROGRAMS = ("original", "boosted")
SIDES = ("first", "second")
"""Colours, of the visitor."""
BLOCK = 4
MOST_GAMES_OF_SERIES = 40
_TITLE = "seedfolio blind series"


@dataclass(frozen=True)
class Assignment:
    """Who plays one game."""

    program: int
    """Its place in PROGRAMS."""
    colour: int
    """Of the visitor."""
    key: int
    """64 random bits that draw the program's arm, and dice."""


@dataclass(frozen=True)
class SeriesPlan:
    """The assignments of a series, with a nonce so that nobody can try them all."""

    trial: str
    """A digest of the programs."""
    nonce: str
    games: tuple[Assignment, ...]

    @classmethod
    def draw(cls, trial: str, games: int) -> SeriesPlan:
        """Draw a plan."""
        if isinstance(games, bool) or not isinstance(games, int):
            raise SpecificationError(f"`games` must be a whole number, not {games!r}")
        if games % BLOCK or not BLOCK <= games <= MOST_GAMES_OF_SERIES:
            raise SpecificationError(
                f"`games` must be 4, 8, 12, ... up to {MOST_GAMES_OF_SERIES}, not {games}"
            )
        drawn: list[Assignment] = []
        for _ in range(games // BLOCK):
            block = [(program, colour) for program in (0, 1) for colour in (0, 1)]
            secrets.SystemRandom().shuffle(block)
            drawn += [Assignment(*each, secrets.randbits(64)) for each in block]
        return cls(trial, secrets.token_hex(32), tuple(drawn))

    @property
    def text(self) -> str:
        """The text that is committed to."""
        lines = [_TITLE, f"trial {self.trial}", f"nonce {self.nonce}"]
        lines += [
            f"game {number} you {SIDES[each.colour]} program {PROGRAMS[each.program]} "
            f"key {each.key:016x}"
            for number, each in enumerate(self.games, 1)
        ]
        return "".join(f"{line}\n" for line in lines)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the text, hexadecimal."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @classmethod
    def parse(cls, text: str) -> SeriesPlan:
        """Return the plan of a text; SpecificationError if it is none."""
        try:
            title, trial, nonce, *games = (line.split(" ") for line in text.splitlines())
            drawn = [
                Assignment(PROGRAMS.index(line[5]), SIDES.index(line[3]), int(line[7], 16))
                for line in games
            ]
            plan = cls(trial[1], nonce[1], tuple(drawn))
        except (ValueError, IndexError):
            raise SpecificationError("this is not the plan of a blind series") from None
        if plan.text != text or " ".join(title) != _TITLE:
            raise SpecificationError("this is not the plan of a blind series")
        return plan
