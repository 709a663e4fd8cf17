"""What to tune: a parameter and the values it may take, as a user writes it.

    exploration=0.05..2     numbers with decimals, in two digits
    depth=2..6              whole numbers
    leaf=playout,evaluation a choice

A range of positive numbers that spans a factor of 8 or more is searched by factors (on a log
scale), any other by steps of the same size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import exp, log

from seedfolio.errors import SpecificationError

Value = Decimal | int | str
"""Of a parameter."""
Setting = tuple[Value, ...]
"""A value for each parameter that is tuned."""

_RANGE = re.compile(r"(-?[0-9.]+(?:[eE]-?\d+)?)\.\.(-?[0-9.]+(?:[eE]-?\d+)?)")
_FACTOR = 8
_DIGITS = 2
_HOW = "write NAME=LOW..HIGH, such as exploration=0.05..2, or NAME=A,B,C"


@dataclass(frozen=True)
class Parameter:
    """A parameter, and a range of numbers or a list of choices."""

    name: str
    low: Decimal = Decimal(0)
    high: Decimal = Decimal(0)
    whole: bool = False
    """Whether only whole numbers are values."""
    choices: tuple[str, ...] = ()
    """Not empty: the values, in place of a range."""

    @classmethod
    def parse(cls, text: str) -> Parameter:
        """Return the parameter that a user has written; SpecificationError if it is none.

        >>> Parameter.parse("depth=2..6").value(0.5)
        4
        """
        name, equals, values = (part.strip() for part in text.partition("="))
        if not name or not equals or not values:
            raise SpecificationError(f"cannot read the parameter {text!r}; {_HOW}")
        if (found := _RANGE.fullmatch(values)) is None:
            if ".." in values:
                raise SpecificationError(f"{name}: {values!r} is not a range of numbers; {_HOW}")
            choices = tuple(each.strip() for each in values.split(","))
            if len(choices) < 2 or len(set(choices)) < len(choices) or not all(choices):
                raise SpecificationError(f"{name}: {values!r} are not two values or more; {_HOW}")
            return cls(name, choices=choices)
        try:
            low, high = Decimal(found[1]), Decimal(found[2])
        except ArithmeticError:
            raise SpecificationError(
                f"{name}: {values!r} is not a range of numbers; {_HOW}"
            ) from None
        if not low < high:
            raise SpecificationError(f"{name}: {low} is not below {high}; {_HOW}")
        return cls(name, low, high, whole=found[1].lstrip("-").isdigit() and found[2].isdigit())

    @property
    def by_factors(self) -> bool:
        """Whether values are searched on a log scale."""
        return self.low > 0 and self.high >= _FACTOR * self.low

    def value(self, place: float) -> Value:
        """Return the value at a place from 0 to 1."""
        if self.choices:
            return self.choices[min(int(place * len(self.choices)), len(self.choices) - 1)]
        low, high = float(self.low), float(self.high)
        if self.by_factors:
            number = exp(log(low) + place * (log(high) - log(low)))
        else:
            number = low + place * (high - low)
        if self.whole:
            return min(max(round(number), int(self.low)), int(self.high))
        digits = (self.high - self.low).adjusted() - 1
        if self.by_factors:
            digits = Decimal(number).adjusted()
        rounded = round(Decimal(number), _DIGITS - 1 - digits)
        return Decimal(f"{min(max(rounded, self.low), self.high).normalize():f}")

    def place(self, value: Value) -> float:
        """Return the place of a value; beyond 0 to 1 for one that is not in the range."""
        if self.choices:
            at = self.choices.index(str(value)) if str(value) in self.choices else -1
            return (at + 0.5) / len(self.choices)
        low, high, number = float(self.low), float(self.high), float(value)
        if self.by_factors:
            return (log(max(number, low / 1e3)) - log(low)) / (log(high) - log(low))
        return (number - low) / (high - low)


def parse_parameters(texts: Sequence[str]) -> tuple[Parameter, ...]:
    """Return all parameters that a user names; SpecificationError if one comes twice."""
    found = tuple(map(Parameter.parse, texts))
    names = [each.name for each in found]
    if twice := {name for name in names if names.count(name) > 1}:
        raise SpecificationError(f"the parameter {min(twice)} is named twice")
    return found
