"""Positions of chess as text (FEN), and what is wrong with one."""

from __future__ import annotations

import re
from itertools import combinations

from seedfolio.games.chess.state import CHESS960, FIFTY

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_PIECES = "PNBRQK"
_USUAL = {"N": 2, "B": 2, "R": 2, "Q": 1}
"""How many pieces of a kind a side begins with."""
_CORNERS = {"K": 7, "Q": 0, "k": 63, "q": 56}
_KING_SQUARES = {"K": 4, "k": 60}
_FILES = "abcdefgh"
_STARTS = 960

Words = tuple[int, ...]


def start_fen(text: str) -> str:
    """Return a FEN: `start` is the usual one, a number that of a start of Chess960.

    >>> start_fen("518")
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1'
    """
    if text == "start":
        return START
    if not re.fullmatch(r"\d{1,3}", text) or int(text) >= _STARTS:
        return text
    row = _first_row(int(text))
    rooks = "".join(_FILES[file] for file in (row.rindex("R"), row.index("R")))
    board = f"{row.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{row}"
    return f"{board} w {rooks.upper()}{rooks} - 0 1"


def _first_row(number: int) -> str:
    """Return White's pieces in a start of Chess960, as Scharnagl numbers them."""
    row = [""] * 8

    def put(piece: str, place: int) -> None:
        row[[file for file in range(8) if not row[file]][place]] = piece

    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    row[2 * light + 1] = row[2 * dark] = "B"
    put("Q", queen)
    for place in reversed([*combinations(range(5), 2)][knights]):
        put("N", place)
    for piece in "RKR":
        put(piece, 0)
    return "".join(row)


def by_files(fen: str) -> str:
    """Return a FEN of Chess960 with the files of the rooks that may castle, in place of KQkq.

    >>> by_files("4k1r1/8/8/8/8/8/8/1R2K3_w_Qk_-")
    '4k1r1/8/8/8/8/8/8/1R2K3 w Bg -'
    """
    fields = fen.replace("_", " ").split()
    if len(fields) >= 4:
        rows = fields[0].split("/")
        fields[2] = "".join(_file_of(letter, rows) for letter in fields[2])
    return " ".join(fields)


def _file_of(letter: str, rows: list[str]) -> str:
    """Return the file of the outermost rook on a side of the king; the letter if there is none."""
    if letter not in _CORNERS:
        return letter
    row = rows[-1 if letter.isupper() else 0]
    cells = re.sub(r"\d", lambda digit: "." * int(digit[0]), row)
    rook, king = ("R", "K") if letter.isupper() else ("r", "k")
    file = cells.rfind(rook) if letter in "Kk" else cells.find(rook)
    if file < 0 or king not in cells or (file > cells.index(king)) != (letter in "Kk"):
        return letter
    return _FILES[file].upper() if letter.isupper() else _FILES[file]


def is_chess960(fen: str) -> bool:
    """Tell whether the FEN names files of rooks: then castling is the king on its rook."""
    fields = fen.replace("_", " ").split()
    return len(fields) > 2 and bool({*fields[2].lower()} & {*_FILES})


def parse_fen(text: str) -> Words:
    """Return the state of a position; underscores may stand for spaces.

    ValueError, in one line, if it is no FEN, or a position that the rules cannot play.

    >>> parse_fen("8/8/8/8/8/8/8/8 w - - 0 1")
    Traceback (most recent call last):
    ...
    ValueError: fen: White has 0 kings, not 1
    """
    fields = text.replace("_", " ").split()
    if not 4 <= len(fields) <= 6:
        raise _wrong(
            f"it has {len(fields)} of 4 to 6 fields: board, mover, castling, en passant, clocks"
        )
    board, mover, castling, passing, *clocks = fields
    cells = _cells(board)
    if mover not in ("w", "b"):
        raise _wrong(f"the mover is {mover!r}, not w or b")
    clock = _clock(clocks)
    colour = int(mover == "b")
    _check_material(cells)
    waiting = "k" if colour == 0 else "K"
    if _is_attacked(cells, cells.index(waiting), _PIECES if colour == 0 else _PIECES.lower()):
        raise _wrong(f"{'White' if colour == 0 else 'Black'} to move could capture the king")
    special = _castling(castling, cells) | _passing(passing, cells, colour)
    sets = {kind: _squares(cells, kind + kind.lower()) for kind in _PIECES}
    own = _squares(cells, _PIECES if colour == 0 else _PIECES.lower())
    queens = sets["Q"]
    words: Words = (
        *(sets["P"], sets["N"], sets["B"] | queens, sets["R"] | queens, sets["K"]),
        *(own, special),
    )
    if colour == 1:
        words = tuple(int.from_bytes(word.to_bytes(8, "little"), "big") for word in words)
    return (*words, clock, 0, colour)


def six_fields(fen: str) -> list[str]:
    """Return the six fields of a FEN; clocks that are left out are 0 and 1.

    >>> six_fields("8/8/8/4k3/8/8/4P3/4K3_w_-_-")[4:]
    ['0', '1']
    """
    given = fen.replace("_", " ").split()
    return [*given, *["0", "1"][len(given) - 4 :]]


def _wrong(what: str) -> ValueError:
    return ValueError(f"fen: {what}")


