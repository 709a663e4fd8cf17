"""Records of chess games in PGN, with moves in standard algebraic notation (SAN)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from seedfolio.errors import SpecificationError
from seedfolio.games.chess.fen import START, six_fields
from seedfolio.games.chess.position import ChessPosition

RESULTS = ("0-1", "1/2-1/2", "1-0")
"""By the half points of White."""
UNFINISHED = "*"
_WIDTH = 79


def pgn_text(
    moves: Sequence[str],
    players: tuple[str, str] = ("?", "?"),
    result: str = UNFINISHED,
    *,
    fen: str = START,
    tags: Mapping[str, str] | None = None,
) -> str:
    """Return the record of a game: the players (White, Black), all moves, the result.

    `moves` have UCI names, such as e2e4, and begin at the position `fen`. `tags` are added to the
    seven that every record has, or replace them. SpecificationError if a move is illegal.

    >>> from seedfolio.games.chess.pgn import pgn_text
    >>> print(pgn_text(["f2f3", "e7e5", "g2g4", "d8h4"], result="0-1").splitlines()[-1])
    1. f3 e5 2. g4 Qh4# 0-1
    """
    usual = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "-"}
    usual |= {"White": players[0] or "?", "Black": players[1] or "?", "Result": result}
    fields = six_fields(fen)
    if " ".join(fields) != START:
        usual |= {"SetUp": "1", "FEN": " ".join(fields)}
    head = [f'[{name} "{_escaped(text)}"]' for name, text in {**usual, **(tags or {})}.items()]
    numbered = _numbered(san_moves(moves, fen), int(fields[5]), black=fields[1] == "b")
    body = textwrap.wrap(" ".join([*numbered, result]), _WIDTH, break_on_hyphens=False)
    return "\n".join([*head, "", *body, ""])


def san_moves(moves: Sequence[str], fen: str = START) -> list[str]:
    """Return moves with UCI names as SAN; SpecificationError if one is illegal.

    >>> from seedfolio.games.chess.pgn import san_moves
    >>> san_moves(["e2e4", "d7d5", "e4d5", "d8d5", "g1f3", "d5e4"])
    ['e4', 'd5', 'exd5', 'Qxd5', 'Nf3', 'Qe4+']
    """
    now = ChessPosition.from_fen(fen)
    written = []
    for ply, name in enumerate(moves):
        if name not in now.moves:
            raise SpecificationError(f"chess: move {ply + 1} ({name}) is illegal")
        after = now.after(name)
        sign = "" if not after.check else "+" if after.moves else "#"
        written.append(_san(now, name) + sign)
        now = after
    return written


def _san(now: ChessPosition, name: str) -> str:
    """Return a legal move without the sign of check."""
    source, target, promoted = name[:2], name[2:4], name[4:]
    piece = now.pieces[source]
    if now.castles(name):
        return "O-O" if target[0] == "g" else "O-O-O"
    if piece == "P":
        begin = "" if source[0] == target[0] else f"{source[0]}x"
        return f"{begin}{target}={promoted.upper()}" if promoted else f"{begin}{target}"
    others = [
        each[:2]
        for each in now.moves
        if each[2:4] == target and each[:2] != source and now.pieces[each[:2]] == piece
    ]
    takes = "x" if target in now.pieces else ""
    return f"{piece}{_apart(source, others)}{takes}{target}"


def _apart(source: str, others: Sequence[str]) -> str:
    """Return what tells a square from others whose piece may make the same move."""
    if not others:
        return ""
    if all(each[0] != source[0] for each in others):
        return source[0]
    return source[1] if all(each[1] != source[1] for each in others) else source


def _numbered(moves: Sequence[str], first: int, *, black: bool) -> list[str]:
    found = []
    for ply, move in enumerate(moves, int(black)):
        number = f"{first + ply // 2}."
        if ply % 2 == 0:
            found.append(f"{number} {move}")
        else:
            found.append(f"{number}.. {move}" if not found else move)
    return found


def _escaped(text: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(text.split()))
