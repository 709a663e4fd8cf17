"""Rate limits: each name has a bucket that fills with time and from which it takes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic

_MOST_NAMES = 100_000
"""Beyond these, the bucket that was used least recently is forgotten, which is to say full."""


class Buckets:
    """Token buckets by name."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._lock = threading.Lock()
        self._content: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By name: what was in the bucket, and when."""

    def take(self, name: str, amount: float = 1.0) -> float:
        """Take an amount and return 0, or return the seconds to wait until it can be taken."""
        with self._lock:
            content = self._now(name)
            if content >= min(amount, self._burst):
                self._keep(name, content - amount)
                return 0.0
            return (min(amount, self._burst) - content) / self._rate

    def charge(self, name: str, amount: float) -> None:
        """Take an amount that was used already, even if the bucket then owes."""
        with self._lock:
            self._keep(name, self._now(name) - amount)

    def wait(self, name: str) -> float:
        """Return the seconds until the bucket owes nothing."""
        with self._lock:
            return max(0.0, -self._now(name) / self._rate)

    def _now(self, name: str) -> float:
        content, when = self._content.get(name, (self._burst, 0.0))
        return min(self._burst, content + (self._clock() - when) * self._rate)

    def _keep(self, name: str, content: float) -> None:
        self._content[name] = content, self._clock()
        self._content.move_to_end(name)
        if len(self._content) > _MOST_NAMES:
            self._content.popitem(last=False)
