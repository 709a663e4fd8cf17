"""The content of a portfolio file as tables for people."""

from __future__ import annotations

from math import nan

from seedfolio.core.table import Table, percent
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.evaluation.intervals import SuccessInterval
from seedfolio.portfolios.file import PortfolioFile
from seedfolio.portfolios.written import WrittenCertificates
from seedfolio.report.table import Row, success_table


def portfolio_tables(file: PortfolioFile) -> list[Table]:
    """Return tables of its success on unseen seeds and of its heaviest arms."""
    provenance = file.provenance
    repeats = f", {provenance.repeats} a pair" if provenance.repeats > 1 else ""
    chosen = f"K={provenance.k}, Kt={provenance.kt}" if provenance.k else "of its choice"
    unseen = " and ".join(str(count) for count in file.evaluation.unseen_arms)
    caption = (
        f"Against {unseen} {opponents_of(file)} as {' and as '.join(file.sides)}. Learnt from "
        f"{provenance.games:,} games ({chosen}{repeats}) by seedfolio "
        f"{provenance.seedfolio}; {file.game.name} rules version {file.game.version}, "
        f"{file.player.name} version {file.player.version}."
    )
    if file.certificate is not None:
        what = "What it maximises" if file.learner.startswith("exploiter") else "Value"
        caption += f" {what} on the training matrix: {_ranges(file.certificate, 4)}."
    if file.confidence is not None:
        caption += (
            " Before it met them, its games told with 95% confidence a success of "
            f"{_ranges(file.confidence, 2)}."
        )
    if file.fresh is not None:
        fresh = " and ".join(str(count) for count in file.fresh.unseen_arms)
        caption += f" Again: on {fresh} fresh seeds, which had no part in its choice."
    if file.learns is not None:
        left = SuccessInterval(file.learns.success, file.learns.low, file.learns.high)
        caption += f" Against an opponent who learnt from {file.learns.games:,} games: "
        caption += f"{percent(left.mean)}%, {left.text}."
    title = f"{file.game.source}, {file.player.source}"
    table = success_table(title, portfolio_rows(file), caption=caption)
    return [table, *file.arms_tables()]


def opponents_of(file: PortfolioFile) -> str:
    """Return whom it met, in words."""
    return "arms of its list, which has no others," if file.listed else "unseen seeds"


def portfolio_rows(file: PortfolioFile) -> list[Row]:
    """Return its rows of a table of success: the second on fresh seeds, if it met any."""
    exact = None if file.best_response is None else file.best_response.mean
    found = {file.learner: file.evaluation}
    if file.fresh is not None:
        found[f"{file.learner}, again"] = file.fresh
    return [
        Row(
            name,
            _size(file),
            [
                Estimate(each.success, nan if each.error is None else each.error)
                for each in evaluation.success
            ],
            "learner",
            exact,
        )
        for name, evaluation in found.items()
    ]


def _size(file: PortfolioFile) -> str:
    """Return the number of arms, or of book entries, of each colour."""
    if file.book is None:
        return f"{len(file.first)}+{len(file.second)}"
    sides = file.book.first, file.book.second
    return "+".join(str(sum(len(book.rows) for book in side)) for side in sides)


def _ranges(bounds: WrittenCertificates, digits: int) -> str:
    """Return the bounds of both colours in words."""
    return " and ".join(
        f"{each.lower:.{digits}f} to {each.upper:.{digits}f} as {colour} player"
        for colour, each in (("first", bounds.first), ("second", bounds.second))
    )
