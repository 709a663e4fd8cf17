"""The match: how two colours play a game. These templates are the same for every arena.

`advance` makes one move of a game, and `think` asks the player for one. All else is built of them.

Each colour has a *side* (see `players.lookup`): a seed, an arm under a symmetry of the board, or an
arm with a book. The match is the same for all of them. It keeps the keys of positions where the
rules have repetition (see `games.rules`), at the end of the workspace. The setup of the game
(see `games.rules`) is the end of the knobs.
"""

from __future__ import annotations

from typing import Any

from numba import int64, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.randomness import fold, luck_key, luck_of
from seedfolio.games.rules import CHANCE

# Names that are filled in on compiling; they are here for the reader and the type checker.
begun: Any = None
mover: Any = None
moves: Any = None
played: Any = None
score: Any = None
choose: Any = None
again: Any = None
begin: Any = None
consult: Any = None
seen: Any = None
outward: Any = None
notice: Any = None
note: Any = None
book_state: Any = None
turned_by: Any = None
outcome: Any = None
kept: Any = None
think: Any = None
advance: Any = None
play_cell: Any = None


@compiled
def legal_or_none(move: Any, count: Any, workspace: Any) -> Any:
    """Return a move that is among the first `count` numbers of the workspace; else -1.

    A book from a file may have a move that is not legal, where the file does not say how its state
    is reached: then the program plays.
    """
    found = int64(-1)
    if move >= 0:
        for k in range(count):
            if int64(workspace[k]) == move:
                found = int64(move)
    return found


