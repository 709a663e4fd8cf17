"""When a program answers in a blind game: at a time that tells nothing about the program.

A book answers at once, a search takes a while, and who could see that would know which one plays.
So two things hold for every answer. Both programs work on it, whichever of them plays, and where
the book has a move a search is made all the same; so the work does not depend on the program. And
the answer goes out at the first of a row of moments whose distances are drawn from one
distribution, uniform between `least` and `most`, for both programs. If the work takes longer than
the first moment, the next one is due.

Where programs think for long, `AnswerPace` raises the distribution above what the work takes, so
that the first moment is nearly always late enough.
"""

from __future__ import annotations

import secrets
from collections import deque
from dataclasses import dataclass
from threading import Lock

from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError

LONGEST = 3600.0
"""Seconds that an answer may be held back."""
MARGIN = 1.5
"""How far the least answer time is above the longest work: machines are busy at times."""
REMEMBERED = 200
"""How many answers count for the longest work, so that one hitch is forgotten in the end."""


@dataclass(frozen=True)
class AnswerTimes:
    """The distribution of answer times, in seconds."""

    least: float = 0.8
    most: float = 1.6

    def __post_init__(self) -> None:
        if not 0 < self.least <= self.most <= LONGEST:
            raise SpecificationError(
                f"answer times from {self.least} to {self.most} seconds: the first must be above "
                f"0 and at most the second, which is at most {LONGEST:.0f}"
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

    def raised(self, least: float) -> AnswerTimes:
        """Return times of the same spread from `least` on, if that is later."""
        spread = self.most - self.least
        least = min(least, LONGEST - spread)
        return AnswerTimes(least, least + spread) if least > self.least else self


class AnswerPace:
    """The answer times of the games of one trial, for both programs alike.

    They are above the longest of the last works of both programs. A game keeps the times with
    which it begins: a raise within it would tell that its program has just thought for long.
    """

    def __init__(self, usual: AnswerTimes) -> None:
        self._usual = usual
        self._lock = Lock()
        self._works: deque[float] = deque(maxlen=REMEMBERED)
        self._games: dict[str, tuple[int, AnswerTimes]] = {}

    def note(self, work: float) -> None:
        """Keep how many seconds the programs have worked on an answer."""
        with self._lock:
            self._works.append(work)

    def times(self, series: str, game: int) -> AnswerTimes:
        """Return the times of a game, which are those of its first answer."""
        with self._lock:
            number, times = self._games.get(series, (0, self._usual))
            if number != game:
                times = self._usual.raised(MARGIN * max(self._works, default=0.0))
                self._games[series] = game, times
            return times

    def end(self, series: str) -> None:
        """Forget a series that is closed."""
        with self._lock:
            self._games.pop(series, None)
