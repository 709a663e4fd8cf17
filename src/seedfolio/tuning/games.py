"""Games of a changed program against the given program, on any arena."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Run
from seedfolio.arena.choice import AUTO, is_cluster, open_arena
from seedfolio.arena.processes import NoArchive, ProcessArena
from seedfolio.arena.ray.arena import RayArena
from seedfolio.core.compiler import fingerprint
from seedfolio.core.seeds import UNSEEN_SEEDS
from seedfolio.engines.meeting import guest_arms, meeting
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.players.program import Program
from seedfolio.players.several import Meeting

Words = NDArray[np.uint64]
Scores = NDArray[np.float64]
"""Of pairs of games, from 0 to 1."""
_MEASURED = 0.5
"""Seconds of games in which the speed is measured."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of games that a changed program plays: so many, from number `first` on."""

    changed: Program | EngineProgram
    first: int
    count: int


class Games:
    """Plays pairs of games: in each, two seeds meet twice, with both colours."""

    def __init__(self, given: Program | EngineProgram, run: Run, arena: Arena | None) -> None:
        self.given = given
        self._run, self._arena = run, arena
        self._code: dict[str, Program] = {}
        """By a hash of it: values that are not compiled in share their code."""

    def scores(
        self, asked: Sequence[Pairs], *, unseen: bool = False
    ) -> Generator[Scores, None, None]:
        """Yield the success of each changed program in its pairs, in order.

        An arena gets all of them at once: a wide one would be idle with those of one. `unseen`:
        with seeds that no other call without it plays.
        """
        rows, columns = [], []
        for guest, each in enumerate(asked):
            numbers = np.arange(each.first, each.first + each.count, dtype=np.uint64)
            ours, theirs = self.given.book_arms(numbers)
            if unseen:
                supply = np.uint64(self.given.arms.unseen)
                ours, theirs = (UNSEEN_SEEDS.start + each % supply for each in (ours, theirs))
            ours = guest_arms(guest, ours)
            rows += [ours, theirs]
            columns += [theirs, ours]
        ends = np.cumsum([0, *(2 * each.count for each in asked)])
        cells = np.concatenate(rows), np.concatenate(columns)
        places = {cell: place for place, cell in enumerate(_cells(*cells))}
        success, done = np.full(ends[-1], np.nan), 0
        with closing(self._played([each.changed for each in asked], *cells)) as blocks:
            for block_rows, block_columns, found in blocks:
                success[[places[cell] for cell in _cells(block_rows, block_columns)]] = found
                self._run.progress.advance(len(found))
                while done < len(asked):
                    as_first, as_second = success[ends[done] : ends[done + 1]].reshape(2, -1)
                    scores = (as_first + 1 - as_second) / 2
                    if np.isnan(scores).any():
                        break
                    yield scores
                    done += 1

    def speed(self) -> float:
        """Return how many games are played a second, measured for a second or so."""

        def play(pairs: int) -> None:
            deque(self.scores([Pairs(self.given, 0, pairs)]), 0)

        play(1)  # compiles
        pairs, took = 1, 0.0
        while took < _MEASURED:
            began = time.perf_counter()
            play(pairs)
            took, pairs = time.perf_counter() - began, 4 * pairs
        return pairs / 2 / took

    def _played(
        self, changed: Sequence[Program | EngineProgram], rows: Words, columns: Words
    ) -> Generator[tuple[Words, Words, Scores], None, None]:
        """Yield rows, columns and the success of the first player, block by block."""
        if isinstance(self.given, EngineProgram):
            guests = [each.single() for each in changed if isinstance(each, EngineProgram)]
            for each in guests:
                each.share_openings(self.given)
            both = meeting(self.given.single(), guests)
            both.share_openings(self.given)
            with (
                self._engine_arena(both) as arena,
                closing(arena.play(both, rows, columns)) as blocks,
            ):
                for block in blocks:
                    yield block.rows, block.columns, block.results / both.full
            return
        assert self._arena is not None
        others = [each.player for each in changed if isinstance(each, Program)]
        program = replace(self.given, player=Meeting((self.given.player, *others)), repeats=1)
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


def _cells(rows: Words, columns: Words) -> Iterator[tuple[int, int]]:
    return zip(rows.tolist(), columns.tolist(), strict=True)
