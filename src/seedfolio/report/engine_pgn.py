"""All games of chess in the study of an external engine, as PGN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.engines.positions import begun, chess_start
from seedfolio.errors import SpecificationError
from seedfolio.games.chess.fen import START
from seedfolio.games.chess.pgn import RESULTS, UNFINISHED, pgn_text
from seedfolio.report.engine_arms import Programs
from seedfolio.study.store import Study


def start_of(identity: Mapping[str, Any]) -> str | None:
    """Return the FEN at which the games of a study begin.

    None if it has no games of chess by external engines.
    """
    specification = identity.get("specification", {})
    game = specification.get("game", {}) if isinstance(specification, dict) else {}
    return chess_start(str(game.get("name", ""))) if isinstance(game, dict) else None


def has_chess_games(identity: Mapping[str, Any]) -> bool:
    """Tell whether the study with this identity has games of chess by external engines."""
    return start_of(identity) is not None


def study_pgn(study: Study) -> str:
    """Return every game of a study, one after the other.

    SpecificationError if it is not a study of an external engine that plays chess.
    """
    identity = study.identity
    start = start_of(identity)
    if start is None:
        raise SpecificationError(f"{study.path} has no games of chess by an external engine")
    programs, games = Programs.of(identity, str(study.path)), study.engine_games().games()
    return "\n".join(engine_game_pgn(programs, game, start) for game in games)


def engine_game_pgn(programs: Programs, game: GameRecord, fen: str = START) -> str:
    """Return the record of one game from the position `fen`; the arms are in the player names."""
    names = [programs.player(arm) for arm in (game.first, game.second)]
    arms = {"WhiteArm": str(game.first), "BlackArm": str(game.second)}
    tags = {"Round": str(game.number + 1), **arms}
    if game.ending is not Ending.NORMAL:
        tags["Termination"] = ": ".join(filter(None, (game.ending.value, game.detail)))
    result = UNFINISHED if game.ending is Ending.VOID else RESULTS[game.points]
    start, moves = begun(game.moves)
    return pgn_text(moves, (names[0], names[1]), result, fen=start or fen, tags=tags)
