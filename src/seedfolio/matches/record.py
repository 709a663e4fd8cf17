"""The file of a match: a header, then one line of JSON for each game, in the order of the games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from seedfolio.core.files import let_owner_use
from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.study.lock import WriterLock

_FORMAT = {"format": "seedfolio match", "schema_version": 1}


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

    def add(self, game: GameRecord) -> None:
        """Add the next game."""
        self._write(_game_line(game))

    def _read(self) -> list[GameRecord]:
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

    def _game(self, number: int, line: bytes) -> GameRecord:
        try:
            found = json.loads(line)
            game = GameRecord(
                number=found["game"],
                players=tuple(found["programs"]),
                arms=tuple(found["arms"]),
                moves=tuple(found["moves"]),
                points=found["half_points"],
                ending=Ending(found.get("ending", Ending.NORMAL)),
                detail=str(found.get("detail", "")),
                late=str(found.get("late", "")),
                notes=tuple(map(str, found.get("notes", ()))),
            )
        except (ValueError, KeyError, TypeError):
            raise self._damaged(number) from None
        names_and_arms = game.players, game.arms
        good = game.number == number and names_and_arms == self._arms_of(number)
        texts = all(isinstance(move, str) for move in game.moves)
        if not (good and texts and game.decided) or game.points not in (0, 1, 2):
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


def _game_line(game: GameRecord) -> bytes:
    data: dict[str, Any] = {
        "game": game.number,
        "programs": game.players,
        "arms": game.arms,
        "moves": game.moves,
        "half_points": game.points,
    }
    if game.ending is not Ending.NORMAL:
        data["ending"] = game.ending.value
    if game.detail:
        data["detail"] = game.detail
    if game.late:
        data["late"] = game.late
    if game.notes:
        data["notes"] = game.notes
    return _line(data)


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
