"""Games of a changed program against the given program, on any arena."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Run
from seedfolio.arena.choice import AUTO, is_cluster, open_arena
from seedfolio.arena.processes import NoArchive, ProcessArena
from seedfolio.arena.ray.arena import RayArena
from seedfolio.core.compiler import fingerprint
from seedfolio.core.seeds import GUEST_SHIFT, UNSEEN_SEEDS
from seedfolio.engines.meeting import guest_arms, meeting
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.players.duel import Duel
from seedfolio.players.program import Program

Words = NDArray[np.uint64]
Scores = NDArray[np.float64]
"""Of pairs of games, from 0 to 1."""
_MEASURED = 0.5
"""Seconds of games in which the speed is measured."""


class Games:
    """Plays pairs of games: in each, two seeds meet twice, with both colours."""

    def __init__(self, given: Program | EngineProgram, run: Run, arena: Arena | None) -> None:
        self.given = given
        self._run, self._arena = run, arena
        self._code: dict[str, Program] = {}
        """By a hash of it: values that are not compiled in share their code."""

    def scores(
        self, changed: Program | EngineProgram, first: int, pairs: int, *, unseen: bool = False
    ) -> Scores:
        """Return the success of a changed program in the pairs with these numbers.

        `unseen`: with seeds that no other call without it plays.
        """
        numbers = np.arange(first, first + pairs, dtype=np.uint64)
        ours, theirs = self.given.book_arms(numbers)
        if unseen:
            supply = np.uint64(self.given.arms.unseen)
            ours, theirs = (UNSEEN_SEEDS.start + each % supply for each in (ours, theirs))
        total = np.zeros(pairs)
        for colour, (rows, columns) in enumerate(((ours, theirs), (theirs, ours))):
            for block_rows, block_columns, success in self._played(changed, colour, rows, columns):
                own, other = (
                    (block_rows, block_columns) if colour == 0 else (block_columns, block_rows)
                )
                total[_places(own, other, ours, theirs)] += success if colour == 0 else 1 - success
                self._run.progress.advance(len(success))
        return total / 2

    def speed(self) -> float:
        """Return how many games are played a second, measured for a second or so."""
        self.scores(self.given, 0, 1)  # compiles
        pairs, took = 1, 0.0
        while took < _MEASURED:
            began = time.perf_counter()
            self.scores(self.given, 0, pairs)
            took, pairs = time.perf_counter() - began, 4 * pairs
        return pairs / 2 / took

    def _played(
        self, changed: Program | EngineProgram, colour: int, rows: Words, columns: Words
    ) -> Generator[tuple[Words, Words, Scores], None, None]:
        """Yield rows, columns and the success of the first player, block by block."""
        if isinstance(changed, EngineProgram):
            assert isinstance(self.given, EngineProgram)
            both = meeting(self.given.single(), [changed.single()])
            asked = (
                (guest_arms(0, rows), columns) if colour == 0 else (rows, guest_arms(0, columns))
            )
            own = np.uint64((1 << GUEST_SHIFT) - 1)
            with (
                self._engine_arena(both) as arena,
                closing(arena.play(both, *asked)) as blocks,
            ):
                for block in blocks:
                    yield block.rows & own, block.columns & own, block.results / both.full
            return
        assert isinstance(self.given, Program)
        assert self._arena is not None
        sides = (changed, self.given) if colour == 0 else (self.given, changed)
        duel = Duel(sides[0].player, sides[1].player)
        program = replace(self.given, player=duel, repeats=1)
        code = fingerprint(program.bound.choose, program.bound.again) or program.title
        program.share_code(self._code.setdefault(code, program))
        with closing(self._arena.play(program, rows, columns)) as blocks:
            for block in blocks:
                yield block.rows, block.columns, block.results / program.full

    @contextmanager
    def _engine_arena(self, both: EngineProgram) -> Iterator[Arena]:
        if isinstance(self._arena, RayArena):
            yield self._arena.for_engine(
                both, NoArchive(), remember=False, reuse=True, deterministic=False
            )
            return
        with ProcessArena(both, games=self._run.threads) as arena:
            yield arena


@contextmanager
def open_games(given: Program | EngineProgram, run: Run) -> Iterator[Games]:
    """Yield what plays games of a program; SpecificationError if it is not for two."""
    if isinstance(given, EngineProgram):
        cluster = is_cluster(run) or isinstance(run.arena, RayArena)
        if run.arena != AUTO and not cluster:
            raise SpecificationError(
                f"{given.title} runs in its own processes; leave out `arena`, or choose ray"
            )
        if cluster and given.traits.begins_elsewhere:
            raise SpecificationError(
                f"{given.title} has [openings], which play on this machine only; leave out `arena`"
            )
        if given.opponents:
            raise SpecificationError(
                f"{given.file} has [[opponents]]; tuning plays the engine against itself: leave "
                "them out"
            )
        with open_arena(run) if cluster else nullcontext() as nodes:
            yield Games(given, run, nodes)
        return
    if given.game.seat is not None:
        raise SpecificationError(f"{given.title} is for more than two players; tune plays for two")
    with open_arena(run) as arena:
        if isinstance(arena, RayArena):
            arena.need(given)
        yield Games(given, run, arena)


def most_pairs(given: Program | EngineProgram) -> int | None:
    """Return how many different pairs two programs can play; None: no end."""
    arms = given.arms
    return max(1, arms.training * (arms.training - 1)) if arms.finite else None


def _places(own: Words, other: Words, ours: Words, theirs: Words) -> NDArray[np.intp]:
    """Return where pairs of arms stand among all pairs."""
    shift = np.uint64(32)
    keys = (ours << shift) ^ theirs
    order = np.argsort(keys, kind="stable")
    return order[np.searchsorted(keys[order], (own << shift) ^ other)]
