"""The games of a match as SGF: one file with all of them, or a folder with a file for each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from seedfolio.core.files import atomic_write
from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games.go.area import has_go_stones
from seedfolio.matches.record import MatchGame
from seedfolio.matches.schedule import Pairings
from seedfolio.report.records.engine_sgf import go_game_sgf
from seedfolio.report.records.sgf import sgf_text


class MatchSgf:
    """Writes the games of a match: `path` is a file that ends in .sgf, or a folder.

    A folder has each game as soon as it is over, a file has all games at the end, interrupted or
    not. SpecificationError for a game that is not played with Go stones.
    """

    def __init__(self, path: Path, pairings: Pairings) -> None:
        self._path = path
        self._text = _writer(pairings)
        self._texts: list[str] | None = [] if path.suffix == ".sgf" else None
        # A wrong place shows before the games.
        if self._texts is not None and not path.parent.is_dir():
            raise StudyError(f"cannot write {path}: the folder {path.parent} does not exist")
        if self._texts is not None and path.is_dir():
            raise StudyError(f"{path} is a folder; name a file for the games")
        if path.is_file() and self._texts is None:
            raise StudyError(f"{path} is a file; name a folder, or a file that ends in .sgf")

    def __enter__(self) -> Self:
        if self._texts is None:
            try:
                self._path.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StudyError(f"cannot write to {self._path}: {error.strerror}") from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._texts:
            atomic_write(self._path, "".join(self._texts).encode())

    def add(self, game: MatchGame) -> None:
        """Write a game, or keep it for the file."""
        text = self._text(game)
        if self._texts is not None:
            self._texts.append(text)
        else:
            atomic_write(self._path / f"{game.number:06}.sgf", text.encode())


def _writer(pairings: Pairings) -> Callable[[MatchGame], str]:
    """Return the function that writes a game."""
    engines = [each.engine for each in pairings.programs if each.engine is not None]
    if engines and engines[0].specification.game.is_go:
        table = engines[0].specification.game

        def of_engines(game: MatchGame) -> str:
            record = GameRecord(
                first=game.arms[0],
                second=game.arms[1],
                number=0,
                ending=Ending(game.ending),
                points=game.half_points,
                moves=tuple(move.lower() for move in game.moves),
                detail=game.detail,
            )
            return go_game_sgf(table, record, game.programs, _comment(game))

        return of_engines
    if engines or not has_go_stones(pairings.programs[0].game):
        raise SpecificationError(
            f"{pairings.title} is not played with stones on a Go board, so it has no SGF record; "
            "leave out `sgf`, and keep games with `record`"
        )
    rules = pairings.programs[0].game

    def of_programs(game: MatchGame) -> str:
        history = [rules.parse_move(move) for move in game.moves]
        return sgf_text(rules, history, game.programs, _comment(game))

    return of_programs


def _comment(game: MatchGame) -> str:
    return f"game {game.number}; Black: arm {game.arms[0]}; White: arm {game.arms[1]}"
