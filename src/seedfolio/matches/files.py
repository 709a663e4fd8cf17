"""The games of a match in files for other programs: SGF or PGN."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from seedfolio.core.files import atomic_write
from seedfolio.engines.record import GameRecord
from seedfolio.engines.specification.positions import chess_start
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games.go.area import has_go_stones
from seedfolio.matches.schedule import Pairings
from seedfolio.report.records.pgn import arms_pgn
from seedfolio.report.records.sgf import engine_sgf, game_sgf


class GameFiles:
    """Writes the games of a match to one file, or to a folder with a file for each game.

    A folder has each game as soon as it is over, a file has all games at the end, interrupted or
    not.
    """

    def __init__(
        self, path: Path, text: Callable[[GameRecord], str], between: str, *, folder: bool
    ) -> None:
        """Check the place: a wrong one shows before the games."""
        self._path, self._text, self._between = path, text, between
        self._texts: list[str] | None = None if folder else []
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
            atomic_write(self._path, self._between.join(self._texts).encode())

    def add(self, game: GameRecord) -> None:
        """Write a game, or keep it for the file."""
        text = self._text(game)
        if self._texts is not None:
            self._texts.append(text)
        else:
            atomic_write(self._path / f"{game.number:06}.sgf", text.encode())


def sgf_files(path: Path, pairings: Pairings) -> GameFiles:
    """Return a file, if `path` ends in .sgf, or a folder; SpecificationError without Go stones."""
    engines = [each.engine for each in pairings.programs if each.engine is not None]
    if engines and engines[0].specification.game.is_go:
        table = engines[0].specification.game

        def text(game: GameRecord) -> str:
            return engine_sgf(table, game, _comment(game))

    elif engines or not has_go_stones(rules := pairings.programs[0].game):
        raise SpecificationError(
            f"{pairings.title} is not played with stones on a Go board, so it has no SGF record; "
            "leave out `sgf`, and keep games with `record`"
        )
    else:

        def text(game: GameRecord) -> str:
            return game_sgf(rules, game, _comment(game))

    return GameFiles(path, text, "", folder=path.suffix != ".sgf")


def pgn_file(path: Path, pairings: Pairings) -> GameFiles:
    """Return the file of games of chess; SpecificationError for another game."""
    one = pairings.programs[0]
    engine = one.engine
    fen = chess_start(one.game.source if engine is None else engine.specification.game.name)
    if fen is None:
        raise SpecificationError(
            f"{pairings.title} is not chess, so it has no PGN record; leave out `pgn`, and keep "
            "games with `record`"
        )
    return GameFiles(path, partial(arms_pgn, fen=fen), "\n", folder=False)


def _comment(game: GameRecord) -> str:
    return f"game {game.number}; Black: arm {game.arms[0]}; White: arm {game.arms[1]}"
