"""The compiled part of the checks of what each colour knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import int64, uint64

from seedfolio.conformance.inspection import GUARD, clear, written_outside
from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import below, fold, mix, noticed
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE

# The faults. Each comes with two details: the moves or the index in question.
(
    FINE,
    VIEW,
    MOVER,
    REFUSED,
    MOVES,
    PLAUSIBLE,
    CELLS,
    ASSUMED,
    UNSTEADY,
    STEP,
    ENDLESS,
    CELL,
    CELLS_OUTSIDE,
    EVENT,
    OWN_MOVE,
    OWN_MOVES,
    UNNOTICED,
    LEAK,
) = range(18)


def bind_replay(game: Game) -> Callable[..., Any]:
    """Return the compiled replay that checks the states of a game."""
    names: dict[str, Any] = {**game.functions, "max_plies": game.rules.max_plies}
    for name, template in (
        ("_look", _look_template),
        ("_completed", _completed_template),
        ("_assumed", _assumed_template),
        ("_told", _told_template),
    ):
        names[name] = compiled_entry(template, names)
    return compiled_entry(_replay_template, names)


def bind_twin(game: Game) -> Callable[..., Any]:
    """Return the compiled search for a game that a colour cannot tell from another."""
    return compiled_entry(_twin_template, game.functions)


# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
random_move: Any = None
view: Any = None
event: Any = None
complete: Any = None
assume: Any = None
refused: Any = None
plausible: Any = None
cells_seen: Any = None
max_plies: Any = None
_look: Any = None
_completed: Any = None
_assumed: Any = None
_told: Any = None


def _look_template(state: Any, colour: Any, glyphs: Any, board: Any) -> Any:
    """Write the board as a colour sees it, between guards; return (fault, index, hash of it)."""
    clear(board)
    inner = board[GUARD : len(board) - GUARD]
    cells_seen(state, colour, inner)
    outside = written_outside(board, len(inner))
    if outside != 0:
        return CELLS_OUTSIDE, int64(outside), uint64(0)
    hashed = uint64(0)
    for cell in range(len(inner)):
        if inner[cell] < 0 or inner[cell] >= glyphs:
            return CELL, int64(0), uint64(0)
        hashed = fold(hashed, inner[cell])
    return FINE, int64(0), hashed


def _completed_template(
    state: Any, colour: Any, key: Any, glyphs: Any, left: Any, right: Any, board: Any
) -> Any:
    """Check a state that `complete` draws from the mover's view; return (fault, state)."""
    seen = view(state, colour)
    step = int64(key & uint64(1023))
    drawn, after = complete(seen, key, step)
    drawn_again, after_again = complete(seen, key, step)
    if drawn != drawn_again or after != after_again:
        return UNSTEADY, drawn
    if after < step:
        return STEP, drawn
    if view(drawn, colour) != seen:
        return VIEW, drawn
    if mover(drawn) != colour:
        return MOVER, drawn
    if refused(drawn) != refused(state):
        return REFUSED, drawn
    count = moves(state, left, 0)
    if moves(drawn, right, 0) != count:
        return MOVES, drawn
    for k in range(count):
        if left[k] != right[k]:
            return MOVES, drawn
    count = plausible(state, left, 0)
    if plausible(drawn, right, 0) != count:
        return PLAUSIBLE, drawn
    for k in range(count):
        if left[k] != right[k]:
            return PLAUSIBLE, drawn
    if _look(drawn, colour, glyphs, board) != _look(state, colour, glyphs, board):
        return CELLS, drawn

    further = drawn
    ended = False
    step = after
    for _ in range(max_plies + 1):
        move, step = random_move(further, key, step, left, int64(0))
        if move < 0:
            ended = True
            break
        further = play(further, move)
    return (FINE if ended else ENDLESS), drawn


def _assumed_template(
    state: Any, colour: Any, key: Any, glyphs: Any, left: Any, right: Any, board: Any
) -> Any:
    """Check a state drawn after `assume`, for a random try; return (fault, the try)."""
    count = moves(state, left, 0)
    move = int64(left[below(key, 0, count)])
    drawn, _ = complete(assume(view(state, colour), move), key, int64(0))
    if mover(drawn) != colour or moves(drawn, right, 0) != count:
        return ASSUMED, move
    for k in range(count):
        if left[k] != right[k]:
            return ASSUMED, move
    if _look(drawn, colour, glyphs, board) != _look(state, colour, glyphs, board):
        return ASSUMED, move
    return FINE, move


