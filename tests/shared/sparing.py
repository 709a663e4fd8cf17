"""Cases of which `make test-all` runs some, and `make test-long` all: where each takes seconds."""

import pytest


def levels(names, often=(), slow=(), long=()):
    """Parametrise over cases of `make test`, of `make test-all` only, and of `make test-long`."""
    marked = (often, ()), (slow, pytest.mark.slow), (long, pytest.mark.long)
    cases = [
        (case if isinstance(case, tuple) else (case,), mark)
        for all_, mark in marked
        for case in all_
    ]
    return pytest.mark.parametrize(names, [pytest.param(*case, marks=mark) for case, mark in cases])


def one_in(number, cases):
    """Return the cases, all marked as long but every `number`-th, the first one included."""
    return [
        case
        if place % number == 0
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long)
        for place, case in enumerate(cases)
    ]
