"""Tournaments as matrices: PGN, and what the programs fastchess and cutechess-cli print."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from seedfolio.errors import SpecificationError
from seedfolio.matrices.payoffs import Payoffs

_TAG = re.compile(rb'^\[(White|Black|Result)\s+"((?:[^"\\]|\\.)*)"\]', re.MULTILINE)
_POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
_FINISHED = re.compile(r"^Finished game \d+ \((.+?) vs (.+?)\): (1-0|0-1|1/2-1/2|\*)", re.MULTILINE)
_SCORE = re.compile(r"^Score of (.+?) vs (.+?): (\d+) - (\d+) - (\d+)", re.MULTILINE)
_RESULTS = re.compile(
    r"^Results of (.+?) vs (.+?) \(.*?^Games: \d+, Wins: (\d+), Losses: (\d+), Draws: (\d+)",
    re.MULTILINE | re.DOTALL,
)


class Tally:
    """Adds up games of pairs of players."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], tuple[float, int]] = {}

    def add(self, first: str, second: str, points: float, games: int = 1) -> None:
        """Add games of two players, and what the first player has won in them all."""
        before, count = self._sums.get((first, second), (0.0, 0))
        self._sums[first, second] = before + points, count + games

    def payoffs(
        self, title: str, limits: tuple[float | None, float | None] = (None, None)
    ) -> Payoffs:
        """Return the matrix, with players in the order of their first games.

        If a player has been both first and second, all players are rows and columns.
        """
        if not self._sums:
            raise SpecificationError(f"{title} has no finished game")
        rows, columns = ([*dict.fromkeys(pair[side] for pair in self._sums)] for side in (0, 1))
        if {*rows} & {*columns}:
            rows = columns = [*dict.fromkeys(name for pair in self._sums for name in pair)]
        row, column = ({name: k for k, name in enumerate(names)} for names in (rows, columns))
        values = np.full((len(rows), len(columns)), np.nan)
        games = np.zeros(values.shape, np.int64)
        for (first, second), (points, count) in self._sums.items():
            values[row[first], column[second]] = points / count
            games[row[first], column[second]] = count
        return Payoffs.of(title, values, (rows, columns), games, limits)


def read_pgn(content: bytes, title: str) -> Payoffs:
    """Return White's results against Black's in all finished games of a PGN file."""
    tally, unfinished, game = Tally(), 0, 0
    tags: dict[bytes, str] = {}
    for found in _TAG.finditer(content):
        if found[1] in tags:
            _complete(tags, title, game + 1)
        text = found[2].decode("utf-8", errors="replace")
        tags[found[1]] = re.sub(r"\\(.)", r"\1", text)
        if len(tags) < 3:
            continue
        game += 1
        result = tags[b"Result"]
        if result in _POINTS:
            tally.add(tags[b"White"], tags[b"Black"], _POINTS[result])
        elif result == "*":
            unfinished += 1
        else:
            raise SpecificationError(f"{title}: game {game} has the result {result[:40]!r}")
        tags = {}
    if tags:
        _complete(tags, title, game + 1)
    return _noted(tally.payoffs(title, (0.0, 1.0)), unfinished)


def _complete(tags: dict[bytes, str], title: str, game: int) -> None:
    missing = next(tag for tag in (b"White", b"Black", b"Result") if tag not in tags)
    raise SpecificationError(f"{title}: game {game} has no tag {missing.decode()}")


def read_output(content: bytes, title: str) -> Payoffs:
    """Return the results that cutechess-cli or fastchess has printed.

    Their lines on finished games say who was White. Without these, the last score of each pair
    counts, whatever the colours.
    """
    text = content.decode("utf-8", errors="replace").replace("\r\n", "\n")
    tally, unfinished = Tally(), 0
    finished = _FINISHED.findall(text)
    for white, black, result in finished:
        if result == "*":
            unfinished += 1
        else:
            tally.add(white, black, _POINTS[result])
    if finished:
        return _noted(tally.payoffs(title, (0.0, 1.0)), unfinished)
    last = {
        (each[0], each[1]): tuple(map(int, each[2:]))
        for pattern in (_SCORE, _RESULTS)
        for each in pattern.findall(text)
    }
    for (ours, theirs), (wins, losses, draws) in last.items():
        if games := wins + losses + draws:
            tally.add(ours, theirs, wins + draws / 2, games)
    if not last:
        raise SpecificationError(
            f"{title} has neither lines such as 'Finished game 1 (A vs B): 1-0' nor such as "
            "'Score of A vs B: 5 - 3 - 2'; give the whole output of cutechess-cli or fastchess"
        )
    return tally.payoffs(title, (0.0, 1.0)).together()


def _noted(payoffs: Payoffs, unfinished: int) -> Payoffs:
    if not unfinished:
        return payoffs
    return replace(payoffs, note=f"{unfinished:,} unfinished games are left out")
