"""The game between two arms of an external engine, as a study plays it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

from seedfolio.core.display import Displayed, Html, preformatted
from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.engines.play.game import play_game
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.positions import begun, game_from
from seedfolio.engines.specification.specification import OPEN_SPIEL
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.players.program import Program
from seedfolio.report.records.engine_arms import Programs
from seedfolio.report.records.engine_sgf import go_game_sgf
from seedfolio.report.records.pgn import engine_game_pgn, start_of
from seedfolio.serving.screen import Screen

_RESULTS = ("0-1", "draw", "1-0")


def book_remark(program: Program | EngineProgram) -> str:
    """Return what a record says if both sides play the book of a portfolio; else nothing."""
    return "" if program.books is None else " Both play the book; where it ends, their arms."


@dataclass(frozen=True, repr=False)
class EngineReplay(Displayed):
    """A game between two arms of an external engine."""

    program: EngineProgram
    game: GameRecord

    @property
    def arms(self) -> tuple[int, int]:
        """The numbers of the arms."""
        return self.game.first, self.game.second

    @property
    def names(self) -> tuple[str, str]:
        """What people call the arms."""
        first, second = (self.program.arm(arm).name for arm in self.arms)
        return first, second

    @property
    def moves(self) -> list[str]:
        """The moves as the engine writes them."""
        return list(self.game.moves)

    @property
    def half_points(self) -> int:
        """The result: 2 if the first player won, 1 for a draw, 0 if it lost."""
        return self.game.points

    @property
    def text(self) -> str:
        """The game for people: who played, all moves, the last board and the result."""
        return self.text_on(Screen())

    def text_on(self, screen: Screen) -> str:
        """Return the same for a screen, which may have colours."""
        first, second = self.names
        said = f"{self.program.title}: {first} against {second}.{book_remark(self.program)}"
        lines = [said, " ".join(self.moves), ""]
        if not self.program.specification.game.name.startswith(OPEN_SPIEL):
            fen, moves = begun(self.game.moves)
            game = self.program.board_game() if fen is None else game_from(fen)
            history = [game.parse_move(move) for move in moves]
            lines.append(screen.board(game.rules.board, game.picture(history)))
        how = "" if self.game.ending is Ending.NORMAL else f", by {self.game.ending.value}"
        detail = f": {self.game.detail}" if self.game.detail else ""
        return "\n".join([*lines, f"{_RESULTS[self.half_points]}{how}{detail}"])

    @property
    def sgf(self) -> str:
        """The game as SGF; SpecificationError for a game other than Go."""
        table = self.program.specification.game
        if not table.is_go:
            raise SpecificationError(f"{table.name} has no SGF; leave out `sgf`")
        return go_game_sgf(table, self.game, self.names, self.program.title)

    @property
    def pgn(self) -> str:
        """The game as PGN; SpecificationError unless it is chess."""
        start = start_of(self.program.identity_of_parts())
        if start is None:
            raise SpecificationError(f"{self.program.title} is not chess, so it has no PGN record")
        programs = Programs.of(self.program.identity(), self.program.title)
        return engine_game_pgn(programs, self.game, start)

    def _summary(self) -> str:
        first, second = self.names
        result = _RESULTS[self.half_points]
        players = f"{first} against {second}"
        return f"{self.program.title}: {players}, {len(self.moves)} moves, {result}"

    def _parts(self) -> list[Html]:
        return [preformatted(self.text)]

    def _records(self) -> list[dict[str, Any]]:
        return [{"ply": ply + 1, "move": move} for ply, move in enumerate(self.moves)]

    def as_data(self) -> dict[str, Any]:
        """Return the game as plain data."""
        return {
            "arms": self.arms,
            "moves": self.moves,
            "half_points": self.half_points,
            "ending": self.game.ending.value,
            "book": self.program.books is not None,
        }


def replay_engines(program: EngineProgram, first: str, second: str) -> EngineReplay:
    """Play the game of two arms of an external engine again, in new processes."""
    for text in (first, second):
        if not text.isdecimal():
            raise SpecificationError(
                f"{text!r} is not an arm of {program.title}: give its number, such as 7"
            )
    with closing(EnginePool(program, reuse=False)) as pool:
        found = play_game(program, pool, int(first), int(second))
    if found.ending is Ending.VOID:
        raise EngineError(f"the game failed: {found.detail}")
    return EngineReplay(program, found)
