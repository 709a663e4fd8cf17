"""`book show`: what a book plays, as text, diagrams, SGF or JSON; `book polyglot`: for chess."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, print_json, print_lines, say
from seedfolio.errors import SpecificationError

books = typer.Typer(
    help="Look into a book that was learnt, or export it.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(books, name="book")


@books.command()
def show(
    file: Annotated[Path, typer.Argument(help="A portfolio file with a book.")],
    *,
    second: Annotated[
        bool, typer.Option("--second", help="The second player's book, not the first's.")
    ] = False,
    number: Annotated[
        int, typer.Option("--number", min=1, help="Which book, where several are mixed.")
    ] = 1,
    most: Annotated[
        int, typer.Option("--most", min=1, help="Number of entries, those met most often.")
    ] = 40,
    line: Annotated[
        str, typer.Option("--line", help='Only what follows these moves: "b1b2 a5b5".')
    ] = "",
    changed: Annotated[
        bool, typer.Option("--changed", help="The states where the book gains most.")
    ] = False,
    svg: Annotated[Path | None, typer.Option(help="Draw boards: an .svg file.")] = None,
    sgf: Annotated[
        Path | None, typer.Option(help="Write an .sgf file, of games with Go stones.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a book plays: a tree of moves with their success."""
    from seedfolio.core.files import atomic_write
    from seedfolio.report.books.show import show_book

    for path, ending in ((svg, ".svg"), (sgf, ".sgf")):
        if path is not None:
            _check_ending(path, ending)
    shown = show_book(file, second=second, number=number, most=most, line=line, changed=changed)
    if svg is not None:
        atomic_write(svg, shown.svg.encode())
    if sgf is not None:
        atomic_write(sgf, shown.sgf.encode())
    for path in filter(None, (svg, sgf)):
        say(f"wrote {path}")
    if as_json:
        print_json(shown.as_data())
    elif svg is None and sgf is None:
        print_lines(shown.text)


@books.command()
def polyglot(
    file: Annotated[Path, typer.Argument(help="A portfolio file with a book of chess.")],
    to: Annotated[Path, typer.Argument(metavar="book.bin", help="The file to write.")],
) -> None:
    """Write a Polyglot opening book, which many chess programs read.

    It has the books of both colours.
    """
    from seedfolio.core.files import atomic_write
    from seedfolio.games.chess.polyglot import ENTRY_BYTES
    from seedfolio.report.books.polyglot import polyglot_book

    _check_ending(to, ".bin")
    content = polyglot_book(file)
    atomic_write(to, content)
    say(f"wrote {to}: {len(content) // ENTRY_BYTES:,} moves")


def _check_ending(path: Path, ending: str) -> None:
    if path.suffix.lower() != ending:
        raise SpecificationError(f"cannot write {path}: end its name with {ending}")
