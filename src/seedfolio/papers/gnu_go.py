"""GNU Go as in the experiments of the papers, and games between several forms of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.seeds import GUEST_SHIFT
from seedfolio.core.trust import Permit
from seedfolio.engines.program import EngineProgram, Variant
from seedfolio.engines.specification.specification import parse_specification

_GNU_GO = "gnugo --mode gtp --quiet --chinese-rules --never-resign"


def gnu_go(board: int, komi: float, flags: str, seeds: str | None = None) -> EngineProgram:
    """Return GNU Go with these flags; its arms are endless seeds, or these as they are."""
    content: dict[str, Any] = {
        "game": {"name": "go", "board": board, "komi": komi, "moves": 6 * board * board},
        "player": {
            "protocol": "gtp",
            "command": f"{_GNU_GO} {flags}",
            "setup": ["set_random_seed {seed}"],
            "reuse": False,
        },
        "limits": {"move": 600.0},
    }
    if seeds is not None:
        content["arms"] = {"seeds": seeds, "numbering": "plain"}
    name = f"gnugo-{board}x{board}"
    found = parse_specification(content, name)
    claim = found.claim(Permit.USER, Path(name))
    return EngineProgram(found, Path(), name, claim=claim)


def monte_carlo(simulations: int, level: int = 1) -> str:
    """Return the flags for Monte Carlo with this number of simulations a move."""
    return f"--level {level} --monte-carlo --mc-games-per-level {max(1, simulations // level)}"


def classical(level: int) -> str:
    """Return the flags for GNU Go without Monte Carlo."""
    return f"--level {level}"


def meeting(program: EngineProgram, guests: Sequence[EngineProgram]) -> EngineProgram:
    """Return a program that also meets guests: guest n has the arms from `guest_arms(n, 0)` on.

    Guests play the same game by the same protocol.
    """

    def whose(number: int) -> tuple[EngineProgram | None, int]:
        guest, own = divmod(number, 1 << GUEST_SHIFT)
        return guests[guest - 1] if guest else None, own

    identity = {"guests": [guest.identity_of_parts() for guest in guests]}
    return replace(program, variant=Variant(identity, arm=whose))


def guest_arms(guest: int, arms: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the numbers of arms of guest `guest` in a meeting."""
    return arms | np.uint64((guest + 1) << GUEST_SHIFT)
