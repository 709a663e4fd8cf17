"""The check of a player of a user's own: legal moves, in its workspace, the same each time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seedfolio.conformance.report import COMPILE_ERRORS, first_helpful_line, random_numbers
from seedfolio.core.randomness import below, mix_int
from seedfolio.errors import SpecificationError
from seedfolio.games.rules import CHANCE
from seedfolio.players.program import PROBE, Program

_GUARD = 64
_UNTOUCHED = -1_000_003
_ARM = 1


def check_player(program: Program) -> None:
    """Play a game move by move, then a few twice; SpecificationError with what is wrong.

    Compiled code does not look where it writes, and an illegal move may crash the rules.
    """
    for name in ("choose", "again"):
        if used := random_numbers(getattr(program.bound, name)):
            raise _wrong(
                program, f"{name} uses {used}; all randomness must come from (seed, colour, turn)"
            )
    try:
        _check_repeats(program, _check_moves(program))
    except COMPILE_ERRORS as error:
        raise _wrong(program, f"it does not compile: {first_helpful_line(error)}") from error


def _check_moves(program: Program) -> NDArray[np.int32]:
    """Check the moves of one game; return the workspace, used."""
    game, size = program.game, program.bound.workspace
    room = np.full(size + 2 * _GUARD, _UNTOUCHED, np.int32)
    workspace, guards = room[_GUARD:-_GUARD], (room[:_GUARD], room[-_GUARD:])
    workspace[:] = 0
    history: list[int] = []
    while moves := (position := game.position(history)).moves:
        if position.mover == CHANCE:
            key = np.uint64(mix_int(len(history)))
            history.append(moves[int(below(key, 0, len(moves)))])
            continue
        move = program.choose(history, _ARM, workspace=workspace)
        played = " ".join(map(game.move_name, history))
        where = f"after {played}" if played else "at start"
        if any((guard != _UNTOUCHED).any() for guard in guards):
            raise _wrong(program, f"choose writes outside of its workspace={size} entries, {where}")
        if move not in moves:
            raise _wrong(program, f"choose returns {move}, which is no legal move {where}")
        _check_largest(program, workspace, where)
        history.append(move)
    return workspace


def _check_largest(program: Program, workspace: NDArray[np.int32], where: str) -> None:
    """Check that the numbers in a workspace are as small as the player says: a GPU may cut them."""
    largest = max(program.bound.largest, len(program.game.rules.move_names))
    found = int(workspace[np.argmax(np.abs(workspace.astype(np.int64)))])
    if abs(found) > largest:
        raise _wrong(
            program,
            f"choose leaves {found} in its workspace {where}; "
            f"largest={program.bound.largest} says that no number is larger",
        )


def _check_repeats(program: Program, used: NDArray[np.int32]) -> None:
    """Check that the games of `behaviour`, in an empty workspace, are the same in a used one."""
    seeds = np.arange(PROBE, dtype=np.uint64)
    _, histories = program.play(seeds, seeds[::-1].copy(), used)
    if "".join(f"{int(history):016x}" for history in histories) != program.behaviour:
        raise _wrong(
            program,
            "the same seeds play another game when played again; a move may depend on the view, "
            "the seed and the moment alone, not on what an earlier game left in the workspace",
        )


def _wrong(program: Program, rule: str) -> SpecificationError:
    return SpecificationError(f"{program.title}: {rule}")
