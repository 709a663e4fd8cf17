"""Games between several programs of external engines, as arms of one program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.seeds import GUEST_SHIFT
from seedfolio.engines.program import EngineProgram, Variant


def meeting(program: EngineProgram, guests: Sequence[EngineProgram]) -> EngineProgram:
    """Return a program that also meets guests: guest n has the arms from `guest_arms(n, 0)` on.

    Guests play the same game by the same protocol.
    """

    def whose(number: int) -> tuple[EngineProgram | None, int]:
        guest, own = divmod(number, 1 << GUEST_SHIFT)
        return guests[guest - 1] if guest else None, own

    identity = {"guests": [guest.identity_of_parts() for guest in guests]}
    return replace(program, variant=Variant(identity, arm=whose, guests=tuple(guests)))


def guest_arms(guest: int, arms: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the numbers of arms of guest `guest` in a meeting."""
    return arms | np.uint64((guest + 1) << GUEST_SHIFT)
