"""Games that continue from given positions: both sides play a line of moves, then their own."""

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
    """Return a number that identifies a line, independent of other lines."""
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
        """The name and version that the program gives itself."""
        return self.inner.identity

    def new_game(self, arm: Arm) -> None:
        """Begin a game as `arm`."""
        self.inner.new_game(arm)
        self.played = 0

    def told(self, colour: int, move: str) -> None:
        """Note a move."""
        self.inner.told(colour, move)
        self.played += 1

    def choose(self, colour: int) -> str:
        """Return the next move of the line; after its end, the engine's own move."""
        self.played += 1
        if self.played > len(self.line):
            return self.inner.choose(colour)
        move = self.line[self.played - 1]
        self.inner.told(colour, move)
        return move

    def close(self, polite: bool = True) -> None:
        """End the program."""
        self.inner.close(polite)

    def kill(self) -> None:
        """End the program at once."""
        self.inner.kill()


@dataclass(frozen=True)
class Continuation(EngineProgram):
    """A program whose arms begin with lines: `line_number(line) + n` is seed n after that line."""

    lines: dict[int, Line] = field(default_factory=dict)

    @classmethod
    def of(cls, program: EngineProgram, lines: Sequence[Line]) -> Continuation:
        """Let a program continue from the end of lines."""
        numbered = {line_number(line): line for line in lines}
        return cls(program.specification, program.folder, program.file, lines=numbered)

    def arm(self, number: int) -> Arm:
        """Return the arm with this number."""
        own = number & ((1 << LINE_SHIFT) - 1)
        return Arm(number, super().arm(own).values)

    def open(self, arm: Arm) -> Engine:
        """Return a running engine."""
        line = self.lines.get((arm.number >> LINE_SHIFT) << LINE_SHIFT, ())
        return LineEngine(super().open(arm), line)

    def identity_of_parts(self) -> dict[str, Any]:
        """The identity, which is the same for all lines."""
        return {**super().identity_of_parts(), "arms": "lines"}
