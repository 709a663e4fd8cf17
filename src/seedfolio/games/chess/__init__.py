"""Chess by the rules of FIDE. Draws need no claim: they end the game at once.

A game is drawn when a position occurs for the third time, after fifty moves of each side without
capture or pawn move (unless the last one mates), and when neither side has the material to mate.
The start may be any position: `chess:fen=8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1`, a FEN with underscores
for spaces. `chess:fen=518` is the start of Chess960 with this number. There, and where a FEN names
the files of the rooks that may castle (HAha), castling is a move of the king to its own rook.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import int64

from seedfolio.core.compiler import compiled, compiled_once
from seedfolio.games.board import Board
from seedfolio.games.chess.evaluation import EVALUATION
from seedfolio.games.chess.fen import parse_fen, start_fen
from seedfolio.games.chess.lines import NONE, ONE
from seedfolio.games.chess.moves import MOST_MOVES, count_moves, generate
from seedfolio.games.chess.state import (
    FIFTY,
    MOVES,
    PIECES,
    PROMOTIONS,
    checkers,
    insufficient,
    key,
    placed,
    play,
)
from seedfolio.games.kind import game
from seedfolio.games.rules import Repetition, Rules

ENDINGS = (
    "checkmate",
    "stalemate",
    "insufficient material",
    "fifty moves without capture or pawn move",
    "threefold repetition",
)
_MATE, _STALEMATE, _MATERIAL, _FIFTY, _REPETITION = range(5)
# A pawn moves six times, and 30 pieces can be captured; a draw comes 100 plies after the last.
_MOST_PLIES = FIFTY * (16 * 6 + 30 + 1)
_GLYPHS = ".PpNnBbRrQqKk"


@compiled
def _mover(state: Any) -> Any:
    return state[9]


@compiled
def _moves(state: Any, out: Any, at: Any) -> Any:
    if state[7] >= FIFTY or state[8] >= 2 or insufficient(state):
        return int64(0)
    return int64(generate(state, out, int64(at)) - at)


@compiled_once
def _ending(state: Any) -> Any:
    if insufficient(state):
        return _MATERIAL
    if count_moves(state) == 0:
        return _MATE if checkers(state) != NONE else _STALEMATE
    return _FIFTY if state[7] >= FIFTY else _REPETITION


@compiled
def _score(state: Any) -> Any:
    # The mover is mated, or it is a draw.
    return 2 * state[9] if _ending(state) == _MATE else int64(1)


@compiled
def _cells(state: Any, out: Any) -> None:
    pawns, knights, diagonals, straights, kings, own, _, _, _, colour = state
    for square in range(64):
        # Black's board is upside down.
        seen = square if colour == 0 else square ^ 56
        bit = ONE << np.uint64(seen)
        kind: Any = int64(0)
        kind = 1 if pawns & bit != NONE else kind
        kind = 2 if knights & bit != NONE else kind
        kind = 3 if diagonals & bit != NONE else kind
        kind = 4 if straights & bit != NONE else kind
        kind = 5 if diagonals & straights & bit != NONE else kind
        kind = 6 if kings & bit != NONE else kind
        owner = colour if own & bit != NONE else 1 - colour
        out[square] = 2 * kind - 1 + owner if kind > 0 else 0


@compiled
def _age(state: Any) -> Any:
    return state[7]


@compiled
def _marked(state: Any, times: Any) -> Any:
    return (*state[:8], int64(times), state[9])


def _square(number: int) -> str:
    return f"{'abcdefgh'[number % 8]}{number // 8 + 1}"


@cache
def move_name(move: int) -> str:
    """Return the UCI name of a move: e2e4, e7e8q; empty if no piece moves like that."""
    if move < PROMOTIONS:
        source, target = divmod(move, 64)
        right, up = abs(source % 8 - target % 8), abs(source // 8 - target // 8)
        moves = right == 0 or up == 0 or right == up or right * up == 2
        return _square(source) + _square(target) if moves and source != target else ""
    rest, piece = divmod(move - PROMOTIONS, 4)
    rest, direction = divmod(rest, 3)
    colour, file = divmod(rest, 8)
    if not 0 <= file + direction - 1 < 8:
        return ""
    source = 8 + file if colour else 48 + file
    return _square(source) + _square(source + (-8 if colour else 8) + direction - 1) + PIECES[piece]


@game("chess", version=1, summary="chess, from the usual start or any position")
def chess(fen: str = "start") -> Rules:
    """Return the rules from the start `fen`, with underscores or spaces between its fields."""
    words = parse_fen(start_fen(fen))
    setup = tuple(np.array(words, np.uint64).astype(np.int64).tolist())
    numbers = np.array(setup, np.int64)

    @compiled
    def start() -> Any:
        return placed(numbers, 0)

    return Rules(
        start=start,
        placed=placed,
        setup=setup,
        mover=_mover,
        moves=_moves,
        play=play,
        score=_score,
        cells=_cells,
        ending=_ending,
        endings=ENDINGS,
        evaluation=EVALUATION,
        repetition=Repetition(key=key, age=_age, marked=_marked, oldest=FIFTY),
        move_names=[move_name(move) for move in range(MOVES)],
        max_moves=MOST_MOVES,
        max_plies=_MOST_PLIES,
        board=Board(8, 8, _GLYPHS, colours=("White", "Black")),
        how_to_move=(
            "A move is the square that a piece leaves and the one that it enters: e2e4. Castling "
            "is a move of the king: e1g1, and in Chess960 onto its rook: e1h1. A pawn that "
            "promotes names its new piece: e7e8q. Three times the same position, or fifty moves "
            "without capture or pawn move, is a draw."
        ),
        player="uct:simulations=100,exploration=0.3,leaf=evaluation",
        usual_sizes=(100, 100, 50),  # games of chess are long
    )
