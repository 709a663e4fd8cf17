"""Arms of an external engine: from the number of an arm to a seed and options.

In a study, training arms have numbers from 0 on, and unseen arms from 2**32 on. Both come from
one list. If it is endless, unseen arms begin far on, so that no training arm is among them. If it
is finite, such as a list of options, both are the whole list: there are no other arms to meet, and
none is lost to learning. What is unseen then are the games: those with luck are played anew.
"""

from __future__ import annotations

import itertools
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import EXTERNAL_UNSEEN, UNSEEN_SEEDS
from seedfolio.engines.interface import Arm, Value
from seedfolio.engines.specification.placeholders import spelled
from seedfolio.errors import SpecificationError

Words = NDArray[np.uint64]
_UNSEEN = UNSEEN_SEEDS.start
_FAR = EXTERNAL_UNSEEN
_FEWEST = 2
_USUAL = 20
_MOST_OF_LIST = 100
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


class _ArmList(ABC):
    """Arms by their numbers: a list with or without an end."""

    @property
    @abstractmethod
    def endless(self) -> bool:
        """Whether the list has no end."""

    @property
    @abstractmethod
    def _order(self) -> Sequence[Any]:
        """The list, if it has an end."""

    @property
    def training(self) -> int:
        """The number of training arms."""
        return _FAR if self.endless else len(self._order)

    @property
    def unseen(self) -> int:
        """The number of unseen arms: all, if the list is finite."""
        return _FAR // 2 if self.endless else len(self._order)

    @property
    def usual(self) -> int:
        """K, Kt and opponents unless given: few, as games are slow; of a finite list all."""
        return _USUAL if self.endless else min(_MOST_OF_LIST, len(self._order))

    def some(self, count: int) -> list[int]:
        """Return the numbers of `count` training arms, or of all if there are fewer."""
        return list(range(min(count, self.training)))

    def _listed(self, number: int) -> tuple[int, bool]:
        """Return the place of an arm in its list, and whether it is unseen."""
        unseen = number >= _UNSEEN
        index = number - _UNSEEN if unseen else number
        count, kind = (self.unseen, "unseen") if unseen else (self.training, "training")
        if not 0 <= index < count:
            raise SpecificationError(
                f"{kind} arm {index} does not exist: there are {count}; lower `k`, `opponents` "
                "or `budget`, or add seeds or options to the arms"
            )
        return index, unseen


