"""Records of chess games as PGN, from the game and its moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seedfolio.core.user_file import split_source
from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.engines.specification.positions import begun, chess_start
from seedfolio.errors import SpecificationError
from seedfolio.games.chess.fen import START, start_fen
from seedfolio.games.chess.pgn import RESULTS, UNFINISHED, pgn_text
from seedfolio.games.game import Game
from seedfolio.report.records.engine_arms import Programs
from seedfolio.study.store import Study


def is_chess(game: Game) -> bool:
    """Tell whether it is the built-in chess, and not another game of that name."""
    return split_source(game.source)[0] == "chess"


def game_pgn(
    game: Game,
    history: Sequence[int],
    players: tuple[str, str] = ("?", "?"),
    *,
    resigned: int | None = None,
) -> str:
    """Return the record of a game: the players (White, Black), all moves, the result if it is over.

    `resigned` is the colour that has resigned, if one has. SpecificationError unless it is chess.
    """
    if not is_chess(game):
        raise SpecificationError(f"{game.title} is not chess, so it has no PGN record")
    points = game.position(history).score if resigned is None else 2 * resigned
    return pgn_text(
        [game.move_name(move) for move in history],
        players,
        UNFINISHED if points is None else RESULTS[points],
        fen=start_fen(str(game.parameters["fen"])),
        tags={"Event": "Seedfolio"},
    )


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
