"""The first moves of chess games in PGN, as UCI writes them."""

from __future__ import annotations

import re

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game

_SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?[!?]*")
_VARIANT = re.compile(r'^\[Variant "(?!Standard"|Chess"|From Position")([^"\n]*)', re.MULTILINE)
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_CASTLING = {"O-O": "g", "O-O-O": "c", "0-0": "g", "0-0-0": "c"}
_RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
_FILES, _BACK = "abcdefgh", "rnbqkbnr"


def pgn_lines(text: str, where: str, plies: int) -> list[tuple[str, ...]]:
    """Return the first moves of each game; SpecificationError if one cannot be read."""
    if '[FEN "' in text:
        raise SpecificationError(f"{where}: games from another position ([FEN]) are not read")
    if variant := _VARIANT.search(text):
        raise SpecificationError(f"{where}: [Variant] is {variant[1]!r}, not Standard")
    lines = []
    for number, movetext in enumerate(_movetexts(text), 1):
        words = [word for word in movetext.split() if word not in _RESULTS][:plies]
        try:
            lines.append(uci_moves(words))
        except SpecificationError as error:
            raise SpecificationError(f"{where}: game {number}: {error}") from None
    return lines


def _movetexts(text: str) -> list[str]:
    """Return the moves of each game, without tags, comments, variations and numbers."""
    text = re.sub(r"\{[^}]*\}", " ", text)
    text = re.sub(r";[^\n]*", " ", text)
    while re.search(r"\([^()]*\)", text):
        text = re.sub(r"\([^()]*\)", " ", text)
    parts = re.split(r"^\s*(?:\[[^\n]*\]\s*\n)+", text, flags=re.MULTILINE)
    cleaned = (re.sub(r"\d+\.+|\$\d+", " ", part) for part in parts)
    return [part for part in cleaned if part.strip()]


def uci_moves(words: list[str]) -> tuple[str, ...]:
    """Return moves in algebraic notation as UCI writes them."""
    game = load_game("chess")
    board = {f"{file}{rank}": "p" for file in _FILES for rank in (2, 7)}
    for file, piece in zip(_FILES, _BACK, strict=True):
        board |= {f"{file}1": piece, f"{file}8": piece}
    history: list[int] = []
    moves: list[str] = []
    for word in words:
        legal = {game.move_name(each).lower(): each for each in game.position(history).moves}
        found = _matching(word, legal, board, len(moves))
        if len(found) != 1:
            raise SpecificationError(f"{word!r} is no move after {' '.join(moves) or 'the start'}")
        (move,) = found
        moves.append(move)
        history.append(legal[move])
        _play(board, move)
    return tuple(moves)


def _matching(word: str, legal: dict[str, int], board: dict[str, str], ply: int) -> list[str]:
    plain = word.rstrip("+#!?")
    if _UCI.fullmatch(plain.lower()) and plain.lower() in legal:
        return [plain.lower()]
    if plain in _CASTLING:
        rank = 1 + 7 * (ply % 2)
        move = f"e{rank}{_CASTLING[plain]}{rank}"
        return [move] if move in legal and board.get(f"e{rank}") == "k" else []
    parts = _SAN.fullmatch(word)
    if parts is None:
        return []
    piece, file, rank_text, target, promoted = parts.groups(default="")
    return [
        move
        for move in legal
        if move[2:4] == target
        and board.get(move[:2]) == (piece or "p").lower()
        and move[0].startswith(file)
        and move[1].startswith(rank_text)
        and move[4:] == promoted.lower()
    ]


def _play(board: dict[str, str], move: str) -> None:
    origin, target = move[:2], move[2:4]
    piece = board.pop(origin)
    if piece == "p" and origin[0] != target[0] and target not in board:
        board.pop(target[0] + origin[1])  # en passant
    if piece == "k" and abs(ord(origin[0]) - ord(target[0])) == 2:
        rook = ("h", "f") if target[0] == "g" else ("a", "d")
        board[rook[1] + origin[1]] = board.pop(rook[0] + origin[1])
    board[target] = move[4:] or piece