@dataclass(frozen=True)
class Arms(_ArmList):
    """All arms of an engine: seeds, settings of options, or both."""

    seeds: SeedRange | None
    grid: Mapping[str, Sequence[Value]]

    def __post_init__(self) -> None:
        for name, values in self.grid.items():
            # A repeated arm would count twice.
            if len({spelled(value) for value in values}) < len(values):
                raise ValueError(f"arms.grid: a value of {name} appears twice")
        settings = math.prod(map(len, self.grid.values()))
        finite = 1 if self.endless or self.seeds is None else len(self.seeds)
        if settings > 1 and settings * finite > _MOST_SHUFFLED:
            raise ValueError(f"arms: {settings * finite} are too many, at most {_MOST_SHUFFLED}")
        if self.endless:
            return
        if len(self._order) < _FEWEST:
            raise ValueError(
                f"{len(self._order)} arms are too few: evaluation needs {_FEWEST}; add seeds or "
                "options"
            )

    @property
    def endless(self) -> bool:
        """Whether the list has no end."""
        return self.seeds is not None and self.seeds.last is None

    def pairs(self, games: Words) -> tuple[Words, Words]:
        """Return the numbers of two different training arms for each of these games.

        If there are fewer arms than games, all pairs of arms follow one another.
        """
        if not self.endless:
            return _pairs_of_list(self.training, games)
        first = games % np.uint64(self.training)
        return first, first ^ np.uint64(1)

    @cached_property
    def settings(self) -> tuple[str, ...]:
        """The settings of options, as people read them; one text where arms are seeds only."""
        named = [
            ", ".join(f"{name}={spelled(value)}" for name, value in setting.items())
            for setting in self._settings
        ]
        return tuple(named)

    def setting_of(self, number: int) -> int:
        """Return which of `settings` an arm has."""
        index, unseen = self._listed(number)
        place = mix_int(index + _FAR * unseen) if self.endless else self._order[index]
        return place % len(self._settings)

    def arm(self, number: int) -> Arm:
        """Return the arm with this number; SpecificationError if there is none."""
        index, unseen = self._listed(number)
        if self.endless:
            return Arm(number, self._values(index + _FAR * unseen, mix_int(index + _FAR * unseen)))
        place = self._order[index]
        settings = len(self._settings)
        return Arm(number, self._values(place // settings, place % settings))

    @cached_property
    def _settings(self) -> list[dict[str, Value]]:
        values = itertools.product(*self.grid.values())
        return [dict(zip(self.grid, setting, strict=True)) for setting in values]

    @cached_property
    def _order(self) -> Sequence[int]:
        """The list of all arms.

        Settings are shuffled, so that the first few arms have all kinds of settings.
        """
        numbers = range(len(self._settings) * (len(self.seeds) if self.seeds else 1))
        return sorted(numbers, key=mix_int) if len(self._settings) > 1 else numbers

    def _values(self, index: int, setting: int) -> dict[str, Value]:
        seed = {} if self.seeds is None else {"seed": self.seeds.seed(index)}
        return {**seed, **self._settings[setting % len(self._settings)]}


@dataclass(frozen=True)
class JointArms(_ArmList):
    """The arms of several engines as one list, in which they take turns."""

    names: tuple[str, ...]
    parts: tuple[Arms, ...]

    def __post_init__(self) -> None:
        if len({each.endless for each in self.parts}) > 1:
            raise ValueError(
                "some engines have endless seeds and others a list of arms; give all of them an "
                "end, or none"
            )

    @property
    def endless(self) -> bool:
        """Whether the list has no end."""
        return self.parts[0].endless

    def pairs(self, games: Words) -> tuple[Words, Words]:
        """Return the numbers of two different training arms for each of these games.

        Without end, each engine meets each equally often.
        """
        if not self.endless:
            return _pairs_of_list(self.training, games)
        engines = np.uint64(len(self.parts))
        lap, ours = games // engines, games % engines
        theirs = (ours + lap // np.uint64(2)) % engines
        return games, (lap ^ np.uint64(1)) * engines + theirs

    @cached_property
    def settings(self) -> tuple[str, ...]:
        """The engines, each with its settings."""
        return tuple(
            ", ".join(filter(None, [name, setting]))
            for name, part in zip(self.names, self.parts, strict=True)
            for setting in part.settings
        )

    def setting_of(self, number: int) -> int:
        """Return which of `settings` an arm has."""
        which, own = self.place(number)
        before = sum(len(each.settings) for each in self.parts[:which])
        return before + self.parts[which].setting_of(own)

    def arm(self, number: int) -> Arm:
        """Return the arm with this number; SpecificationError if there is none."""
        which, own = self.place(number)
        return Arm(number, self.parts[which].arm(own).values, self.names[which])

    def place(self, number: int) -> tuple[int, int]:
        """Return which engine an arm belongs to, and its number there."""
        index, unseen = self._listed(number)
        if self.endless:
            own, which = divmod(index, len(self.parts))
        else:
            own, which = self._order[index]
        return which, own + _UNSEEN * unseen

    @cached_property
    def _order(self) -> list[tuple[int, int]]:
        """The list of all arms, each with the number of its engine."""
        parts = enumerate(self.parts)
        return sorted((own, which) for which, part in parts for own in range(part.training))


def _pairs_of_list(count: int, games: Words) -> tuple[Words, Words]:
    """Return two different arms of a finite list for each of these games: all pairs in turn."""
    laps, first = np.divmod(games, np.uint64(count))
    steps = np.uint64(1) + laps % np.uint64(max(1, count - 1))
    return first, (first + steps) % np.uint64(count)
