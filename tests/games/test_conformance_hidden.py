"""The conformance suite and games of hidden information or chance: the sound pass, others do not.

The broken ones are made from one sound game: two players fill a board of 2x2 in turn and each sees
its own stones only. A try on a taken cell is refused, which the other does not notice. At the end
the first player wins with a diagonal, draws with a row and loses with a column.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from broken_games import cases, check_says, game_of, put
from numba import int64, uint64  # noqa: F401 - in a case

from seedfolio.conformance import check as facts
from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import below
from seedfolio.games.board import Board
from seedfolio.games.rules import CHANCE, Parts, Rules, Symmetry
from seedfolio.players import load_player
from seedfolio.players.program import Program
from seedfolio.testing import check_game

pytestmark = pytest.mark.slow  # each test compiles another game

# A state is: the stones of both, what the first knows of the second's and the second of the
# first's, the colour to move, whether its last try was refused. A view is: stones of one's own and
# those known of the other, the number of all, whether it is one's turn after a refusal.


@compiled
def start() -> Any:
    return int64(0), int64(0), int64(0), int64(0), int64(0), int64(0)


@compiled
def mover(state: Any) -> Any:
    return state[4]


@compiled
def moves(state: Any, out: Any, at: Any) -> Any:
    n = 0
    if state[0] | state[1] < 15:
        for cell in range(4):
            if (state[state[4]] | state[2 + state[4]]) >> cell & 1 == 0:
                out[at + n] = cell
                n += 1
    return n


@compiled
def play(state: Any, move: Any) -> Any:
    first, second, known_0, known_1, turn, _ = state
    cell = int64(1) << move
    if state[1 - turn] & cell != 0:
        if turn == 0:
            return first, second, known_0 | cell, known_1, turn, int64(1)
        return first, second, known_0, known_1 | cell, turn, int64(1)
    if turn == 0:
        return first | cell, second, known_0, known_1, int64(1), int64(0)
    return first, second | cell, known_0, known_1, int64(0), int64(0)


@compiled
def score(state: Any) -> Any:
    first = state[0]
    if first == 0b0101 or first == 0b1010:
        return 0
    return 1 if first == 0b0011 or first == 0b1100 else 2


@compiled
def cells(state: Any, out: Any) -> None:
    for cell in range(4):
        out[cell] = (state[0] >> cell & 1) + 2 * (state[1] >> cell & 1)


@compiled
def refused(state: Any) -> Any:
    return state[5] == 1


@compiled
def stones(cells: Any) -> Any:
    return (cells & 1) + (cells >> 1 & 1) + (cells >> 2 & 1) + (cells >> 3 & 1)


@compiled
def view(state: Any, colour: Any) -> Any:
    number = stones(state[0]) + stones(state[1])
    again = state[5] if state[4] == colour else int64(0)
    return state[colour], state[2 + colour], number, again


@compiled
def event(before: Any, move: Any, after: Any, colour: Any) -> Any:
    if before[4] == colour:
        return 2 * move + after[5]
    return int64(-1) if after[5] == 1 else int64(8)


@compiled
def complete(view: Any, key: Any, step: Any) -> Any:
    """What the other knows is left out, which would be part of a fair draw."""
    own, other, number, again = view
    while stones(own) + stones(other) < number:
        cell = int64(1) << below(key, step, 4)
        step += 1
        if own & cell == 0:
            other |= cell
    if number % 2 == 0:
        return (own, other, view[1], int64(0), int64(0), again), step
    return (other, own, int64(0), view[1], int64(1), again), step


@compiled
def cells_seen(state: Any, colour: Any, out: Any) -> None:
    for cell in range(4):
        own, other = state[colour] >> cell & 1, state[2 + colour] >> cell & 1
        out[cell] = own * (1 + colour) + other * (2 - colour)


@compiled
def plausible(state: Any, out: Any, at: Any) -> Any:
    """The last of the moves is not considered, unless it is the only one."""
    n = moves(state, out, at)
    return n - 1 if n > 1 else n


@compiled
def rollout(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    n = moves(state, out, at)
    while n > 0:
        state = play(state, out[at + below(key, step, n)])
        step += 1
        n = moves(state, out, at)
    return score(state)


SOUND = Rules(
    start=start,
    mover=mover,
    moves=moves,
    play=play,
    score=score,
    cells=cells,
    refused=refused,
    view=view,
    event=event,
    complete=complete,
    cells_seen=cells_seen,
    plausible=plausible,
    rollout=rollout,
    move_names=["a1", "b1", "a2", "b2"],
    max_moves=4,
    max_plies=8,
    board=Board(2, 2, ".XO"),
    symmetries=[
        Symmetry("left-right", np.array([1, 0, 3, 2])),
        Symmetry("up-down", np.array([2, 3, 0, 1])),
        Symmetry("half-turn", np.array([3, 2, 1, 0])),
    ],
    player="flat:playouts=10",
)


def test_a_sound_game_passes() -> None:
    check_game(game_of(SOUND), games=50)


@pytest.mark.long
def test_a_sound_game_with_less_passes() -> None:
    check_game(game_of(replace(SOUND, plausible=None, rollout=None, symmetries=[])), games=20)


@cases(
    globals(),
    r"""
    complete 0: complete=None
        view is given without complete; .*
    event 1: event=None
        view is given without event; .*
    view 2: view=None
        event is given without view; without view nothing is hidden
    view event complete 3: view=None, event=None, complete=None
        cells_seen is given without view; without view nothing is hidden
    plausible 4: plausible=lambda state, out, at: 0
        plausible is not marked @compiled
    view 5: view=lambda state, colour: 0
        view is not marked @compiled
    """,
)
def test_wrong_facts(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, **changes)


@cases(
    globals(),
    r"""
    unknown: player='utc'
        player='utc': unknown player 'utc'; did you mean uct.*
    unable: player='uct'
        player='uct': uct does not play dark: .*
    """,
    one_in=3,
)
def test_wrong_player(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, **changes)


# What players do with a state.


@compiled
def plausible_all(state: Any, out: Any, at: Any) -> Any:
    for cell in range(4):
        out[at + cell] = cell
    return 4


@compiled
def plausible_twice(state: Any, out: Any, at: Any) -> Any:
    n = moves(state, out, at)
    out[at + 1] = out[at]
    return n


@cases(
    globals(),
    r"""
    none: plausible=compiled(lambda s, out, at: 0)
        plausible offers no move, but moves does, at start
    all: plausible=plausible_all
        plausible offers \S+ twice, or moves does not offer it, after \S+ .*
    twice: plausible=plausible_twice
        plausible offers a1 twice, or moves does not offer it, at start
    five: plausible=compiled(lambda s, out, at: 5)
        plausible returns 5, not 0 to max_moves=4, at start
    beyond: plausible=compiled(lambda s, out, at: moves(s, out, at) + put(out, at + 4, 0))
        plausible writes to out\[at \+ 4\], outside of .*, at start
    """,
    one_in=3,
)
def test_wrong_plausible_moves(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, **changes)


@compiled
def rollout_unsteady(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    if moves(state, out, at) == 0:
        return score(state)
    return 2 if np.random.random() < 0.5 else 0


@compiled
def rollout_raising(state: Any, key: Any, step: Any, out: Any, at: Any) -> Any:
    if state[0] != 0 and state[1] != 0:
        raise ValueError("too far")
    return rollout(state, key, step, out, at)


@compiled
def begin(state: Any, key: Any, step: Any) -> Any:
    return state, int64(step), False


@compiled
def advance(run: Any, key: Any, out: Any, at: Any) -> Any:
    """One move more."""
    state, step, _ = run
    n = moves(state, out, at)
    if n == 0:
        return state, step, True
    return play(state, int64(out[at + below(key, step, n)])), step + 1, False


PARTS = Parts(
    begin=begin,
    advance=advance,
    is_over=compiled(lambda run: run[2]),
    score=compiled(lambda run: score(run[0])),
)


def parts(moves_of: Any) -> dict[str, Any]:
    return {"rollout": replace(PARTS, moves=compiled(moves_of))}


@cases(
    globals(),
    r"""
    three: rollout=compiled(lambda s, *given: 3 if s[0] == 0 else rollout(s, *given))
        rollout returns 3, not 0, 1 or 2 half points, at start
    half: rollout=compiled(lambda s, key, step, out, at: 0.5)
        rollout returns 0\.5, not 0, 1 or 2 half points, at start
    draw: rollout=compiled(lambda s, key, step, out, at: 1)
        rollout returns 1 when the game is over, not its score, after .*
    beyond: rollout=compiled(lambda s, key, step, out, at: rollout(s, key, step, out, at
        + put(out, at - 1, 0)))
        rollout writes to out\[at \+ -1\], outside of .*, at start
    unsteady: rollout=rollout_unsteady
        rollout returns another result when called again, .*
    raising: rollout=rollout_raising
        the rules raise ValueError: too far, after \S+( \S+)+
    moves beyond: **parts(lambda run, out, at: put(out, at - 1, 0))
        moves of rollout writes to out\[at \+ -1\], outside of .*, at start
    too many moves: **parts(lambda run, out, at: 1000)
        moves of rollout returns 1000, not 0 to max_plies=\d+, at start
    no moves: **parts(lambda run, out, at: 1 + put(out, at, -2))
        moves of rollout writes -2, not 2 \* move \+ colour, at start
    not compiled: rollout=replace(PARTS, advance=advance.py_func)
        advance of rollout is not marked @compiled
    """,
    one_in=3,
)
def test_wrong_rollouts(
    changes: dict[str, Any], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "random_numbers", lambda function: None)  # found by playing
    check_says(expected, SOUND, **changes)


@pytest.mark.long
def test_a_rollout_in_parts_is_the_whole_one() -> None:
    in_parts = game_of(replace(SOUND, rollout=PARTS))
    check_game(in_parts, games=20)
    seeds = np.arange(40, dtype=np.uint64)
    played = []
    for game in (in_parts, game_of(SOUND)):
        program = Program(game, load_player("flat:playouts=10"))
        played.append(program.play(seeds, seeds[::-1].copy(), program.workspace()))
    assert len(np.unique(played[0][1])) > 1
    assert np.array_equal(played[0][1], played[1][1])


@compiled
def play_over_to_the_other(state: Any, move: Any) -> Any:
    after = play(state, move)
    return (*after[:4], int64(1 - state[4]), after[5])


@cases(
    globals(),
    r"""
    before any try: refused=compiled(lambda s: s[5] == 1 or s[0] == 0)
        refused is true before any try, at start
    another mover: play=play_over_to_the_other, symmetries=[]
        the last try was refused, but the player to move is another, after .*
    not in the mirror: refused=compiled(lambda s: s[5] == 1 and s[2 + s[4]] & 1 == 1)
        symmetry '.*' does not keep the refusal of a try: compare \S+ .*, after \S+ .*
    """,
    one_in=3,
)
def test_wrong_refusals(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, **changes)


# What a completed state must share with the true one.


@compiled
def complete_empty(view: Any, key: Any, step: Any) -> Any:
    state, step = complete(view, key, step)
    return (state[0] & 0, *state[1:]), step


@compiled
def complete_other_mover(view: Any, key: Any, step: Any) -> Any:
    state, step = complete(view, key, step)
    if view[3] == 1:
        return state, step
    # The view does not say whose turn it is where nothing was refused.
    return (*state[:4], 1 - state[4], state[5]), step


@compiled
def moves_free(state: Any, out: Any, at: Any) -> Any:
    """Only what is really free, which the mover cannot know."""
    n = 0
    for cell in range(4):
        if (state[0] | state[1]) >> cell & 1 == 0:
            out[at + n] = cell
            n += 1
    return n


@compiled
def plausible_knowing(state: Any, out: Any, at: Any) -> Any:
    n = moves_free(state, out, at)
    return n if n > 0 else moves(state, out, at)


@compiled
def cells_seen_once_refused(state: Any, colour: Any, out: Any) -> None:
    if state[5] == 1 and state[4] == colour:
        cells(state, out)
    else:
        cells_seen(state, colour, out)


@compiled
def play_in_mud(state: Any, move: Any) -> Any:
    """Where the other knows of mud, every try is refused and nothing is learnt."""
    if state[3 - state[4]] & 16 != 0:
        return (*state[:5], int64(1))
    return play(state, move)


@compiled
def complete_with_mud(view: Any, key: Any, step: Any) -> Any:
    state, step = complete(view, key, step)
    first, second, known_0, known_1, turn, again = state
    return (first, second, known_0 | turn << 4, known_1 | (1 - turn) << 4, turn, again), step


@cases(
    globals(),
    r"""
    another view: complete=complete_empty
        the state that complete draws has another view, after .*
    another mover: complete=complete_other_mover
        the state that complete draws has another player to move, at start
    another stone assumed: assume=compiled(lambda seen, move: (seen[0], seen[1], seen[2] + 1,
        seen[3]))
        the state that complete draws from assume\(view, .*\) has another .*, at start
    a refusal assumed: assume=compiled(lambda seen, move: (seen[0], seen[1] | int64(1) << move,
        seen[2], seen[3]))
        the state that complete draws from assume\(view, .*\) has another .*
    no refusal: view=compiled(lambda s, colour: (*view(s, colour)[:3], int64(0)))
        the state that complete draws differs in refused, after .*
    moves that know: moves=moves_free, plausible=None, rollout=None
        the state that complete draws offers other moves, or in another order: .*, after .*
    plausible moves that know: plausible=plausible_knowing
        the state that complete draws has other plausible moves, or in another order: .*
    cells that know: cells_seen=cells_seen_once_refused
        the state that complete draws looks different to the mover: cells_seen may .*
    endless: complete=complete_with_mud, play=play_in_mud
        the state that complete draws leads to a game beyond max_plies=8, at start
    by chance: complete=compiled(lambda seen, key, step: complete(seen,
        uint64(np.random.randint(0, 1 << 30)), step))
        complete returns something else when .*, after .*
    backwards: complete=compiled(lambda seen, key, step: (complete(seen, key, step)[0],
        step - 1))
        complete returns a step smaller than .*, at start
    """,
    one_in=3,
)
def test_wrong_completion(
    changes: dict[str, Any], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "random_numbers", lambda function: None)  # found by playing
    check_says(expected, SOUND, **changes)


# What a colour is told, and what it sees.


@compiled
def event_other_only(before: Any, move: Any, after: Any, colour: Any) -> Any:
    return int64(-1) if before[4] == colour else event(before, move, after, colour)


@compiled
def event_row_only(before: Any, move: Any, after: Any, colour: Any) -> Any:
    return event(before, move // 2 if before[4] == colour else move, after, colour)


@compiled
def event_silent(before: Any, move: Any, after: Any, colour: Any) -> Any:
    """That the other has moved is not said, though the view counts all stones."""
    return event(before, move, after, colour) if before[4] == colour else int64(-1)


@compiled
def view_of_left(state: Any, colour: Any) -> Any:
    """How many stones the other has in the left column is seen, too."""
    seen = view(state, colour)
    return (*seen[:2], seen[2] + 8 * stones(state[1 - colour] & 5), seen[3])


@compiled
def complete_left(seen: Any, key: Any, step: Any) -> Any:
    wanted = seen
    while True:
        state, step = complete((*seen[:2], seen[2] % 8, seen[3]), key, step)
        if view_of_left(state, state[4]) == wanted:
            return state, step


@compiled
def view_late(state: Any, colour: Any) -> Any:
    """After three stones, when the second is to move, the first sees whether the other has a1."""
    own, known, number, again = view(state, colour)
    if colour == 0 and number == 3 and state[1] & 1 == 1:
        number = int64(4)
    return own, known, number, again


@compiled
def cells_seen_late(state: Any, colour: Any, out: Any) -> None:
    cells_seen(state, colour, out)
    if colour == 0 and state[4] == 1 and state[1] & 1 == 1:
        out[0] = 2


@compiled
def cells_seen_three(state: Any, colour: Any, out: Any) -> None:
    for cell in range(3):
        out[cell] = 0


@cases(
    globals(),
    r"""
    view beyond events: view=view_late
        view of the first player does not follow from the events it noticed: compare \S+( \S+)+, .*
    minus two: event=compiled(lambda before, m, after, c: 2 * event(before, m, after, c))
        event is below -1 for \S+, after .*
    nothing to the mover: event=event_other_only
        event tells the mover nothing of its own move a1, at start
    two moves alike: event=event_row_only
        event is the same to the mover for .* a1 and b1, at start
    silence: event=event_silent
        a1 has event -1 for a colour, but changes its .*, at start
    cells beyond: cells_seen=compiled(lambda s, c, out: cells_seen(s, c, out[put(out, 4, 0):]))
        cells_seen writes to out\[4\] on 4 cells, at start
    view that leaks: view=view_of_left, complete=complete_left
        a1 and b1 have the same event for a colour, but leave it different .*, at start
    cells that leak: cells_seen=None
        a1 and b1 have the same event for a colour, but leave it different .*, at start
    cells left out: cells_seen=cells_seen_three
        cells_seen leaves out a cell, or writes .*, at start
    cells beyond events: cells_seen=cells_seen_late
        cells_seen of the first player does not follow from .*: compare \S+( \S+)+, after .*
    """,
    one_in=3,
)
def test_wrong_events_and_sight(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, **changes)


# Code that numba refuses.


@compiled
def view_with_float(state: Any, colour: Any) -> Any:
    seen = view(state, colour)
    return seen[0], seen[1], seen[2] / 1, seen[3]


@compiled
def complete_short(view: Any, key: Any, step: Any) -> Any:
    state, step = complete(view, key, step)
    return state[:5], step


@cases(
    globals(),
    r"""
    float: view=view_with_float
        view has a part of type float; all parts must be integers .*
    too few arguments: event=compiled(lambda before, move: int64(0))
        event does not compile: Signature mismatch: .*
    short view: assume=compiled(lambda seen, move: seen[:3])
        assume returns .*, not a view: .*
    short state: complete=complete_short
        complete returns .*, not a state of start and a step: .*
    """,
    one_in=3,
)
def test_code_that_does_not_compile(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, SOUND, **changes)


# Chance: a coin is tossed, both call it unseen by each other, and whoever is right alone wins.


@compiled
def coin_mover(state: Any) -> Any:
    return int64(CHANCE) if state[0] == 2 else state[0] % 3


@compiled
def coin_moves(state: Any, out: Any, at: Any) -> Any:
    if state[0] == 3:
        return 0
    out[at] = 0
    out[at + 1] = 1
    return 2


@compiled
def coin_play(state: Any, move: Any) -> Any:
    if state[0] == 2:
        return int64(3), int64(state[1] == move), int64(state[2] == move)
    if state[0] == 1:
        return int64(2), state[1], int64(move)
    return int64(1), int64(move), int64(0)


COIN = Rules(
    start=compiled(lambda: (int64(0), int64(0), int64(0))),
    mover=coin_mover,
    moves=coin_moves,
    play=coin_play,
    score=compiled(lambda s: 1 + s[1] - s[2]),
    cells=compiled(lambda s, out: put(out, 0, s[0])),
    move_names=["head", "tail"],
    max_moves=2,
    max_plies=3,
    board=Board(1, 1, "0123"),
    chance=True,
    odds=compiled(lambda s, outcome: 2),
    symmetries=[Symmetry("sides", np.array([1, 0]))],
    player="flat:playouts=10",
)


def test_a_sound_game_of_chance_passes() -> None:
    check_game(game_of(COIN), games=50)


@cases(
    globals(),
    r"""
    chance 0: chance=False
        mover is CHANCE, though Rules does not say chance=True, after .*
    mover 1: mover=compiled(lambda s: int64(4) if s[0] == 2 else s[0] % 3)
        mover is 4, not 0 or 1 or CHANCE, after \S+ \S+
    odds 2: odds=len
        odds is not marked @compiled
    odds 3: odds=compiled(lambda s, outcome: 1 - outcome)
        odds of tail is not a whole number from 1 up, after \S+ \S+
    odds 4: odds=compiled(lambda s, outcome: 0.5 + outcome)
        odds of head is not a whole number from 1 up, after \S+ \S+
    odds 5: odds=compiled(lambda s, outcome: 1 << 30)
        odds of all outcomes together are 2147483648, not below .*
    odds 6: odds=compiled(lambda s, outcome: 1 + outcome)
        symmetry 'sides' does not keep the odds: compare .*, after .*
    """,
)
def test_wrong_chance(changes: dict[str, Any], expected: str) -> None:
    check_says(expected, COIN, **changes)
