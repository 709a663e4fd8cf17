"""All games of Go in the study of a program from outside, as SGF."""

from __future__ import annotations

from pathlib import Path

from seedfolio.engines.arms import Arms
from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.engines.specification import GameTable, parse_specification
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games.board import GO_LETTERS
from seedfolio.report.sgf import point_text, root_text
from seedfolio.study.arms import UNSEEN_SEEDS
from seedfolio.study.store import Study

_COLOURS = "BW"
_PASS = "pass"
_HOW = {Ending.NORMAL: "", Ending.RESIGNATION: "R", Ending.TIMEOUT: "T"}
"""What stands behind the winner; a forfeit unless it is here."""


def export_sgf(study: Study, folder: Path) -> int:
    """Write every game of a study to a file of its own in `folder`; return how many there are.

    SpecificationError if it is not a study of a program from outside that plays Go.
    """
    identity = study.identity
    if identity.get("specification", {}).get("game", {}).get("name") != "go":
        raise SpecificationError(
            f"{study.path} has no games of Go by a program from outside, and a folder is for the "
            "records of such; name a .csv or .npz file"
        )
    specification = parse_specification(identity["specification"], str(study.path))
    table, arms, engine = specification.game, specification.all_arms, str(identity["engine"])
    games = list(study.engine_games().games())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for game in games:
            text = engine_game_sgf(table, arms, engine, game)
            (folder / _file_name(game)).write_text(text, encoding="utf-8")
    except OSError as error:
        raise StudyError(f"cannot write to {folder}: {error.strerror}") from error
    return len(games)


def engine_game_sgf(table: GameTable, arms: Arms, engine: str, game: GameRecord) -> str:
    """Return the record of one game; the arms are in the names of the players and the comment."""
    names = arms.arm(game.first).name, arms.arm(game.second).name
    size = table.board or 0
    comment = f"Black: arm {game.first}, {names[0]}\nWhite: arm {game.second}, {names[1]}"
    if game.ending is not Ending.NORMAL:
        comment += f"\nended by {game.ending.value}"
    if game.detail:
        comment += f": {game.detail}"
    root = root_text(
        size,
        PB=f"{engine}, {names[0]}",
        PW=f"{engine}, {names[1]}",
        RE=_result(game),
        C=comment,
        KM="" if table.komi is None else f"{table.komi:g}",
    )
    moves = (
        f";{_COLOURS[ply % 2]}[{_vertex(move, size)}]\n" for ply, move in enumerate(game.moves)
    )
    return f"(;{root}\n{''.join(moves)})\n"


def _result(game: GameRecord) -> str:
    """Return who has won and how; by how much is not kept."""
    if game.points == 1:
        return "0"
    return f"{_COLOURS[game.points == 0]}+{_HOW.get(game.ending, 'F')}"


def _vertex(move: str, size: int) -> str:
    if move == _PASS:
        return ""
    return point_text(int(move[1:]) - 1, GO_LETTERS.index(move[0].upper()), size)


def _file_name(game: GameRecord) -> str:
    cell = f"{_arm(game.first)}-{_arm(game.second)}"
    return f"{cell}-{game.number}.sgf" if game.number else f"{cell}.sgf"


def _arm(number: int) -> str:
    return f"unseen{number - UNSEEN_SEEDS[0]}" if number in UNSEEN_SEEDS else f"{number}"
