"""A game that is over, on the page: its result, where the book ended, its record to download."""

from __future__ import annotations

from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.opponents.game_in_progress import GameInProgress
from seedfolio.report.records.pgn import game_pgn
from seedfolio.report.records.sgf import game_sgf
from seedfolio.report.records.text import game_json, game_text

RECORD_TYPES = {
    "json": "application/json",
    "txt": "text/plain",
    "sgf": "application/x-go-sgf",
    "pgn": "application/vnd.chess-pgn",
}
"""The kinds of records, by the ending of their names."""
_RESULTS = {2: "you won", 1: "a draw", 0: "the program won", None: "not finished"}


def record_text(now: GameInProgress, record: GameRecord, kind: str) -> str:
    """Return the record of a kind, with all that was hidden; empty if the game has none."""
    game = now.game
    try:
        match kind:
            case "json":
                return game_json(game, record, now.arm.name, result_text(now, record))
            case "txt":
                return game_text(game, record, result_text(now, record))
            case "sgf":
                return game_sgf(game, record, game.title)
            case "pgn":
                return game_pgn(game, record)
            case _:
                return ""
    except SpecificationError:
        return ""


def result_text(now: GameInProgress, record: GameRecord) -> str:
    """Return the result in words."""
    if record.ending is Ending.RESIGNATION:
        loser = int(record.points == 2)
        return "you resigned" if loser == now.person else "the program resigned"
    if now.game.rules.par is not None and now.points is not None:
        return now.result.rstrip(".")
    return _RESULTS[now.half_points]


def book_text(now: GameInProgress) -> str:
    """Return where the book of the program ended, in words; empty if it has none."""
    if not now.arm.has_book:
        return ""
    game, history = now.game, now.history
    own = 0
    for ply in range(len(history)):
        if game.position(history[:ply]).mover != 1 - now.person:
            continue
        own += 1
        if not now.arm.is_in_book(history[:ply]):
            before = f"its first {own - 1} moves" if own > 2 else "its first move"
            if own == 1:
                return "The book had no move for its first position."
            return f"{before[0].upper()}{before[1:]} came from the book; then the arm played."
    return "All its moves came from the book."
