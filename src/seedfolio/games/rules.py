"""The rules of a game: compiled functions over a small state, and some facts.

The state is a tuple of integers (or of bit sets) and never leaves compiled code. Most games need
only the first few functions. Games of hidden information also say what each colour sees and
notices; a player gets that and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled
from seedfolio.core.display import Brief
from seedfolio.games.board import Board


@dataclass(frozen=True, repr=False)
class Parts(Brief):
    """A random game to the end, in parts, for players that play many at once on a GPU.

    The threads of a warp wait for each other. With parts, a thread that has finished a short game
    starts the next one after the current part, and need not wait for the longest game. Functions
    are compiled.

    >>> from seedfolio import Parts, load_game
    >>> isinstance(load_game("go:5x5").rules.rollout, Parts)
    True
    """

    begin: Callable[[Any, Any, Any], Any]
    """begin(state, key, step): the run, a tuple that is passed from part to part. `step` is the
    index of the next random number."""
    advance: Callable[[Any, Any, Any, Any], Any]
    """advance(run, key, out, at): the run after some more moves."""
    is_over: Callable[[Any], Any]
    score: Callable[[Any], Any]
    """score(run): half points of the first player once the run is over."""
    moves: Callable[[Any, Any, Any], Any] | None = None
    """moves(run, out, at): the number of moves of a run that is over, after writing
    2 * move + colour for each of them to out[at], ..., in any order. Players that learn from the
    moves of random games ask for them. It may write `max_plies` numbers more than `advance`, and
    is called with the same `out` and `at`. None: these players use `random_move`, or one of the
    `plausible` moves, to the end."""
    meets: bool = True
    """Whether the threads of a warp meet after each part. That pays where random games are long."""

    @classmethod
    def at_once(
        cls,
        rollout: Callable[[Any, Any, Any, Any, Any], Any],
        moves: Callable[[Any, Any, Any], Any] | None = None,
        note: Any = 0,
    ) -> Parts:
        """Return a random game of one part.

        rollout(state, key, step, out, at) returns (half points, a note for `moves`), and
        moves(note, out, at) is as above. `note` is any note: compiled code needs its type.
        """

        @compiled
        def begin(state: Any, key: Any, step: Any) -> Any:
            return state, int64(step), int64(-1), note

        @compiled
        def advance(run: Any, key: Any, out: Any, at: Any) -> Any:
            points, noted = rollout(run[0], key, run[1], out, at)
            return run[0], run[1], int64(points), noted

        @compiled
        def is_over(run: Any) -> Any:
            return run[2] >= 0

        @compiled
        def points_of(run: Any) -> Any:
            return run[2]

        return cls(begin, advance, is_over, points_of, _of_note(moves), meets=False)

    def _summary(self) -> str:
        return "of a random game"


def _of_note(moves: Callable[[Any, Any, Any], Any] | None) -> Callable[[Any, Any, Any], Any] | None:
    if moves is None:
        return None

    @compiled
    def moves_of(run: Any, out: Any, at: Any) -> Any:
        return moves(run[3], out, at)

    return moves_of


@dataclass(frozen=True, repr=False)
class StaticEvaluation(Brief):
    """What a position is worth to the mover: the sum of its terms, each times its weight.

    >>> from seedfolio import load_game
    >>> load_game("domineering:4x4").rules.evaluation.weights
    {'places': 30, 'safe places': 60, 'to move': 30}
    """

    terms: Callable[[Any, Any, Any], None]
    """terms(state, out, at): write the value of each term to out[at], out[at + 1], ...: what the
    mover has of it, less what the other has. Compiled; called only while the game is not over."""
    weights: Mapping[str, int]
    """The usual weight of each term, by its name, in the order of `terms`."""
    scale: int
    """The sum at which the mover wins ten times as often as it loses: its success is
    1 / (1 + 10 ** (-sum / scale))."""
    loud: Callable[[Any, Any, Any], Any] | None = None
    """loud(state, out, at): like `moves`, but only those after which the sum may change much, such
    as captures; -1 if the game is over. They are played out before a position is evaluated.
    None: there are none."""
    gain: Callable[[Any, Any], Any] | None = None
    """gain(state, move): from 0 up, how promising a move is, so that the best are tried first.
    None: all are 0."""
    key: Callable[[Any], Any] | None = None
    """key(state): 64 bits (uint64) that differ for states of different value, for a table of
    positions that were looked at. None: there is no table."""

    def _summary(self) -> str:
        return ", ".join(self.weights)


_HALF = np.uint64(32)


@dataclass(frozen=True, repr=False)
class Repetition(Brief):
    """How the positions of a game repeat. Functions are compiled.

    >>> from seedfolio import load_game
    >>> load_game("chess").rules.repetition.oldest
    100
    """

    key: Callable[[Any], Any]
    """key(state): 64 bits (uint64) that are the same for states that count as the same position."""
    age: Callable[[Any], Any]
    """age(state): the number of plies since the last irreversible move, which makes it 0."""
    marked: Callable[[Any, Any], Any]
    """marked(state, times): the state that knows how often its position occurred before."""
    oldest: int
    """No age is greater than this while the game goes on."""

    @property
    def room(self) -> int:
        """The number of entries that the memory takes."""
        return 2 * (self.oldest + 1)

    def _summary(self) -> str:
        return f"of positions at most {self.oldest} plies old"


def memory_functions(
    repetition: Repetition | None, opened: Callable[..., Any], play: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """Return `begun(setup, room)`, `played(state, move, room)` and `recurs(state, depth, room)`.

    The memory is the end of the array `room`. `opened(setup)` is the state before the first move.
    `recurs` says whether a position, `depth` plies after the last one of the game, has occurred in
    the game.
    """
    if repetition is None:
        return _without_memory(opened, play)
    key, age, marked, size = repetition.key, repetition.age, repetition.marked, repetition.room

    @compiled
    def occurrences(found: Any, end: Any, room: Any) -> Any:
        """Return how often a key is in the memory at ages below `end`."""
        base = len(room) - size
        low, high = _halves(found)
        times = int64(0)
        for k in range(end):
            at = uint64(base + 2 * k)
            times += int64(room[at] == low and room[at + uint64(1)] == high)
        return times

    @compiled
    def remember(found: Any, at_age: Any, room: Any) -> None:
        at = uint64(len(room) - size + 2 * at_age)
        room[at], room[at + uint64(1)] = _halves(found)

    @compiled
    def begun(setup: Any, room: Any) -> Any:
        state = opened(setup)
        for k in range(len(room) - size, len(room)):
            room[k] = 0
        remember(key(state), age(state), room)
        return state

    @compiled
    def played(state: Any, move: Any, room: Any) -> Any:
        after = play(state, move)
        found = key(after)
        times = occurrences(found, age(after), room)
        remember(found, age(after), room)
        return marked(after, times)

    @compiled
    def recurs(state: Any, depth: Any, room: Any) -> Any:
        # The last position of the game is as old as this one was `depth` plies ago.
        end = age(state) - depth + 1
        return end > 0 and depth > 0 and occurrences(key(state), end, room) > 0

    return {"begun": begun, "played": played, "recurs": recurs}


@compiled
def _halves(key: Any) -> Any:
    """Return a key as two numbers of 32 bits with sign."""
    low = int64(key << _HALF) >> 32
    return low, int64(key) >> 32


def _without_memory(
    opened: Callable[..., Any], play: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    @compiled
    def begun(setup: Any, room: Any) -> Any:
        return opened(setup)

    @compiled
    def played(state: Any, move: Any, room: Any) -> Any:
        return play(state, move)

    @compiled
    def recurs(state: Any, depth: Any, room: Any) -> Any:
        return False

    return {"begun": begun, "played": played, "recurs": recurs}


CHANCE = -1
"""The mover at a random event of the game, such as the roll of a die. It is no seat."""
MOST_SEATS = 6
"""No game has more players."""
MOST_POINTS = 254
"""No scale is larger: the points of a game fit one byte, with room for a mark."""


@dataclass(frozen=True, repr=False)
class Symmetry(Brief):
    """A way to turn or mirror the board that leaves the game the same.

    `moves[m]` is the image of move m. It may be anything if m is never legal.

    >>> from seedfolio import Symmetry, permutation
    >>> Symmetry("left-right", permutation(3, lambda move: 2 - move)).moves.tolist()
    [2, 1, 0]
    """

    name: str
    moves: NDArray[np.int64]

    def _summary(self) -> str:
        return f"{self.name}, {len(self.moves)} moves"


@dataclass(frozen=True, kw_only=True, repr=False)
class HiddenRules:
    """What each colour sees and notices, where the game hides something."""

    view: Callable[[Any, Any], Any] | None = None
    """view(state, colour): what that colour may know, a tuple. It follows from the events that
    the colour has noticed. None: perfect information, the view is the state."""
    event: Callable[[Any, Any, Any, Any], Any] | None = None
    """event(before, move, after, colour): what that colour notices of a move, a number from 0 up,
    or -1 for nothing. None: the move."""
    complete: Callable[[Any, Any, Any], Any] | None = None
    """complete(view, key, step): (state, next step). The state is drawn uniformly from all states
    with this view of the colour to move, with the random numbers step, step + 1, ... of `key`.
    Required if there is a `view`."""
    assume: Callable[[Any, Any], Any] | None = None
    """assume(view, move): the view plus the knowledge that this try will not be refused, as far
    as a view can express that. It saves drawing states that refuse the try. None: the view."""
    refused: Callable[[Any], Any] | None = None
    """refused(state): whether the last try was refused, so that its player tries again.
    None: never."""
    cells_seen: Callable[[Any, Any, Any], None] | None = None
    """cells_seen(state, colour, out): like `cells`, as that colour sees the board. None: all."""

    @property
    def hides(self) -> bool:
        """Whether the game has hidden information."""
        return self.view is not None


@dataclass(frozen=True, kw_only=True, repr=False)
class PlayoutRules:
    """How to play at random: one move, or a whole game; and which moves are worth a thought."""

    random_move: Callable[[Any, Any, Any, Any, Any], Any] | None = None
    """random_move(state, key, step, out, at): optional fast version of picking move number
    below(key, step, n) of the n `moves`. Return (move, step + 1), or (-1, step) when the game is
    over. `out` from index `at` on is scratch space for `max_moves` moves."""
    rollout: Callable[[Any, Any, Any, Any, Any], Any] | Parts | None = None
    """rollout(state, key, step, out, at): points of the first player after a random game to the
    end; or `Parts` of such a game. Only for two seats. None: `random_move` to the end."""
    scratch: int = 0
    """How many numbers `rollout` may write to out[at], out[at + 1], ..., where that is more than
    `max_moves`. Each number is from 0 to 32,767."""
    plausible: Callable[[Any, Any, Any], Any] | None = None
    """plausible(state, out, at): like `moves`, but only the moves that a program without knowledge
    of the game should consider, at least one. None: all moves."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ChanceRules:
    """Random events of the game itself, such as the roll of a die."""

    chance: bool = False
    """Whether `mover` may be CHANCE. Then the moves are its outcomes, as likely as `odds` says."""
    odds: Callable[[Any, Any], Any] | None = None
    """odds(state, outcome): how likely an outcome of chance is, a whole number from 1 up, relative
    to the others in this state; all of a state together are below 2**31. None: all are equally
    likely. With `odds`, leave out `random_move` and `rollout`."""