def _told_template(
    state: Any, colour: Any, glyphs: Any, legal: Any, count: Any, told: Any, boards: Any
) -> Any:
    """Check the event of `colour` for each move from a state; return (fault, move, other move).

    `told` is room for the different events and one move of each.
    """
    own = mover(state) == colour
    before = view(state, colour)
    shown = _look(state, colour, glyphs, boards[0])
    different = 0
    for k in range(count):
        move = int64(legal[k])
        after = play(state, move)
        happened = int64(event(state, move, after, colour))
        if happened < -1:
            return EVENT, move, int64(0)
        if happened == -1:
            if own:
                return OWN_MOVE, move, int64(0)
            if view(after, colour) != before or _look(after, colour, glyphs, boards[1]) != shown:
                return UNNOTICED, move, int64(0)
            continue
        found = 0
        while found < different and told[0, found] != happened:
            found += 1
        if found == different:
            told[0, found] = happened
            told[1, found] = move
            different += 1
            continue
        other = int64(told[1, found])
        if own:
            return OWN_MOVES, move, other
        like = play(state, other)
        if view(like, colour) != view(after, colour):
            return LEAK, move, other
        if _look(like, colour, glyphs, boards[0]) != _look(after, colour, glyphs, boards[1]):
            return LEAK, move, other
    return FINE, int64(0), int64(0)


def _replay_template(
    history: Any,
    key: Any,
    closely: Any,
    plies: Any,
    hashes: Any,
    glyphs: Any,
    legal: Any,
    told: Any,
    boards: Any,
) -> Any:
    """Replay a game for both colours; return ((fault, details), views, a drawn state).

    For each ply and colour, write the hashes of its events and of its cells to `hashes`.
    """
    state = start()
    drawn = state
    known = uint64(0), uint64(0)
    views = [(view(state, int64(0)), view(state, int64(1)))]
    for ply in range(len(history) + 1):
        plies[0] = ply
        turn = int64(mover(state))
        count = moves(state, legal[0], 0)
        for colour in range(2):
            fault, detail, shown = _look(state, colour, glyphs, boards[0])
            if fault != FINE:
                return (fault, detail, int64(0)), views, drawn
            hashes[ply, colour, 0] = known[colour]
            hashes[ply, colour, 1] = shown
            if closely and ply < len(history):
                fault, detail, other = _told(state, colour, glyphs, legal[0], count, told, boards)
                if fault != FINE:
                    return (fault, detail, other), views, drawn
        if closely and count > 0 and turn != CHANCE:
            for number in range(2):
                random = mix(key + uint64(2 * ply + number))
                fault, drawn = _completed(
                    state, turn, random, glyphs, legal[0], legal[1], boards[0]
                )
                if fault != FINE:
                    return (fault, int64(0), int64(0)), views, drawn
                fault, move = _assumed(state, turn, random, glyphs, legal[0], legal[1], boards[0])
                if fault != FINE:
                    return (fault, move, int64(0)), views, drawn
        if ply < len(history):
            after = play(state, history[ply])
            known = (
                noticed(known[0], int64(event(state, history[ply], after, int64(0)))),
                noticed(known[1], int64(event(state, history[ply], after, int64(1)))),
            )
            state = after
            views.append((view(state, int64(0)), view(state, int64(1))))
    return (FINE, int64(0), int64(0)), views, drawn


def _twin_template(history: Any, colour: Any, key: Any, legal: Any, twin: Any, plies: Any) -> None:
    """Write to `twin` a game in which `colour` notices the same events as in `history`.

    Where another is to move, draw a move among those with the same event. Stop if there is none.
    """
    state = start()
    image = start()
    for ply in range(len(history)):
        after = play(state, history[ply])
        happened = int64(event(state, history[ply], after, colour))
        count = moves(image, legal[0], 0)
        alike = 0
        for k in range(count):
            move = legal[0, k]
            if mover(state) == colour and move != history[ply]:
                continue
            if int64(event(image, move, play(image, move), colour)) == happened:
                legal[1, alike] = move
                alike += 1
        if alike == 0:
            return
        twin[ply] = legal[1, below(key, ply, alike)]
        plies[0] = ply + 1
        image = play(image, twin[ply])
        state = after