@compiled
def never_again(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
    """Stand in for `again` where nothing is refused, so that a search is compiled once."""
    return int64(-1)


def think_template(
    side: Any, state: Any, colour: Any, fresh: Any, luck: Any, knobs: Any, workspace: Any
) -> Any:
    """Return the move of the player: by a new search if `fresh`, else from this turn's search."""
    moment = (colour, side[1], side[2], luck_of(luck, colour))
    if fresh:
        move = choose(seen(side, state, colour), side[0], moment, knobs, workspace)
    else:
        move = again(seen(side, state, colour), side[0], moment, knobs, workspace)
    return outward(side, move)


def advance_template(
    state: Any,
    first: Any,
    second: Any,
    count: Any,
    ply: Any,
    luck: Any,
    knobs: Any,
    book: Any,
    workspace: Any,
) -> Any:
    """Make one of the `count` moves in the workspace; return it, the state and both sides after.

    The caller asks for the moves: a test of the result here would cost fast players 15%.
    """
    colour = mover(state)
    if colour == CHANCE:
        move = outcome(state, luck, ply, count, workspace, int64(0))
    else:
        side = first if colour == 0 else second
        move, fresh, side = consult(side, state, colour, book)
        move = legal_or_none(move, count, workspace)
        if move < 0:
            move = think(side, state, colour, fresh, luck, knobs, workspace)
        if colour == 0:
            first = side
        else:
            second = side
    after = played(state, move, workspace)
    first = notice(first, state, move, after, 0)
    second = notice(second, state, move, after, 1)
    return int64(move), after, first, second


def play_cell_template(
    row: Any, column: Any, repeats: Any, knobs: Any, book: Any, workspace: Any
) -> Any:
    """Play all games of one cell.

    Return the points of the first player, a hash of all moves, and both sides at the end.
    """
    points = int64(0)
    history = uint64(0)
    first, second = begin(row, 0, book), begin(column, 1, book)
    for repeat in range(repeats):
        luck = luck_key(row, column, repeat)
        state = begun(knobs, workspace)
        ply = int64(0)
        first, second = begin(row, 0, book), begin(column, 1, book)
        while True:
            count = moves(state, workspace, int64(0))
            if count == 0:
                break
            move, state, first, second = advance(
                state, first, second, count, ply, luck, knobs, book, workspace
            )
            history = fold(history, move)
            ply += 1
        points += score(state)
    return kept(points, row, column, repeats), history, first, second


def play_cells_template(
    rows: Any,
    columns: Any,
    repeats: Any,
    knobs: Any,
    book: Any,
    workspace: Any,
    results: Any,
    histories: Any,
    left: Any,
) -> None:
    """Play one cell after the other."""
    for cell in range(len(rows)):
        points, history, first, second = play_cell(
            rows[cell], columns[cell], repeats, knobs, book, workspace
        )
        results[cell] = points
        histories[cell] = history
        note(first, second, left, cell)


def play_line_template(
    row: Any, column: Any, luck: Any, knobs: Any, book: Any, workspace: Any, line: Any
) -> Any:
    """Play one game with this luck and write its moves to `line`.

    Return (the number of moves, the half points of the first player).
    """
    state = begun(knobs, workspace)
    first, second = begin(row, 0, book), begin(column, 1, book)
    ply = int64(0)
    while True:
        count = moves(state, workspace, int64(0))
        if count == 0:
            return ply, int64(score(state))
        move, state, first, second = advance(
            state, first, second, count, ply, luck, knobs, book, workspace
        )
        line[ply] = move
        ply += 1


def search_template(state: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
    """Choose, as a separate function."""
    return choose(state, seed, moment, knobs, workspace)


def choose_after_template(
    history: Any, arm: Any, luck: Any, knobs: Any, book: Any, workspace: Any
) -> Any:
    """Replay `history` and return the move that the mover chooses in the match.

    Return (the move, whether it is from the book).
    """
    state = begun(knobs, workspace)
    for ply in range(len(history)):
        state = played(state, history[ply], workspace)
    colour = mover(state)
    state = begun(knobs, workspace)
    side = begin(arm, colour, book)
    searched, searching = 0, (side, state)
    planned = int64(-1)
    for ply in range(len(history) + 1):
        if mover(state) == colour:
            planned, fresh, side = consult(side, state, colour, book)
            if fresh:
                searched, searching = ply, (side, state)
        if ply < len(history):
            after = played(state, history[ply], workspace)
            side = notice(side, state, history[ply], after, colour)
            state = after
    planned = legal_or_none(planned, moves(state, workspace, int64(0)), workspace)
    if planned >= 0:
        return planned, True
    # Tries after a refusal use the search made at the turn's first try out of the book.
    side, state = searching
    move = think(side, state, colour, True, luck, knobs, workspace)
    for ply in range(searched, len(history)):
        after = played(state, history[ply], workspace)
        side = notice(side, state, history[ply], after, colour)
        state = after
        move = think(side, state, colour, False, luck, knobs, workspace)
    return move, False


def play_to_template(
    row: Any,
    column: Any,
    colour: Any,
    wanted: Any,
    expected: Any,
    knobs: Any,
    book: Any,
    workspace: Any,
    line: Any,
) -> Any:
    """Play a game of books until `colour` is to move in the state with key `wanted` in its book.

    There the arm chooses without the book; its move should be `expected` in the book's terms. Write
    all moves before that to `line`. Return (the number of these moves, or -1 if the game does not
    reach the state; the symmetry that maps all moves to the book's, or -1 if the arm chooses
    another move).
    """
    luck = luck_key(row, column, 0)
    state = begun(knobs, workspace)
    first, second = begin(row, 0, book), begin(column, 1, book)
    for ply in range(len(line)):
        count = moves(state, workspace, int64(0))
        if count == 0:
            break
        side = first if colour == 0 else second
        if mover(state) == colour and book_state(side) == wanted:
            _, fresh, side = consult(side, state, colour, book)
            move = think(side, state, colour, fresh, luck, knobs, workspace)
            return ply, turned_by(side, move, expected)
        move, state, first, second = advance(
            state, first, second, count, int64(ply), luck, knobs, book, workspace
        )
        line[ply] = move
    return int64(-1), int64(-1)
