"""The perft suites of python-chess, read from its source, which `make` fetches."""

import os
import sys
import tarfile
from pathlib import Path

import pytest
from sparing import levels

from seedfolio.games.chess.fen import parse_fen
from seedfolio.games.chess.position import perft

FOLDER = Path(os.environ.get("PYTHON_CHESS_SOURCE", Path(sys.prefix) / "python-chess"))
SUITES = ("random", "tricky")
"""Those of chess; the others are of its variants."""
NOT_CHESS = ("xfen-", "asymmetrical-")
"""Positions in which a king castles that is not on its usual square."""


def suite_text(name):
    """Return a suite; skip the test without the source, and fail where that must not be."""
    found = sorted(FOLDER.glob("chess-*.tar.gz"))
    if not found:
        assert os.environ.get("CI") != "true", f"the source of python-chess is not in {FOLDER}"
        pytest.skip(f"the source of python-chess is not in {FOLDER}: run make suites")
    with tarfile.open(found[-1]) as archive:
        (member,) = (each for each in archive if each.name.endswith(f"/perft/{name}.perft"))
        file = archive.extractfile(member)
        return file.read().decode()


def cases(text):
    """Yield the name of each position, its FEN, and its number of lines by their length."""
    name, fen, lines = "", "", dict[int, int]()
    for line in [*text.splitlines(), "id"]:
        word, _, rest = line.strip().partition(" ")
        if word == "id":
            if lines:
                yield name, fen, lines
            name, lines = rest, {}
        elif word == "epd":
            fen = rest
        elif word == "perft":
            depth, count = rest.split()
            lines[int(depth)] = int(count)


# All of them are 4 * 10**12 lines, half a day; take 2**63 for that.
@levels("most", slow=[20_000], long=[10_000_000])
@pytest.mark.parametrize("suite", SUITES)
def test_perft_suites(suite, most):
    """The deepest perft of each position that has at most this many lines."""
    compared = 0
    for name, fen, lines in cases(suite_text(suite)):
        if name.startswith(NOT_CHESS):
            with pytest.raises(ValueError, match="king and rook are not at home"):
                parse_fen(fen)
            continue
        depth = max((depth for depth, count in lines.items() if count <= most), default=1)
        assert perft(depth, fen) == lines[depth], (name, fen, depth)
        compared += 1
    assert compared > 10
