"""Openings: positions from which games begin, from a list of moves, SGF, PGN or EPD files.

Learning and judging use different ones. Which opening a game has depends on the two arms alone, and
is the same when they change colours.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from seedfolio.core.files import MEBIBYTE, read_regular
from seedfolio.core.seeds import GUEST_SHIFT, UNSEEN_SEEDS
from seedfolio.engines.specification.positions import (
    CHESS,
    begins_in_chess960,
    begun,
    placed,
    position_in,
)
from seedfolio.engines.specification.tables import GameTable, OpeningsTable
from seedfolio.errors import SpecificationError
from seedfolio.games.board import GO_LETTERS, PASS
from seedfolio.games.chess.fen import START
from seedfolio.games.chess.position import ChessPosition

_SAN = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?[!?]*")
_STANDARD = {"standard", "chess", "from position"}
_CHESS960 = {"chess960", "chess 960", "fischerandom"}
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_CASTLING = {"O-O": True, "O-O-O": False, "0-0": True, "0-0-0": False}
"""Whether it is to the right."""
_RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
_PART = re.compile(r'\{[^}]*\}|;[^\n]*|^\s*\[(\w+)\s+"((?:\\.|[^"\\])*)"\s*\]', re.MULTILINE)
"""A comment, or a tag with its text."""

Line = tuple[str, ...]


@dataclass
class _Game:
    """The tags and the text of the moves of a game."""

    tags: dict[str, str] = field(default_factory=dict)
    text: str = ""


def pgn_lines(text: str, where: str, plies: int, chess960: bool = False) -> list[Line]:
    """Return the beginning of each game: its position, if not the usual, and its first moves.

    SpecificationError if one cannot be read.
    """
    lines = []
    for number, game in enumerate(_games(text), 1):
        words = [word for word in _moves(game.text) if word not in _RESULTS][:plies]
        fen = game.tags.get("FEN", START if chess960 else None)
        variant = game.tags.get("Variant", "Standard")
        try:
            if variant.lower() not in (_STANDARD | _CHESS960 if chess960 else _STANDARD):
                raise SpecificationError(f"[Variant] is {variant!r}, not Standard")
            start = () if fen is None else (placed(fen, chess960),)
            lines.append((*start, *uci_moves(words, begun(start)[0] or START)))
        except SpecificationError as error:
            raise SpecificationError(f"{where}: game {number}: {error}") from None
    return lines


def epd_lines(text: str, where: str, chess960: bool = False) -> list[Line]:
    """Return the position of each line of an EPD file, which may also be plain FEN."""
    lines: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        clocks = [word for word in words[4:6] if word.isdecimal()]
        try:
            lines.append((placed(" ".join([*words[:4], *clocks]), chess960),))
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
        short = _CASTLING[plain]
        return [move for move in now.moves if now.castles(move) and (move[2] > move[0]) == short]
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


_OWN = (1 << GUEST_SHIFT) - 1
_UNSEEN = UNSEEN_SEEDS.start
_FEWEST = 2
_MOST_BYTES = 512 * MEBIBYTE
"""The largest lists of positions for testing chess engines have 200 MiB."""
_NODE = re.compile(r";\s*[BW]\[([a-z]{2}|)\]")
_HANDICAP = re.compile(r"(?<![A-Z])AB((?:\s*\[[a-z]{2}\])+)")
_POINT = re.compile(r"[a-z]{2}")
_SIZE = re.compile(r"SZ\[(\d+)\]")


@dataclass(frozen=True)
class Openings:
    """All openings of a study, in two parts that never meet."""

    learning: tuple[Line, ...]
    judging: tuple[Line, ...]

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Openings:
        """Cut a list in two, by a hash of each line: the order of a file means nothing."""
        ordered = sorted(set(lines), key=_digest)
        return cls(tuple(ordered[::2]), tuple(ordered[1::2]))

    def line(self, first: int, second: int) -> Line:
        """Return the opening of a game between two arms: all come equally often."""
        numbers = first & _OWN, second & _OWN
        lines = self.judging if max(numbers) >= _UNSEEN else self.learning
        return lines[sum(number % _UNSEEN for number in numbers) % len(lines)]

    @property
    def positions(self) -> bool:
        """Whether some begin at a position that no moves lead to."""
        lines = (*self.learning, *self.judging)
        return any(position_in(line[0]) is not None for line in lines)

    @property
    def digest(self) -> str:
        """A hash of all of them."""
        return digest_of((*self.learning, *self.judging))


def digest_of(lines: Iterable[Line]) -> str:
    """Return a hash of openings in their order."""
    text = "\n".join(" ".join(line) for line in lines)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _digest(line: Line) -> bytes:
    return hashlib.blake2b(" ".join(line).encode(), digest_size=8).digest()


def load_openings(table: OpeningsTable, game: GameTable, folder: Path) -> Openings:
    """Return the openings of a specification; SpecificationError if they cannot be read."""
    lines = [tuple(text.lower().split()) for text in table.moves]
    if table.file is not None:
        lines += opening_lines(folder / table.file, game, table.plies)
    found = [line for line in dict.fromkeys(lines) if line]
    if len(found) < _FEWEST:
        raise SpecificationError(
            f"openings: there are {len(found)}, and {_FEWEST} or more are needed: some to learn "
            "from, others to judge by"
        )
    return Openings.of(found)


def opening_lines(path: Path, game: GameTable, plies: int) -> list[Line]:
    """Return the openings of a file, or of a folder of SGF; SpecificationError if it is wrong."""
    files = sorted(path.glob("*.sgf")) if path.is_dir() else [path]
    try:
        texts = _texts(files)
    except OSError as error:
        raise SpecificationError(f"cannot read {error.filename}: {error.strerror}") from error
    if path.is_dir() or path.suffix == ".sgf":
        if not game.is_go:
            raise SpecificationError(f"{path}: SGF is for go, and the game is {game.name}")
        return [sgf_line(text, game.board or 0, plies) for text in texts]
    if path.suffix in (".pgn", ".epd", ".fen"):
        chess960 = begins_in_chess960(game.name)
        if game.name not in CHESS and not chess960:
            kind = path.suffix[1:].upper()
            raise SpecificationError(f"{path}: {kind} is for {CHESS[0]}, not for {game.name}")
        if path.suffix == ".pgn":
            return pgn_lines(texts[0], str(path), plies, chess960)
        return epd_lines(texts[0], str(path), chess960)
    lines = (text.partition("#")[0].lower().split() for text in texts[0].splitlines())
    return [tuple(words[:plies]) for words in lines if words]


def _texts(files: Iterable[Path]) -> list[str]:
    """Return what files hold, if that is not too much for all of them."""
    texts, left = [], _MOST_BYTES
    for each in files:
        content = read_regular(each, left)
        texts.append(re.sub("\r\n?", "\n", content.decode(errors="replace")))
        left -= len(content)
    return texts


def sgf_line(text: str, size: int, plies: int) -> Line:
    """Return the handicap stones and first moves of the main line of an SGF record.

    There are none if the board is another.
    """
    found = _SIZE.search(text)
    if (int(found[1]) if found else 19) != size:
        return ()
    # The main line goes down the first variation: it ends where the first bracket closes.
    main = _without_texts(text).partition(")")[0]
    begin = _NODE.search(main)
    before = main if begin is None else main[: begin.start()]
    stones = [each for group in _HANDICAP.findall(before) for each in _POINT.findall(group)]
    moves = []
    for point in [*_with_passes(stones), *_NODE.findall(main)[:plies]]:
        if not point or (point == "tt" and size <= 19):
            moves.append(PASS)
            continue
        column, row = (ord(each) - ord("a") for each in point)
        moves.append(f"{GO_LETTERS[column].lower()}{size - row}")
    return tuple(moves)


def _with_passes(stones: list[str]) -> list[str]:
    """Return handicap stones with passes of White between them."""
    return [each for stone in stones for each in (stone, "")][:-1]


def _without_texts(text: str) -> str:
    """Return a record without comments and names, which may hold anything."""
    texts = r"(?<![A-Z])(?!A?B\[|W\[)[A-Z]{1,2}\[(?:\\.|[^\]\\])*\]"
    return re.sub(texts, "", text, flags=re.DOTALL)
