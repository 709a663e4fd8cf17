"""`book show`: what a book plays, in all forms; `book polyglot`: for programs of chess."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedfolio.cli.application import app, new_group
from seedfolio.cli.command import Call, command
from seedfolio.cli.output import Json, print_json, print_lines, say
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from seedfolio.report.books.show import ShownBook

book = new_group("book", "Look into a book that was learnt, or export it.")
app.add_typer(book)


@command("report.books.show.show_book", book, number={"min": 1}, most={"min": 1})
def show(
    call: Call,
    svg: Annotated[Path | None, typer.Option(help="Draw boards: an .svg file.")] = None,
    sgf: Annotated[
        Path | None, typer.Option(help="Write an .sgf file, of games with Go stones.")
    ] = None,
    pgn: Annotated[Path | None, typer.Option(help="Write a .pgn file, of chess.")] = None,
    as_json: Json = False,
) -> None:
    """Show what a book plays: a tree of moves with their success."""
    from seedfolio.core.files import atomic_write

    for path, ending in ((svg, ".svg"), (sgf, ".sgf"), (pgn, ".pgn")):
        if path is not None:
            _check_ending(path, ending)
    shown: ShownBook = call()
    if svg is not None:
        atomic_write(svg, shown.svg.encode())
    if sgf is not None:
        atomic_write(sgf, shown.sgf.encode())
    if pgn is not None:
        atomic_write(pgn, shown.pgn.encode())
    for path in filter(None, (svg, sgf, pgn)):
        say(f"wrote {path}")
    if as_json:
        print_json(shown.as_data())
    elif svg is None and sgf is None and pgn is None:
        print_lines(shown.text)


@command("report.books.polyglot.polyglot_book", book)
def polyglot(
    call: Call,
    to: Annotated[Path, typer.Argument(metavar="book.bin", help="The file to write.")],
) -> None:
    """Write a Polyglot opening book, which many chess programs read.

    It has the books of both colours.
    """
    from seedfolio.core.files import atomic_write
    from seedfolio.games.chess.polyglot import ENTRY_BYTES

    _check_ending(to, ".bin")
    content: bytes = call()
    atomic_write(to, content)
    say(f"wrote {to}: {len(content) // ENTRY_BYTES:,} moves")


def _check_ending(path: Path, ending: str) -> None:
    if path.suffix.lower() != ending:
        raise SpecificationError(f"cannot write {path}: end its name with {ending}")
