"""The threads in which programs think, and the queue before them."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from time import monotonic

from seedfolio.web.guard import PageError
from seedfolio.web.limits import Buckets
from seedfolio.web.settings import Settings

NOBODY = ""
"""In place of a visitor, for work that is for all."""
_log = logging.getLogger("seedfolio.web")


@dataclass(frozen=True)
class _Job:
    visitor: str
    work: Callable[[], float | None]
    done: Future[None] = field(default_factory=Future)


class Queue:
    """Threads that work on one job each; the others wait in the order in which they came."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, _Job] = OrderedDict()
        self._working: dict[str, _Job] = {}
        self._used = Buckets(settings.thinking, settings.thinking_burst)
        self._closed = False
        self._threads = [
            threading.Thread(target=self._run, name=f"thinking {number}", daemon=True)
            for number in range(settings.workers)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, name: str, visitor: str, work: Callable[[], float | None]) -> Future[None]:
        """Return when `work` is done, which is queued unless a job of that name is there.

        The visitor pays for the seconds that it returns, or for all that it took if None. Work for
        NOBODY is for all, and only the queue's length limits it.
        PageError if the visitor, or all together, have asked for too much.
        """
        with self._changed:
            known = self._working.get(name) or self._waiting.get(name)
            if known is not None:
                return known.done
            self._check(visitor)
            job = _Job(visitor, work)
            self._waiting[name] = job
            self._changed.notify()
            return job.done

    def place(self, name: str) -> int | None:
        """Return the place of a job in the queue: 0 while it is worked on, None if unknown."""
        with self._changed:
            if name in self._working:
                return 0
            if name not in self._waiting:
                return None
            return list(self._waiting).index(name) + 1

    def close(self) -> None:
        """Take no more jobs; those that wait are dropped. Games are on disk and go on later."""
        with self._changed:
            self._closed = True
            for job in self._waiting.values():
                job.done.cancel()
            self._waiting.clear()
            self._changed.notify_all()

    def _check(self, visitor: str) -> None:
        asked = [*self._waiting.values(), *self._working.values()]
        own = sum(job.visitor == visitor for job in asked)
        if visitor != NOBODY and own >= self._settings.waiting_each:
            raise PageError(
                429, "Programs are thinking in several of your games. Wait for one of them.", 2.0
            )
        if len(self._waiting) >= self._settings.waiting or self._closed:
            raise PageError(503, "Too many games wait for their programs. Try again soon.", 10.0)
        if wait := self._used.wait(visitor):
            raise PageError(
                429,
                f"Your opponents have thought for long enough. Go on in {wait:.0f} seconds.",
                wait,
            )

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                name, job = self._waiting.popitem(last=False)
                self._working[name] = job
            began, used = monotonic(), None
            try:
                used = job.work()
            except Exception:
                _log.exception("a program failed")
            finally:
                self._used.charge(job.visitor, monotonic() - began if used is None else used)
                with self._changed:
                    del self._working[name]
                job.done.set_result(None)
