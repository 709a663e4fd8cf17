"""When a program answers in a blind game: at a time that tells nothing about the program.

A book answers at once, a search takes a while, and who could see that would know which one plays.
So two things hold for every answer. It costs the same searches whichever program plays (see
`people.blind.answer`). And it goes out at the first of a row of moments whose distances are drawn
from one distribution, uniform between `least` and `most`, for all programs, games and visitors. If
the searches take longer than the first moment, the next one is due.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError


@dataclass(frozen=True)
class AnswerTimes:
    """The distribution of answer times, in seconds."""

    least: float = 0.8
    most: float = 1.6

    def __post_init__(self) -> None:
        if not 0 < self.least <= self.most < 3600:
            raise SpecificationError(
                f"answer times from {self.least} to {self.most} seconds: the first must be above "
                "0 and at most the second"
            )

    def due(self, asked: float, ready: float, key: int | None = None) -> float:
        """Return when to answer what was `asked` then and was `ready` then.

        `key` draws the moments; None: fresh random bits.
        """
        state = secrets.randbits(64) if key is None else key
        moment = asked
        while True:
            state = mix_int(state + 1)
            moment += self.least + (self.most - self.least) * (state >> 11) / 2**53
            if moment >= ready:
                return moment
