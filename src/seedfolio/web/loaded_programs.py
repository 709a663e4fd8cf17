"""Programs in memory, up to a limit: the one that was used least recently makes room."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from seedfolio.web.guard import PageError


class Closable(Protocol):
    """What has processes to end, perhaps."""

    def close(self) -> None:
        """End them."""
        ...


Key = TypeVar("Key", bound=Hashable)
Loaded = TypeVar("Loaded", bound=Closable)


@dataclass(eq=False)
class _Entry(Generic[Loaded]):
    program: Loaded | None = None
    """None while it is being loaded."""
    users: int = 0
    """Threads that load it or let it think."""
    turn: threading.Lock = field(default_factory=threading.Lock)


class LoadedPrograms(Generic[Key, Loaded]):
    """Programs by what was chosen. One that thinks is never closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, _Entry[Loaded]] = OrderedDict()
        """The one used least recently first."""

    def get(self, key: Key) -> Loaded | None:
        """Return a program if it is loaded."""
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key].program

    @contextmanager
    def using(self, key: Key, load: Callable[[], Loaded]) -> Iterator[Loaded]:
        """Lend a program, loaded by `load` if need be; it stays open meanwhile.

        PageError, which will pass, if all programs are in use and there is no room.
        """
        entry = self._take(key)
        try:
            with entry.turn:
                if entry.program is None:
                    entry.program = load()
            yield entry.program
        finally:
            self._give_back(key, entry)

    def close(self) -> None:
        """Close all programs."""
        with self._lock:
            entries = list(self._entries.values())
            self._entries.clear()
        for entry in entries:
            _close(entry)

    def _take(self, key: Key) -> _Entry[Loaded]:
        closed = None
        with self._lock:
            if key not in self._entries:
                if len(self._entries) >= self._most:
                    closed = self._entries.pop(self._idle())
                self._entries[key] = _Entry()
            entry = self._entries[key]
            self._entries.move_to_end(key)
            entry.users += 1
        if closed is not None:
            _close(closed)  # processes may take a while to end
        return entry

    def _give_back(self, key: Key, entry: _Entry[Loaded]) -> None:
        with self._lock:
            entry.users -= 1
            if entry.program is None and not entry.users and self._entries.get(key) is entry:
                del self._entries[key]  # it could not be loaded

    def _idle(self) -> Key:
        for key, entry in self._entries.items():
            if not entry.users:
                return key
        raise PageError(503, "All programs of this server are thinking. Try again soon.", 5.0)


def _close(entry: _Entry[Loaded]) -> None:
    if entry.program is not None:
        entry.program.close()
