"""The arena of external engines: a few games at once; engines stay for the next games."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Block
from seedfolio.arena.threads import available_cores
from seedfolio.engines.endings import Ending
from seedfolio.engines.play.answers import Answer, Answers
from seedfolio.engines.play.game import play_game
from seedfolio.engines.play.pool import Effort, EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.record import GameRecord
from seedfolio.errors import EngineError, SpecificationError

_BLOCK_SECONDS = 0.4
"""A block has the games of this time, so that a killed process loses few of them."""


class Archive(Protocol):
    """Keeps games and answers beside the results."""

    def answers(self) -> Iterator[Answer]:
        """Yield all answers kept so far."""
        ...

    def keep(self, games: list[GameRecord], answers: list[Answer]) -> None:
        """Keep games and answers; known ones may come again."""
        ...


class NoArchive:
    """Keeps nothing."""

    def answers(self) -> Iterator[Answer]:
        """Yield nothing."""
        return iter(())

    def keep(self, games: list[GameRecord], answers: list[Answer]) -> None:
        """Keep nothing."""


@dataclass
class Voids:
    """Counts void games: everything stops if the first game is void, or two in a row."""

    games: int = 0
    in_a_row: int = 0

    def count(self, record: GameRecord) -> None:
        """Count one more game; EngineError if it is one void game too many."""
        void = record.ending is Ending.VOID
        self.in_a_row = self.in_a_row + 1 if void else 0
        # A node of a cluster goes on after an error, so that there may be more than two.
        if void and (self.games == 0 or self.in_a_row >= 2):
            which = "the first game" if self.games == 0 else "two games in a row"
            raise EngineError(f"{which} failed: {record.detail}")
        self.games += 1


class ProcessArena:
    """Plays one external engine, `games` games at once.

    With `remember`, for engines that passed the check, no engine computes the same answer twice.
    Without `reuse`, every game has new processes, and so has every remembered answer.

    With the files of docs/boost-your-engine.md; `boost` makes such an arena by itself:

    >>> import numpy as np
    >>> from seedfolio import ProcessArena, load_program
    >>> program = load_program("bot.toml")
    >>> seeds = np.arange(2, dtype=np.uint64)
    >>> with ProcessArena(program, games=1) as arena:
    ...     results = [block.results.tolist() for block in arena.play(program, seeds, seeds)]
    >>> sum(results, [])
    [2, 2]
    """

    def __init__(
        self,
        program: EngineProgram,
        *,
        games: int | None = None,
        remember: bool = False,
        reuse: bool = True,
        archive: Archive | None = None,
    ) -> None:
        self._program = program
        self._games = available_cores() if games is None else games
        if self._games < 1:
            raise SpecificationError(f"games must be 1 or more, not {self._games}")
        self._archive = NoArchive() if archive is None else archive
        self._answers = Answers(self._archive.answers()) if remember else None
        self._pool = EnginePool(program, reuse=reuse, idle=4 * self._games)
        self._voids = Voids()

    def play(
        self, program: EngineProgram, rows: NDArray[np.uint64], columns: NDArray[np.uint64]
    ) -> Generator[Block, None, None]:
        """Play rows[k] against columns[k] for every k; yield blocks in the order they finish.

        Void games are played again. When the caller stops early, the arena ends the engines at
        work. EngineError if an engine does not start, if the first game is void, or if two games
        in a row are.
        """
        if program.specification != self._program.specification:
            raise SpecificationError(f"this arena plays {self._program.title}, not {program.title}")
        cells = zip(rows.tolist(), columns.tolist(), strict=True)
        waiting = iter(cells)
        under_way: set[Future[list[GameRecord]]] = set()
        done: list[list[GameRecord]] = []
        handed_over = time.monotonic()
        with self._threads() as threads:
            exhausted = False
            while True:
                # As many wait as play, so that no thread is idle while results are written.
                while not exhausted and len(under_way) < 2 * self._games:
                    cell = next(waiting, None)
                    exhausted = cell is None
                    if cell is not None:
                        under_way.add(threads.submit(self.play_cell, *cell, program))
                if not under_way:
                    break
                # Finished games do not wait long for slower ones.
                patience = _BLOCK_SECONDS if done else None
                finished, under_way = wait(under_way, patience, FIRST_COMPLETED)
                done += [future.result() for future in finished]
                if done and (time.monotonic() - handed_over >= _BLOCK_SECONDS or not under_way):
                    yield self._hand_over(done)
                    done, handed_over = [], time.monotonic()
        if done:
            yield self._hand_over(done)

    def play_cell(self, row: int, column: int, program: EngineProgram) -> list[GameRecord]:
        """Play the games of a cell, from any thread; play void games again."""
        return [self._play_game(row, column, program, each) for each in range(program.repeats)]

    def learn(self, answers: Iterable[Answer]) -> None:
        """Take in answers that were computed elsewhere; without `remember` they do not matter."""
        if self._answers is not None:
            self._answers.learn(answers)

    def new_answers(self) -> list[Answer]:
        """Return the answers that were computed here since the last call."""
        return [] if self._answers is None else self._answers.take_new()

    @property
    def at_once(self) -> int:
        """How many games it plays at once."""
        return self._games

    @property
    def effort(self) -> Effort:
        """What starting and ending engines has taken so far."""
        return self._pool.effort

    def close(self) -> None:
        """End all engines."""
        self._pool.close()

    def __enter__(self) -> ProcessArena:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @contextmanager
    def _threads(self) -> Iterator[ThreadPoolExecutor]:
        threads = ThreadPoolExecutor(self._games, thread_name_prefix="engines")
        try:
            yield threads
        except BaseException:
            self._pool.stop()  # so that no thread waits for an engine
            raise
        finally:
            threads.shutdown(wait=True, cancel_futures=True)
            self._pool.go_on()

    def _play_game(self, row: int, column: int, program: EngineProgram, number: int) -> GameRecord:
        while True:
            record = play_game(
                program, self._pool, row, column, number=number, answers=self._answers
            )
            self._voids.count(record)
            if record.ending is not Ending.VOID:
                return record

    def _hand_over(self, cells: list[list[GameRecord]]) -> Block:
        """Keep the games, and return their results."""
        games = [record for cell in cells for record in cell]
        self._archive.keep(games, self.new_answers())
        return Block(
            np.array([cell[0].arms[0] for cell in cells], np.uint64),
            np.array([cell[0].arms[1] for cell in cells], np.uint64),
            np.array([sum(record.points for record in cell) for cell in cells], np.uint8),
            *_noted(games),
        )


def _noted(
    games: Sequence[GameRecord],
) -> tuple[NDArray[np.uint64] | None, NDArray[np.uint64] | None]:
    """Return what games with books have noted: `left` and `proposed` of a block."""
    left = [game.left for game in games if game.left is not None]
    rows = []
    for game in games:
        for each in game.proposed:
            before = each.last, each.last_move + 1
            rows.append((each.colour, each.state, each.move + 1, *before, each.arm))
    return (
        np.array(left, np.uint64) if left else None,
        np.array(rows, np.uint64) if rows else None,
    )
