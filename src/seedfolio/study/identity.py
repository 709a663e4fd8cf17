"""The identity of a study (its game, player and so on) as JSON, and how two of them differ."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from seedfolio.games.rules import MOST_POINTS
from seedfolio.players.cell_points import full_cell, most_repeats

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""Any value that JSON can represent."""

_ABSENT = "absent"
_SHOWN = 80


def canonical(value: JSON) -> str:
    """Return JSON text that is the same for equal values; it is stored and compared."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)


def parse_identity(text: str) -> dict[str, Any]:
    """Return the identity in a text; ValueError if there is none."""
    try:
        found = json.loads(text)
        canonical(found)  # refuses numbers without end, which Python reads
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ValueError("its identity is not a JSON object")
    return found


def cell_size(identity: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many games a cell has, and the points of one that is won throughout.

    As in the identity of a Program: `repeats` is present only if luck plays a part, `scale`, the
    most points of a game, only if it is not 2. ValueError if they are none.
    """
    repeats, scale = identity.get("repeats", 1), identity.get("scale", 2)
    if type(scale) is not int or not 1 <= scale <= MOST_POINTS:
        raise ValueError(f"{scale} points a game")
    if type(repeats) is not int or not 1 <= repeats <= most_repeats(scale):
        raise ValueError(f"{repeats} games a cell")
    return repeats, full_cell(scale, repeats)


def first_difference(stored: JSON, asked: JSON, key: str = "") -> tuple[str, str, str] | None:
    """Return (key, stored text, asked text) at the first difference in sorted order, or None."""
    if isinstance(stored, Mapping) and isinstance(asked, Mapping):
        for name in sorted({*stored, *asked}):
            inner = f"{key}.{name}" if key else name
            if name not in stored:
                return inner, _ABSENT, _shown(asked[name])
            if name not in asked:
                return inner, _shown(stored[name]), _ABSENT
            if difference := first_difference(stored[name], asked[name], inner):
                return difference
        return None
    # As text, because in Python 1 == 1.0 == True.
    return None if canonical(stored) == canonical(asked) else (key, _shown(stored), _shown(asked))


def _shown(value: JSON) -> str:
    text = canonical(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
