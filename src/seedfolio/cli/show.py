"""`show` and `export`: what a study or a portfolio holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.boost import boost_data, print_boost
from seedfolio.cli.options import JsonOption, print_json, say
from seedfolio.core.plain_text import plain_console, put
from seedfolio.core.program_files import is_portfolio_name
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from seedfolio.boosting.equilibrium import StudyEquilibrium


@app.command()
def show(
    file: Annotated[Path | None, typer.Argument(help="A study or a portfolio file.")] = None,
    *,
    plot_seeds: Annotated[
        Path | None, typer.Option(help="Draw how much seeds differ: a .png or .svg file.")
    ] = None,
    plot_k: Annotated[
        Path | None, typer.Option(help="Draw success against K: a .png or .svg file.")
    ] = None,
    equilibrium: Annotated[
        bool,
        typer.Option(
            "--equilibrium",
            help="Show the equilibrium of the matrix, and how far portfolios can be exploited.",
        ),
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the table as Markdown.")
    ] = False,
    forfeits: Annotated[
        bool,
        typer.Option("--forfeits", help="List the games that external engines have forfeited."),
    ] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of portfolio files.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a study found or what a portfolio holds.

    Of a study: what boost printed, with the portfolio files that are still beside it.
    """
    from seedfolio.boosting.look import show as look_into
    from seedfolio.portfolios.file import PortfolioFile
    from seedfolio.portfolios.schema import portfolio_schema
    from seedfolio.report.portfolio import portfolio_tables

    if schema:
        if file is not None:
            raise SpecificationError("all portfolios have the same `schema`; leave out the file")
        print_json(portfolio_schema())
        return
    if file is None:
        raise SpecificationError("name a study or a portfolio file, or give `schema`")
    if markdown and is_portfolio_name(file):
        raise SpecificationError(f"Markdown is made from a study, and {file} is a portfolio")
    if forfeits:
        _show_forfeits(file, as_json)
        return
    if equilibrium and is_portfolio_name(file):
        raise SpecificationError(f"`equilibrium` needs a study, and {file} is a portfolio")
    found = look_into(file, plot_seeds=plot_seeds, plot_k=plot_k)
    if isinstance(found, PortfolioFile):
        if as_json:
            put(found.text(), end="")
        else:
            plain_console().print(*portfolio_tables(found), sep="\n")
        return
    for path in filter(None, (plot_seeds, plot_k)):
        say(f"wrote {path}")
    if equilibrium:
        _print_equilibrium(found.equilibrium(), as_json=as_json, markdown=markdown)
    elif as_json:
        print_json(boost_data(found, found.saved_portfolios()))
    elif markdown:
        put("\n".join(table.markdown() for table in found.tables()), end="")
    else:
        print_boost(found, found.saved_portfolios())


def _print_equilibrium(found: StudyEquilibrium, *, as_json: bool, markdown: bool) -> None:
    if as_json:
        print_json(found.as_data())
    elif markdown:
        put(found.markdown(), end="")
    else:
        plain_console().print(found)


def _show_forfeits(study: Path, as_json: bool) -> None:
    from seedfolio.boosting.look import forfeits

    found = forfeits(study)
    if as_json:
        print_json([vars(each) for each in found])
        return
    for each in found:
        put(each.text)
    put(f"{len(found):,} forfeited")


@app.command()
def export(
    study: Annotated[Path, typer.Argument(help="A study file.")],
    to: Annotated[
        Path,
        typer.Argument(help="Where to: a .csv or .npz file; a folder for the games of engines."),
    ],
) -> None:
    """Write the training matrix of a study as CSV or NPZ.

    It is in half points of the first player. A cell that it wins throughout has 2 half points for
    each of its games; the file says how many. Cells that were not played are left empty, in NPZ
    255. Where the study is that of an external engine, a folder gets every game that it has
    played: in Go as SGF, else in one file.
    """
    from seedfolio.arena import no_note
    from seedfolio.boosting.look import export as write_matrix

    written = write_matrix(study, to, note=say if to.suffix else no_note)
    if not to.suffix:
        put(f"{written:,} games in {to}")
