"""What arms have answered: a program that passed the check plays by its arm and the moves so far.

So the answer of an arm after the same moves is computed once, in whatever game it comes up first.
A few are asked for again all the same: a check of some games can miss what is rare.
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
"""In place of an arm: the answer is the half points with which the rules end the game there."""


_ONE_IN = 50
"""Of so many answers that are used again, one is asked for again."""


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
        """Return what the arm answers, if it is known."""
        return self._known.get((arm, history))

    def put(self, arm: int, history: bytes, text: str, moves: Sequence[str]) -> None:
        """Keep an answer; EngineError if the arm answered otherwise after the same moves."""
        with self._lock:
            before = self._known.setdefault((arm, history), text)
            if before == text:
                self._new.append(Answer(arm, history, text))
        if before != text:
            raise contradiction(arm, before, text, moves)

    def is_due(self, arm: int, history: bytes) -> bool:
        """Tell whether a known answer is now to be confirmed: a few are, once, chosen by a hash."""
        key = arm, history
        if mix_int(int.from_bytes(history[:8], "big") ^ arm) % _ONE_IN:
            return False
        with self._lock:
            due = key not in self._confirmed
            self._confirmed.add(key)
        return due

    def take_new(self) -> list[Answer]:
        """Return what has been put since the last call."""
        with self._lock:
            new, self._new = self._new, []
        return list({(each.arm, each.history): each for each in new}.values())


def contradiction(arm: int, before: str, now: str, moves: Sequence[str]) -> EngineError:
    """Return the error for an arm that has answered in two ways after the same moves."""
    return EngineError(
        f"arm {arm} played {before} after {' '.join(moves) or 'no moves'} before and {now} now: "
        "the program is not deterministic although it passed the check; begin a new --study, with "
        "reuse = false under player, for it may not forget a game that is over, or with "
        "--despite-check"
    )
