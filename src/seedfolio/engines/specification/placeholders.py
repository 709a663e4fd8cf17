"""Texts with placeholders for the values of an arm: `--seed {seed}`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from seedfolio.engines.interface import Value

_PLACE = re.compile(r"\{([\w-]+)\}")


def places(texts: Iterable[str]) -> set[str]:
    """Return the names of all placeholders."""
    return {name for text in texts for name in _PLACE.findall(text)}


def filled_in(text: str, values: Mapping[str, Value]) -> str:
    """Return the text with each name in braces replaced by its value."""
    return _PLACE.sub(lambda place: spelled(values[place[1]]), text)


def spelled(value: Value) -> str:
    """Return a value as engines expect it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
