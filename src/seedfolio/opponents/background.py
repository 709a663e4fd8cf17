"""Work in other threads, which wait for more: one that waits gets a core sooner than a new one."""

from __future__ import annotations

import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Event, Thread

_Work = tuple[Callable[[], None], Event]
_idle: list[SimpleQueue[_Work]] = []
"""What each thread that has nothing to do waits for."""
os.register_at_fork(after_in_child=_idle.clear)  # a fork has no other threads


def in_background(work: Callable[[], None]) -> Event:
    """Begin to do something; return the event that it is done."""
    done = Event()
    try:
        queue = _idle.pop()
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
            del work  # with all that a search needs
            _idle.append(queue)
        finally:
            done.set()
            del done
