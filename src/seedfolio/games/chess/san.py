"""Moves of chess in standard algebraic notation (SAN), as records and books write them."""

from __future__ import annotations

from collections.abc import Sequence

from seedfolio.errors import SpecificationError
from seedfolio.games.chess.fen import START
from seedfolio.games.chess.position import ChessPosition


def san_moves(moves: Sequence[str], fen: str = START) -> list[str]:
    """Return moves with UCI names as SAN; SpecificationError if one is illegal.

    >>> from seedfolio.games.chess.san import san_moves
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


def parse_san(text: str, moves: Sequence[str], fen: str = START) -> str:
    """Return the UCI name of a move in SAN after moves with UCI names; the text if it is none.

    >>> from seedfolio.games.chess.san import parse_san
    >>> parse_san("Nf3", ["e2e4", "e7e5"]), parse_san("g1f3", [])
    ('g1f3', 'g1f3')
    """
    now = ChessPosition.from_fen(fen)
    for name in moves:
        now = now.after(name)
    wanted = text.rstrip("+#").replace("0", "O")
    return next((name for name in now.moves if _san(now, name) == wanted), text)


def _san(now: ChessPosition, name: str) -> str:
    """Return a legal move without the sign of check."""
    source, target, promoted = name[:2], name[2:4], name[4:]
    piece = now.pieces[source]
    if now.castles(name):
        return "O-O" if target[0] > source[0] else "O-O-O"
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
