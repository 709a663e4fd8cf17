"""`web`: play and look into studies in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import say
from seedfolio.core.trust import trusts_everything
from seedfolio.errors import SpecificationError


@app.command()
def web(
    folder: Annotated[
        Path, typer.Argument(help="The folder of studies and portfolios; made if missing.")
    ] = Path("studies"),
    *,
    host: Annotated[
        str, typer.Option(help="The address to listen on; the default is this machine alone.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any free one.")] = 8000,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", help="A name under which browsers reach the page; repeatable."),
    ] = None,
    https: Annotated[
        bool,
        typer.Option(
            "--https",
            help="Browsers reach the page by HTTPS alone, through a web server in front of it: "
            "send cookies as Secure.",
        ),
    ] = False,
) -> None:
    """Show studies and books in a browser, and play there."""
    if trusts_everything():
        raise SpecificationError(
            "the page never trusts files from elsewhere; leave out `trusting`, and run such a file "
            "by its name before you serve it"
        )
    try:
        from seedfolio.web.serve import serve_web
        from seedfolio.web.settings import Settings
    except ModuleNotFoundError as error:
        raise SpecificationError(
            f"the page needs {error.name}: pip install 'seedfolio[web]'"
        ) from error
    settings = Settings(secure=https)
    serve_web(folder, host=host, port=port, names=tuple(names or ()), settings=settings, say=say)
