"""A player bound to a game and compiled: what the arena runs and what is served to people."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numba import int64, uint64
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numpy.typing import NDArray

from seedfolio.core.compiling import compiled, compiled_entry, filled_in
from seedfolio.core.randomness import below, fold, luck_key, noticed
from seedfolio.errors import SpecificationError
from seedfolio.games import split_source
from seedfolio.games.interface import CHANCE, Game
from seedfolio.players.interface import Bound, Player, identity

MOST_REPEATS = 127
"""So that the half points of a cell fit one byte, with room for a mark."""
DEFAULT_REPEATS = 16
"""How many games make a cell where luck plays a part."""
PROBE = 3
"""How many games between the first seeds of both colours make the behaviour digest."""

_UNPLAYED = 255
_NOT_THE_RULES = (NumbaError, UnsupportedBytecodeError, ImportError, OSError, MemoryError)
"""What can go wrong before a game begins: compiling, the cache on disk, memory."""


@dataclass(frozen=True)
class Program:
    """A game and a player, compiled together.

    Compiled code is made when first needed and kept on disk for other processes. Where luck plays
    a part, a cell is `repeats` games, whose luck depends on the cell alone.
    """

    game: Game
    player: Player
    repeats: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.repeats <= MOST_REPEATS:
            raise SpecificationError(f"{self.repeats} repeats are not 1 to {MOST_REPEATS}")
        if self.repeats > 1 and not self.has_luck:
            raise SpecificationError(
                f"{self.title} plays the same game every time; repeats are for games of chance"
            )

    @property
    def title(self) -> str:
        """The game and the player, as shown to people."""
        return f"{self.game.title}, {self.player.text}"

    @property
    def has_luck(self) -> bool:
        """Whether two seeds may play different games: by chance in the rules or in the player."""
        return self.game.rules.chance or self.player.stochastic

    @property
    def full(self) -> int:
        """The half points of a cell that is won throughout."""
        return 2 * self.repeats

    def identity(self) -> dict[str, Any]:
        """What results are tied to: game, player, and a digest of what they really play."""
        return {**self.identity_of_parts(), "sample games": self.behaviour}

    def identity_of_parts(self) -> dict[str, Any]:
        """The identity without the digest, which takes compiling."""
        parts = {"game": self.game.identity(), "player": identity(self.player)}
        return {**parts, "repeats": self.repeats} if self.has_luck else parts

    def workspace(self) -> NDArray[np.int32]:
        """Return scratch space for one thread."""
        return np.zeros(self.bound.workspace, np.int32)

    def play(
        self,
        rows: NDArray[np.uint64],
        columns: NDArray[np.uint64],
        workspace: NDArray[np.int32],
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """Play the cell of rows[k] (first player) against columns[k] for every k.

        Return the half points of the first player, and for each cell a hash of its moves.
        Releases the GIL. SpecificationError, naming the game, if the rules raise an error.
        """
        if rows.ndim != 1 or rows.shape != columns.shape:
            raise ValueError(f"rows of shape {rows.shape} against columns of {columns.shape}")
        results = np.full(len(rows), _UNPLAYED, np.uint8)
        histories = np.empty(len(rows), np.uint64)
        try:
            self._play_cells(
                rows, columns, self.repeats, self.bound.knobs, workspace, results, histories
            )
        except _NOT_THE_RULES:
            raise
        except Exception as error:
            cell = int(np.argmax(results == _UNPLAYED))  # they are played one after the other
            where = f"seeds {rows[cell]} and {columns[cell]}"
            raise self._rules_raise(error, where) from error
        return results, histories

    def choose(
        self,
        history: Sequence[int],
        seed: int,
        luck: int = 0,
        workspace: NDArray[np.int32] | None = None,
    ) -> int:
        """Return the move that `seed` plays after `history`.

        `luck`, 64 random bits of this game, matters to players that are random besides.
        """
        position = self.game.position(history)
        if not position.moves:
            raise SpecificationError(f"{self.game.title}: the game is over, there is no move")
        if position.mover == CHANCE:
            raise SpecificationError(f"{self.game.title}: chance is to move, not a player")
        moves = np.asarray(history, np.int64).reshape(-1)
        if workspace is None:
            workspace = self.workspace()
        try:
            return int(
                self._choose_after(
                    moves, np.uint64(seed), np.uint64(luck), self.bound.knobs, workspace
                )
            )
        except _NOT_THE_RULES:
            raise
        except Exception as error:
            played = " ".join(self.game.move_name(int(move)) for move in moves)
            raise self._rules_raise(error, f"seed {seed} after {played or 'no move'}") from error

    def _rules_raise(self, error: Exception, where: str) -> SpecificationError:
        what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
        file, _ = split_source(self.game.source)
        raised = traceback.extract_tb(error.__traceback__)[-1]
        if Path(raised.filename).name == Path(file).name:
            file = f"line {raised.lineno} of {file}"
        return SpecificationError(
            f"{self.game.title}: the rules raise {what}, with {self.player.text} and {where}; "
            f"correct {file}"
        )

    @cached_property
    def behaviour(self) -> str:
        """A digest of a few whole games: where it differs, seeds play otherwise."""
        seeds = np.arange(PROBE, dtype=np.uint64)
        _, histories = self.play(seeds, seeds[::-1].copy(), self.workspace())
        return "".join(f"{int(history):016x}" for history in histories)

    @cached_property
    def bound(self) -> Bound:
        """The player bound to the game."""
        return self.player.bind(self.game)

    @cached_property
    def play_cell(self) -> Callable[..., Any]:
        """play_cell(row, column, repeats, knobs, workspace): (half points, hash of the moves).

        Compiled; what every arena calls for its cells.
        """
        return compiled(filled_in(_play_cell_template, self._names))

    @cached_property
    def _play_cells(self) -> Callable[..., Any]:
        return compiled_entry(_play_cells_template, {"play_cell": self.play_cell})

    @cached_property
    def _choose_after(self) -> Callable[..., Any]:
        return compiled_entry(_choose_after_template, self._names)

    @property
    def _names(self) -> dict[str, Any]:
        functions = {"choose": self.bound.choose, "again": self.bound.again}
        return {**self.game.functions, **functions}


# Names that a binding fills in; they exist here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
view: Any = None
event: Any = None
refused: Any = None
choose: Any = None
again: Any = None
play_cell: Any = None


def _play_cell_template(row: Any, column: Any, repeats: Any, knobs: Any, workspace: Any) -> Any:
    """Play the games of one cell: the match itself, the same for every backend.

    Return the half points of the first player and a hash of all moves.
    """
    points = int64(0)
    history = uint64(0)
    for repeat in range(repeats):
        luck = luck_key(row, column, repeat)
        state = start()
        ply = int64(0)
        # What each colour has noticed: how many events, and their hash.
        turns = int64(0), int64(0)
        known = uint64(0), uint64(0)
        while True:
            count = moves(state, workspace, 0)
            if count == 0:
                break
            colour = mover(state)
            if colour == CHANCE:
                move = int64(workspace[below(luck, ply, count)])
            else:
                seed = row if colour == 0 else column
                turn = turns[0] if colour == 0 else turns[1]
                moment = (colour, turn, known[0] if colour == 0 else known[1], luck)
                if refused(state):
                    move = again(view(state, colour), seed, moment, knobs, workspace)
                else:
                    move = choose(view(state, colour), seed, moment, knobs, workspace)
            after = play(state, move)
            first, second = event(state, move, after, 0), event(state, move, after, 1)
            turns = turns[0] + (first >= 0), turns[1] + (second >= 0)
            known = noticed(known[0], first), noticed(known[1], second)
            state = after
            history = fold(history, move)
            ply += 1
        points += score(state)
    return points, history


def _play_cells_template(
    rows: Any, columns: Any, repeats: Any, knobs: Any, workspace: Any, results: Any, histories: Any
) -> None:
    for cell in range(len(rows)):
        points, history = play_cell(rows[cell], columns[cell], repeats, knobs, workspace)
        results[cell] = points
        histories[cell] = history


def _choose_after_template(history: Any, seed: Any, luck: Any, knobs: Any, workspace: Any) -> Any:
    """Replay `history` and choose, as the mover would have in the match."""
    state = start()
    # The turn's first try: what follows refusals rests on the choice made there.
    began = 0
    for ply in range(len(history)):
        state = play(state, history[ply])
        if not refused(state):
            began = ply + 1
    colour = mover(state)
    state = start()
    turn = int64(0)
    known = uint64(0)
    move = int64(-1)
    for ply in range(len(history) + 1):
        if ply >= began:
            moment = (colour, turn, known, luck)
            if ply == began:
                move = choose(view(state, colour), seed, moment, knobs, workspace)
            else:
                move = again(view(state, colour), seed, moment, knobs, workspace)
        if ply < len(history):
            after = play(state, history[ply])
            happened = event(state, history[ply], after, colour)
            turn += happened >= 0
            known = noticed(known, happened)
            state = after
    return move
