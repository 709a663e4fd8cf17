"""The content of a portfolio as tables: its success on unseen arms, and its heaviest arms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from math import nan

from seedfolio.core.seeds import name_of_arm
from seedfolio.core.table import Table, percent
from seedfolio.portfolios.written import UnseenEvaluation

_MOST_ARMS = 10


def evaluation_table(title: str, learner: str, evaluation: UnseenEvaluation) -> Table:
    """Return the success of a portfolio, of both colours and of each."""
    found = evaluation.success
    rows = [
        [learner, *(percent(e.success, nan if e.error is None else e.error) for e in found)],
        ["as first player", *(percent(each.first) for each in found)],
        ["as second player", *(percent(each.second) for each in found)],
    ]
    headings = ["success in %", *(f"K'={each.exploiter}" for each in found)]
    return Table(headings, rows, title=title)


def heaviest_arms(
    weights: Mapping[int, float], names: Mapping[int, str], most: int
) -> tuple[list[tuple[str, str]], int]:
    """Return the heaviest arms of a colour, each with its share, and how many more there are.

    `names` are those of an engine's arms.
    """
    heaviest = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    shown = [
        (names.get(arm) or name_of_arm(arm), f"{percent(weight)}%")
        for arm, weight in heaviest[:most]
    ]
    return shown, len(heaviest) - len(shown)


def kinds_table(
    players: Sequence[str],
    kind_of: Callable[[int], int],
    first: Mapping[int, float],
    second: Mapping[int, float],
) -> Table:
    """Return the share of each of several players; kind_of(arm): which of them plays."""
    shares = [
        [
            sum(weight for arm, weight in drawn.items() if kind_of(arm) == kind)
            for drawn in (first, second)
        ]
        for kind in range(len(players))
    ]
    rows = [
        [player, *(f"{percent(share)}%" for share in each)]
        for player, each in zip(players, shares, strict=True)
    ]
    return Table(["player", "as first player", "as second player"], rows)


def arms_table(
    first: Mapping[int, float], second: Mapping[int, float], names: Mapping[int, str]
) -> Table:
    """Return the heaviest arms of both colours; `names` are those of an engine's arms."""
    columns = []
    for weights in (first, second):
        shown, rest = heaviest_arms(weights, names, _MOST_ARMS)
        more = [f"and {rest} more"] if rest else []
        columns.append([*(": ".join(each) for each in shown), *more])
    rows = list(zip_longest(*columns, fillvalue=""))
    headings = ("as first player", "as second player")
    return Table(headings, rows, words=(0, 1), ruled=False)
