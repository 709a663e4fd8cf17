"""Sound rules with one change each, for tests that the conformance suite catches the change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from textwrap import dedent
from typing import Any

import pytest

from seedfolio.core.compiler import compiled
from seedfolio.games.game import Game
from seedfolio.games.rules import Rules
from seedfolio.testing import ConformanceError, check_game


def game_of(rules: Rules, version: int = 1) -> Game:
    return Game("odd", version, {}, "odd", rules, source="odd")


def check_says(expected: str, rules: Rules, **changes: Any) -> None:
    """The rules with `changes` fail in one line, which matches `expected`."""
    with pytest.raises(ConformanceError, match=f"^odd: {expected}$") as caught:
        check_game(game_of(replace(rules, **changes)), games=20)
    assert "\n" not in str(caught.value)


@compiled
def put(out: Any, at: Any, value: Any) -> Any:
    """Write a number; 0, so that an expression can write."""
    out[at] = value
    return 0


def cases(names: dict[str, Any], text: str, often: Collection[str] = (), one_in: int = 1) -> Any:
    """Parametrise over changes and the sentence that each leads to.

    A case is its name, a colon and the changes as arguments of `dict`; the last of its lines,
    indented, is the sentence as a pattern. `make test` has those named `often` or "all",
    `make test-all` one of `one_in`.
    """
    found: list[list[str]] = []
    for line in dedent(text).strip().splitlines():
        if line.startswith(" "):
            found[-1].append(line.strip())
        else:
            found.append([line])
    params = []
    for number, (first, *more, sentence) in enumerate(found):
        name, _, rest = first.partition(": ")
        changes = eval(f"dict({' '.join([rest, *more])})", names)
        mark = pytest.mark.long if number % one_in else pytest.mark.slow
        marks = () if often == "all" or name in often else mark
        params.append(pytest.param(changes, sentence, id=name, marks=marks))
    assert often == "all" or {*often} <= {param.id for param in params}
    return pytest.mark.parametrize(("changes", "expected"), params)
