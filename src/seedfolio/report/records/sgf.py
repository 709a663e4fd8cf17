"""Game records in SGF (FF[4]), for all games with Go stones."""

from __future__ import annotations

from collections.abc import Sequence

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.go.area import has_go_stones, margin_text
from seedfolio.version import __version__

_COLOURS = "BW"


def sgf_text(
    game: Game,
    history: Sequence[int],
    players: tuple[str, str] = ("", ""),
    comment: str = "",
    *,
    resigned: int | None = None,
) -> str:
    """Return the record of a game: the players (Black, White), all moves, the result if it is over.

    `resigned` is the colour that has resigned, if one has. Refused tries are in the comment of the
    next move. Stones chosen in secret before the first move are set up as both players see them
    then. SpecificationError for a game without Go stones.
    """
    if not has_go_stones(game):
        raise SpecificationError(
            f"{game.title} is not played with stones on a Go board, so it has no SGF record"
        )
    base = 2 * int(game.parameters.get("base", 0))
    root = _root(game, history, players, comment, resigned) + _setup(game, history, base)
    return f"(;{root}\n{''.join(_nodes(game, history, base))})\n"


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


def point_text(row: int, column: int, size: int) -> str:
    """Return a point in SGF notation; row 0 is at the bottom, so A1 on 5x5 is `ae`."""
    return f"{chr(ord('a') + column)}{chr(ord('a') + size - 1 - row)}"


def _root(
    game: Game,
    history: Sequence[int],
    players: tuple[str, str],
    comment: str,
    resigned: int | None,
) -> str:
    rules = {}
    if "komi" in game.parameters:
        rules = {"KM": f"{game.parameters['komi']:g}", "RU": "Chinese"}
    return root_text(
        game.rules.board.columns,
        GN=game.title,
        PB=players[0],
        PW=players[1],
        RE=_result(game, history) if resigned is None else ("W+R", "B+R")[resigned],
        C=comment,
        **rules,
    )


def _result(game: Game, history: Sequence[int]) -> str:
    """Return the result; empty if the game is not over."""
    points = game.position(history).score
    if points is None:
        return ""
    return margin_text(game, history) or ("W+", "0", "B+")[points]


def _setup(game: Game, history: Sequence[int], base: int) -> str:
    """Return the stones on the board after the first `base` moves, with Black to move."""
    if not base:
        return ""
    cells = game.position(history[:base]).cells
    size = game.rules.board.columns
    added = ""
    for content, name in ((1, "AB"), (2, "AW")):
        stones = [divmod(cell, size) for cell in range(len(cells)) if cells[cell] == content]
        if stones:
            added += name + "".join(f"[{point_text(row, column, size)}]" for row, column in stones)
    return f"{added}PL[B]"


def _nodes(game: Game, history: Sequence[int], base: int) -> list[str]:
    """Return a node for each move; refused tries go into the comment of the next."""
    nodes: list[str] = []
    tries: list[str] = []
    for ply in range(base, len(history)):
        name = game.move_name(history[ply])
        if game.position(history[: ply + 1]).refused:
            tries.append(name)
            continue
        colour = _COLOURS[game.position(history[:ply]).mover]
        told = f"C[{_escaped('refused: ' + ' '.join(tries))}]" if tries else ""
        nodes.append(f";{colour}[{_vertex(game, name)}]{told}\n")
        tries = []
    return nodes


def _vertex(game: Game, name: str) -> str:
    """Return a move in SGF notation: `A1` on 5x5 is `ae`, and a pass is empty."""
    if name == "pass":
        return ""
    board = game.rules.board
    return point_text(int(name[1:]) - 1, board.letters.index(name[0]), board.columns)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
