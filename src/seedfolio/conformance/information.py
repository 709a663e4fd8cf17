"""Checks of what each colour knows: that must follow only from the events it has noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.conformance.report import ConformanceError, broken, moves_text, rules_may_raise
from seedfolio.conformance.walk import GUARD, clear, not_integer, written_outside
from seedfolio.core.compiler import compiled_entry
from seedfolio.core.randomness import below, fold, mix, noticed
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE

# The faults. Each comes with two details: the moves or the index in question.
(
    _FINE,
    _VIEW,
    _MOVER,
    _REFUSED,
    _MOVES,
    _PLAUSIBLE,
    _CELLS,
    _ASSUMED,
    _UNSTEADY,
    _STEP,
    _ENDLESS,
    _CELL,
    _CELLS_OUTSIDE,
    _EVENT,
    _OWN_MOVE,
    _OWN_MOVES,
    _UNNOTICED,
    _LEAK,
) = range(18)


_NAMES = ("the first player", "the second player")


@dataclass(frozen=True)
class _Known:
    """What a colour knew after certain events."""

    view: Any
    cells: int
    """A hash of the board as it saw it."""
    history: NDArray[np.int64]
    """The moves that led there."""


class Knowledge:
    """Checks random games of one game, and remembers what each colour knew in all of them."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self._game = game
        self._replay, self._twin = _bind_replay(game), _bind_twin(game)
        self._memory: dict[tuple[int, int], _Known] = {}
        moves, cells = max(rules.max_moves, 1), rules.board.size + 2 * GUARD
        self._room = (
            len(rules.board.glyphs),
            np.zeros((2, moves), np.int64),
            np.zeros((2, moves), np.int64),
            np.zeros((2, cells), np.int64),
        )

    def check(self, history: NDArray[np.int64], key: int) -> None:
        """Raise ConformanceError if a colour knows more, or less, than its events tell it.

        For each colour, also replay another game that this colour cannot tell from `history`.
        """
        self._check_replay(history, key, closely=True)
        for colour in (0, 1):
            twin = np.zeros(len(history), np.int64)
            legal = np.zeros((2, self._game.rules.max_moves), np.int64)
            plies = np.zeros(1, np.int64)
            with rules_may_raise(self._game, twin, plies):
                self._twin(history, colour, np.uint64(key), legal, twin, plies)
            self._check_replay(twin[: int(plies[0])], key, closely=False)

    def _check_replay(self, history: NDArray[np.int64], key: int, *, closely: bool) -> None:
        game = self._game
        plies = np.zeros(1, np.int64)
        hashes = np.zeros((len(history) + 1, 2, 2), np.uint64)
        with rules_may_raise(game, history, plies):
            (fault, detail, other), views, drawn = self._replay(
                history, np.uint64(key), closely, plies, hashes, *self._room
            )
        if fault != _FINE:
            sentence = _sentence(game, int(fault), int(detail), int(other))
            raise broken(game, sentence, history[: int(plies[0])])
        for name, parts in (("view", views[0]), ("a state of complete", drawn)):
            if kind := not_integer(parts):
                rule = f"{name} has a part of type {kind}; all parts must be integers of fixed type"
                raise broken(game, rule)
        for ply, pair in enumerate(views):
            for colour in (0, 1):
                hashed, cells = (int(value) for value in hashes[ply, colour])
                self._remember(colour, hashed, _Known(pair[colour], cells, history[:ply]))

    def _remember(self, colour: int, hashed: int, now: _Known) -> None:
        then = self._memory.setdefault((colour, hashed), now)
        if then.view != now.view:
            raise self._differs("view", colour, then, now)
        if then.cells != now.cells:
            raise self._differs("cells_seen", colour, then, now)

    def _differs(self, what: str, colour: int, then: _Known, now: _Known) -> ConformanceError:
        before = moves_text(self._game, then.history) or "the start"
        rule = f"{what} of {_NAMES[colour]} does not follow from the events it noticed: compare"
        return broken(self._game, f"{rule} {before}", now.history)


def _sentence(game: Game, fault: int, detail: int, other: int) -> str:
    move, second = game.move_name(detail), game.move_name(other)
    completed = "the state that complete draws"
    glyphs = len(game.rules.board.glyphs) - 1
    sentences = {
        _VIEW: f"{completed} has another view",
        _MOVER: f"{completed} has another player to move",
        _REFUSED: f"{completed} differs in refused",
        _MOVES: f"{completed} offers other moves, or in another order: moves may depend on"
        " the mover's view only",
        _PLAUSIBLE: f"{completed} has other plausible moves, or in another order: plausible"
        " may depend on the mover's view only",
        _CELLS: f"{completed} looks different to the mover: cells_seen may depend on the view only",
        _ASSUMED: f"{completed} from assume(view, {move}) has another player to move, offers"
        " other moves or looks different to the mover",
        _UNSTEADY: "complete returns something else when called again",
        _STEP: "complete returns a step smaller than it was given",
        _ENDLESS: f"{completed} leads to a game beyond max_plies={game.rules.max_plies}",
        _CELL: f"cells_seen leaves out a cell, or writes something other than 0 to {glyphs}",
        _CELLS_OUTSIDE: f"cells_seen writes to out[{detail}] on {game.rules.board.size} cells",
        _EVENT: f"event is below -1 for {move}",
        _OWN_MOVE: f"event tells the mover nothing of its own move {move}",
        _OWN_MOVES: f"event is the same to the mover for its own moves {second} and {move}",
        _UNNOTICED: f"{move} has event -1 for a colour, but changes its view or cells_seen",
        _LEAK: f"{second} and {move} have the same event for a colour, but leave it"
        " different views or cells_seen",
    }
    return sentences[fault]


