"""Commands that look into files and lists, and those that write a first file of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seedfolio.cli.application import app, new_group
from seedfolio.cli.command import Call, command
from seedfolio.cli.learn import print_boost
from seedfolio.cli.output import Json, note_unless, print_json, print_parts, say
from seedfolio.core.plain_text import plain_console, put
from seedfolio.core.program_files import is_portfolio_name
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from seedfolio.boosting.equilibrium import StudyEquilibrium
    from seedfolio.boosting.results import Comparison
    from seedfolio.portfolios.file import PortfolioFile

new = new_group("new", "Write a first game, player or learner of yours.")
app.add_typer(new)


@command("boosting.look.show")
def show(
    call: Call,
    file: Annotated[Path | None, typer.Argument(help="A study or a portfolio file.")] = None,
    *,
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
    as_json: Json = False,
) -> None:
    """Show what a study found or what a portfolio holds.

    Of a study: what boost printed, with the portfolio files that are still beside it. Of the file
    that adapt wrote: what the program has learnt.
    """
    if schema:
        if file is not None:
            raise SpecificationError("all portfolios have the same `schema`; leave out the file")
        from seedfolio.portfolios.schema import portfolio_schema

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
    from seedfolio.boosting.equilibrium import StudyEquilibrium
    from seedfolio.boosting.results import Boost
    from seedfolio.opponents.adaptive import AdaptiveFile
    from seedfolio.portfolios.file import PortfolioFile

    found: Boost | Comparison | StudyEquilibrium | PortfolioFile | AdaptiveFile = call(file=file)
    if isinstance(found, AdaptiveFile):
        if as_json:
            put(found.text(), end="")
        else:
            print_parts(found)
        return
    if isinstance(found, PortfolioFile):
        _print_portfolio(found, as_json)
        return
    for name in ("plot_seeds", "plot_k", "plot_kinds"):
        if name in call.given:
            say(f"wrote {call.given[name]}")
    if isinstance(found, StudyEquilibrium):
        _print_equilibrium(found, as_json=as_json, markdown=markdown)
    elif equilibrium:
        _print_equilibrium(found.equilibrium(), as_json=as_json, markdown=markdown)
    elif markdown and not as_json:
        put("\n".join(table.markdown() for table in found.tables()), end="")
    elif isinstance(found, Boost):
        print_boost(found, found.saved_portfolios(), as_json)
    elif as_json:
        print_json(found.as_data())
    else:
        print_parts(found)


def _print_portfolio(found: PortfolioFile, as_json: bool) -> None:
    from seedfolio.report.portfolio import portfolio_tables

    if as_json:
        put(found.text(), end="")
    else:
        print_parts(portfolio_tables(found))


def _print_equilibrium(found: StudyEquilibrium, *, as_json: bool, markdown: bool) -> None:
    if as_json:
        print_json(found.as_data())
    elif markdown:
        put(found.markdown(), end="")
    else:
        print_parts(found)


def _show_forfeits(study: Path, as_json: bool) -> None:
    from seedfolio.boosting.look import forfeits

    found = forfeits(study)
    if as_json:
        print_json([vars(each) for each in found])
        return
    for each in found:
        put(each.text)
    put(f"{len(found):,} forfeited")


@command("boosting.look.export")
def export(call: Call) -> None:
    """Write the training matrix of a study as CSV or NPZ.

    It is in half points of the first player. A cell that it wins throughout has 2 half points for
    each of its games; the file says how many. Cells that were not played are left empty, in NPZ
    255. For the study of an external engine, a folder gets every game that it has
    played: in Go as SGF, else in one file.
    """
    to = call.given["to"]
    written: int = call(note=note_unless(not to.suffix))
    if not to.suffix:
        put(f"{written:,} games in {to}")


@command("boosting.look.new_game", new)
def game(call: Call) -> None:
    """Write a small complete game, for you to change."""
    path = call()
    put(f"wrote {path}; try: seedfolio check {path}, then seedfolio play {path}")


@command("boosting.look.new_player", new)
def player(call: Call) -> None:
    """Write a small complete player, for you to change."""
    path = call()
    put(f"wrote {path}; try: seedfolio boost domineering:5x5 -p {path}")


@command("boosting.look.new_learner", new)
def learner(call: Call) -> None:
    """Write a small complete learner, for you to change."""
    path = call()
    then = "compare domineering:5x5" if call.given.get("chooses") else "learn results.csv"
    put(f"wrote {path}; try: seedfolio check {path}, then seedfolio {then} -l {path}")


@command("boosting.look.list_games")
def games(call: Call, as_json: Json = False) -> None:
    """List the games, each with its usual player."""
    _print_list(call(), as_json)


@command("boosting.look.list_players")
def players(call: Call, as_json: Json = False) -> None:
    """List the players."""
    _print_list(call(), as_json)


@command("boosting.look.list_learners")
def learners(call: Call, as_json: Json = False) -> None:
    """List the learners: of a matrix, or of chosen games."""
    _print_list(call(), as_json)


def _print_list(items: Sequence[dict[str, Any]], as_json: bool) -> None:
    """Print what there is to choose from: what to type, what it is and takes, or all as JSON."""
    if as_json:
        print_json(items)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)  # what is to be typed must be seen whole
    table.add_column(overflow="fold")
    for item in items:
        # A parameter without a value has its name alone.
        parameters = (n if v is None else f"{n}={v}" for n, v in item["parameters"].items())
        more = (f"{key}: {item[key]}" for key in ("games", "player") if key in item)
        takes = [*more, ", ".join(parameters)]
        table.add_row(item.get("written", item["name"]), item["summary"])
        table.add_row("", "; ".join(filter(None, takes)), style="dim")
    plain_console().print(table, highlight=False)
