"""Boards side by side in one SVG file, each with its caption."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from seedfolio.report.boards.svg import CELL, MARGIN, SHEET, BoardPicture

_SCALE = 0.7
"""Of a board, against its size on a page."""
_GAP = 28
_LEAST_WIDTH = 190
"""Of a diagram, so that its caption fits."""
_LETTER, _LINE = 6.7, 15
"""The most that a letter of a caption is wide on average, and the height of a line."""
_ARROW = (
    "<defs><marker id='head' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='5' markerHeight='5' "
    "orient='auto'><path d='M0 0 L8 4 L0 8 z' fill='#c62828'/></marker></defs>"
)
_STYLE = f"<style>{SHEET}.text{{font:12px sans-serif}}.title{{font:15px sans-serif}}</style>"
_SOURCE = "#c62828"


@dataclass(frozen=True)
class Diagram:
    """A board and its caption."""

    picture: BoardPicture
    caption: tuple[str, ...]
    """Lines; one that is too long becomes several."""
    arrow: tuple[int, int] | None = None
    """The cells of a piece and of its target."""

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height of the board with its coordinates, in the file."""
        width, height = self.picture.size
        return int(_SCALE * (width + 2 * MARGIN)), int(_SCALE * (height + 2 * MARGIN))


def sheet_svg(title: str, explanation: str, diagrams: Sequence[Diagram], across: int) -> str:
    """Return the file: a title, what the diagrams show, then `across` diagrams in each row."""
    column = max([_LEAST_WIDTH, *(each.size[0] for each in diagrams)])
    width = _GAP + max(1, min(across, len(diagrams))) * (column + _GAP)
    said = _wrapped(explanation, width - 2 * _GAP)
    parts = [f"<text class='title' x='{_GAP}' y='26'>{escape(title)}</text>"]
    parts += _texts(said, _GAP, 32)
    top = 32 + _LINE * len(said) + _GAP
    for begin in range(0, len(diagrams), across):
        row = diagrams[begin : begin + across]
        captions = [[new for old in each.caption for new in _wrapped(old, column)] for each in row]
        for place, (each, caption) in enumerate(zip(row, captions, strict=True)):
            parts.append(f"<g transform='translate({_GAP + place * (column + _GAP)} {top})'>")
            parts += [*_board(each), *_texts(caption, 0, each.size[1]), "</g>"]
        top += max(each.size[1] for each in row) + _LINE * max(map(len, captions)) + _GAP
    opening = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{top}' "
        f"viewBox='0 0 {width} {top}'>"
    )
    ground = f"<rect width='{width}' height='{top}' fill='white'/>"
    return "\n".join([opening, _STYLE, _ARROW, ground, *parts, "</svg>", ""])


def _board(diagram: Diagram) -> list[str]:
    parts = diagram.picture.parts()
    if diagram.arrow is not None:
        (x, y), (to_x, to_y) = (diagram.picture.centre(cell) for cell in diagram.arrow)
        half = CELL // 2 - 3
        parts.append(
            f"<rect x='{x - half}' y='{y - half}' width='{2 * half}' height='{2 * half}' "
            f"fill='none' stroke='{_SOURCE}' stroke-width='3' stroke-dasharray='6 4'/>"
        )
        parts.append(
            f"<line x1='{x}' y1='{y}' x2='{to_x}' y2='{to_y}' stroke='{_SOURCE}' "
            "stroke-width='4' marker-end='url(#head)'/>"
        )
    return [f"<g transform='scale({_SCALE}) translate({MARGIN} {MARGIN})'>", *parts, "</g>"]


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, int(width / _LETTER), break_on_hyphens=False)


def _texts(lines: list[str], x: int, y: int) -> list[str]:
    return [
        f"<text class='text' x='{x}' y='{y + _LINE * (number + 1)}'>{escape(line)}</text>"
        for number, line in enumerate(lines)
    ]
