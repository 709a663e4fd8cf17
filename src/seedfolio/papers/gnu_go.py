"""GNU Go as in the experiments of the papers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seedfolio.core.trust import Permit
from seedfolio.engines.program import EngineProgram
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
