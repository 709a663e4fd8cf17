"""The game between two arms, move by move, as a study plays it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from seedfolio.core.display import Displayed, Html, preformatted
from seedfolio.core.randomness import luck_key
from seedfolio.core.seeds import name_of_arm
from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.engines.play.game import play_game
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.positions import begun, game_from
from seedfolio.engines.specification.specification import OPEN_SPIEL
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.games.game import half_points_of
from seedfolio.opponents.game_in_progress import with_ending
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.opponents.opponent import parse_arm
from seedfolio.opponents.referee import GameReferee, play_out
from seedfolio.opponents.seat import CompiledSeat
from seedfolio.players.program import Program
from seedfolio.report.records.engine_arms import Programs
from seedfolio.report.records.engine_sgf import go_game_sgf
from seedfolio.report.records.pgn import engine_game_pgn, game_pgn, start_of
from seedfolio.report.records.sgf import sgf_text
from seedfolio.report.screen import Screen

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


@dataclass(frozen=True, repr=False)
class Record(Displayed):
    """A game between two arms.

    >>> from seedfolio import replay
    >>> record = replay("domineering:4x4", 195, "93/2", "uct:simulations=5")
    >>> record.names, record.half_points
    (('seed 195', 'seed 93, symmetry 2'), 2)
    >>> record
    <Record domineering 4x4: seed 195 against seed 93, symmetry 2, 7 moves, 1-0>
    """

    program: Program
    arms: tuple[int, int]
    history: tuple[int, ...]
    """All moves, refused tries and outcomes of chance included."""

    @property
    def names(self) -> tuple[str, str]:
        """What people call the arms."""
        return name_of_arm(self.arms[0]), name_of_arm(self.arms[1])

    @property
    def moves(self) -> list[str]:
        """The moves as people write them."""
        return [self.program.game.move_name(move) for move in self.history]

    @property
    def half_points(self) -> int:
        """The result: 2 if the first player won, 1 for a draw, 0 if it lost."""
        game = self.program.game
        return half_points_of(game.rules, game.position(self.history).score or 0)

    @property
    def text(self) -> str:
        """The game for people: who played, all moves, the last board and the result."""
        return self.text_on(Screen())

    def text_on(self, screen: Screen) -> str:
        """Return the same for a screen, which may have colours."""
        game, sides = self.program.game, self.program.game.rules.board.colours
        first, second = self.names
        result = (f"{sides[1]} wins.", "A draw.", f"{sides[0]} wins.")[self.half_points]
        result = with_ending(result, game.position(self.history).ending)
        board = screen.board(game.rules.board, game.picture(self.history))
        return (
            f"{game.title}: {first} is {sides[0]}, {second} is {sides[1]}."
            f"{book_remark(self.program)}\n"
            f"{' '.join(self.moves)}\n\n{board}\n{result}"
        )

    @property
    def sgf(self) -> str:
        """The game as SGF; SpecificationError for a game without Go stones."""
        title = f"{self.program.title}: {' against '.join(self.names)}"
        return sgf_text(self.program.game, self.history, self._players, title)

    @property
    def pgn(self) -> str:
        """The game as PGN; SpecificationError unless it is chess."""
        return game_pgn(self.program.game, self.history, self._players)

    @property
    def _players(self) -> tuple[str, str]:
        player, (first, second) = self.program.player.text, self.names
        return f"{player}, {first}", f"{player}, {second}"

    def _summary(self) -> str:
        first, second = self.names
        result = ("0-1", "draw", "1-0")[self.half_points]
        players = f"{first} against {second}"
        return f"{self.program.game.title}: {players}, {len(self.history)} moves, {result}"

    def _parts(self) -> list[Html]:
        return [preformatted(self.text)]

    def _records(self) -> list[dict[str, Any]]:
        game = self.program.game
        movers = (game.position(self.history[:ply]).mover for ply in range(len(self.history)))
        sides = (*game.rules.board.colours, "chance")
        return [
            {"ply": ply + 1, "mover": sides[mover], "move": move}
            for ply, (mover, move) in enumerate(zip(movers, self.moves, strict=True))
        ]

    def as_data(self) -> dict[str, Any]:
        """Return the game as plain data."""
        return {
            "arms": self.arms,
            "moves": self.moves,
            "half_points": self.half_points,
            "book": self.program.books is not None,
        }


def replay(
    program: AnyProgram,
    first: int | str,
    second: int | str,
    player: str | None = None,
) -> Record | EngineReplay:
    """Play the game of arm `first`, the first player, against arm `second` again.

    The program is any that `match` takes; a game may have its `player` beside it. An arm is a
    number, or a text such as "195/3" for seed 195 under symmetry 3. A portfolio with a book plays
    it, as either colour, and where it ends the arms play on; the game and the player by themselves
    play without a book. Where luck plays a part and two arms meet in several games, it is the first
    of them.

    >>> from seedfolio import replay
    >>> record = replay("domineering:4x4", 195, "93/2", "uct:simulations=5")
    >>> record.moves
    ['c2c3', 'c1d1', 'a1a2', 'a4b4', 'b2b3', 'c4d4', 'd2d3']
    >>> record.half_points
    2
    """
    opponent = load_opponent(program, player)
    if opponent.is_engine:
        return replay_engines(opponent.engine_playing, str(first), str(second))
    playing, game = opponent.playing, opponent.game
    arms = parse_arm(str(first), game), parse_arm(str(second), game)
    luck = int(luck_key(np.uint64(arms[0]), np.uint64(arms[1]), 0))
    history = play_out(GameReferee(game), [CompiledSeat(playing, arm, luck) for arm in arms])
    assert history is not None, "nobody stops it"
    return Record(playing, arms, history)
