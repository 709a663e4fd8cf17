"""Clocks: how long a program may think over one move without losing on time."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from seedfolio.engines.interface import Times
from seedfolio.errors import SpecificationError

RESERVE = 0.05
"""Seconds that are kept for all that happens between a program and its controller."""
_MOST_RESERVED = 0.9
"""The share of the time that is kept at most."""
_WAKES = 3
"""Between the start of a clock and its end this many threads wait for a core, one after the other:
the one that reads, the one that thinks, and that of the controller."""
_FORGETTING = 0.98
"""What is left of the largest lag after a move."""
_MOVES = 30
"""A game is played as if it had this many more moves of the program."""
_COLOURS = 2


@dataclass(frozen=True)
class Clock:
    """The time of one colour before its move, in seconds."""

    left: float
    increment: float = 0.0
    moves: int | None = None
    """In how many moves the time must last; None: in the whole game."""

    def soon(self, reserve: float = RESERVE) -> float:
        """Return how long the program thinks if it has some move to play then.

        A larger `reserve` than usual is lost with every move.

        >>> Clock(left=60, increment=1).soon()
        2.75
        """
        share = self.left / min(self.moves or _MOVES, _MOVES) + 0.75 * self.increment
        lost = max(0.0, reserve - RESERVE)
        return max(0.0, min(share - lost, self.last(reserve)))

    def last(self, reserve: float = RESERVE) -> float:
        """Return how long it may think at all."""
        return max(0.0, self.left - min(reserve, _MOST_RESERVED * self.left))


class Reserve:
    """The seconds that a program keeps of its time: more where threads get a core late.

    On a busy machine a thread wakes up later than it has asked to. Nobody can measure how late the
    thread that reads was, or that of the controller, but others wait as long.
    """

    def __init__(self, seconds: float = RESERVE) -> None:
        self.least = seconds
        """What is kept at any rate."""
        self._lag = 0.0

    @property
    def seconds(self) -> float:
        """What is kept now."""
        return self.least + _WAKES * self._lag

    def begin(self) -> None:
        """Begin a move: what was long ago counts less."""
        self._lag *= _FORGETTING

    def note(self, lag: float) -> None:
        """Note how much later than it has asked to a thread went on."""
        self._lag = max(self._lag, lag)


@dataclass(frozen=True)
class TimeControl:
    """The time of a game.

    >>> TimeControl.parse("40/60+0.6")
    TimeControl(seconds=60.0, increment=0.6, moves=40, each=False)
    """

    seconds: float
    """For the game, for some moves, or for each move."""
    increment: float = 0.0
    moves: int | None = None
    """After how many moves the time is added once more."""
    each: bool = False
    """Whether it is the time of each move."""

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read 60, 2+0.02, 40/60+0.6 or 0.1/move: seconds; SpecificationError if it is wrong."""
        number = r"(\d{1,6}(?:\.\d{1,3})?)"
        found = re.fullmatch(rf"(?:(\d{{1,4}})/)?{number}(?:\+{number}|(/move))?", text)
        wrong = found is None or float(found[2]) <= 0 or (found[1] is not None and bool(found[4]))
        if found is None or wrong or found[1] == "0":
            raise SpecificationError(
                f"`time` must be seconds such as 60, 2+0.02, 40/60+0.6, or 0.1/move, not {text!r}"
            )
        moves = None if found[1] is None else int(found[1])
        return cls(float(found[2]), float(found[3] or 0), moves, bool(found[4]))


class GameClocks:
    """The clocks of both colours in one game."""

    def __init__(self, control: TimeControl, margin: float = 0.0) -> None:
        self._control = control
        self._margin = margin
        """Seconds that a colour may be late."""
        self.reserve = Reserve()
        """What built-in programs keep of their time."""
        self._left = [control.seconds] * _COLOURS
        self._played = [0] * _COLOURS

    def clock(self, colour: int) -> Clock:
        """Return the clock of a colour before its move."""
        if self._control.each:
            return Clock(self._control.seconds, moves=1)
        return Clock(self._left[colour], self._control.increment, self._to_go(colour))

    def times(self, colour: int) -> Times:
        """Return what an engine hears before a move of a colour."""
        control = self._control
        first, second = self._left
        return Times((first, second), control.increment, self._to_go(colour), control.each)

    def spend(self, colour: int, seconds: float) -> bool:
        """Take the time of a move from a clock; tell whether it was in time."""
        control = self._control
        in_time = seconds <= self._left[colour] + self._margin
        if control.each:
            return in_time
        self._played[colour] += 1
        self._left[colour] = max(0.0, self._left[colour] - seconds) + control.increment
        if control.moves is not None and self._played[colour] % control.moves == 0:
            self._left[colour] += control.seconds
        return in_time

    def _to_go(self, colour: int) -> int | None:
        moves = self._control.moves
        return None if moves is None else moves - self._played[colour] % moves


class GtpClocks:
    """The clocks of both colours, as `time_settings` and `time_left` of GTP set them.

    Where the controller does not tell what is left, the program counts its own time.
    """

    def __init__(self) -> None:
        self._main, self._period, self._stones = 0.0, 0.0, 0
        self.begin()

    def set_up(self, words: list[str]) -> None:
        """Take main time, byo-yomi time and byo-yomi stones; SpecificationError if wrong."""
        self._main, self._period, stones = _numbers(words)
        self._stones = int(stones)
        self.begin()

    def begin(self) -> None:
        """Begin a game."""
        self._left = [(self._main, 0)] * _COLOURS

    def tell(self, colour: int, words: list[str]) -> None:
        """Take the seconds and the stones that are left; SpecificationError if wrong."""
        seconds, stones = _numbers(words)
        self._left[colour] = seconds, int(stones)

    def before(self, colour: int) -> Clock | None:
        """Return the clock of a colour before its move; None: there is no limit."""
        unlimited = self._period > 0 and self._stones == 0
        if unlimited or (self._main == 0 and self._period == 0):
            return None
        left, stones = self._left[colour]
        if stones:
            return Clock(left, moves=stones)
        if left > 0:
            return Clock(left)
        return Clock(self._period, moves=max(self._stones, 1))

    def times(self, colour: int) -> Times | None:
        """Return what an engine hears before a move of a colour; None: there is no limit."""
        both = [self.before(each) for each in range(_COLOURS)]
        first, second = (None if each is None else each.left for each in both)
        own = both[colour]
        if first is None or second is None or own is None:
            return None
        return Times((first, second), moves=own.moves)

    def spend(self, colour: int, seconds: float) -> None:
        """Take the time of a move from a clock."""
        left, stones = self._left[colour]
        if stones == 1:
            self._left[colour] = 0.0, 0  # the next period begins
        elif stones:
            self._left[colour] = max(0.0, left - seconds), stones - 1
        elif left > seconds:
            self._left[colour] = left - seconds, 0
        else:
            over = seconds - left
            more = self._stones - 1
            self._left[colour] = (max(0.0, self._period - over), more) if more > 0 else (0.0, 0)


def _numbers(words: list[str]) -> list[float]:
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        numbers = []
    if not numbers or not all(math.isfinite(each) and each >= 0 for each in numbers):
        raise SpecificationError("a time is a number of seconds, 0 or more")
    return numbers
