"""Boosted programs from portfolio files, and from what `boost` returned."""

from __future__ import annotations

from pathlib import Path

from seedfolio.boosting.results import Boost
from seedfolio.core.trust import Permit
from seedfolio.errors import SpecificationError
from seedfolio.portfolios.file import PortfolioFile, load_portfolio
from seedfolio.serving.opponent import Boosted


def load_boosted(
    portfolio: str | Path | Boost | PortfolioFile,
    learner: str | None = None,
    *,
    permit: Permit = Permit.LISTED,
) -> Boosted:
    """Return the boosted program of a portfolio file, or of what `boost` returned.

    Of a result it is the portfolio of `learner`; without one, the one that the verdict recommends.
    `permit` says who has named the files that the portfolio names.

    >>> from seedfolio import boost, load_boosted
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> load_boosted(boosted, "nash")
    <Boosted domineering 4x4: boosted uct:simulations=5 (nash)>
    >>> load_boosted(boosted.save_portfolios()["nash"]).name
    'boosted uct:simulations=5 (nash)'
    """
    if isinstance(portfolio, Boost):
        file, folder = _chosen(portfolio, learner), portfolio.study.parent
    elif learner is not None:
        raise SpecificationError("leave out `learner`: it is for what boost returned")
    elif isinstance(portfolio, PortfolioFile):
        file, folder = portfolio, Path()
    elif isinstance(portfolio, str | Path):
        file, folder = load_portfolio(portfolio), Path(portfolio).parent
    else:
        raise SpecificationError(
            f"a portfolio is a file, or what boost or load_portfolio returned, not {portfolio!r}"
        )
    program = file.program(folder, permit)
    return Boosted(program, file.plays(program.game), file.learner)


def _chosen(boosted: Boost, learner: str | None) -> PortfolioFile:
    """Return the portfolio of a learner, or the one that is recommended."""
    known = ", ".join(boosted.portfolios)
    if learner is None and boosted.verdict is not None:
        learner = boosted.verdict.best
        if learner is None:
            raise SpecificationError(
                f"nothing beat the original of {boosted.title}; name the `learner` of a portfolio "
                f"all the same: {known}"
            )
    if learner not in boosted.portfolios:
        raise SpecificationError(f"there is no portfolio of {learner!r}; there are {known}")
    return boosted.portfolios[learner]
