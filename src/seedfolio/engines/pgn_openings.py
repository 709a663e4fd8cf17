"""The beginnings of chess games in PGN and EPD files, as UCI writes moves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from seedfolio.engines.positions import placed
from seedfolio.errors import SpecificationError
from seedfolio.games.chess.fen import START
from seedfolio.games.chess.position import ChessPosition

_SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?[!?]*")
_VARIANT = re.compile(r'^\[Variant "(?!Standard"|Chess"|From Position")([^"\n]*)', re.MULTILINE)
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_CASTLING = {"O-O": "g", "O-O-O": "c", "0-0": "g", "0-0-0": "c"}
_RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
_PART = re.compile(r'\{[^}]*\}|;[^\n]*|^\s*\[(\w+)\s+"((?:\\.|[^"\\])*)"\s*\]', re.MULTILINE)
"""A comment, or a tag with its text."""

Line = tuple[str, ...]


@dataclass
class _Game:
    """The tags and the text of the moves of a game."""

    tags: dict[str, str] = field(default_factory=dict)
    text: str = ""


def pgn_lines(text: str, where: str, plies: int) -> list[Line]:
    """Return the beginning of each game: its position, if not the usual, and its first moves.

    SpecificationError if one cannot be read.
    """
    if variant := _VARIANT.search(text):
        raise SpecificationError(f"{where}: [Variant] is {variant[1]!r}, not Standard")
    lines = []
    for number, game in enumerate(_games(text), 1):
        words = [word for word in _moves(game.text) if word not in _RESULTS][:plies]
        fen = game.tags.get("FEN")
        try:
            start = () if fen is None else (placed(fen),)
            lines.append((*start, *uci_moves(words, fen or START)))
        except SpecificationError as error:
            raise SpecificationError(f"{where}: game {number}: {error}") from None
    return lines


def epd_lines(text: str, where: str) -> list[Line]:
    """Return the position of each line of an EPD file, which may also be plain FEN."""
    lines: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        clocks = [word for word in words[4:6] if word.isdecimal()]
        try:
            lines.append((placed(" ".join([*words[:4], *clocks])),))
        except SpecificationError as error:
            raise SpecificationError(f"{where}: line {number}: {error}") from None
    return lines


def _games(text: str) -> list[_Game]:
    games, at = [_Game()], 0
    for part in _PART.finditer(text):
        games[-1].text += f"{text[at : part.start()]} "
        at = part.end()
        if part[1] is not None:
            if games[-1].text.strip():
                games.append(_Game())
            games[-1].tags[part[1]] = part[2]
    games[-1].text += text[at:]
    # A game without moves counts only for its position.
    return [game for game in games if game.text.strip() or "FEN" in game.tags]


def _moves(text: str) -> list[str]:
    """Return the moves of a game, without variations and numbers."""
    while re.search(r"\([^()]*\)", text):
        text = re.sub(r"\([^()]*\)", " ", text)
    return re.sub(r"\d+\.+|\$\d+", " ", text).split()


def uci_moves(words: list[str], fen: str = START) -> Line:
    """Return moves in algebraic notation as UCI writes them."""
    now = ChessPosition.from_fen(fen)
    moves: list[str] = []
    for word in words:
        found = _matching(word, now)
        if len(found) != 1:
            raise SpecificationError(f"{word!r} is no move after {' '.join(moves) or 'the start'}")
        moves += found
        now = now.after(found[0])
    return tuple(moves)


def _matching(word: str, now: ChessPosition) -> list[str]:
    plain = word.rstrip("+#!?")
    if _UCI.fullmatch(plain.lower()) and plain.lower() in now.moves:
        return [plain.lower()]
    if plain in _CASTLING:
        castling = (f"e{rank}{_CASTLING[plain]}{rank}" for rank in "18")
        return [move for move in castling if move in now.moves and now.pieces[move[:2]] == "K"]
    parts = _SAN.fullmatch(word)
    if parts is None:
        return []
    piece, file, rank, target, promoted = parts.groups(default="")
    return [
        move
        for move in now.moves
        if move[2:4] == target
        and now.pieces[move[:2]] == (piece or "P")
        and move[0].startswith(file)
        and move[1].startswith(rank)
        and move[4:] == promoted.lower()
    ]
