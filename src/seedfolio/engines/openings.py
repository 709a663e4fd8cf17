"""Openings: positions from which games begin, from a list of moves, SGF, PGN or EPD files.

Learning and judging use different ones. Which opening a game has depends on the two arms alone, and
is the same when they change colours.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from seedfolio.core.regular_file import MEBIBYTE, read_regular
from seedfolio.core.seeds import GUEST_SHIFT, UNSEEN_SEEDS
from seedfolio.engines.pgn_openings import Line, epd_lines, pgn_lines
from seedfolio.engines.positions import CHESS, position_in
from seedfolio.engines.tables import GameTable, OpeningsTable
from seedfolio.errors import SpecificationError
from seedfolio.games.board import GO_LETTERS, PASS

_OWN = (1 << GUEST_SHIFT) - 1
_UNSEEN = UNSEEN_SEEDS.start
_FEWEST = 2
_MOST_BYTES = 512 * MEBIBYTE
"""The largest lists of positions for testing chess engines have 200 MiB."""
_NODE = re.compile(r";\s*[BW]\[([a-z]{2}|)\]")
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
        text = "\n".join(" ".join(line) for line in (*self.learning, *self.judging))
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def _digest(line: Line) -> bytes:
    return hashlib.blake2b(" ".join(line).encode(), digest_size=8).digest()


def load_openings(table: OpeningsTable, game: GameTable, folder: Path) -> Openings:
    """Return the openings of a specification; SpecificationError if they cannot be read."""
    lines = [tuple(text.lower().split()) for text in table.moves]
    if table.file is not None:
        lines += _from_file(folder / table.file, game, table.plies)
    found = [line for line in dict.fromkeys(lines) if line]
    if len(found) < _FEWEST:
        raise SpecificationError(
            f"openings: there are {len(found)}, and {_FEWEST} or more are needed: some to learn "
            "from, others to judge by"
        )
    return Openings.of(found)


def _from_file(path: Path, game: GameTable, plies: int) -> list[Line]:
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
        if game.name not in CHESS:
            kind = path.suffix[1:].upper()
            raise SpecificationError(f"{path}: {kind} is for {CHESS[0]}, not for {game.name}")
        if path.suffix == ".pgn":
            return pgn_lines(texts[0], str(path), plies)
        return epd_lines(texts[0], str(path))
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
    """Return the first moves of the main line of an SGF record; none if the board is another."""
    found = _SIZE.search(text)
    if (int(found[1]) if found else 19) != size:
        return ()
    # The main line goes down the first variation: it ends where the first bracket closes.
    main = _without_texts(text).partition(")")[0]
    moves = []
    for point in _NODE.findall(main)[:plies]:
        if not point or (point == "tt" and size <= 19):
            moves.append(PASS)
            continue
        column, row = (ord(each) - ord("a") for each in point)
        moves.append(f"{GO_LETTERS[column].lower()}{size - row}")
    return tuple(moves)


def _without_texts(text: str) -> str:
    """Return a record without comments and names, which may hold anything."""
    return re.sub(r"(?<![A-Z])(?!B\[|W\[)[A-Z]{1,2}\[(?:\\.|[^\]\\])*\]", "", text, flags=re.DOTALL)
