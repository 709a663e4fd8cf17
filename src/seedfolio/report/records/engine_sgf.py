"""Games of Go that external engines have played, as SGF."""

from __future__ import annotations

from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.engines.specification.tables import GameTable
from seedfolio.games.board import GO_LETTERS, PASS
from seedfolio.report.records.engine_arms import Programs
from seedfolio.report.records.sgf import point_text, root_text

_COLOURS = "BW"
_HOW = {
    Ending.NORMAL: "",
    Ending.RESIGNATION: "R",
    Ending.TIMEOUT: "T",
    Ending.ADJUDICATED_WIN: "",
}
"""The letter after the winner; other endings are forfeits."""


def engine_game_sgf(programs: Programs, game: GameRecord) -> str:
    """Return the record of one game; the arms are in the player names and the comment."""
    (black, first), (white, second) = programs.arm(game.first), programs.arm(game.second)
    comment = f"Black: arm {game.first}, {black}; {first}\n"
    comment += f"White: arm {game.second}, {white}; {second}"
    players = programs.player(game.first), programs.player(game.second)
    return go_game_sgf(programs.programs[0].game, game, players, comment)


def go_game_sgf(table: GameTable, game: GameRecord, players: tuple[str, str], comment: str) -> str:
    """Return the record of one game of Go that external engines play: Black and White, all moves.

    The comment gets how the game ended, unless that was normal.
    """
    size = table.board or 0
    if game.ending is not Ending.NORMAL:
        comment += f"\nended by {game.ending.value}"
    if game.detail and game.detail != _result(game):
        comment += f": {game.detail}"
    root = root_text(
        size,
        PB=players[0],
        PW=players[1],
        RE=_result(game),
        C=comment,
        KM=f"{table.komi:g}",
    )
    builds = [move.split(",") for move in game.moves[:2] if "," in move]
    moves = (
        f";{_COLOURS[ply % 2]}[{_vertex(move, size)}]\n"
        for ply, move in enumerate(game.moves[len(builds) :])
    )
    return f"(;{root}{_setup(builds, size)}\n{''.join(moves)})\n"


def _setup(builds: list[list[str]], size: int) -> str:
    """Return the stones that two base builds of Batoo leave on the board."""
    if len(builds) < 2:
        return ""
    added = ""
    for colour in (0, 1):
        left = [point for point in builds[colour] if point not in builds[1 - colour]]
        if left:
            points = "".join(f"[{_vertex(point, size)}]" for point in left)
            added += f"A{_COLOURS[colour]}{points}"
    return f"{added}PL[B]"


def _result(game: GameRecord) -> str:
    """Return the winner and the margin or kind of win; older studies have no margins."""
    if game.ending is Ending.NORMAL and game.detail[:2] in ("B+", "W+"):
        return game.detail
    if game.points == 1:
        return "0"
    return f"{_COLOURS[game.points == 0]}+{_HOW.get(game.ending, 'F')}"


def _vertex(move: str, size: int) -> str:
    if move == PASS:
        return ""
    return point_text(int(move[1:]) - 1, GO_LETTERS.index(move[0].upper()), size)


def sgf_name(programs: Programs, game: GameRecord) -> str:
    """Return the name of a game's file."""
    cell = f"{programs.short_name(game.first)}-{programs.short_name(game.second)}"
    return f"{cell}-{game.number}.sgf" if game.number else f"{cell}.sgf"
