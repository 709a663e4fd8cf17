"""Finished games of chess in PGN."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.engines.specification.positions import begun, chess_start
from seedfolio.errors import SpecificationError
from seedfolio.games.chess.fen import START, is_chess960, six_fields
from seedfolio.games.chess.san import san_moves
from seedfolio.games.game import Game

_WIDTH = 79
_KEPT = "\0"
"""A space at which no line breaks."""


def game_pgn(game: Game, record: GameRecord) -> str:
    """Return a game of Seedfolio's chess; SpecificationError for another game."""
    fen = chess_start(game.source)
    if fen is None:
        raise SpecificationError(f"{game.title} is not chess, so it has no PGN record")
    return pgn_text(record, fen, {"Event": "Seedfolio"})


def arms_pgn(record: GameRecord, fen: str) -> str:
    """Return a game of a study or a match: its tags name the arms and how it ended."""
    white, black = record.arms
    tags = {"Round": str(record.number + 1), "WhiteArm": str(white), "BlackArm": str(black)}
    if record.ending is not Ending.NORMAL:
        tags["Termination"] = ": ".join(filter(None, (record.ending.value, record.detail)))
    return pgn_text(record, fen, tags)


def pgn_text(record: GameRecord, fen: str = START, tags: Mapping[str, str] | None = None) -> str:
    """Return a game: the players (White, Black), all moves, the result.

    Its moves have UCI names, such as e2e4. It begins at the position `fen`, unless a position comes
    before its moves. `tags` are added to the seven that every PGN has, or replace them.
    SpecificationError if a move is illegal.

    >>> from seedfolio.engines.record import GameRecord
    >>> from seedfolio.report.records.pgn import pgn_text
    >>> record = GameRecord(moves=("f2f3", "e7e5", "g2g4", "d8h4"), points=0)
    >>> print(pgn_text(record).splitlines()[-1])
    1. f3 e5 2. g4 Qh4# 0-1
    """
    start, moves = begun(record.moves)
    fields = six_fields(start or fen)
    white, black = (name or "?" for name in record.players)
    usual = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "-"}
    usual |= {"White": white, "Black": black, "Result": record.result}
    if " ".join(fields) != START:
        usual |= {"Variant": "Chess960"} if is_chess960(" ".join(fields)) else {}
        usual |= {"SetUp": "1", "FEN": " ".join(fields)}
    head = [f'[{name} "{_escaped(text)}"]' for name, text in {**usual, **(tags or {})}.items()]
    written = san_moves([move.lower() for move in moves], " ".join(fields))
    notes = record.notes[len(record.moves) - len(moves) :] or [""] * len(moves)
    noted = [
        f"{move} {{{note}}}".replace(" ", _KEPT) if note else move
        for move, note in zip(written, notes, strict=True)
    ]
    numbered = _numbered(noted, int(fields[5]), black=fields[1] == "b")
    body = textwrap.wrap(" ".join([*numbered, record.result]), _WIDTH, break_on_hyphens=False)
    return "\n".join([*head, "", *body, ""]).replace(_KEPT, " ")


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