def _cells(board: str) -> str:
    """Return the 64 cells from a1 to h8; a dot is an empty one."""
    rows = board.split("/")
    if len(rows) != 8:
        raise _wrong(f"the board has {len(rows)} rows, not 8")
    cells = ""
    for number, row in enumerate(rows):
        if found := re.search(r"[^1-8PNBRQKpnbrqk]", row):
            raise _wrong(f"{found[0]!r} in row {8 - number} is neither a piece nor 1 to 8")
        filled = re.sub(r"\d", lambda digit: "." * int(digit[0]), row)
        if len(filled) != 8:
            raise _wrong(f"row {8 - number} has {len(filled)} cells, not 8: {row}")
        cells = filled + cells
    return cells


def _squares(cells: str, kinds: str) -> int:
    return sum(1 << square for square, piece in enumerate(cells) if piece in kinds)


def _clock(clocks: list[str]) -> int:
    for text in clocks:
        if not re.fullmatch(r"\d{1,4}", text):
            raise _wrong(f"the clock {text!r} is not a number from 0 to 9999")
    clock = int(clocks[0]) if clocks else 0
    if clock > FIFTY:
        raise _wrong(f"{clock} plies without capture or pawn move are more than {FIFTY}")
    return clock


def _check_material(cells: str) -> None:
    for name, pieces in (("White", _PIECES), ("Black", _PIECES.lower())):
        count = {kind.upper(): cells.count(kind) for kind in pieces}
        if count["K"] != 1:
            raise _wrong(f"{name} has {count['K']} kings, not 1")
        promoted = sum(max(0, count[kind] - usual) for kind, usual in _USUAL.items())
        if count["P"] + promoted > 8:
            raise _wrong(f"{name} has more pieces than 8 pawns can become")
    if {"P", "p"} & {*cells[:8], *cells[56:]}:
        raise _wrong("a pawn stands on the first or last row")


def _is_attacked(cells: str, square: int, by: str) -> bool:
    """Return whether one of the pieces `by`, in the order of _PIECES, attacks a square."""
    pawn, knight, bishop, rook, queen, king = tuple(by)
    forward = 1 if by.isupper() else -1

    def first_piece(right: int, up: int, most: int) -> str:
        file, row = square % 8 + right, square // 8 + up
        for _ in range(most):
            if not (0 <= file < 8 and 0 <= row < 8):
                break
            if cells[8 * row + file] != ".":
                return cells[8 * row + file]
            file, row = file + right, row + up
        return "."

    straight = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    leaps = [(right * a, up * b) for right, up in diagonal for a, b in ((1, 2), (2, 1))]
    return (
        any(first_piece(*way, 8) in (rook, queen) for way in straight)
        or any(first_piece(*way, 8) in (bishop, queen) for way in diagonal)
        or any(first_piece(*way, 1) == king for way in straight + diagonal)
        or any(first_piece(*leap, 1) == knight for leap in leaps)
        or any(first_piece(side, -forward, 1) == pawn for side in (-1, 1))
    )


def _castling(text: str, cells: str) -> int:
    """Return the rooks that may castle, and whether that is Chess960."""
    if re.fullmatch(r"[A-H]{0,2}[a-h]{0,2}", text) and text:
        return _castling_by_files(text, cells)
    if not re.fullmatch(r"-|K?Q?k?q?", text) or not text:
        raise _wrong(
            f"castling is {text!r}, not - or some of KQkq in this order, or files as in HAha"
        )
    rooks = 0
    for letter in text.replace("-", ""):
        king = "K" if letter.isupper() else "k"
        rook = "R" if letter.isupper() else "r"
        if cells[_KING_SQUARES[king]] != king or cells[_CORNERS[letter]] != rook:
            raise _wrong(f"castling {letter}: king and rook are not at home; Chess960 has HAha")
        rooks |= 1 << _CORNERS[letter]
    return rooks


def _castling_by_files(text: str, cells: str) -> int:
    rooks, sides = 0, set[tuple[str, bool]]()
    for letter in text:
        first, king, rook = (0, "K", "R") if letter.isupper() else (56, "k", "r")
        square, home = first + _FILES.index(letter.lower()), cells.index(king)
        side = king, square > home
        if cells[square] != rook or home // 8 != first // 8 or side in sides:
            raise _wrong(f"castling {letter}: king and rook are not on this row, a rook a side")
        sides.add(side)
        rooks |= 1 << square
    return rooks | int(CHESS960)


def _passing(text: str, cells: str, colour: int) -> int:
    """Return the square behind a pawn that may be captured in passing, if a pawn is beside it."""
    if text == "-":
        return 0
    row, step = (5, -8) if colour == 0 else (2, 8)
    if not re.fullmatch(rf"[a-h]{row + 1}", text):
        raise _wrong(f"en passant is {text!r}, not - or a square of row {row + 1}")
    square = 8 * row + ord(text[0]) - ord("a")
    own, other = ("P", "p") if colour == 0 else ("p", "P")
    behind = cells[square] + cells[square - step]
    if cells[square + step] != other or behind != "..":
        raise _wrong(f"en passant {text}: no pawn has just passed it")
    file = square % 8
    beside = [square + step + side for side in (-1, 1) if 0 <= file + side < 8]
    return 1 << square if any(cells[each] == own for each in beside) else 0
