"""One board as SVG. A style sheet gives the colours: that of the page, or `SHEET` in a file.

The picture ends where the cells do, so that a page can lay buttons over them; coordinates are
beside the board, in its margin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from seedfolio.games.game import Game
from seedfolio.games.go.area import has_go_stones
from seedfolio.games.hex.board import HexBoard
from seedfolio.report.boards.chess_pieces import chess_piece, has_chess_pieces
from seedfolio.report.boards.hexagons import Hexagons

CELL = 40
"""The side of a cell in the picture's own units."""
MARGIN = 28
"""Room for coordinates beside the board."""
SHEET = (
    ".wood,.cell.wood{fill:#f5f0e6}.cell{fill:none;stroke:#8d8372}.cell.shade{fill:#d8cdb8}"
    ".cell.mark,.mark{fill:#ffd54f}.goal{fill:none;stroke-width:6}.goal.edge{stroke:#8d8372;"
    "stroke-width:8}.goal.dark{fill:none;stroke:#222}.goal.light{fill:none;stroke:white}"
    ".line{fill:none;stroke:#8d8372;stroke-width:1.4}.dark{fill:#222;stroke:#222}"
    ".light{fill:white;stroke:#222}.third{fill:#a83232}.fourth{fill:#1f5fa8}"
    ".man{stroke-width:1.3}.man.dark{stroke:white;stroke-width:.9}"
    ".detail{fill:none;stroke-width:1.5}.full{fill:#222;opacity:.75}.piece.of0{fill:#1f4e8c}"
    ".piece.of1{fill:#b3402a}.glyph{font:600 26px sans-serif;text-anchor:middle}"
    ".third+.glyph,.fourth+.glyph{fill:white}.where{fill:#555;"
    "font:16px sans-serif;text-anchor:middle}"
)
"""The colours of boards in a file, for its `style` element."""
_DISCS = {"X": "dark", "O": "light", "o": "dark", "A": "third", "B": "fourth"}
"""Glyphs that are drawn as discs; others are letters, and # fills its cell."""
_LETTERED = ("A", "B")
"""Discs that also show their letter, since colours alone may be hard to tell apart."""


