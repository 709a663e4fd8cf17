"""Arms of an external engine: from the number of an arm to a seed and options.

Numbers are those of a study: training arms from 0 on, unseen ones from 2**32 on. Both are made
from one list of arms, the training ones from its beginning, the unseen ones from its end or from
far beyond, so that no training arm is ever an unseen one under another number.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from seedfolio.core.randomness import mix_int
from seedfolio.engines.interface import Arm, Value
from seedfolio.engines.placeholders import spelled
from seedfolio.errors import SpecificationError

_UNSEEN = 2**32
"""The number of the first unseen arm, as in `study.arms`."""
_FAR = 2**29
"""Where unseen arms begin in a list without end."""
_FEWEST_UNSEEN = 17
"""One more than an exploiter picks among in the last column of the table."""
_MASK = 0x7FFFFFFF
"""31 bits, which every program takes."""
_MOST_SHUFFLED = 1_000_000
"""Arms of a finite list with several settings."""


@dataclass(frozen=True)
class SeedRange:
    """The numbers that seeds are made from: first to last, or without end."""

    first: int
    last: int | None
    hashed: bool

    def __len__(self) -> int:
        return 0 if self.last is None else self.last - self.first + 1

    def seed(self, index: int) -> int:
        """Return the seed that the engine is given."""
        number = self.first + index
        return hashed_seed(number) if self.hashed else number


def hashed_seed(number: int) -> int:
    """Return a seed of 31 bits that looks random, another one for each number below 2**31 - 1.

    Neighbouring seeds make some programs play nearly alike. 0 never comes out: to some programs
    it means the time of day.
    """
    z = (number + 1) & _MASK
    for multiplier in (0x2C1B3C6D, 0x297A2D39):
        z = (z ^ (z >> 15)) * multiplier & _MASK
    return z ^ (z >> 15)


def parse_seeds(text: str, hashed: bool) -> SeedRange:
    """Return the seeds of `1..100`, or of `1..`, which has no end."""
    parts = re.fullmatch(r"\s*(\d+)\s*\.\.\s*(\d+)?\s*", text)
    if parts is None:
        raise ValueError(f"{text!r} is not a range of seeds such as 1..100, or 1.. without end")
    first, last = int(parts[1]), None if parts[2] is None else int(parts[2])
    if last is not None and last < first:
        raise ValueError(f"the seeds {text} are none at all")
    if max(first, last or 0) >= _FAR:
        raise ValueError(f"the seeds {text} go beyond {_FAR - 1}")
    return SeedRange(first, last, hashed)


@dataclass(frozen=True)
class Arms:
    """All arms of a program: seeds, settings of options, or both together."""

    seeds: SeedRange | None
    grid: Mapping[str, Sequence[Value]]

    def __post_init__(self) -> None:
        for name, values in self.grid.items():
            # The same arm twice could be learnt from and then be taken for an unseen one.
            if len({spelled(value) for value in values}) < len(values):
                raise ValueError(f"arms.grid: a value of {name} is there twice")
        settings = math.prod(map(len, self.grid.values()))
        finite = 1 if self.endless or self.seeds is None else len(self.seeds)
        if settings > 1 and settings * finite > _MOST_SHUFFLED:
            raise ValueError(f"arms: {settings * finite} are more than {_MOST_SHUFFLED}")
        if self.endless:
            return
        if len(self._order) <= _FEWEST_UNSEEN:
            raise ValueError(
                f"{len(self._order)} arms are too few: {_FEWEST_UNSEEN} are kept unseen to judge "
                "by; add seeds or options"
            )

    @property
    def endless(self) -> bool:
        """Whether there are always more seeds."""
        return self.seeds is not None and self.seeds.last is None

    @property
    def training(self) -> int:
        """How many there are to learn from."""
        return _FAR if self.endless else len(self._order) - self.unseen

    @property
    def unseen(self) -> int:
        """How many are kept unseen: half of them."""
        return _FAR // 2 if self.endless else max(_FEWEST_UNSEEN, len(self._order) // 2)

    def some(self, count: int) -> list[int]:
        """Return the numbers of a few arms: those to learn from, then unseen ones."""
        training = min(count, self.training)
        return [*range(training), *range(_UNSEEN, _UNSEEN + count - training)]

    def arm(self, number: int) -> Arm:
        """Return the arm with this number; SpecificationError if there are not so many."""
        unseen = number >= _UNSEEN
        index = number - _UNSEEN if unseen else number
        count, kind = (self.unseen, "unseen") if unseen else (self.training, "training")
        if not 0 <= index < count:
            raise SpecificationError(
                f"{kind} arm {index} was asked for, and there are {count}; lower --k, --opponents "
                "or --budget, or add seeds or options to the arms"
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
        """The list that training arms are taken from the beginning of, unseen ones from the end.

        Settings are shuffled: else those to learn from would differ in kind from the unseen ones.
        """
        numbers = range(len(self._settings) * (len(self.seeds) if self.seeds else 1))
        return sorted(numbers, key=mix_int) if len(self._settings) > 1 else numbers

    def _values(self, index: int, setting: int) -> dict[str, Value]:
        seed = {} if self.seeds is None else {"seed": self.seeds.seed(index)}
        return {**seed, **self._settings[setting % len(self._settings)]}
