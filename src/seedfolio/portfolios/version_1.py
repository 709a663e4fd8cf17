"""Portfolio files of version 1: their books have an object for each entry."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import from_json, to_json

from seedfolio.portfolios.book.rows import (
    Games,
    Share,
    State,
    Weight,
    WrittenBook,
    WrittenEntry,
    written_book,
)
from seedfolio.portfolios.written import FilePart

_SEEDS = 2**48


class _Entry(FilePart):
    state: State
    line: str | None = None
    move: str
    # The seeds of the game that reached it, and a symmetry: read, and not kept.
    seed: Annotated[int, Field(ge=0, lt=_SEEDS)]
    opponent: Annotated[int, Field(ge=0, lt=_SEEDS)]
    symmetry: int | None = None
    parent: Annotated[int, Field(ge=-1)]
    games: Games
    success: Share
    original: Share


def _check_entries(entries: list[_Entry]) -> list[_Entry]:
    if len({(entry.state, entry.move) for entry in entries}) != len(entries):
        raise ValueError("a state has the same move twice")
    if any(entry.parent >= place for place, entry in enumerate(entries)):
        raise ValueError("an entry comes before the one that leads to it")
    return entries


class _Book(FilePart):
    weight: Weight
    entries: Annotated[list[_Entry], AfterValidator(_check_entries)]

    def today(self) -> WrittenBook:
        return written_book(
            self.weight,
            [
                WrittenEntry(
                    each.line,
                    each.move,
                    each.parent,
                    each.games,
                    each.success,
                    each.original,
                    each.state,
                )
                for each in self.entries
            ],
        )


class _Books(FilePart):
    symmetric: bool
    first: list[_Book]
    second: list[_Book]


class _File(BaseModel):
    book: _Books | None = None


def as_version_2(text: bytes) -> bytes:
    """Return a file of version 1 as one of version 2; pydantic's ValidationError if it is none."""
    books = _File.model_validate_json(text).book
    content = from_json(text)
    content["schema_version"] = 2
    if books is not None:
        for name, side in (("first", books.first), ("second", books.second)):
            content["book"][name] = [each.today().model_dump(mode="json") for each in side]
    written: bytes = to_json(content)
    return written
