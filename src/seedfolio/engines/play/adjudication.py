"""Adjudication: the end of a game by the scores that the engines give to their own positions.

A score is that of an arm's own answer, kept with its move. So the result of a game stays a function
of the game, the program and the arms.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from seedfolio.engines.endings import Ending
from seedfolio.engines.specification.tables import AdjudicationTable

MATE = 1_000_000
"""The score of a forced mate, in centipawns."""
_GTP_SCORE = re.compile(r"([BW])\+(\d+(?:\.\d+)?)", re.ASCII | re.IGNORECASE)
_GTP_EVEN = re.compile(r"0(?:\.0+)?(?!\S)|draw|jigo", re.IGNORECASE)


def uci_score(line: str) -> str | None:
    """Return the score of an `info` line of UCI in centipawns; None if it tells none.

    Bounds are no scores, and of several lines of play only the first counts.
    """
    words = line.split()
    if words[:1] != ["info"] or "score" not in words or "string" in words[:2]:
        return None
    if "lowerbound" in words or "upperbound" in words:
        return None
    if "multipv" in words and words[words.index("multipv") + 1 :][:1] != ["1"]:
        return None
    kind, number = [*words[words.index("score") + 1 :][:2], "", ""][:2]
    if not re.fullmatch(r"[+-]?\d{1,9}", number, re.ASCII):
        return None
    if kind == "mate":
        # Mate in 0 is that of the one to move.
        return str(MATE if int(number) > 0 else -MATE)
    return str(int(number)) if kind == "cp" else None


def uci_opinion(line: str) -> str:
    """Return score and depth of an `info` line that has a score, as in PGN: `+0.35/12`, `-M3/9`."""
    words = line.split()
    kind, number = words[words.index("score") + 1 :][:2]
    depth = f"/{words[words.index('depth') + 1]}" if "depth" in words[:-1] else ""
    if kind == "mate":
        return f"{'-' if number.startswith('-') else '+'}M{abs(int(number))}{depth}"
    return f"{int(number) / 100:+.2f}{depth}"


def gtp_score(text: str, colour: int) -> str:
    """Return a score such as `W+3.5 (upper bound: ...)` as `colour` sees it; empty: none."""
    if found := _GTP_SCORE.match(text.strip()):
        own = found[1].upper() == "BW"[colour]
        return f"{float(found[2]) * (1 if own else -1):g}"
    return "0" if _GTP_EVEN.match(text.strip()) else ""


@dataclass
class Adjudicator:
    """Follows the scores of one game."""

    table: AdjudicationTable
    _lost: list[int] = field(default_factory=lambda: [0, 0])
    """By colour: how many of its moves in a row it took for lost."""
    _even: int = 0
    """How many moves in a row were even."""

    def note(self, colour: int, score: str) -> None:
        """Note the score of a move, as the mover sees it; empty: there is none."""
        value = float(score) if score else None
        resign, draw = self.table.resign, self.table.draw
        lost = resign is not None and value is not None and value <= -resign.score
        self._lost[colour] = self._lost[colour] + 1 if lost else 0
        even = draw is not None and value is not None and abs(value) <= draw.score
        self._even = self._even + 1 if even else 0

    def verdict(self, moves: int) -> tuple[Ending, int] | None:
        """Return the ending and the half points of the first player, if the game is decided."""
        resign, draw = self.table.resign, self.table.draw
        if resign is not None:
            for colour in (0, 1):
                if self._lost[colour] >= resign.moves:
                    return Ending.ADJUDICATED_WIN, 2 * colour
        if draw is not None and moves >= draw.after and self._even >= draw.moves:
            return Ending.ADJUDICATED_DRAW, 1
        return None
