"""What the driver of a cluster has asked its workers, and has no answer to yet."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from seedfolio.arena.members import Job, Member
from seedfolio.arena.pieces import Piece
from seedfolio.arena.ray_signals import signals_pass


@dataclass(frozen=True)
class Asked:
    """What a reference of Ray will answer."""

    member: Member
    job: Job | None = None
    """Whether it is ready for this."""
    piece: Piece | None = None
    """Neither: its versions."""


class Questions:
    """All that is asked, by the reference of Ray that will have the answer."""

    def __init__(self) -> None:
        self._asked: dict[Any, Asked] = {}

    def ask(self, reference: Any, asked: Asked) -> None:
        """Add a question."""
        self._asked[reference] = asked

    def answered(self, seconds: float) -> Iterator[tuple[Any, Asked]]:
        """Wait for an answer, at most so long; take out and yield all that are there."""
        import ray

        if not self._asked:
            time.sleep(0.1)
            return
        references = list(self._asked)
        with signals_pass():
            ready, _ = ray.wait(references, num_returns=1, timeout=seconds)
            if ready:
                ready, _ = ray.wait(references, num_returns=len(references), timeout=0)
        for reference in ready:
            if reference in self._asked:  # its worker may have been lost meanwhile
                yield reference, self._asked.pop(reference)

    def forget(self, member: Member) -> list[Piece]:
        """Take out all questions to a worker; return the pieces among them."""
        mine = [key for key, asked in self._asked.items() if asked.member is member]
        lost = [self._asked.pop(key).piece for key in mine]
        return [piece for piece in lost if piece is not None]

    def drop_pieces(self) -> None:
        """Take out all pieces."""
        self._asked = {key: asked for key, asked in self._asked.items() if asked.piece is None}
