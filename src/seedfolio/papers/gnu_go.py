"""GNU Go as in the experiments of the papers, and games between several forms of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.seeds import GUEST_SHIFT
from seedfolio.core.trust import Permit
from seedfolio.engines.interface import Arm, Engine
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.protocols.process import Launch
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


@dataclass(frozen=True)
class Meeting(EngineProgram):
    """A program that also meets guests: guest n has the arms from `guest_arms(n, 0)` on."""

    guests: tuple[EngineProgram, ...] = ()
    """Guests from 0 on; the program itself is not among them."""

    @classmethod
    def of(cls, program: EngineProgram, guests: tuple[EngineProgram, ...]) -> Meeting:
        """Let a program meet guests that play the same game by the same protocol."""
        return cls(
            program.specification, program.folder, program.file, claim=program.claim, guests=guests
        )

    def arm(self, number: int) -> Arm:
        """Return the arm with this number, of the program or a guest."""
        own = number & ((1 << GUEST_SHIFT) - 1)
        return Arm(number, self._whose(number).specification.all_arms.arm(own).values)

    def launch(self, arm: Arm) -> Launch:
        """Return how to start the process of an arm."""
        owner = self._whose(arm.number)
        return EngineProgram.launch(self, arm) if owner is self else owner.launch(arm)

    def open(self, arm: Arm) -> Engine:
        """Return a running engine."""
        owner = self._whose(arm.number)
        return EngineProgram.open(self, arm) if owner is self else owner.open(arm)

    def identity_of_parts(self) -> dict[str, Any]:
        """Return the identity with those of the guests."""
        guests = [guest.identity_of_parts() for guest in self.guests]
        return {**super().identity_of_parts(), "guests": guests}

    def _whose(self, number: int) -> EngineProgram:
        guest = number >> GUEST_SHIFT
        return self.guests[guest - 1] if guest else self


def guest_arms(guest: int, arms: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the numbers of arms of guest `guest` in a meeting."""
    return arms | np.uint64((guest + 1) << GUEST_SHIFT)
