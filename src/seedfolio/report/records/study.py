"""All games of an external engine in a study: as SGF, as PGN or as moves; and its forfeits."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from seedfolio.core.files import atomic_write
from seedfolio.core.seeds import GUEST_SHIFT, LINE_SHIFT, UNSEEN_SEEDS, is_opposing
from seedfolio.engines.record import GameRecord
from seedfolio.engines.specification.opponents import Field, field_of_identity
from seedfolio.engines.specification.positions import chess_start
from seedfolio.engines.specification.specification import Specification, parse_specification
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.report.records.pgn import arms_pgn
from seedfolio.report.records.sgf import engine_sgf
from seedfolio.report.records.text import games_text
from seedfolio.study.store import Study

SGF, PGN = "SGF", "PGN"
_OWN = (1 << GUEST_SHIFT) - 1


@dataclass(frozen=True)
class NamedArms:
    """The arms in a study of an external engine, by what the study says of its programs."""

    engine: str
    """The name that the engine reports."""
    programs: tuple[Specification, ...]
    """The engine first, then the guests of an experiment of the papers."""
    field: Field | None = None
    """Its opponents, if these are other programs."""

    @classmethod
    def of(cls, identity: Mapping[str, Any], where: str) -> Self:
        """Return the programs of the identity of a study; StudyError if it has none."""
        try:
            parts = [identity, *identity.get("guests", [])]
            programs = tuple(parse_specification(part["specification"], where) for part in parts)
            others = identity.get("opponents")
            field = None if others is None else field_of_identity(programs[0], others)
            return cls(str(identity["engine"]), programs, field)
        except (LookupError, TypeError, ValueError) as error:
            raise StudyError(
                f"{where} is damaged (what it says of its engines is not what boost writes); "
                "restore a copy of it or choose another file"
            ) from error

    def arm(self, number: int) -> tuple[str, str]:
        """Return the name of an arm, and the command that plays it."""
        program = self.programs[0]
        if self.field is not None and is_opposing(number):
            player = self.field.guests[self.field.whose(number)].specification.player
            return self.field.arm(number).name, shlex.join(player.command or [])
        if len(self.programs) > 1:
            guest, number = divmod(number, 1 << GUEST_SHIFT)
            if not 0 <= guest < len(self.programs):
                raise StudyError(f"there is no program {guest} here; restore a copy of the study")
            program = self.programs[guest]
        elif number not in UNSEEN_SEEDS:
            number %= 1 << LINE_SHIFT
        command = program.engine_of(number).player.command or []
        return program.all_arms.arm(number).name, shlex.join(command)

    @property
    def fen(self) -> str | None:
        """Where the games begin; None unless they are games of chess."""
        return chess_start(self.programs[0].game.name)

    def named(self, game: GameRecord) -> GameRecord:
        """Return a game with the names of its players."""
        first, second = (self.player(arm) for arm in game.arms)
        return replace(game, players=(first, second))

    def player(self, number: int) -> str:
        """Return the name of an arm, after the name of its engine."""
        called = self.field is not None and is_opposing(number)
        called = called or self.programs[0].joint is not None
        name, _ = self.arm(number)
        return name if called else f"{self.engine}, {name}"

    def short_name(self, number: int) -> str:
        """Return an arm as a part of the name of a file: `3`, `unseen5`, `opponent-unseen2`."""
        opposing = self.field is not None and is_opposing(number)
        own = number & _OWN if opposing else number
        name = f"unseen{own - UNSEEN_SEEDS[0]}" if own in UNSEEN_SEEDS else f"{own}"
        return f"opponent-{name}" if opposing else name


def export_games(study: Study, folder: Path) -> int:
    """Write every game of a study to `folder`; return their number.

    Games of Go go to separate SGF files, games of chess to one in PGN, others with their moves to
    one file. SpecificationError if it is not a study of an external engine.
    """
    arms = _arms(study)
    games = list(study.engine_games().games())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if arms.programs[0].game.is_go:
            for game in games:
                atomic_write(folder / sgf_name(arms, game), study_sgf(arms, game).encode())
        elif arms.fen is not None:
            atomic_write(folder / "games.pgn", study_pgn(study).encode())
        else:
            text = games_text(arms.named(game) for game in games)
            atomic_write(folder / "games.txt", text.encode())
    except OSError as error:
        raise StudyError(f"cannot write to {folder}: {error.strerror}") from error
    return len(games)


def study_sgf(arms: NamedArms, game: GameRecord) -> str:
    """Return one game of Go; the arms are in the names of the players and in the comment."""
    comment = "\n".join(
        f"{side}: arm {number}, {'; '.join(arms.arm(number))}"
        for side, number in zip(("Black", "White"), game.arms, strict=True)
    )
    return engine_sgf(arms.programs[0].game, arms.named(game), comment)


def sgf_name(arms: NamedArms, game: GameRecord) -> str:
    """Return the name of a game's file."""
    cell = "-".join(arms.short_name(number) for number in game.arms)
    return f"{cell}-{game.number}.sgf" if game.number else f"{cell}.sgf"


def records_in(identity: Mapping[str, Any]) -> str:
    """Return the format of the games in the study with this identity: SGF or PGN; else nothing."""
    specification = identity.get("specification", {})
    game = specification.get("game", {}) if isinstance(specification, dict) else {}
    name = str(game.get("name", "")) if isinstance(game, dict) else ""
    return SGF if name == "go" else PGN if chess_start(name) is not None else ""


def study_pgn(study: Study) -> str:
    """Return every game of a study, one after the other.

    SpecificationError if it is not a study of an external engine that plays chess.
    """
    if records_in(study.identity) != PGN:
        raise SpecificationError(f"{study.path} has no games of chess by an external engine")
    arms, games = _arms(study), study.engine_games().games()
    return "\n".join(arms_pgn(arms.named(game), arms.fen or "") for game in games)


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
    arms = _arms(study)
    games = study.engine_games()
    found = []
    for game in (*games.games(), *games.book_games()):
        if game.forfeited:
            players = arms.named(game).players
            loser = game.points // 2  # the first player lost if it has no points
            arm, opponent = players[loser], players[1 - loser]
            found.append(Forfeit(arm, opponent, game.ending.value, game.moves, game.detail))
    return found


def _arms(study: Study) -> NamedArms:
    if "specification" not in study.identity:
        raise SpecificationError(
            f"{study.path} has no games of an external engine; its matrix goes to a .csv or .npz "
            "file"
        )
    return NamedArms.of(study.identity, str(study.path))
