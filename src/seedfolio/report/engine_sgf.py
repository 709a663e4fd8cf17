"""All games of Go in the study of an external engine, as SGF."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from seedfolio.core.seeds import GUEST_SHIFT, LINE_SHIFT, UNSEEN_SEEDS
from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.engines.specification import Specification, parse_specification
from seedfolio.engines.tables import GameTable
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games.board import GO_LETTERS, PASS
from seedfolio.report.sgf import point_text, root_text
from seedfolio.study.store import Study

_COLOURS = "BW"
_HOW = {Ending.NORMAL: "", Ending.RESIGNATION: "R", Ending.TIMEOUT: "T"}
"""The letter after the winner; other endings are forfeits."""


def export_sgf(study: Study, folder: Path) -> int:
    """Write every game of a study to a separate file in `folder`; return their number.

    SpecificationError if it is not a study of an external engine that plays Go.
    """
    identity = study.identity
    if identity.get("specification", {}).get("game", {}).get("name") != "go":
        raise SpecificationError(
            f"{study.path} has no games of Go by an external engine to write to a folder; name a "
            ".csv or .npz file"
        )
    programs = Programs.of(identity, str(study.path))
    games = list(study.engine_games().games())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for game in games:
            text = engine_game_sgf(programs, game)
            (folder / _file_name(game)).write_text(text, encoding="utf-8")
    except OSError as error:
        raise StudyError(f"cannot write to {folder}: {error.strerror}") from error
    return len(games)


@dataclass(frozen=True)
class Programs:
    """The programs of a study: an engine, and the guests that it meets."""

    engine: str
    """The name that the engine reports."""
    programs: tuple[Specification, ...]
    """The engine first, then the guests."""

    @classmethod
    def of(cls, identity: Mapping[str, Any], where: str) -> Self:
        """Return the programs of the identity of a study."""
        parts = [identity, *identity.get("guests", [])]
        programs = (parse_specification(part["specification"], where) for part in parts)
        return cls(str(identity["engine"]), tuple(programs))

    def arm(self, number: int) -> tuple[str, str]:
        """Return the name of an arm, and the command that plays it."""
        program = self.programs[0]
        if len(self.programs) > 1:
            guest, number = divmod(number, 1 << GUEST_SHIFT)
            program = self.programs[guest]
        elif number not in UNSEEN_SEEDS:
            number %= 1 << LINE_SHIFT
        return program.all_arms.arm(number).name, shlex.join(program.player.command or [])


def engine_game_sgf(programs: Programs, game: GameRecord) -> str:
    """Return the record of one game; the arms are in the player names and the comment."""
    (black, first), (white, second) = programs.arm(game.first), programs.arm(game.second)
    comment = f"Black: arm {game.first}, {black}; {first}\n"
    comment += f"White: arm {game.second}, {white}; {second}"
    players = f"{programs.engine}, {black}", f"{programs.engine}, {white}"
    return go_game_sgf(programs.programs[0].game, game, players, comment)


def go_game_sgf(table: GameTable, game: GameRecord, players: tuple[str, str], comment: str) -> str:
    """Return the record of one game of Go that external engines play: Black and White, all moves.

    The comment gets how the game ended, unless that was normal.
    """
    size = table.board or 0
    if game.ending is not Ending.NORMAL:
        comment += f"\nended by {game.ending.value}"
    if game.detail:
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
    """Return the winner and the kind of win; the study does not keep the margin."""
    if game.points == 1:
        return "0"
    return f"{_COLOURS[game.points == 0]}+{_HOW.get(game.ending, 'F')}"


def _vertex(move: str, size: int) -> str:
    if move == PASS:
        return ""
    return point_text(int(move[1:]) - 1, GO_LETTERS.index(move[0].upper()), size)


def _file_name(game: GameRecord) -> str:
    cell = f"{_arm(game.first)}-{_arm(game.second)}"
    return f"{cell}-{game.number}.sgf" if game.number else f"{cell}.sgf"


def _arm(number: int) -> str:
    return f"unseen{number - UNSEEN_SEEDS[0]}" if number in UNSEEN_SEEDS else f"{number}"
