"""`cross-validate`: learners on the arms of a study that they did not learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    JsonOption,
    LearnerOption,
    QuietOption,
    make_progress,
    print_json,
    say,
)
from seedfolio.core.plain_text import plain_console


@app.command("cross-validate")
def cross_validate(
    study: Annotated[Path, typer.Argument(help="A study file.")],
    *,
    size: Annotated[
        list[int] | None,
        typer.Option(
            "--size",
            help="Number of arms of each colour to learn from; repeat the option for several.",
            show_default="eight, up to three quarters of all",
        ),
    ] = None,
    redraws: Annotated[int, typer.Option(help="Draws of the arms to learn from.")] = 1000,
    learner: Annotated[list[str] | None, LearnerOption] = None,
    each_other: Annotated[
        bool,
        typer.Option(
            "--each-other", help="Let learners meet each other, with separate arms to learn from."
        ),
    ] = False,
    key: Annotated[int, typer.Option(help="Draws the arms.", min=0, max=2**64 - 1)] = 0,
    plot: Annotated[
        Path | None, typer.Option(help="Draw success against K: a .png or .svg file.")
    ] = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Cross-validate learners on the matrix of a study.

    Learners learn from some arms of each colour and meet those left out, and an exploiter who plays
    the best of these; again and again, with other draws from the same matrix. The default learners
    are best-seed, nash, best-half and uniform. No game is played.
    """
    from seedfolio.boosting.cross_validation import VALIDATED
    from seedfolio.boosting.cross_validation import cross_validate as run_validation
    from seedfolio.report.plots.figures import picture_format

    if plot is not None:
        picture_format(plot)  # refuses an unknown one before anything is computed
    found = run_validation(
        study,
        sizes=size or (),
        redraws=redraws,
        learners=learner or VALIDATED,
        each_other=each_other,
        key=key,
        progress=make_progress(quiet),
    )
    if plot is not None:
        found.plot(plot)
        say(f"wrote {plot}")
    if as_json:
        print_json(found.as_data())
    else:
        plain_console().print(found.table())
