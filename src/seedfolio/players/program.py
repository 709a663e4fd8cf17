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

from seedfolio.core.compiling import compiled_entry
from seedfolio.core.randomness import fold
from seedfolio.errors import SpecificationError
from seedfolio.games import split_source
from seedfolio.games.interface import Game
from seedfolio.players.interface import Bound, Player, identity

PROBE = 3
"""How many games between the first seeds of both colours make the behaviour digest."""

_UNPLAYED = 255
_NOT_THE_RULES = (NumbaError, UnsupportedBytecodeError, ImportError, OSError, MemoryError)
"""What can go wrong before a game begins: compiling, the cache on disk, memory."""


@dataclass(frozen=True)
class Program:
    """A game and a player, compiled together.

    Compiled code is made when first needed and kept on disk for other processes.
    """

    game: Game
    player: Player

    def identity(self) -> dict[str, Any]:
        """What results are tied to: game, player, and a digest of what they really play."""
        return {**self.identity_of_parts(), "sample games": self.behaviour}

    def identity_of_parts(self) -> dict[str, Any]:
        """The identity without the digest, which takes compiling."""
        return {"game": self.game.identity(), "player": identity(self.player)}

    def workspace(self) -> NDArray[np.int32]:
        """Return scratch space for one thread."""
        return np.zeros(self._bound.workspace, np.int32)

    def play(
        self,
        rows: NDArray[np.uint64],
        columns: NDArray[np.uint64],
        workspace: NDArray[np.int32],
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """Play the game of rows[k] (first player) against columns[k] for every k.

        Return the half points of the first player, and for each game a hash of its moves.
        Releases the GIL. SpecificationError, naming the game, if the rules raise an error.
        """
        if rows.ndim != 1 or rows.shape != columns.shape:
            raise ValueError(f"rows of shape {rows.shape} against columns of {columns.shape}")
        results = np.full(len(rows), _UNPLAYED, np.uint8)
        histories = np.empty(len(rows), np.uint64)
        try:
            self._play_cells(rows, columns, self._bound.knobs, workspace, results, histories)
        except _NOT_THE_RULES:
            raise
        except Exception as error:
            cell = int(np.argmax(results == _UNPLAYED))  # they are played one after the other
            where = f"seeds {rows[cell]} and {columns[cell]}"
            raise self._rules_raise(error, where) from error
        return results, histories

    def choose(
        self, history: Sequence[int], seed: int, workspace: NDArray[np.int32] | None = None
    ) -> int:
        """Return the move that `seed` plays after `history`."""
        if not self.game.position(history).moves:
            raise SpecificationError(f"{self.game.title}: the game is over, there is no move")
        moves = np.asarray(history, np.int64).reshape(-1)
        if workspace is None:
            workspace = self.workspace()
        try:
            return int(self._choose_after(moves, np.uint64(seed), self._bound.knobs, workspace))
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
    def _bound(self) -> Bound:
        return self.player.bind(self.game)

    @cached_property
    def _play_cells(self) -> Callable[..., Any]:
        return compiled_entry(_play_cells_template, self._names)

    @cached_property
    def _choose_after(self) -> Callable[..., Any]:
        return compiled_entry(_choose_after_template, self._names)

    @property
    def _names(self) -> dict[str, Any]:
        return {**self.game.rules.functions(), "choose": self._bound.choose}


# Names that a binding fills in; they exist here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
choose: Any = None


def _play_cells_template(
    rows: Any, columns: Any, knobs: Any, workspace: Any, results: Any, histories: Any
) -> None:
    """Play one game a cell: the match itself, the same for every backend."""
    for cell in range(len(rows)):
        state = start()
        ply = int64(0)
        history = uint64(0)
        while moves(state, workspace, 0) > 0:
            seed = rows[cell] if mover(state) == 0 else columns[cell]
            move = choose(state, seed, ply, knobs, workspace)
            state = play(state, move)
            history = fold(history, move)
            ply += 1
        results[cell] = score(state)
        histories[cell] = history


def _choose_after_template(history: Any, seed: Any, knobs: Any, workspace: Any) -> Any:
    state = start()
    for ply in range(len(history)):
        state = play(state, history[ply])
    return choose(state, seed, int64(len(history)), knobs, workspace)
