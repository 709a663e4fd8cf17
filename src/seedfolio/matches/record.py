"""The file of a match: a header, then one line of JSON for each game, in the order of the games."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from seedfolio.core.files import let_owner_use
from seedfolio.engines.endings import FORFEITS, Ending
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.study.lock import WriterLock

_FORMAT = {"format": "seedfolio match", "schema_version": 1}


@dataclass(frozen=True)
class MatchGame:
    """A game of a match."""

    number: int
    programs: tuple[str, str]
    """The names of the first and the second player."""
    arms: tuple[int, int]
    moves: tuple[str, ...]
    half_points: int
    """Of the first player."""
    ending: str = Ending.NORMAL.value
    """Of a game with an external engine: an `engines.endings.Ending`."""
    detail: str = ""
    """What went wrong, in one line."""

    @property
    def forfeited(self) -> bool:
        """Whether the loser lost by a fault, not on the board."""
        return self.ending in FORFEITS

    def line(self) -> bytes:
        """Return its line in the file."""
        data: dict[str, Any] = {
            "game": self.number,
            "programs": self.programs,
            "arms": self.arms,
            "moves": self.moves,
            "half_points": self.half_points,
        }
        if self.ending != Ending.NORMAL:
            data["ending"] = self.ending
        if self.detail:
            data["detail"] = self.detail
        return _line(data)


class MatchRecord:
    """The file of a match, open for more games.

    Closed, it holds whole lines only: opening it drops a last line that a crash has cut. One
    process at a time may have it open.
    """

    def __init__(self, path: Path, identity: dict[str, Any], arms_of: ArmsOf) -> None:
        """Open the file, new or of the same match.

        `identity` is all on which its games depend, `arms_of` returns the names and the arms of a
        game by its number. SpecificationError for another file, StudyError if it cannot be opened.
        """
        self.path = path
        self._arms_of = arms_of
        self._header = _line({**_FORMAT, **identity})
        if path.exists() and not path.is_file():
            raise SpecificationError(f"{path} is not a regular file; name another with `record`")
        self._lock = WriterLock(path)
        try:
            self._file: BinaryIO = path.open("a+b")
            try:
                let_owner_use(self._file.fileno())
                self.games = self._read()
            except BaseException:
                self._file.close()
                raise
        except OSError as error:
            self._lock.release()
            raise StudyError(f"cannot write {path}: {error.strerror or error}") from error
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self._lock.release()

    def add(self, game: MatchGame) -> None:
        """Add the next game."""
        self._write(game.line())

    def _read(self) -> list[MatchGame]:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            if not self._header.startswith(content):
                raise self._another()
            self._file.truncate(0)
            self._write(self._header)
            return []
        header, *lines = whole.splitlines(keepends=True)
        if header != self._header:
            raise self._another()
        games = [self._game(number, line) for number, line in enumerate(lines)]
        if len(whole) < len(content):
            self._file.truncate(len(whole))
        return games

    def _game(self, number: int, line: bytes) -> MatchGame:
        try:
            found = json.loads(line)
            game = MatchGame(
                found["game"],
                tuple(found["programs"]),
                tuple(found["arms"]),
                tuple(found["moves"]),
                found["half_points"],
                Ending(found.get("ending", Ending.NORMAL)).value,
                str(found.get("detail", "")),
            )
        except (ValueError, KeyError, TypeError):
            raise self._damaged(number) from None
        names_and_arms = game.programs, game.arms
        good = game.number == number and names_and_arms == self._arms_of(number)
        if not good or game.half_points not in (0, 1, 2):
            raise self._damaged(number)
        return game

    def _write(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            raise StudyError(f"cannot write {self.path}: {error.strerror or error}") from error

    def _another(self) -> SpecificationError:
        return SpecificationError(
            f"{self.path} is not the record of this match: its programs or its key differ; name "
            "another file with `record`"
        )

    def _damaged(self, number: int) -> SpecificationError:
        return SpecificationError(
            f"line {number + 2} of {self.path} is not game {number} of this match; name another "
            "file with `record`"
        )


ArmsOf = Callable[[int], tuple[tuple[str, str], tuple[int, int]]]


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
