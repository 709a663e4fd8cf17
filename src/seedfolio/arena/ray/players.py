"""What plays blocks on the node of a cluster: a built-in program, or an external engine."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from seedfolio.arena import Arena
from seedfolio.arena.cuda.arena import CudaArena
from seedfolio.arena.processes import ProcessArena
from seedfolio.arena.ray.worker import Asked, Done, Order, Seeds
from seedfolio.arena.threads import ThreadArena
from seedfolio.engines.endings import Ending
from seedfolio.engines.play.answers import Answer
from seedfolio.engines.play.game import play_game
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.record import GameRecord
from seedfolio.errors import EngineError
from seedfolio.players.program import Program

_SAMPLE_MOVES = 8
"""How many moves of an engine are compared: a whole game may take minutes."""


class ProgramPlayer:
    """Plays a built-in program, or one from a user's file."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._forms: dict[tuple[int, bool, bool], tuple[int | None, Program]] = {}
        self.digest = sample_games(program)

    def play(self, order: Order, asked: Asked) -> Done:
        """Play a block on one core, or on the GPU."""
        form = self._form(order, asked.words)
        arena: Arena = CudaArena() if asked.gpu else ThreadArena(1, block=len(asked.rows))
        began = time.perf_counter()
        blocks = tuple(arena.play(form, asked.rows, asked.columns))
        return Done(blocks, time.perf_counter() - began)

    def close(self) -> None:
        """Do nothing: there is no process."""

    def _form(self, order: Order, words: Seeds | None) -> Program:
        """Return the program in the form that is asked for; what was compiled is used again."""
        key = order.repeats, order.turned, order.books is not None
        books, form = self._forms.get(key, (None, None))
        if form is None or books != order.books:
            if form is None:
                form = replace(self._program, repeats=order.repeats, turned=order.turned)
            if words is not None:
                form = form.with_books(np.array(words))
            self._forms[key] = order.books, form
            nothing = np.zeros(0, np.uint64)
            form.play(nothing, nothing, form.workspace())  # compiles, which no block counts
        return form


class EnginePlayer:
    """Plays an external engine, and keeps its games and answers until the end of a block."""

    def __init__(
        self, program: EngineProgram, *, remember: bool, reuse: bool, deterministic: bool
    ) -> None:
        self._program = program
        self.digest = sample_games(program, deterministic=deterministic)
        self._arena = ProcessArena(program, games=1, remember=remember, reuse=reuse, archive=self)
        self._games: list[GameRecord] = []
        self._answers: list[Answer] = []
        self._told = 0

    def answers(self) -> Iterator[Answer]:
        """Yield nothing: known answers come with each block."""
        return iter(())

    def keep(self, games: list[GameRecord], answers: list[Answer]) -> None:
        """Keep games and answers for the driver."""
        self._games += games
        self._answers += answers

    def play(self, order: Order, asked: Asked) -> Done:
        """Play a block, one game after the other."""
        import ray

        for news in asked.told:
            if news.last > self._told:
                self._arena.learn(ray.get(news.reference))
                self._told = news.last
        form = replace(self._program, repeats=order.repeats)
        if asked.words is not None:
            books = np.array(asked.words)
            form = form.studying(books) if order.proposing else form.with_books(books)
        self._games = []
        began = time.perf_counter()
        blocks = tuple(self._arena.play(form, asked.rows, asked.columns))
        seconds = time.perf_counter() - began
        answers, self._answers = self._answers, []  # a block that failed may have left some
        return Done(blocks, seconds, tuple(self._games), tuple(answers))

    def close(self) -> None:
        """End all engines."""
        self._arena.close()


def sample_games(program: Program | EngineProgram, *, deterministic: bool = True) -> str:
    """Return a digest of a few games: where it differs, arms play otherwise.

    Of an external engine it is its name, and the first moves of a game if it is deterministic.
    """
    if isinstance(program, Program):
        return program.behaviour
    moves = _first_moves(program) if deterministic else []
    return hashlib.sha256("\n".join([program.engine_identity, *moves]).encode()).hexdigest()[:32]


def _first_moves(program: EngineProgram) -> list[str]:
    """Return the first moves of a game of an engine; EngineError if there is no game."""
    specification = program.specification
    game = specification.game.model_copy(update={"moves": _SAMPLE_MOVES})
    short = replace(program, specification=specification.model_copy(update={"game": game}))
    pool = EnginePool(short, reuse=False)
    try:
        record = play_game(short, pool, 0, 1)
    finally:
        pool.close()
    if record.ending is Ending.VOID:
        raise EngineError(record.detail)
    return [*record.moves, record.ending.value]
