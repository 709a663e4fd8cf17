"""Playing many lines of moves by the rules, to find the first that is not legal."""

from __future__ import annotations

from typing import Any

from numba import int64, uint64

from seedfolio.core.randomness import noticed

ILLEGAL, TURN, STATE = 1, 2, 3
"""What is wrong with a line: a move, whose turn it is at its end, or the state there."""

# Names that are filled in on compiling; they are here for the reader and the type checker.
begun: Any = None
mover: Any = None
moves: Any = None
played: Any = None
event: Any = None


def first_fault_template(lines: Any, chosen: Any, states: Any, colour: Any, rooms: Any) -> Any:
    """Play each line; return (its number, a ply, what is wrong) of the first with a fault.

    `lines` are the moves of all, where each ends, and how many moves at the beginning of each need
    no check. After each line `colour` is to move, `chosen` is a legal move, and the hash of what
    the colour has noticed is as in `states`, unless that is empty. `rooms` are the setup of the
    game and room for legal moves. (-1, -1, 0): no fault.
    """
    every, ends, checked = lines
    setup, legal = rooms
    begin = int64(0)
    for k in range(len(ends)):
        state = begun(setup, legal)
        hashed = uint64(0)
        length = ends[k] - begin
        for ply in range(length + 1):
            move = every[begin + ply] if ply < length else chosen[k]
            if ply >= checked[k]:
                count = moves(state, legal, 0)
                found = False
                for each in range(count):
                    found |= legal[each] == move
                if ply == length and count > 0 and mover(state) != colour:
                    return k, ply, TURN
                if not found:
                    return k, ply, ILLEGAL
            if ply < length:
                after = played(state, move, legal)
                hashed = noticed(hashed, int64(event(state, move, after, colour)))
                state = after
        if len(states) > 0 and hashed != states[k]:
            return k, length, STATE
        begin = ends[k]
    return -1, -1, 0
