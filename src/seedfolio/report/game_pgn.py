"""Records of chess games as PGN, from the game and its moves."""

from __future__ import annotations

from collections.abc import Sequence

from seedfolio.errors import SpecificationError
from seedfolio.games import split_source
from seedfolio.games.chess.fen import start_fen
from seedfolio.games.chess.pgn import RESULTS, UNFINISHED, pgn_text
from seedfolio.games.game import Game


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
