"""The content of a portfolio as tables: its success on unseen arms, and its heaviest arms."""

from __future__ import annotations

from collections.abc import Mapping

from rich import box
from rich.table import Table
from rich.text import Text

from seedfolio.core.seeds import name_of_arm
from seedfolio.portfolios.written import UnseenEvaluation

_MOST_ARMS = 10


def evaluation_table(title: str, learner: str, evaluation: UnseenEvaluation) -> Table:
    """Return the success of a portfolio, of both colours and of each."""
    table = Table(title=Text(title, style="bold"), title_justify="left", box=box.HORIZONTALS)
    table.add_column("success in %")
    for each in evaluation.success:
        table.add_column(f"K'={each.exploiter}", justify="right")
    means = [
        f"{100 * each.success:.1f}" + ("" if each.error is None else f"±{100 * each.error:.1f}")
        for each in evaluation.success
    ]
    table.add_row(Text(learner), *means)
    for name in ("first", "second"):
        table.add_row(
            f"as {name} player",
            *(f"{100 * getattr(each, name):.1f}" for each in evaluation.success),
        )
    return table


def arms_table(
    first: Mapping[int, float], second: Mapping[int, float], names: Mapping[int, str]
) -> Table:
    """Return the heaviest arms of both colours; `names` are those of an engine's arms."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    columns = []
    for name, weights in (("first", first), ("second", second)):
        table.add_column(f"as {name} player")
        heaviest = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
        shown = heaviest[:_MOST_ARMS]
        lines = [
            f"{names.get(arm) or name_of_arm(arm)}: {100 * weight:.1f}%" for arm, weight in shown
        ]
        if len(heaviest) > _MOST_ARMS:
            lines.append(f"and {len(heaviest) - _MOST_ARMS} more")
        columns.append(lines)
    height = max(len(lines) for lines in columns)
    padded = [lines + [""] * (height - len(lines)) for lines in columns]
    for row in zip(*padded, strict=True):
        table.add_row(*row)
    return table
