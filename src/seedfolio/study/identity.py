"""What a study is about, as JSON, and how two such identities differ."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
"""Anything that JSON can write."""

_ABSENT = "absent"
_SHOWN = 80


def canonical(value: JSON) -> str:
    """Return the one text by which equal values are stored and compared."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)


def first_difference(stored: JSON, asked: JSON, key: str = "") -> tuple[str, str, str] | None:
    """Return the first key, in sorted order, where two values differ, with what each has there."""
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