@dataclass(frozen=True, kw_only=True, repr=False)
class DisplayRules:
    """What people are told, beside the board."""

    how_to_move: str = ""
    """How a person writes moves and what the game is about, in a few sentences, for `help` in
    `seedfolio play`."""
    picture: Callable[[Sequence[int]], Sequence[int]] | None = None
    """picture(history): the content of each cell to show to people, by the moves so far, where the
    state does not tell all of it. Python, not compiled, and for games without secrets. None: as
    `cells` and `cells_seen` say."""
    ending: Callable[[Any], Any] | None = None
    """ending(state): why the game is over, an index into `endings`. None: the score says all."""
    endings: Sequence[str] = ()
    """Why a game can be over, in a few words each."""


@dataclass(frozen=True, repr=False)
class Rules(HiddenRules, PlayoutRules, ChanceRules, DisplayRules, Brief):
    """The rules of one game on one board. Functions are `compiled`; colours are 0 and 1.

    With `seats` above 2, a colour is a seat: 0 for the player who is named first, then 1, 2, ...

    What only some games have is in the four groups. An author gives all of it to `Rules`.

    A move is an integer from 0 to len(move_names) - 1. In games that refuse moves, it is a try.

    `game` shows a whole game. The rules of a built-in one:

    >>> from seedfolio import load_game
    >>> rules = load_game("domineering:4x4").rules
    >>> rules.max_plies, rules.board.colours, rules.hides
    (8, ('vertical', 'horizontal'), False)
    >>> [symmetry.name for symmetry in rules.symmetries]
    ['left-right', 'up-down', 'half-turn']
    """

    start: Callable[[], Any]
    """start(): the state before the first move."""
    mover: Callable[[Any], Any]
    """mover(state): the colour to move, or CHANCE."""
    moves: Callable[[Any, Any, Any], Any]
    """moves(state, out, at): write the legal moves to out[at], out[at + 1], ... and return how
    many there are; 0 means that the game is over. They are the moves that the mover may try, and
    depend only on what it knows."""
    play: Callable[[Any, Any], Any]
    """play(state, move): the state after a legal move. After a refused try the mover is the same,
    and knows more."""
    score: Callable[..., Any]
    """score(state): points of the first player once the game is over, from 0 to `scale`; the second
    has the rest of `scale`. With the usual scale of 2 they are half points: 2 is a win, 1 a draw.
    With `seats` above 2 it is score(state, seat), the points of that seat."""
    cells: Callable[[Any, Any], None]
    """cells(state, out): write the content of each cell to `out`, as an index into board.glyphs."""
    move_names: Sequence[str]
    """The notation of each move; empty for a number that is never a move."""
    max_moves: int
    """No state has more legal moves than this."""
    max_plies: int
    """No game has more plies than this; refused tries and outcomes of chance count as plies."""
    board: Board
    """How to show the game to a person."""
    symmetries: Sequence[Symmetry] = ()
    """All symmetries except the identity."""
    seats: int = 2
    """How many players there are, from 2 to 6. With more than two, one seat plays against the
    others: see `seat` in docs/seats.md."""
    scale: int = 2
    """The most points that a seat can have, 1 to 254. The success of a seat is its points divided
    by the scale."""
    par: int | None = None
    """The points of a player who neither wins nor loses anything, where a game is played for
    payoffs: the payoff is the points minus `par`. None: the points say who wins."""
    placed: Callable[[Any, Any], Any] | None = None
    """placed(numbers, at): the state before the first move, by `setup` in numbers[at], ... So games
    that differ in their start alone share compiled code. None: start()."""
    setup: Sequence[int] = ()
    """What `placed` reads: integers of 64 bits with sign."""
    evaluation: StaticEvaluation | None = None
    """What a position is worth, for players that evaluate. None: these do not play the game."""
    repetition: Repetition | None = None
    """How positions repeat, where that matters to the rules. None: it does not."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """The values that the rules chose for parameters that were None."""
    small: bool = False
    """Whether the tree of one player's choices is small enough to search completely."""
    player: str = "uct:simulations=100,exploration=0.3"
    """The default player."""
    ranges: Sequence[str] = ()
    """Where to search for better parameters of that player: `exploration=0.05..2`. Empty: in the
    ranges of the player."""
    usual_sizes: tuple[int, int, int] = (500, 100, 100)
    """K, Kt and opponents of a boost, unless the user gives others: fewer where games are long."""

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= MOST_SEATS:
            raise ValueError(f"seats={self.seats} is not between 2 and {MOST_SEATS}")
        if not 1 <= self.scale <= MOST_POINTS:
            raise ValueError(f"scale={self.scale} is not between 1 and {MOST_POINTS}")
        own = self.random_move, self.rollout
        if (self.odds is not None or self.seats > 2) and any(each is not None for each in own):
            why = "odds" if self.odds is not None else f"seats={self.seats}"
            raise ValueError(f"with {why}, leave out random_move and rollout")

    @property
    def room(self) -> int:
        """The size of the scratch space of a random game."""
        return max(self.max_moves, self.scratch)

    def _summary(self) -> str:
        return f"{len(self.move_names)} moves, at most {self.max_plies} plies"
