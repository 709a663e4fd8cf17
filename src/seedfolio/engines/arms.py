"""Arms of an external engine: from the number of an arm to a seed and options.

In a study, training arms have numbers from 0 on, and unseen arms from 2**32 on. Both come from
one list: training arms from its beginning, unseen arms from its end, or from far on if it is
endless. So a training arm never appears among the unseen arms under another number.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import EXTERNAL_UNSEEN, UNSEEN_SEEDS
from seedfolio.engines.interface import Arm, Value
from seedfolio.engines.placeholders import spelled
from seedfolio.errors import SpecificationError

Words = NDArray[np.uint64]
_UNSEEN = UNSEEN_SEEDS.start
_FAR = EXTERNAL_UNSEEN
_FEWEST_UNSEEN = 17
"""One more than the exploiter in the last column of the table chooses from."""
_MASK = 0x7FFFFFFF
"""31 bits, which every engine accepts."""
_MOST_SHUFFLED = 1_000_000
"""The largest finite list of arms with several settings."""


@dataclass(frozen=True)
class SeedRange:
    """The numbers that seeds are made from: first to last, or endless."""

    first: int
    last: int | None
    hashed: bool

    def __len__(self) -> int:
        return 0 if self.last is None else self.last - self.first + 1

    def seed(self, index: int) -> int:
        """Return the seed for the engine."""
        number = self.first + index
        return hashed_seed(number) if self.hashed else number


def hashed_seed(number: int) -> int:
    """Return a 31-bit hash of a number, a different one for each number below 2**31 - 1.

    Some engines play nearly alike with neighbouring seeds. The hash is never 0, which makes some
    engines use the time of day.
    """
    z = (number + 1) & _MASK
    for multiplier in (0x2C1B3C6D, 0x297A2D39):
        z = (z ^ (z >> 15)) * multiplier & _MASK
    return z ^ (z >> 15)


def parse_seeds(text: str, hashed: bool) -> SeedRange:
    """Return the seeds of `1..100`, or of `1..`, which is endless."""
    parts = re.fullmatch(r"\s*(\d+)\s*\.\.\s*(\d+)?\s*", text)
    if parts is None:
        raise ValueError(f"{text!r} is not a range of seeds such as 1..100 or the endless 1..")
    first, last = int(parts[1]), None if parts[2] is None else int(parts[2])
    if last is not None and last < first:
        raise ValueError(f"the range of seeds {text} is empty")
    if max(first, last or 0) >= _FAR:
        raise ValueError(f"the range of seeds {text} goes beyond {_FAR - 1}")
    return SeedRange(first, last, hashed)


@dataclass(frozen=True)
class Arms:
    """All arms of an engine: seeds, settings of options, or both."""

    seeds: SeedRange | None
    grid: Mapping[str, Sequence[Value]]

    def __post_init__(self) -> None:
        for name, values in self.grid.items():
            # A repeated arm could be a training arm and an unseen arm at once.
            if len({spelled(value) for value in values}) < len(values):
                raise ValueError(f"arms.grid: a value of {name} appears twice")
        settings = math.prod(map(len, self.grid.values()))
        finite = 1 if self.endless or self.seeds is None else len(self.seeds)
        if settings > 1 and settings * finite > _MOST_SHUFFLED:
            raise ValueError(f"arms: {settings * finite} are too many, at most {_MOST_SHUFFLED}")
        if self.endless:
            return
        if len(self._order) <= _FEWEST_UNSEEN:
            raise ValueError(
                f"{len(self._order)} arms are too few: {_FEWEST_UNSEEN} are kept unseen for "
                "evaluation; add seeds or options"
            )

    @property
    def endless(self) -> bool:
        """Whether the list has no end."""
        return self.seeds is not None and self.seeds.last is None

    @property
    def training(self) -> int:
        """The number of training arms."""
        return _FAR if self.endless else len(self._order) - self.unseen

    @property
    def unseen(self) -> int:
        """The number of unseen arms: half of all."""
        return _FAR // 2 if self.endless else max(_FEWEST_UNSEEN, len(self._order) // 2)

    def some(self, count: int) -> list[int]:
        """Return the numbers of `count` arms: training arms, then unseen ones."""
        training = min(count, self.training)
        return [*range(training), *range(_UNSEEN, _UNSEEN + count - training)]

    def pairs(self, games: Words) -> tuple[Words, Words]:
        """Return the numbers of two different training arms for each of these games.

        If there are fewer arms than games, all pairs of arms follow one another.
        """
        laps, first = np.divmod(games, np.uint64(self.training))
        if self.training >= _FAR:
            return first, first ^ np.uint64(1)
        steps = np.uint64(1) + laps % np.uint64(max(1, self.training - 1))
        return first, (first + steps) % np.uint64(self.training)

    def arm(self, number: int) -> Arm:
        """Return the arm with this number; SpecificationError if there is none."""
        unseen = number >= _UNSEEN
        index = number - _UNSEEN if unseen else number
        count, kind = (self.unseen, "unseen") if unseen else (self.training, "training")
        if not 0 <= index < count:
            raise SpecificationError(
                f"{kind} arm {index} does not exist: there are {count}; lower `k`, `opponents` "
                "or `budget`, or add seeds or options to the arms"
            )
        if self.endless:
            return Arm(number, self._values(index + _FAR * unseen, mix_int(index + _FAR * unseen)))
        place = self._order[-1 - index if unseen else index]
        settings = len(self._settings)
        return Arm(number, self._values(place // settings, place % settings))

    @cached_property
    def _settings(self) -> list[dict[str, Value]]:
        values = itertools.product(*self.grid.values())
        return [dict(zip(self.grid, setting, strict=True)) for setting in values]

    @cached_property
    def _order(self) -> Sequence[int]:
        """The list of all arms: training arms from its beginning, unseen arms from its end.

        Settings are shuffled, so that training and unseen arms have the same kinds of settings.
        """
        numbers = range(len(self._settings) * (len(self.seeds) if self.seeds else 1))
        return sorted(numbers, key=mix_int) if len(self._settings) > 1 else numbers

    def _values(self, index: int, setting: int) -> dict[str, Value]:
        seed = {} if self.seeds is None else {"seed": self.seeds.seed(index)}
        return {**seed, **self._settings[setting % len(self._settings)]}
