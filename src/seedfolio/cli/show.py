"""`show` and `export`: what a study or a portfolio holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, print_json, say
from seedfolio.errors import SpecificationError, StudyError


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="A study or a portfolio file.")],
    plot_seeds: Annotated[
        Path | None, typer.Option(help="Draw how much seeds differ: a .png or .svg file.")
    ] = None,
    plot_k: Annotated[
        Path | None, typer.Option(help="Draw success against K: a .png or .svg file.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table as text.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a study found or what a portfolio holds, and draw the papers' figures."""
    if file.suffix == ".json":
        from seedfolio.portfolios.file import load_portfolio

        if plot_seeds or plot_k or markdown:
            raise SpecificationError(
                f"plots and Markdown are made from a study, and {file} is a portfolio"
            )
        portfolio = load_portfolio(file)
        if as_json:
            print(portfolio.text(), end="")
        else:
            from seedfolio.report.portfolio import portfolio_tables

            Console().print(*portfolio_tables(portfolio), sep="\n")
        return
    from seedfolio.boosting.boost import saved_boost, saved_matrices
    from seedfolio.report.figures import picture_format
    from seedfolio.study.store import Study

    for path in filter(None, (plot_seeds, plot_k)):
        picture_format(path)  # refuses an unknown one before anything is computed
    with Study.read(file) as study:
        outcome = saved_boost(study)
        if plot_seeds or plot_k:
            from seedfolio.report.study_plots import draw_k_curves, draw_seeds

            asked = saved_matrices(study)
            sizes = (asked.k, asked.kt, asked.opponents)
            if plot_seeds:
                draw_seeds(study, outcome.title, *sizes, plot_seeds)
            if plot_k:
                draw_k_curves(
                    study, outcome.title, *sizes, asked.learners, plot_k, luck=outcome.luck
                )
    for path in filter(None, (plot_seeds, plot_k)):
        say(f"wrote {path}")
    if as_json:
        print_json(outcome.as_data())
    elif markdown:
        from seedfolio.report.table import markdown_table

        print(markdown_table(outcome.rows), end="")
    else:
        Console().print(outcome.table())


@app.command()
def export(
    study: Annotated[Path, typer.Argument(help="A study file.")],
    to: Annotated[
        Path,
        typer.Argument(help="Where to: a .csv or .npz file; a folder for the SGF of Go engines."),
    ],
) -> None:
    """Write the training matrix of a study as CSV or NPZ, in half points of the first player.

    A cell that it wins throughout has 2 half points for each of its games; the file says how many.
    Cells that were not played are left empty, in NPZ 255.
    Where the study is that of a Go engine, a folder gets every game that it has played, as SGF.
    """
    from seedfolio.boosting.boost import Request
    from seedfolio.study.arms import TrainingArms
    from seedfolio.study.export import export_csv, export_npz
    from seedfolio.study.store import Study

    writers = {".csv": export_csv, ".npz": export_npz}
    if to.suffix and to.suffix not in writers:
        raise SpecificationError(f"{to} ends in neither .csv nor .npz")
    with Study.read(study) as opened:
        if not to.suffix:
            from seedfolio.report.engine_sgf import export_sgf

            print(f"{export_sgf(opened, to):,} games in {to}")
            return
        # What was asked last, whether or not it has been completed; a matrix, if one was.
        requests = [Request.model_validate_json(text) for text in opened.requests()]
        if not requests:
            raise StudyError(f"{study} has no matrix; make one with seedfolio boost")
        request = ([each for each in requests if each.budget is None] or requests)[-1]
        seeds = TrainingArms(0, request.k).seeds()
        played = writers[to.suffix](opened, seeds, seeds, to)
    say(f"wrote {to}: {len(seeds):,} x {len(seeds):,} seeds, {played:,} cells played")
