"""Finished games with Go stones in SGF (FF[4]); and points, stones and roots for other trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.games.board import GO_LETTERS, PASS
from seedfolio.games.game import Game
from seedfolio.games.go.area import has_go_stones, margin_text
from seedfolio.version import __version__

if TYPE_CHECKING:
    from seedfolio.engines.specification.tables import GameTable  # takes long to load

COLOURS = "BW"
_HOW = {
    Ending.NORMAL: "",
    Ending.RESIGNATION: "R",
    Ending.TIMEOUT: "T",
    Ending.TIME_LOSS: "T",
    Ending.ADJUDICATED_WIN: "",
}
"""The letter after the winner; other endings are forfeits."""


def game_sgf(game: Game, record: GameRecord, comment: str = "") -> str:
    """Return a game of Seedfolio: the players (Black, White), all moves, the result if it has one.

    Refused tries are in the comment of the next move. Stones chosen in secret before the first move
    are set up as both players see them then. SpecificationError for a game without Go stones.
    """
    if not has_go_stones(game):
        raise SpecificationError(
            f"{game.title} is not played with stones on a Go board, so it has no SGF record"
        )
    history = [game.parse_move(move) for move in record.moves]
    margin = margin_text(game, history) if record.ending is Ending.NORMAL else None
    rules = {}
    if "komi" in game.parameters:
        rules = {"KM": f"{game.parameters['komi']:g}", "RU": "Chinese"}
    size, base = game.rules.board.columns, 2 * int(game.parameters.get("base", 0))
    root = root_text(
        size,
        GN=game.title,
        PB=record.players[0],
        PW=record.players[1],
        RE=margin or _result(record),
        C=comment,
        **rules,
    )
    if base:
        cells = game.position(history[:base]).cells
        stones = {"AB": points_with(1, cells, size), "AW": points_with(2, cells, size)}
        root += setup_text(stones, 0)
    return f"(;{root}\n{''.join(_nodes(game, history, base))})\n"


def engine_sgf(table: GameTable, record: GameRecord, comment: str) -> str:
    """Return a game of Go that external engines play: Black and White, all moves.

    The comment gets how the game ended, unless that was normal.
    """
    size, result = table.board or 0, _result(record)
    if record.ending is not Ending.NORMAL:
        comment += f"\nended by {record.ending.value}"
    if record.detail and record.detail != result:
        comment += f": {record.detail}"
    black, white = record.players
    root = root_text(size, PB=black, PW=white, RE=result, C=comment, KM=f"{table.komi:g}")
    builds = [move.split(",") for move in record.moves[:2] if "," in move]
    if len(builds) == 2:  # the base builds of Batoo, without stones that both chose
        left = [[each for each in builds[k] if each not in builds[1 - k]] for k in (0, 1)]
        stones = [[vertex(each, size) for each in side] for side in left]
        root += setup_text({"AB": stones[0], "AW": stones[1]}, 0)
    moves = (
        f";{COLOURS[ply % 2]}[{vertex(move, size)}]\n"
        for ply, move in enumerate(record.moves[len(builds) :])
    )
    return f"(;{root}\n{''.join(moves)})\n"


def root_text(size: int, **properties: str) -> str:
    """Return the root properties of a record; empty ones are left out."""
    general = {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": f"Seedfolio:{__version__}",
        "SZ": str(size),
    }
    given = (general | properties).items()
    return "".join(f"{name}[{_escaped(value)}]" for name, value in given if value)


def setup_text(points: Mapping[str, Sequence[str]], mover: int) -> str:
    """Return what sets up a board: points by property, such as AB, and who moves."""
    added = "".join(
        name + "".join(f"[{point}]" for point in each) for name, each in points.items() if each
    )
    return f"{added}PL[{COLOURS[mover]}]"


def points_with(content: int, cells: NDArray[np.int64], size: int) -> list[str]:
    """Return the points that hold `content`."""
    return [_point(*divmod(cell, size), size) for cell, held in enumerate(cells) if held == content]


def vertex(move: str, size: int) -> str:
    """Return a move in SGF notation: `A1` on 5x5 is `ae`, and a pass is empty."""
    if move == PASS:
        return ""
    return _point(int(move[1:]) - 1, GO_LETTERS.index(move[0].upper()), size)


def _point(row: int, column: int, size: int) -> str:
    """Return a point in SGF notation; row 0 is at the bottom."""
    return f"{chr(ord('a') + column)}{chr(ord('a') + size - 1 - row)}"


def _result(record: GameRecord) -> str:
    """Return the winner and the margin or kind of win; empty without a result.

    Older studies have no margins.
    """
    if not record.decided:
        return ""
    if record.ending is Ending.NORMAL and record.detail[:2] in ("B+", "W+"):
        return record.detail
    if record.points == 1:
        return "0"
    return f"{COLOURS[record.points == 0]}+{_HOW.get(record.ending, 'F')}"


def _nodes(game: Game, history: Sequence[int], base: int) -> list[str]:
    """Return a node for each move; refused tries go into the comment of the next."""
    nodes: list[str] = []
    tries: list[str] = []
    for ply in range(base, len(history)):
        name = game.move_name(history[ply])
        if game.position(history[: ply + 1]).refused:
            tries.append(name)
            continue
        colour = COLOURS[game.position(history[:ply]).mover]
        told = f"C[{_escaped('refused: ' + ' '.join(tries))}]" if tries else ""
        nodes.append(f";{colour}[{vertex(name, game.rules.board.columns)}]{told}\n")
        tries = []
    return nodes


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
