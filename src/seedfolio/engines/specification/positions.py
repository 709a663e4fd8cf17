"""Positions of chess from which games begin, in place of the usual start.

Where a game has one, it comes before the moves: `fen=8/8/.../4K3_w_-_-_0_1`. So all that depends on
the moves so far depends on it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.chess.fen import START, by_files, is_chess960, parse_fen, six_fields, start_fen
from seedfolio.games.game import Game

_PREFIX = "fen="
CHESS = ("chess", "open_spiel:chess")
"""The games that may begin at a position."""


def chess_start(game: str) -> str | None:
    """Return the FEN at which games of this name begin; None if they are not games of chess."""
    if game in CHESS:
        return START
    name, _, fen = game.partition(f":{_PREFIX}")
    return start_fen(fen) if name == "chess" else None


def begins_in_chess960(game: str) -> bool:
    """Tell whether games of this name are of Chess960, where castling is the king on its rook."""
    return is_chess960(chess_start(game) or "")


def placed(fen: str, chess960: bool = False) -> str:
    """Return what stands before the moves of a game from a position; SpecificationError if wrong.

    Clocks that are left out are 0 and 1.
    """
    fen = by_files(fen) if chess960 else fen
    try:
        parse_fen(fen)
        if is_chess960(fen) and not chess960:
            raise ValueError("fen: it has castling of Chess960; name the game chess:fen=518")
    except ValueError as error:
        raise SpecificationError(str(error)) from None
    return _PREFIX + "_".join(six_fields(fen))


def position_in(move: str) -> str | None:
    """Return the FEN if this is no move but a position."""
    return move.removeprefix(_PREFIX).replace("_", " ") if move.startswith(_PREFIX) else None


@lru_cache(maxsize=64)
def game_from(fen: str) -> Game:
    """Return chess from a position."""
    return load_game(f"chess:fen={fen.replace(' ', '_')}")


def begun(moves: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """Return the position from which a game begins, None for the usual start, and its moves."""
    fen = position_in(moves[0]) if moves else None
    return fen, tuple(moves if fen is None else moves[1:])
