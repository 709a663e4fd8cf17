"""The book of a portfolio as a tree: as text for people, as data for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from seedfolio.core.table import percent
from seedfolio.games.game import Game
from seedfolio.portfolios.book.rows import WrittenBook, WrittenEntry, shares


@dataclass(frozen=True)
class Shown:
    """An entry and its place in the tree."""

    entry: WrittenEntry
    depth: int
    before: str
    """What happened since the entry above: moves, or with hidden information what is known."""
    choices: int
    """The number of moves that the book has at this state; one of them is drawn."""
    share: float
    """How often it is this one, 0 to 1."""

    @property
    def move(self) -> str:
        """The move, and how many moves it is drawn from if several."""
        if self.choices == 1:
            return self.entry.move
        often = f"1 of {self.choices}"
        if abs(self.share * self.choices - 1) > 1e-9:
            often = f"{percent(self.share)}%"
        return f"{self.entry.move} ({often})"


def shown_entries(book: WrittenBook, game: Game, colour: int, most: int) -> list[Shown]:
    """Return the `most` entries that most games reached, in the order of the tree.

    A parent has at least as many games as its children, so the tree has no gaps. Entries without a
    line in the file are left out.
    """
    entries = book.entries
    known = [k for k, entry in enumerate(entries) if entry.line is not None]
    chosen = {*sorted(known, key=lambda k: (-entries[k].games, k))[:most]}
    choices, drawn = Counter(entry.key for entry in entries), shares(entries)
    children: dict[int, list[int]] = {}
    for k in sorted(chosen, key=lambda k: (-entries[k].games, k)):
        children.setdefault(entries[k].parent if entries[k].parent in chosen else -1, []).append(k)

    def walk(parent: int, depth: int) -> Iterator[Shown]:
        for k in children.get(parent, []):
            above = None if entries[k].parent < 0 else entries[entries[k].parent]
            before = happened_before(entries[k], above, game, colour)
            yield Shown(entries[k], depth, before, choices[entries[k].key], drawn[k])
            yield from walk(k, depth + 1)

    return list(walk(-1, 0))


def book_text(book: WrittenBook, game: Game, colour: int, most: int) -> str:
    """Return the tree as text: the move, success and number of games of each entry."""
    side = ("first", "second")[colour]
    shown = shown_entries(book, game, colour, most)
    lines = [
        f"{game.rules.board.colours[colour]} ({side} player): {len(book.rows):,} entries, "
        f"{len(shown):,} shown; success in learning with the book, and of the program by itself"
    ]
    for each in shown:
        entry = each.entry
        moves = f"{'  ' * each.depth}{each.before + ' ' if each.before else ''}> {each.move}"
        numbers = f"{100 * entry.success:5.1f}%  {100 * entry.original:5.1f}%  {entry.games:>9,}"
        lines.append(f"{moves:<44} {numbers} games")
    return "\n".join(lines)


def book_data(book: WrittenBook, game: Game, colour: int, most: int) -> dict[str, Any]:
    """Return the tree as plain data, with each board as the colour sees it."""
    entries = []
    for each in shown_entries(book, game, colour, most):
        moves = line_moves(each.entry, game)
        told = {"depth": each.depth, "since": each.before, "choices": each.choices}
        told |= vars(each.entry)
        entries.append(told | {"board": game.picture(moves, colour)})
    return {"weight": book.weight, "entries": entries}


def line_moves(entry: WrittenEntry, game: Game) -> list[int]:
    """Return the moves of the game that leads to an entry."""
    return [game.parse_move(name) for name in (entry.line or "").split()]


def happened_before(
    entry: WrittenEntry, above: WrittenEntry | None, game: Game, colour: int
) -> str:
    """Return what happened since the entry above: moves, or what the colour noticed of them."""
    moves = line_moves(entry, game)
    if not game.rules.hides:
        skipped = 0 if above is None else len(line_moves(above, game)) + 1
        return " ".join(game.move_name(move) for move in moves[skipped:])
    if game.position(moves).refused:
        return "refused:"
    if above is None:
        return "..." if moves else ""
    # Stones or pieces that this colour saw at the entry above and no longer sees.
    before = game.information(line_moves(above, game), colour).cells
    now = game.information(moves, colour).cells
    gone = int(((before != 0) & (now == 0)).sum())
    return f"... {gone} gone" if gone else "..."
