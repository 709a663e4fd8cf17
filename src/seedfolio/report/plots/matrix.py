"""The matrix of a study as a picture: a pixel for each pair of arms, the best arms first."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from seedfolio.study.store import UNPLAYED

MOST = 1_000
"""A picture has at most this many rows and columns."""
_UNPLAYED = (224, 224, 224)
_LOST, _WON = (250, 244, 230), (29, 107, 82)
"""The colours of cells that were not played, lost and won by the first player."""


def matrix_png(results: NDArray[np.uint8], full: int) -> bytes:
    """Return half points of the first player (rows) against the second (columns) as PNG.

    Rows are sorted by success, best first; columns too, those that win most for the second player
    first. `full` is the half points of a cell that is won throughout.
    """
    cells = results[:MOST, :MOST]
    played = cells != UNPLAYED
    points = np.where(played, cells, 0).astype(np.float64) / full
    rows = _means(points, played, 1)
    columns = _means(points, played, 0)
    order = np.ix_(np.argsort(-rows, kind="stable"), np.argsort(columns, kind="stable"))
    steps = np.linspace(0, 1, full + 1)[:, None]
    ramp = np.array(_LOST) * (1 - steps) + np.array(_WON) * steps
    palette = np.vstack([ramp, [_UNPLAYED]]).round().astype(np.uint8)
    numbers = np.where(played, cells, full + 1).astype(np.uint8)[order]
    return _png(numbers, palette)


def png_size(content: bytes) -> tuple[int, int]:
    """Return the width and the height of a picture."""
    width, height = struct.unpack(">II", content[16:24])
    return width, height


def _means(
    points: NDArray[np.float64], played: NDArray[np.bool_], axis: int
) -> NDArray[np.float64]:
    means: NDArray[np.float64] = points.sum(axis=axis) / np.maximum(1, played.sum(axis=axis))
    return means


def _png(numbers: NDArray[np.uint8], palette: NDArray[np.uint8]) -> bytes:
    """Return a picture whose pixels are indices into a palette."""
    height, width = numbers.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    lines = np.hstack([np.zeros((height, 1), np.uint8), numbers])  # each begins with filter 0
    parts = [
        (b"IHDR", header),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    ]
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
