"""The games of a match of chess as PGN, all in one file."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from seedfolio.core.files import atomic_write
from seedfolio.engines.endings import Ending
from seedfolio.engines.specification.positions import chess_start
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games.chess.pgn import RESULTS, UNFINISHED, pgn_text
from seedfolio.matches.record import MatchGame
from seedfolio.matches.schedule import Pairings


class MatchPgn:
    """Writes all games at the end of a match, interrupted or not.

    SpecificationError if the game is not chess.
    """

    def __init__(self, path: Path, pairings: Pairings) -> None:
        self._path = path
        self._fen = _start(pairings)
        self._texts: list[str] = []
        # A wrong place shows before the games.
        if not path.parent.is_dir():
            raise StudyError(f"cannot write {path}: the folder {path.parent} does not exist")
        if path.is_dir():
            raise StudyError(f"{path} is a folder; name a file for the games")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._texts:
            atomic_write(self._path, "\n".join(self._texts).encode())

    def add(self, game: MatchGame) -> None:
        """Keep a game for the file."""
        arms = {"WhiteArm": str(game.arms[0]), "BlackArm": str(game.arms[1])}
        tags = {"Round": str(game.number + 1), **arms}
        if game.ending != Ending.NORMAL.value:
            tags["Termination"] = ": ".join(filter(None, (game.ending, game.detail)))
        void = game.ending == Ending.VOID.value
        result = UNFINISHED if void else RESULTS[game.half_points]
        moves = [move.lower() for move in game.moves]
        self._texts.append(pgn_text(moves, game.programs, result, fen=self._fen, tags=tags))


def _start(pairings: Pairings) -> str:
    """Return the FEN at which the games begin."""
    one = pairings.programs[0]
    engine = one.engine
    fen = chess_start(one.game.source if engine is None else engine.specification.game.name)
    if fen is None:
        raise SpecificationError(
            f"{pairings.title} is not chess, so it has no PGN record; leave out `pgn`, and keep "
            "games with `record`"
        )
    return fen