@dataclass(frozen=True)
class BoardPicture:
    """What to draw: the contents of the cells, and what stands out."""

    game: Game
    cells: Sequence[int]
    marked: frozenset[int] = frozenset()
    """Cells of the last move, or of one that is recommended."""
    pieces: tuple[tuple[tuple[int, ...], int], ...] = ()
    """Pieces that cover several cells: the cells, and the colour that placed the piece."""
    turned: bool = False
    """Whether the second player's side of a rectangular board is at the bottom."""

    @classmethod
    def of(
        cls,
        game: Game,
        history: Sequence[int],
        cells: NDArray[np.int64],
        marked: Sequence[int] = (),
        *,
        turned: bool = False,
    ) -> Self:
        """Return the picture of a game after `history`, with its pieces of several cells."""
        pieces = _placed_pieces(game, history, cells)
        return cls(game, cells.tolist(), frozenset(marked), pieces, turned)

    def svg(self, label: str) -> str:
        """Return the picture for a page; `label` tells those who do not see it what it is."""
        width, height = self.size
        return (
            f'<svg class="picture" xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {width} {height}" aria-label="{_attribute(label)}">'
            f"{''.join(self.parts())}</svg>"
        )

    def parts(self) -> list[str]:
        """Return the elements, the board's upper left corner at (0, 0).

        The coordinates are to the left and below, within MARGIN; of a hexagonal board on all sides.
        """
        board = self.game.rules.board
        width, height = self.size
        on_lines = has_go_stones(self.game)
        covered = {cell for cells, _ in self.pieces for cell in cells}
        parts = []
        if self._hexagons is None:  # a hexagonal board has no wood beside its cells
            parts.append(f'<rect class="wood" width="{width}" height="{height}"/>')
        for cell in self._cells_on_board:
            parts.append(self._ground(cell, on_lines, cell in self.marked - covered))
        parts += self._goals
        parts += self._coordinates()
        parts += [self._piece(cells, colour) for cells, colour in self.pieces]
        for cell in range(board.size):
            if self.cells[cell] and cell not in covered:
                parts.append(self._content(cell, board.glyphs[int(self.cells[cell])]))
        return parts

    def centre(self, cell: int) -> tuple[int, int]:
        """Return the middle of a cell."""
        x, y = self._place(cell)
        return x + CELL // 2, y + CELL // 2

    @property
    def _hexagons(self) -> Hexagons | None:
        board = self.game.rules.board
        return Hexagons(board, CELL // 2) if isinstance(board, HexBoard) else None

    @property
    def _goals(self) -> list[str]:
        """The sides that each player of Hex connects."""
        if self._hexagons is None or self.game.name != "hex":
            return []
        first, second = self._hexagons.sides_of_rhombus()
        lines = ("edge", first + second), ("dark", first), ("light", second)
        return [f'<path class="goal {kind}" d="{line}"/>' for kind, line in lines]

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height of the board."""
        board, hexagons = self.game.rules.board, self._hexagons
        if hexagons is not None:
            return hexagons.width, hexagons.height
        return board.columns * CELL, board.rows * CELL

    @property
    def _cells_on_board(self) -> Sequence[int]:
        board = self.game.rules.board
        if isinstance(board, HexBoard):
            return [row * board.columns + column for row, column in board.places]
        return range(board.size)

    def _place(self, cell: int) -> tuple[int, int]:
        """Return the left upper corner of a cell; row 0 is at the bottom."""
        board = self.game.rules.board
        row, column = divmod(cell, board.columns)
        if self._hexagons is not None:
            x, y = self._hexagons.centre(row, column)
            return x - CELL // 2, y - CELL // 2
        if self.turned:
            return (board.columns - 1 - column) * CELL, row * CELL
        return column * CELL, (board.rows - 1 - row) * CELL

    def _ground(self, cell: int, on_lines: bool, marked: bool) -> str:
        if self._hexagons is not None:
            points = self._hexagons.outline(*divmod(cell, self.game.rules.board.columns))
            return f'<polygon class="cell {"mark" if marked else "wood"}" points="{points}"/>'
        x, y = self._place(cell)
        mark = f'<rect class="mark" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'
        mark = mark if marked else ""
        if not on_lines:
            kind = "cell shade" if self._is_dark(cell) else "cell"
            return f'<rect class="{kind}" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>{mark}'
        board, half = self.game.rules.board, CELL // 2
        row, column = divmod(cell, board.columns)
        left = x + (half if column == 0 else 0)
        right = x + (half if column == board.columns - 1 else CELL)
        top = y + (half if row == board.rows - 1 else 0)
        bottom = y + (half if row == 0 else CELL)
        return (
            f'{mark}<path class="line" d="M{left} {y + half}H{right}M{x + half} {top}V{bottom}"/>'
        )

    def _is_dark(self, cell: int) -> bool:
        """Tell whether a cell is a dark square of a chess board, as a1 is."""
        board = self.game.rules.board
        return has_chess_pieces(board) and sum(divmod(cell, board.columns)) % 2 == 0

    def _piece(self, cells: tuple[int, ...], colour: int) -> str:
        corners = [self._place(cell) for cell in cells]
        x, y = min(c[0] for c in corners), min(c[1] for c in corners)
        width = max(c[0] for c in corners) + CELL - x
        height = max(c[1] for c in corners) + CELL - y
        last = " last" if self.marked and set(cells) <= self.marked else ""
        return (
            f'<rect class="piece of{colour}{last}" x="{x + 3}" y="{y + 3}" width="{width - 6}" '
            f'height="{height - 6}" rx="9"/>'
        )

    def _content(self, cell: int, glyph: str) -> str:
        x, y = self._place(cell)
        half = CELL // 2
        if has_chess_pieces(self.game.rules.board):
            return chess_piece(glyph, x, y)
        letter = f'<text class="glyph" x="{x + half}" y="{y + 29}">{escape(glyph)}</text>'
        if glyph in _DISCS:
            disc = f'<circle class="{_DISCS[glyph]}" cx="{x + half}" cy="{y + half}" r="16"/>'
            return disc + letter if glyph in _LETTERED else disc
        if glyph == "#":
            side = CELL - 6
            return (
                f'<rect class="full" x="{x + 3}" y="{y + 3}" width="{side}" height="{side}" '
                f'rx="6"/>'
            )
        return letter

    def _coordinates(self) -> list[str]:
        """Return the names of columns and rows beside the board."""
        board, half = self.game.rules.board, CELL // 2
        if self._hexagons is not None and isinstance(board, HexBoard):
            starts = [(row, board.columns_of(row)[0] - 1) for row in range(board.rows)]
            found = [(self._hexagons.centre(*each), f"{each[0] + 1}") for each in starts]
            found += [
                (self._hexagons.centre(*each), board.letters[each[1]])
                for each in board.letter_places
            ]
        else:
            _, height = self.size
            columns = [self._place(column)[0] for column in range(board.columns)]
            rows = [self._place(row * board.columns)[1] for row in range(board.rows)]
            below = height + MARGIN // 2
            found = [((x + half, below), board.letters[k]) for k, x in enumerate(columns)]
            found += [((-MARGIN // 2, y + half), f"{k + 1}") for k, y in enumerate(rows)]
        return [
            f'<text class="where" x="{x}" y="{y + 6}">{escape(text)}</text>'
            for (x, y), text in found
        ]


def _placed_pieces(
    game: Game, history: Sequence[int], cells: NDArray[np.int64]
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return the pieces of a game whose moves cover several cells, such as dominoes.

    For games without secrets in which the players alternate.
    """
    if game.rules.hides or game.rules.chance or "#" not in game.rules.board.glyphs:
        return ()
    full = list(game.rules.board.glyphs).index("#")
    found = []
    for ply, move in enumerate(history):
        covered = game.rules.board.cells_of(game.move_name(move))
        if len(covered) > 1 and all(cells[cell] == full for cell in covered):
            found.append((covered, ply % 2))
    return tuple(found)


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})
