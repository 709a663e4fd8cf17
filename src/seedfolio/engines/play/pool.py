"""Running engines, kept for the next games."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from seedfolio.engines.interface import Arm, Engine, Judge
from seedfolio.engines.program import EngineProgram

_AT_ONCE = 16
"""How many processes end at once."""


@dataclass(frozen=True)
class Effort:
    """What starting and ending engines has taken, besides the games themselves."""

    starts: int = 0
    seconds: float = 0.0

    def more(self, starts: int, since: float) -> Effort:
        """Return it with the time since a moment of time.monotonic()."""
        return Effort(self.starts + starts, self.seconds + time.monotonic() - since)


class EnginePool:
    """Lends engines and judges of one program to several threads.

    At most `idle` engines wait: for the next games, or in a game for its next move. With more, the
    pool ends the one that has waited longest. Without `reuse`, or if the program forbids it, every
    engine plays one game.
    """

    def __init__(self, program: EngineProgram, *, reuse: bool = True, idle: int = 8) -> None:
        self.program = program
        self._reuse = reuse
        self.most_idle = idle
        self._idle: OrderedDict[Engine, tuple[Hashable, tuple[int, ...]]] = OrderedDict()
        """Each with what it waits for, and in a game the moves that it knows."""
        self._lent: set[Engine | Judge] = set()
        self._judges: list[Judge] = []
        self._lock = threading.Lock()
        self._closing = False
        self.effort = Effort()
        self.habits: frozenset[str] = frozenset()
        """What engines did that disturbs games."""

    def reuses(self, arm: Arm) -> bool:
        """Tell whether processes of an arm play more than one game."""
        return self._reuse and self.program.owner(arm).reuse

    def engine(self, arm: Arm, *, new: bool = False) -> Engine:
        """Lend an engine that can play `arm`, a `new` one if asked; the caller begins a game."""
        waiting = None if new else self.resume(self.program.launch_key(arm))[0]
        if waiting is not None:
            return waiting
        began = time.monotonic()
        engine = self.program.open(arm)
        with self._lock:
            self.effort = self.effort.more(1, began)
            self._note_lent(engine)
        return engine

    def resume(self, game: Hashable) -> tuple[Engine | None, tuple[int, ...]]:
        """Lend the engine that waits in a game, with the moves that it knows; None: there is none.

        After `engine` or `resume` the caller gives the engine back, keeps or discards it.
        """
        with self._lock:
            for engine, (waits_for, known) in reversed(self._idle.items()):
                if waits_for == game:
                    del self._idle[engine]
                    self._note_lent(engine)
                    return engine, known
        return None, ()

    def keep(self, engine: Engine, game: Hashable, known: tuple[int, ...]) -> None:
        """Take back an engine in the middle of a game."""
        self._take_back(engine, (game, known))

    @contextmanager
    def lend(self, arm: Arm, *, new: bool = False) -> Iterator[Engine]:
        """Lend an engine for a with block; end it if the block raises an error."""
        engine = self.engine(arm, new=new)
        try:
            yield engine
        except BaseException:
            self.discard(engine)
            raise
        self.give_back(engine, arm)

    def give_back(self, engine: Engine, arm: Arm) -> None:
        """Take back an engine that works, at the end of a game."""
        self._take_back(engine, (self.program.launch_key(arm), ()) if self.reuses(arm) else None)

    def _take_back(
        self, engine: Engine, waits_for: tuple[Hashable, tuple[int, ...]] | None
    ) -> None:
        """End an engine, or let it wait and end the surplus ones."""
        with self._lock:
            self._lent.discard(engine)
            ended = [engine]
            if waits_for is not None and not self._closing:
                self._idle[engine] = waits_for
                surplus = max(0, len(self._idle) - self.most_idle)
                ended = [self._idle.popitem(last=False)[0] for _ in range(surplus)]
        began = time.monotonic()
        for each in ended:
            each.close()
        with self._lock:
            self.habits = self.habits.union(*(each.habits for each in ended))
            self.effort = self.effort.more(0, began)

    def discard(self, engine: Engine) -> None:
        """End an engine that has failed."""
        with self._lock:
            self._lent.discard(engine)
        engine.close(polite=False)
        with self._lock:
            self.habits |= engine.habits

    def judge(self) -> Judge:
        """Lend a judge."""
        with self._lock:
            judge = self._judges.pop() if self._judges else None
        judge = self.program.make_judge() if judge is None else judge
        with self._lock:
            self._note_lent(judge)
        return judge

    def give_back_judge(self, judge: Judge) -> None:
        """Take back a judge."""
        with self._lock:
            self._lent.discard(judge)
            if not self._closing:
                self._judges.append(judge)
                return
        judge.close()

    def _note_lent(self, each: Engine | Judge) -> None:
        """Note an engine or a judge as lent, under the lock; after `stop`, end it at once."""
        self._lent.add(each)
        if self._closing:
            each.kill()

    def stop(self) -> None:
        """End all lent engines and judges; threads that wait for one get an error."""
        with self._lock:
            self._closing = True
            for each in self._lent:
                each.kill()

    def go_on(self) -> None:
        """Lend again after `stop` or `close`; first, all that was lent must be back."""
        with self._lock:
            self._closing = False

    def close(self) -> None:
        """End everything; first, all that was lent must be back."""
        self.stop()
        with self._lock:
            idle, self._idle = list(self._idle), OrderedDict()
            judges, self._judges = self._judges, []
        ended = [engine.close for engine in idle] + [judge.close for judge in judges]
        if ended:  # at once: each has some time to end by itself
            with ThreadPoolExecutor(min(len(ended), _AT_ONCE)) as workers:
                list(workers.map(lambda close: close(), ended))
