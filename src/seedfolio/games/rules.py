"""The rules of a game: a handful of compiled functions over a small state, and some facts.

The state is a tuple of integers (or of bit sets) and never leaves compiled code. Most games need
the first few functions only. Games of hidden information also say what each colour sees and
notices; players are handed that and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.games.board import Board
from seedfolio.games.parts import Parts

CHANCE = 2
"""The mover where the game itself draws."""


@dataclass(frozen=True)
class Symmetry:
    """A way to turn or mirror the board that leaves the game the same.

    `moves[m]` is the image of move m (of any m that is never legal, anything).
    """

    name: str
    moves: NDArray[np.int64]


@dataclass(frozen=True)
class Rules:
    """The rules of one game on one board. Functions are `compiled`; colours are 0 and 1.

    A move is an integer from 0 to len(move_names) - 1. Where moves may be refused it is a try.
    """

    start: Callable[[], Any]
    """start(): the state before the first move."""
    mover: Callable[[Any], Any]
    """mover(state): the colour to move, or CHANCE."""
    moves: Callable[[Any, Any, Any], Any]
    """moves(state, out, at): write the legal moves to out[at], out[at + 1], ... and return how
    many there are; none means that the game is over. They depend on what the mover knows alone:
    what it may try."""
    play: Callable[[Any, Any], Any]
    """play(state, move): the state after a legal move; after a try that is refused, a state with
    the same mover, who knows more."""
    score: Callable[[Any], Any]
    """score(state): half points of the first player (0, 1 or 2) once the game is over."""
    cells: Callable[[Any, Any], None]
    """cells(state, out): write what is on each cell to `out`, an index into board.glyphs."""
    move_names: Sequence[str]
    """The notation of each move; empty for a number that is never a move."""
    max_moves: int
    """No state has more legal moves than this."""
    max_plies: int
    """No game is longer than this, tries and outcomes of chance included."""
    board: Board
    """How to show it to a person."""
    symmetries: Sequence[Symmetry] = ()
    """All symmetries but the identity."""
    random_move: Callable[[Any, Any, Any, Any, Any], Any] | None = None
    """random_move(state, key, step, out, at): optional fast path of picking move number
    below(key, step, n) out of `moves`; return (move, step + 1), or (-1, step) when over.
    `out` from index `at` on is scratch space for `max_moves` moves."""
    rollout: Callable[[Any, Any, Any, Any, Any], Any] | None = None
    """rollout(state, key, step, out, at): half points of the first player after a random game to
    the end. None: `parts` if given, else `random_move`, until it is over."""
    parts: Parts | None = None
    """The random game in parts, instead of `rollout`. None: it is one part."""
    plausible: Callable[[Any, Any, Any], Any] | None = None
    """plausible(state, out, at): like `moves`, but only those that a program without knowledge of
    the game should consider, one at least. None: all."""
    chance: bool = False
    """Whether `mover` may be CHANCE: then the moves are its outcomes, all equally likely."""
    view: Callable[[Any, Any], Any] | None = None
    """view(state, colour): what that colour may know, a tuple. It follows from the events that
    the colour has noticed. None: perfect information, the view is the state."""
    event: Callable[[Any, Any, Any, Any], Any] | None = None
    """event(before, move, after, colour): what that colour notices of a move, a number from 0 up,
    or -1 for nothing. None: the move."""
    complete: Callable[[Any, Any, Any], Any] | None = None
    """complete(view, key, step): (state, step after), a state drawn uniformly from those with the
    view of the colour to move, by random numbers of `key`: step, step + 1, ... Given where `view`
    is."""
    assume: Callable[[Any, Any], Any] | None = None
    """assume(view, move): the view of one who knows besides that this try will not be refused, as
    far as it can hold that; what `complete` draws from it wastes no work. None: the view."""
    refused: Callable[[Any], Any] | None = None
    """refused(state): whether the last try was refused, so that its player tries again.
    None: never."""
    cells_seen: Callable[[Any, Any, Any], None] | None = None
    """cells_seen(state, colour, out): like `cells`, as that colour sees the board. None: all."""
    parameters: Mapping[str, float] = field(default_factory=dict)
    """Values that the rules have chosen for parameters left open (None)."""
    small: bool = False
    """Whether the tree of all that one player can do is small enough to be searched whole."""
    player: str = "uct:simulations=100"
    """The player that is boosted when none is named."""

    @property
    def hides(self) -> bool:
        """Whether there is anything that a player does not see."""
        return self.view is not None
