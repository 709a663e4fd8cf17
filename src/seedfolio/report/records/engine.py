"""All games of an external engine in a study: as SGF, as PGN or as moves; and its forfeits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from seedfolio.core.files import atomic_write
from seedfolio.engines.endings import FORFEITS, GameRecord
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.report.records.engine_arms import Programs
from seedfolio.report.records.engine_sgf import engine_game_sgf, sgf_name
from seedfolio.report.records.pgn import has_chess_games, study_pgn
from seedfolio.study.store import Study

_RESULTS = ("0-1", "1/2-1/2", "1-0")
"""By the half points of the first player."""


def export_games(study: Study, folder: Path) -> int:
    """Write every game of a study to `folder`; return their number.

    Games of Go go to separate SGF files, those of chess to one in PGN, others with their moves to
    one file. SpecificationError if it is not a study of an external engine.
    """
    programs = _programs(study)
    games = list(study.engine_games().games())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if programs.programs[0].game.is_go:
            for game in games:
                text = engine_game_sgf(programs, game)
                atomic_write(folder / sgf_name(programs, game), text.encode())
        elif has_chess_games(study.identity):
            atomic_write(folder / "games.pgn", study_pgn(study).encode())
        else:
            atomic_write(folder / "games.txt", games_text(programs, games).encode())
    except OSError as error:
        raise StudyError(f"cannot write to {folder}: {error.strerror}") from error
    return len(games)


def games_text(programs: Programs, games: Iterable[GameRecord]) -> str:
    """Return games as text, a line each: both players, the result, the ending, the moves."""
    lines = ["# first player | second player | result | ending | moves"]
    for game in games:
        players = (programs.player(arm) for arm in (game.first, game.second))
        how = f"{game.ending.value}: {game.detail}" if game.detail else game.ending.value
        parts = *players, _RESULTS[game.points], how, " ".join(game.moves)
        lines.append(" | ".join(parts))
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Forfeit:
    """A game that an engine lost by its fault."""

    arm: str
    opponent: str
    ending: str
    moves: tuple[str, ...]
    detail: str
    """What went wrong, with the end of the engine's standard error."""

    @property
    def text(self) -> str:
        """Three lines for users."""
        moves = " ".join(self.moves) or "none"
        return (
            f"{self.arm} against {self.opponent}: {self.ending}\n"
            f"  moves so far: {moves}\n  {self.detail}"
        )


def forfeits(study: Study) -> list[Forfeit]:
    """Return all forfeits in a study of an external engine."""
    programs = _programs(study)
    games = study.engine_games()
    found = []
    for game in (*games.games(), *games.book_games()):
        if game.ending in FORFEITS:
            players = [programs.player(arm) for arm in (game.first, game.second)]
            loser = game.points // 2  # the first player lost if it has no points
            arm, opponent = players[loser], players[1 - loser]
            found.append(Forfeit(arm, opponent, game.ending.value, game.moves, game.detail))
    return found


def _programs(study: Study) -> Programs:
    if "specification" not in study.identity:
        raise SpecificationError(
            f"{study.path} has no games of an external engine; its matrix goes to a .csv or .npz "
            "file"
        )
    return Programs.of(study.identity, str(study.path))
