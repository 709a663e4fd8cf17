"""Known answers of arms, so that no engine computes the same answer twice.

The answer of an engine that passed the check depends only on its arm and the moves so far. The
engine computes it once, in the first game that needs it. It computes a few answers again: the
check plays only some games and can miss a rare difference.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from seedfolio.core.randomness import mix_int
from seedfolio.errors import EngineError

BEGINNING = bytes(16)
"""The key of no moves."""
RESULT = -1
"""Used in place of an arm: the answer is the result by the rules, in half points."""


_ONE_IN = 50
"""The engine confirms one in this many reused answers."""


class Answer(NamedTuple):
    """What an arm answered after some moves."""

    arm: int
    history: bytes
    text: str


def history_after(history: bytes, move: str) -> bytes:
    """Return the key, 16 bytes, of a history with one more move."""
    return hashlib.blake2b(history + move.encode(), digest_size=16).digest()


class Answers:
    """Answers known so far, for several threads."""

    def __init__(self, known: Iterable[Answer] = ()) -> None:
        self._known = {(each.arm, each.history): each.text for each in known}
        self._new: list[Answer] = []
        self._confirmed: set[tuple[int, bytes]] = set()
        self._lock = threading.Lock()

    def get(self, arm: int, history: bytes) -> str | None:
        """Return the answer of the arm if it is known."""
        return self._known.get((arm, history))

    def put(self, arm: int, history: bytes, text: str, moves: Sequence[str]) -> None:
        """Keep an answer; EngineError if the arm answered differently before."""
        with self._lock:
            before = self._known.setdefault((arm, history), text)
            if before == text:
                self._new.append(Answer(arm, history, text))
        if before != text:
            raise contradiction(arm, before, text, moves)

    def learn(self, answers: Iterable[Answer]) -> None:
        """Take in answers that were computed elsewhere; EngineError if one differs from ours."""
        for each in answers:
            with self._lock:
                before = self._known.setdefault((each.arm, each.history), each.text)
            if before != each.text:
                raise contradiction(each.arm, before, each.text, ["the same moves"])

    def is_due(self, arm: int, history: bytes) -> bool:
        """Tell whether to confirm a known answer now: a hash chooses a few, each once."""
        key = arm, history
        if mix_int(int.from_bytes(history[:8], "big") ^ arm) % _ONE_IN:
            return False
        with self._lock:
            due = key not in self._confirmed
            self._confirmed.add(key)
        return due

    def take_new(self) -> list[Answer]:
        """Return the answers added since the last call."""
        with self._lock:
            new, self._new = self._new, []
        return list({(each.arm, each.history): each for each in new}.values())


def contradiction(arm: int, before: str, now: str, moves: Sequence[str]) -> EngineError:
    """Return the error for an arm with two different answers after the same moves."""
    return EngineError(
        f"arm {arm} played {before} after {' '.join(moves) or 'no moves'} before, and {now} "
        "now: the engine is not deterministic although it passed the check; start a new study with "
        "reuse = false under player (the engine may remember finished games), or with "
        "`despite_check`"
    )