def _bind_replay(game: Game) -> Callable[..., Any]:
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


def _bind_twin(game: Game) -> Callable[..., Any]:
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
        return _CELLS_OUTSIDE, int64(outside), uint64(0)
    hashed = uint64(0)
    for cell in range(len(inner)):
        if inner[cell] < 0 or inner[cell] >= glyphs:
            return _CELL, int64(0), uint64(0)
        hashed = fold(hashed, inner[cell])
    return _FINE, int64(0), hashed


def _completed_template(
    state: Any, colour: Any, key: Any, glyphs: Any, left: Any, right: Any, board: Any
) -> Any:
    """Check a state that `complete` draws from the mover's view; return (fault, state)."""
    seen = view(state, colour)
    step = int64(key & uint64(1023))
    drawn, after = complete(seen, key, step)
    drawn_again, after_again = complete(seen, key, step)
    if drawn != drawn_again or after != after_again:
        return _UNSTEADY, drawn
    if after < step:
        return _STEP, drawn
    if view(drawn, colour) != seen:
        return _VIEW, drawn
    if mover(drawn) != colour:
        return _MOVER, drawn
    if refused(drawn) != refused(state):
        return _REFUSED, drawn
    count = moves(state, left, 0)
    if moves(drawn, right, 0) != count:
        return _MOVES, drawn
    for k in range(count):
        if left[k] != right[k]:
            return _MOVES, drawn
    count = plausible(state, left, 0)
    if plausible(drawn, right, 0) != count:
        return _PLAUSIBLE, drawn
    for k in range(count):
        if left[k] != right[k]:
            return _PLAUSIBLE, drawn
    if _look(drawn, colour, glyphs, board) != _look(state, colour, glyphs, board):
        return _CELLS, drawn

    further = drawn
    ended = False
    step = after
    for _ in range(max_plies + 1):
        move, step = random_move(further, key, step, left, int64(0))
        if move < 0:
            ended = True
            break
        further = play(further, move)
    return (_FINE if ended else _ENDLESS), drawn


def _assumed_template(
    state: Any, colour: Any, key: Any, glyphs: Any, left: Any, right: Any, board: Any
) -> Any:
    """Check a state drawn after `assume`, for a random try; return (fault, the try)."""
    count = moves(state, left, 0)
    move = int64(left[below(key, 0, count)])
    drawn, _ = complete(assume(view(state, colour), move), key, int64(0))
    if mover(drawn) != colour or moves(drawn, right, 0) != count:
        return _ASSUMED, move
    for k in range(count):
        if left[k] != right[k]:
            return _ASSUMED, move
    if _look(drawn, colour, glyphs, board) != _look(state, colour, glyphs, board):
        return _ASSUMED, move
    return _FINE, move


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
            return _EVENT, move, int64(0)
        if happened == -1:
            if own:
                return _OWN_MOVE, move, int64(0)
            if view(after, colour) != before or _look(after, colour, glyphs, boards[1]) != shown:
                return _UNNOTICED, move, int64(0)
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
            return _OWN_MOVES, move, other
        like = play(state, other)
        if view(like, colour) != view(after, colour):
            return _LEAK, move, other
        if _look(like, colour, glyphs, boards[0]) != _look(after, colour, glyphs, boards[1]):
            return _LEAK, move, other
    return _FINE, int64(0), int64(0)


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
            if fault != _FINE:
                return (fault, detail, int64(0)), views, drawn
            hashes[ply, colour, 0] = known[colour]
            hashes[ply, colour, 1] = shown
            if closely and ply < len(history):
                fault, detail, other = _told(state, colour, glyphs, legal[0], count, told, boards)
                if fault != _FINE:
                    return (fault, detail, other), views, drawn
        if closely and count > 0 and turn != CHANCE:
            for number in range(2):
                random = mix(key + uint64(2 * ply + number))
                fault, drawn = _completed(
                    state, turn, random, glyphs, legal[0], legal[1], boards[0]
                )
                if fault != _FINE:
                    return (fault, int64(0), int64(0)), views, drawn
                fault, move = _assumed(state, turn, random, glyphs, legal[0], legal[1], boards[0])
                if fault != _FINE:
                    return (fault, move, int64(0)), views, drawn
        if ply < len(history):
            after = play(state, history[ply])
            known = (
                noticed(known[0], int64(event(state, history[ply], after, int64(0)))),
                noticed(known[1], int64(event(state, history[ply], after, int64(1)))),
            )
            state = after
            views.append((view(state, int64(0)), view(state, int64(1))))
    return (_FINE, int64(0), int64(0)), views, drawn


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
