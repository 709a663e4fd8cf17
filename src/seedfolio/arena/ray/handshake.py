"""What driver and nodes of a cluster must have in common: versions, and what sample games play."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from seedfolio.errors import EngineError
from seedfolio.version import __version__

if TYPE_CHECKING:  # a node imports numba later, see ray_worker
    from seedfolio.engines.program import EngineProgram
    from seedfolio.players.program import Program

_PACKAGES = ("numpy", "numba", "llvmlite")
"""Packages that make compiled code, besides Seedfolio."""
_SAMPLE_MOVES = 8
"""How many moves of an engine are compared: a whole game may take minutes."""


def versions() -> dict[str, str]:
    """Return the versions of all that games depend on, by name."""
    python = ".".join(map(str, sys.version_info[:2]))
    return {"seedfolio": __version__, "Python": python, **{n: version(n) for n in _PACKAGES}}


def version_difference(node: str, there: dict[str, str]) -> str | None:
    """Return a sentence on the versions of a node that differ from ours; None if all agree."""
    here = versions()
    differing = [
        f"{name} {there.get(name, 'missing')} (here {here[name]})"
        for name in here
        if there.get(name) != here[name]
    ]
    if not differing:
        return None
    return f"{node} is left out: it has {', '.join(differing)}; install the same versions there"


def sample_games(program: Program | EngineProgram, *, deterministic: bool = True) -> str:
    """Return a digest of a few games: where it differs, arms play otherwise.

    Of an external engine it is its name, and the first moves of a game if it is deterministic.
    """
    from seedfolio.players.program import Program

    if isinstance(program, Program):
        return program.behaviour
    moves = _first_moves(program) if deterministic else []
    return hashlib.sha256("\n".join([program.engine_identity, *moves]).encode()).hexdigest()[:32]


def _first_moves(program: EngineProgram) -> list[str]:
    """Return the first moves of a game of an engine; EngineError if there is no game."""
    from seedfolio.engines.endings import Ending
    from seedfolio.engines.play.game import play_game
    from seedfolio.engines.play.pool import EnginePool

    specification = program.specification
    game = specification.game.model_copy(update={"moves": _SAMPLE_MOVES})
    short = replace(program, specification=specification.model_copy(update={"game": game}))
    pool = EnginePool(short, reuse=False)
    try:
        record = play_game(short, pool, 0, 1)
    finally:
        pool.close()
    if record.ending is Ending.VOID:
        raise EngineError(record.detail)
    return [*record.moves, record.ending.value]
