"""Games from given positions: both sides first play a given line of moves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from seedfolio.core.seeds import LINE_SHIFT
from seedfolio.engines.interface import Arm, Engine
from seedfolio.engines.program import EngineProgram

Line = tuple[str, ...]


def line_number(line: Line) -> int:
    """Return a number for a line, which does not depend on other lines."""
    digest = hashlib.blake2b(" ".join(line).encode(), digest_size=8).digest()
    return (int.from_bytes(digest) >> 33) << LINE_SHIFT


@dataclass(eq=False)
class LineEngine:
    """An engine that begins with a line of moves."""

    inner: Engine
    line: Line
    played: int = 0

    @property
    def identity(self) -> str:
        """The name and version that the engine reports."""
        return self.inner.identity

    @property
    def ignored_quit(self) -> bool:
        """Whether it did not end when it was asked to."""
        return self.inner.ignored_quit

    @property
    def score(self) -> str:
        """What it said of its own position with its last move."""
        return self.inner.score

    def new_game(self, arm: Arm) -> None:
        """Begin a new game as `arm`."""
        self.inner.new_game(arm)
        self.played = 0

    def told(self, colour: int, move: str) -> None:
        """Receive a move."""
        self.inner.told(colour, move)
        self.played += 1

    def choose(self, colour: int) -> str:
        """Return the next move of the line, or the move of the engine after its end."""
        self.played += 1
        if self.played > len(self.line):
            return self.inner.choose(colour)
        move = self.line[self.played - 1]
        self.inner.told(colour, move)
        return move

    def close(self, polite: bool = True) -> None:
        """End the engine."""
        self.inner.close(polite)

    def kill(self) -> None:
        """End the engine at once."""
        self.inner.kill()


@dataclass(frozen=True)
class Continuation(EngineProgram):
    """A program whose arms begin with lines: `line_number(line) + n` is seed n after that line."""

    lines: dict[int, Line] = field(default_factory=dict)

    @classmethod
    def of(cls, program: EngineProgram, lines: Sequence[Line]) -> Continuation:
        """Let a program continue after given lines."""
        numbered = {line_number(line): line for line in lines}
        return cls(
            program.specification, program.folder, program.file, claim=program.claim, lines=numbered
        )

    def arm(self, number: int) -> Arm:
        """Return the arm with this number."""
        own = number & ((1 << LINE_SHIFT) - 1)
        return Arm(number, super().arm(own).values)

    def open(self, arm: Arm) -> Engine:
        """Return a running engine."""
        line = self.lines.get((arm.number >> LINE_SHIFT) << LINE_SHIFT, ())
        return LineEngine(super().open(arm), line)

    def identity_of_parts(self) -> dict[str, Any]:
        """Return the identity, which does not depend on the lines."""
        return {**super().identity_of_parts(), "arms": "lines"}
