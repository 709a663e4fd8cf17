"""Work in other threads, which wait for more: one that waits gets a core sooner than a new one."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread

_Work = tuple[Callable[[], None], Event]
_idle = defaultdict[int, list[SimpleQueue[_Work]]](list)
"""By process, as one may fork: what each thread that has nothing to do waits for."""


def in_background(work: Callable[[], None]) -> Event:
    """Begin to do something; return the event that it is done."""
    done = Event()
    try:
        queue = _idle[os.getpid()].pop()
    except IndexError:
        queue = SimpleQueue()
        # A daemon thread does not delay the exit of the program.
        Thread(target=_wait_for_work, args=(queue,), daemon=True).start()
    queue.put((work, done))
    return done


def _wait_for_work(queue: SimpleQueue[_Work]) -> None:
    while True:
        work, done = queue.get()
        try:
            work()
            _idle[os.getpid()].append(queue)
        finally:
            done.set()
