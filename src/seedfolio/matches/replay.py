"""The game between two arms, move by move, as a study plays it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from seedfolio.core.display import Displayed, Html, preformatted
from seedfolio.core.files import atomic_write
from seedfolio.core.randomness import luck_key
from seedfolio.engines.endings import Ending
from seedfolio.engines.play.game import play_game
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.record import GameRecord
from seedfolio.engines.specification.positions import begun, chess_start, game_from
from seedfolio.engines.specification.specification import OPEN_SPIEL
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.game_in_progress import with_ending
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.opponents.opponent import Opponent, parse_arm
from seedfolio.opponents.referee import GameReferee, play_out
from seedfolio.opponents.seat import CompiledSeat
from seedfolio.players.program import Program
from seedfolio.report.records.pgn import arms_pgn, game_pgn
from seedfolio.report.records.sgf import engine_sgf, game_sgf
from seedfolio.report.records.study import NamedArms
from seedfolio.report.records.text import told_moves
from seedfolio.report.screen import Screen

_RESULTS = ("0-1", "draw", "1-0")


@dataclass(frozen=True, repr=False)
class Record(Displayed):
    """A game between two arms of a program.

    >>> from seedfolio import replay
    >>> record = replay("domineering:4x4", 195, "93/2", "uct:simulations=5")
    >>> record.names, record.half_points
    (('seed 195', 'seed 93, symmetry 2'), 2)
    >>> record
    <Record domineering 4x4: seed 195 against seed 93, symmetry 2, 7 moves, 1-0>
    """

    program: Program | EngineProgram
    """As it plays: with its books, where there are any."""
    game: GameRecord
    """The players have the names of the arms."""

    @property
    def arms(self) -> tuple[int, int]:
        """The numbers of the arms."""
        return self.game.arms

    @property
    def names(self) -> tuple[str, str]:
        """What people call the arms."""
        return self.game.players

    @property
    def moves(self) -> list[str]:
        """The moves as people write them, or as the external engine does."""
        return list(self.game.moves)

    @property
    def history(self) -> tuple[int, ...]:
        """All moves by number, refused tries and outcomes of chance included.

        SpecificationError if only OpenSpiel knows the game.
        """
        game = self._rules
        if game is None:
            raise SpecificationError(f"only OpenSpiel numbers the moves of {self._title}")
        return tuple(game.parse_move(move) for move in begun(self.game.moves)[1])

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
        (first, second), how = self.names, self.game.ending
        if isinstance(self.program, Program):
            sides = self.program.game.rules.board.colours
            said = f"{first} is {sides[0]}, {second} is {sides[1]}."
            won = (f"{sides[1]} wins.", "A draw.", f"{sides[0]} wins.")[self.half_points]
            result = with_ending(won, self.game.detail)
        else:
            said = f"{first} against {second}."
            result = _RESULTS[self.half_points] + ("" if how is Ending.NORMAL else f", by {how}")
            result += f": {self.game.detail}" if self.game.detail else ""
        if self.program.books is not None:
            said += " Both play the book; where it ends, their arms."
        lines = [f"{self._title}: {said}", " ".join(self.moves), ""]
        if (game := self._rules) is not None:
            lines.append(screen.board(game.rules.board, game.picture(self.history)))
        return "\n".join([*lines, result])

    @property
    def sgf(self) -> str:
        """The game as SGF; SpecificationError for a game without Go stones."""
        if isinstance(self.program, Program):
            title = f"{self.program.title}: {' against '.join(self.names)}"
            return game_sgf(self.program.game, self._with_player(self.program), title)
        table = self.program.specification.game
        if not table.is_go:
            raise SpecificationError(f"{table.name} has no SGF; leave out `sgf`")
        return engine_sgf(table, self.game, self.program.title)

    @property
    def pgn(self) -> str:
        """The game as PGN; SpecificationError unless it is chess."""
        if isinstance(self.program, Program):
            return game_pgn(self.program.game, self._with_player(self.program))
        fen = chess_start(self.program.specification.game.name)
        if fen is None:
            raise SpecificationError(f"{self._title} is not chess, so it has no PGN record")
        return arms_pgn(NamedArms.of(self.program.identity(), self._title).named(self.game), fen)

    def _with_player(self, program: Program) -> GameRecord:
        first, second = (f"{program.player.text}, {name}" for name in self.names)
        return replace(self.game, players=(first, second))

    @property
    def _title(self) -> str:
        program = self.program
        return program.game.title if isinstance(program, Program) else program.title

    @property
    def _rules(self) -> Game | None:
        """The game from the position where it began; None if only OpenSpiel knows its rules."""
        if isinstance(self.program, Program):
            return self.program.game
        if self.program.specification.game.name.startswith(OPEN_SPIEL):
            return None
        fen, _ = begun(self.game.moves)
        return self.program.board_game() if fen is None else game_from(fen)

    def _summary(self) -> str:
        first, second = self.names
        result = _RESULTS[self.half_points]
        return f"{self._title}: {first} against {second}, {len(self.moves)} moves, {result}"

    def _parts(self) -> list[Html]:
        return [preformatted(self.text)]

    def _records(self) -> list[dict[str, Any]]:
        plies: list[dict[str, Any]] = [{"ply": ply + 1} for ply in range(len(self.moves))]
        if isinstance(self.program, Program):
            told = told_moves(self.program.game, self.game)
            plies = [{**ply, "mover": each["by"]} for ply, each in zip(plies, told, strict=True)]
        return [{**ply, "move": move} for ply, move in zip(plies, self.moves, strict=True)]

    def as_data(self) -> dict[str, Any]:
        """Return the game as plain data."""
        engine = not isinstance(self.program, Program)
        return {
            "arms": self.arms,
            "moves": self.moves,
            "half_points": self.half_points,
            **({"ending": self.game.ending.value} if engine else {}),
            "book": self.program.books is not None,
        }


def replay(
    program: AnyProgram,
    first: int | str,
    second: int | str,
    player: str | None = None,
    *,
    sgf: str | Path | None = None,
    pgn: str | Path | None = None,
) -> Record:
    """Play the game of arm `first`, the first player, against arm `second` again.

    A portfolio with a book plays it, as either colour, and where it ends the arms play on; the game
    and the player by themselves play without a book. Where luck plays a part and two arms meet in
    several games, it is the first of them.

    Args:
        program: As in `gtp`.
        first: The arm of the first player: 195, or 195/3.
        second: The arm of the second player.
        player: As in `boost`.
        sgf: Write the record to this file, for games of Go stones.
        pgn: Write the record to this file, for chess.

    >>> from seedfolio import replay
    >>> record = replay("domineering:4x4", 195, "93/2", "uct:simulations=5")
    >>> record.moves
    ['c2c3', 'c1d1', 'a1a2', 'a4b4', 'b2b3', 'c4d4', 'd2d3']
    >>> record.half_points
    2
    """
    opponent = load_opponent(program, player)
    nothing = GameRecord(moves=(), points=1, ending=Ending.UNFINISHED)
    empty = Record(opponent.engine_playing if opponent.is_engine else opponent.playing, nothing)
    for path, name in ((sgf, "sgf"), (pgn, "pgn")):
        if path is not None:
            getattr(empty, name)  # a game without such records is refused at once
    again = _engine_game if opponent.is_engine else _built_in_game
    record = again(opponent, str(first), str(second))
    if sgf is not None:
        atomic_write(Path(sgf), record.sgf.encode())
    if pgn is not None:
        atomic_write(Path(pgn), record.pgn.encode())
    return record


def _built_in_game(opponent: Opponent, first: str, second: str) -> Record:
    game = opponent.game
    arms = parse_arm(first, game), parse_arm(second, game)
    luck = int(luck_key(np.uint64(arms[0]), np.uint64(arms[1]), 0))
    seats = [CompiledSeat(opponent.playing, arm, luck) for arm in arms]
    played = play_out(GameReferee(game), seats)
    assert played is not None, "nobody stops it"
    names, history = (seats[0].name, seats[1].name), game.move_numbers(played.moves)
    return Record(opponent.playing, GameRecord.of(game, history.tolist(), names, arms))


def _engine_game(opponent: Opponent, first: str, second: str) -> Record:
    """Play in new processes; openings, adjudication and forfeits are part of a study's game."""
    program = opponent.engine_playing
    for text in (first, second):
        if not text.isdecimal():
            raise SpecificationError(
                f"{text!r} is not an arm of {program.title}: give its number, such as 7"
            )
    with closing(EnginePool(program, reuse=False)) as pool:
        found = play_game(program, pool, int(first), int(second))
    if found.ending is Ending.VOID:
        raise EngineError(f"the game failed: {found.detail}")
    names = program.arm(found.arms[0]).name, program.arm(found.arms[1]).name
    return Record(program, replace(found, players=names))
