"""Cases of which `make test-all` runs some, and `make test-long` all: where each takes seconds."""

from collections.abc import Sequence
from typing import Any

import pytest


def one_in(number: int, cases: Sequence[Any]) -> list[Any]:
    """Return the cases, all marked as long but every `number`-th, the first one included."""
    return [
        case
        if place % number == 0
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for place, case in enumerate(cases)
    ]
