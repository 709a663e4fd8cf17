"""Running engines, kept for the next games."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from seedfolio.engines.interface import Arm, Engine, Judge
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.protocols.process import Launch


class Lender(Protocol):
    """Lends engines that can play the arms of one program."""

    def engine(self, arm: Arm) -> Engine:
        """Lend an engine that can play `arm`; the caller begins a game."""
        ...

    def lend(self, arm: Arm, *, new: bool = False) -> AbstractContextManager[Engine]:
        """Lend an engine, a `new` one if asked, for a with block."""
        ...

    def give_back(self, engine: Engine, arm: Arm) -> None:
        """Take back an engine that works."""
        ...

    def discard(self, engine: Engine) -> None:
        """End an engine that has failed."""
        ...


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

    At most `idle` engines wait for the next games; with more, the pool ends the one that has
    waited longest. Without `reuse`, or if the program forbids it, every engine plays one game.
    """

    def __init__(self, program: EngineProgram, *, reuse: bool = True, idle: int = 8) -> None:
        self.program = program
        self._reuse = reuse
        self._most_idle = idle
        self._idle: OrderedDict[Engine, tuple[str, Launch]] = OrderedDict()
        self._lent: set[Engine | Judge] = set()
        self._judges: list[Judge] = []
        self._lock = threading.Lock()
        self._closing = False
        self.effort = Effort()
        self.ignored_quit = False
        """Whether an engine did not end when it was asked to."""

    def reuses(self, arm: Arm) -> bool:
        """Tell whether processes of an arm play more than one game."""
        return self._reuse and self.program.owner(arm).specification.player.reuse

    def engine(self, arm: Arm, *, new: bool = False) -> Engine:
        """Lend an engine that can play `arm`, a `new` one if asked; the caller begins a game."""
        launch = self.program.launch_key(arm)
        with self._lock:
            for engine, key in reversed(self._idle.items()):
                if key == launch and not new:
                    del self._idle[engine]
                    self._lent.add(engine)
                    return engine
        began = time.monotonic()
        engine = self.program.open(arm)
        with self._lock:
            self.effort = self.effort.more(1, began)
            self._lent.add(engine)
            if self._closing:
                engine.kill()
        return engine

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
        """Take back an engine that works."""
        with self._lock:
            self._lent.discard(engine)
            ended = [engine]
            if self.reuses(arm) and not self._closing:
                self._idle[engine] = self.program.launch_key(arm)
                surplus = max(0, len(self._idle) - self._most_idle)
                ended = [self._idle.popitem(last=False)[0] for _ in range(surplus)]
        began = time.monotonic()
        for each in ended:
            each.close()
        with self._lock:
            self.ignored_quit |= any(each.ignored_quit for each in ended)
            self.effort = self.effort.more(0, began)

    def discard(self, engine: Engine) -> None:
        """End an engine that has failed."""
        with self._lock:
            self._lent.discard(engine)
        engine.close(polite=False)

    def judge(self) -> Judge:
        """Lend a judge."""
        with self._lock:
            judge = self._judges.pop() if self._judges else None
        judge = self.program.make_judge() if judge is None else judge
        with self._lock:
            self._lent.add(judge)
            if self._closing:
                judge.kill()
        return judge

    def give_back_judge(self, judge: Judge) -> None:
        """Take back a judge."""
        with self._lock:
            self._lent.discard(judge)
            if not self._closing:
                self._judges.append(judge)
                return
        judge.close()

    def stop(self) -> None:
        """End all lent engines and judges; threads that wait for one get an error."""
        with self._lock:
            self._closing = True
            for each in self._lent:
                each.kill()

    def go_on(self) -> None:
        """Lend again after `stop`; first, all that was lent must be back."""
        with self._lock:
            self._closing = False

    def close(self) -> None:
        """End everything; first, all that was lent must be back."""
        self.stop()
        with self._lock:
            idle, self._idle = list(self._idle), OrderedDict()
            judges, self._judges = self._judges, []
        for engine in idle:
            engine.close()
        for judge in judges:
            judge.close()
