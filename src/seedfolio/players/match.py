"""The match: how two arms play a game, the same for every arena; templates to be bound.

An arm may be a seed under a symmetry of the board (see core.arm_numbers): its player then sees the
game turned or mirrored, and what it plays is turned back. Where no arm is, the plain match will do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.arm_numbers import SYMMETRY_SHIFT
from seedfolio.core.randomness import below, fold, luck_key, luck_of, noticed
from seedfolio.games.interface import CHANCE, Game

_SHIFT, _SEED = np.uint64(SYMMETRY_SHIFT), np.uint64(2**SYMMETRY_SHIFT - 1)


def symmetry_tables(game: Game) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return the image of every move under every symmetry, the identity first, and the inverse."""
    moves = len(game.rules.move_names)
    images = np.array(
        [np.arange(moves), *(symmetry.moves for symmetry in game.rules.symmetries)], np.int16
    )
    origins = np.zeros_like(images)
    np.put_along_axis(origins, images.astype(np.int64), np.arange(moves, dtype=np.int16)[None], 1)
    return images, origins


# Names that a binding fills in; they exist here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
view: Any = None
event: Any = None
refused: Any = None
choose: Any = None
again: Any = None
play_cell: Any = None
images: Any = None
origins: Any = None


def play_cell_template(row: Any, column: Any, repeats: Any, knobs: Any, workspace: Any) -> Any:
    """Play the games of one cell: the match itself, the same for every backend.

    Return the half points of the first player and a hash of all moves.
    """
    points = int64(0)
    history = uint64(0)
    for repeat in range(repeats):
        luck = luck_key(row, column, repeat)
        state = start()
        ply = int64(0)
        # What each colour has noticed: how many events, and their hash.
        turns = int64(0), int64(0)
        known = uint64(0), uint64(0)
        while True:
            count = moves(state, workspace, 0)
            if count == 0:
                break
            colour = mover(state)
            if colour == CHANCE:
                move = int64(workspace[below(luck, ply, count)])
            else:
                seed = row if colour == 0 else column
                turn = turns[0] if colour == 0 else turns[1]
                seen_so_far = known[0] if colour == 0 else known[1]
                moment = (colour, turn, seen_so_far, luck_of(luck, colour))
                if refused(state):
                    move = again(view(state, colour), seed, moment, knobs, workspace)
                else:
                    move = choose(view(state, colour), seed, moment, knobs, workspace)
            after = play(state, move)
            first, second = event(state, move, after, 0), event(state, move, after, 1)
            turns = turns[0] + (first >= 0), turns[1] + (second >= 0)
            known = noticed(known[0], first), noticed(known[1], second)
            state = after
            history = fold(history, move)
            ply += 1
        points += score(state)
    return points, history


def play_turned_cell_template(
    row: Any, column: Any, repeats: Any, knobs: Any, workspace: Any
) -> Any:
    """Play the games of one cell whose arms are under symmetries.

    Each player lives in a game of its own, in which all moves are turned its way.
    """
    points = int64(0)
    history = uint64(0)
    turned = int64(row >> _SHIFT), int64(column >> _SHIFT)
    for repeat in range(repeats):
        luck = luck_key(row, column, repeat)
        state, first, second = start(), start(), start()
        ply = int64(0)
        turns = int64(0), int64(0)
        known = uint64(0), uint64(0)
        while True:
            count = moves(state, workspace, 0)
            if count == 0:
                break
            colour = mover(state)
            if colour == CHANCE:
                move = int64(workspace[below(luck, ply, count)])
            else:
                seen = view(first, colour) if colour == 0 else view(second, colour)
                seed = (row if colour == 0 else column) & _SEED
                turn = turns[0] if colour == 0 else turns[1]
                seen_so_far = known[0] if colour == 0 else known[1]
                moment = (colour, turn, seen_so_far, luck_of(luck, colour))
                if refused(state):
                    chosen = again(seen, seed, moment, knobs, workspace)
                else:
                    chosen = choose(seen, seed, moment, knobs, workspace)
                move = int64(origins[turned[0] if colour == 0 else turned[1], chosen])
            own, other = int64(images[turned[0], move]), int64(images[turned[1], move])
            after, beside = play(first, own), play(second, other)
            notice = event(first, own, after, 0), event(second, other, beside, 1)
            turns = turns[0] + (notice[0] >= 0), turns[1] + (notice[1] >= 0)
            known = noticed(known[0], notice[0]), noticed(known[1], notice[1])
            state, first, second = play(state, move), after, beside
            history = fold(history, move)
            ply += 1
        points += score(state)
    return points, history


def play_cells_template(
    rows: Any, columns: Any, repeats: Any, knobs: Any, workspace: Any, results: Any, histories: Any
) -> None:
    """Play one cell after the other."""
    for cell in range(len(rows)):
        points, history = play_cell(rows[cell], columns[cell], repeats, knobs, workspace)
        results[cell] = points
        histories[cell] = history


def choose_after_template(history: Any, seed: Any, luck: Any, knobs: Any, workspace: Any) -> Any:
    """Replay `history` and choose, as the mover would have in the match."""
    state = start()
    # The turn's first try: what follows refusals rests on the choice made there.
    began = 0
    for ply in range(len(history)):
        state = play(state, history[ply])
        if not refused(state):
            began = ply + 1
    colour = mover(state)
    state = start()
    turn = int64(0)
    known = uint64(0)
    move = int64(-1)
    for ply in range(len(history) + 1):
        if ply >= began:
            moment = (colour, turn, known, luck_of(luck, colour))
            if ply == began:
                move = choose(view(state, colour), seed, moment, knobs, workspace)
            else:
                move = again(view(state, colour), seed, moment, knobs, workspace)
        if ply < len(history):
            after = play(state, history[ply])
            happened = event(state, history[ply], after, colour)
            turn += happened >= 0
            known = noticed(known, happened)
            state = after
    return move
