"""What a game is: a handful of compiled functions over a small state, and some facts.

A game file holds one function marked `@game(...)` that takes the board's parameters and returns
`Rules`. The state is a tuple of integers (or of bit sets) and never leaves compiled code: Python
knows a position by the moves that led to it, chance's included.

Most games need the first few functions only. Games of hidden information say besides what each
colour sees and notices; players are handed that and nothing else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiling import compiled_entry
from seedfolio.core.randomness import noticed
from seedfolio.errors import SpecificationError
from seedfolio.games.board import Board
from seedfolio.games.defaults import complete_functions
from seedfolio.games.parts import Parts

CHANCE = 2
"""The mover where the game itself draws."""

_LARGEST = 2**31
"""Parameters are below it, so that whatever rules make of them fits 64 bits."""


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


@dataclass(frozen=True)
class Position:
    """A position as Python sees it."""

    mover: int
    """The colour to move, or CHANCE."""
    moves: tuple[int, ...]
    """Legal moves; empty when the game is over."""
    score: int | None
    """Half points of the first player once the game is over."""
    refused: bool
    """Whether the last move was a try that the referee refused."""
    cells: NDArray[np.int64]
    """The whole board."""


@dataclass(frozen=True)
class Information:
    """What one colour knows: its information state."""

    history: int
    """The hash of all that it has noticed, 64 bits."""
    events: tuple[int, ...]
    """What it has noticed, one number for each event."""
    cells: NDArray[np.int64]
    """The board as it sees it."""


@dataclass(frozen=True)
class Game:
    """A game on a board of given size: `domineering(rows=7, columns=7)`."""

    name: str
    version: int
    parameters: Mapping[str, float]
    text: str
    """The short form, for people and file names: `domineering:7x7`."""
    rules: Rules
    source: str
    """What `load_game` takes to find it again: `text`, or a user's own file with options."""

    @property
    def title(self) -> str:
        """The name as shown to people: `domineering 7x7`."""
        return self.text.replace(":", " ").replace(",", " ")

    def identity(self) -> dict[str, Any]:
        """What results are tied to: the name, the version of the rules and the parameters."""
        return {"name": self.name, "version": self.version, "parameters": dict(self.parameters)}

    @cached_property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """All functions of the rules by name, those that they leave out filled in."""
        return complete_functions(self.rules)

    def position(self, history: Sequence[int]) -> Position:
        """Return the position after `history`; SpecificationError if a move in it is illegal."""
        rules = self.rules
        moves = np.asarray(history, np.int64).reshape(-1)
        legal = np.zeros(rules.max_moves + 1, np.int64)
        cells = np.zeros(rules.board.size, np.int64)
        mover, count, score, refused, played = self._look(moves, legal, cells)
        if played < len(moves):
            raise SpecificationError(
                f"{self.title}: move {played + 1} ({self.move_name(int(moves[played]))}) is illegal"
            )
        return Position(
            mover=int(mover),
            moves=tuple(int(move) for move in legal[:count]),
            score=int(score) if count == 0 else None,
            refused=bool(refused),
            cells=cells,
        )

    def information(self, history: Sequence[int], colour: int) -> Information:
        """Return what `colour` knows after `history`, whose moves must be legal."""
        moves = np.asarray(history, np.int64).reshape(-1)
        events = np.zeros(len(moves), np.int64)
        cells = np.zeros(self.rules.board.size, np.int64)
        count, hashed = self._notice(moves, np.int64(colour), events, cells)
        return Information(int(hashed), tuple(int(event) for event in events[:count]), cells)

    def draw(self, history: Sequence[int] = (), colour: int | None = None) -> str:
        """Return the board after `history` as text: all of it, or what `colour` sees."""
        if colour is None:
            return self.rules.board.draw(self.position(history).cells)
        return self.rules.board.draw(self.information(history, colour).cells)

    def move_name(self, move: int) -> str:
        """Return the notation of a move."""
        names = self.rules.move_names
        return names[move] if 0 <= move < len(names) and names[move] else f"number {move}"

    def parse_move(self, text: str) -> int:
        """Return the move with this notation, whatever its case; SpecificationError if none."""
        move = self._moves_by_name.get(text.strip().lower())
        if move is None:
            example = next(name for name in self.rules.move_names if name)
            raise SpecificationError(
                f"{text.strip()!r} is not a move of {self.title}; moves look like {example}"
            )
        return move

    @cached_property
    def _moves_by_name(self) -> dict[str, int]:
        return {name.lower(): move for move, name in enumerate(self.rules.move_names) if name}

    @cached_property
    def _look(self) -> Callable[..., Any]:
        return compiled_entry(_look_template, self.functions)

    @cached_property
    def _notice(self) -> Callable[..., Any]:
        return compiled_entry(_notice_template, self.functions)


# Names that a binding fills in; they exist here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
score: Any = None
cells: Any = None
refused: Any = None
event: Any = None
cells_seen: Any = None


def _look_template(history: Any, legal: Any, out: Any) -> Any:
    """Replay `history`; return (mover, number of legal moves, score, refused, moves played)."""
    state = start()
    count = moves(state, legal, 0)
    for ply in range(len(history)):
        found = False
        for k in range(count):
            if legal[k] == history[ply]:
                found = True
        if not found:
            cells(state, out)
            return mover(state), count, np.int64(-1), refused(state), ply
        state = play(state, history[ply])
        count = moves(state, legal, 0)
    cells(state, out)
    points = np.int64(-1)
    if count == 0:
        points = score(state)
    return mover(state), count, points, refused(state), len(history)


def _notice_template(history: Any, colour: Any, events: Any, out: Any) -> Any:
    """Replay `history` as `colour` lives it; return (number of events, their hash)."""
    state = start()
    count = 0
    hashed = uint64(0)
    for ply in range(len(history)):
        after = play(state, history[ply])
        happened = int64(event(state, history[ply], after, colour))
        if happened >= 0:
            events[count] = happened
            count += 1
        hashed = noticed(hashed, happened)
        state = after
    cells_seen(state, colour, out)
    return count, hashed


@dataclass(frozen=True)
class GameKind:
    """A game with its board still to be chosen: what `@game` makes of a function."""

    name: str
    version: int
    summary: str
    build: Callable[..., Rules]

    @property
    def defaults(self) -> dict[str, float | None]:
        """The parameters and their default values; None where the rules choose one."""
        signature = inspect.signature(self.build)
        return {name: item.default for name, item in signature.parameters.items()}

    def __call__(self, **parameters: float) -> Game:
        """Return the game on the board that `parameters` describe."""
        defaults = self.defaults
        for name, value in parameters.items():
            if name not in defaults:
                raise SpecificationError(
                    f"{self.name} has no parameter {name!r}; it has {', '.join(defaults)}"
                )
            whole = isinstance(defaults[name], int)
            if not isinstance(value, int if whole else int | float) or isinstance(value, bool):
                kind = "whole number" if whole else "number"
                raise SpecificationError(f"{self.name}: {name} is a {kind}, not {value!r}")
            if not abs(value) < _LARGEST:  # nor nan
                raise SpecificationError(f"{self.name}: {name}={value} is more than a game holds")
        chosen = {**defaults, **parameters}
        # One spelling of equal numbers: komi=3 and komi=3.0 make the same game.
        chosen |= {
            name: float(value)
            for name, value in chosen.items()
            if value is not None and not isinstance(defaults[name], int)
        }
        try:
            rules = self.build(**chosen)
        except ValueError as error:
            raise SpecificationError(f"{self.name}: {error}") from None
        except Exception as error:
            raise SpecificationError(
                f"{self.name}: its rules cannot be made: {type(error).__name__}: {error}"
            ) from error
        text = self._text(chosen)
        source = text if self._is_built_in else self._source(chosen)
        known = {
            **{k: value for k, value in chosen.items() if value is not None},
            **rules.parameters,
        }
        return Game(self.name, self.version, known, text, rules, source)

    @property
    def _is_built_in(self) -> bool:
        package = __name__.rpartition(".")[0]
        return self.build.__module__.rpartition(".")[0] == package

    def _source(self, chosen: Mapping[str, Any]) -> str:
        """Return the file of a user's own game, with the options: what `load_game` takes."""
        path = Path(inspect.getsourcefile(self.build) or "").absolute()
        # Typed into a session it has no file yet; this is the one to write for others to find.
        file = str(path) if path.suffix == ".py" and path.is_file() else f"{self.name}.py"
        options = ",".join(f"{k}={value}" for k, value in chosen.items() if value is not None)
        return f"{file}:{options}" if options else file

    def _text(self, chosen: Mapping[str, Any]) -> str:
        rest = dict(chosen)
        parts = []
        if "rows" in rest and "columns" in rest:
            parts.append(f"{rest.pop('rows')}x{rest.pop('columns')}")
        elif "size" in rest:
            size = rest.pop("size")
            parts.append(f"{size}x{size}")
        defaults = self.defaults
        parts += [f"{name}={value}" for name, value in rest.items() if value != defaults[name]]
        return f"{self.name}:{','.join(parts)}" if parts else self.name


def game(name: str, *, version: int, summary: str) -> Callable[[Callable[..., Rules]], GameKind]:
    """Mark a function that returns `Rules` as a game.

    `version` goes up whenever the rules change what can be played: results, portfolios and
    studies are tied to it. The function raises ValueError for a board that cannot be.
    """

    def mark(build: Callable[..., Rules]) -> GameKind:
        for item in inspect.signature(build).parameters.values():
            if not isinstance(item.default, int | float | None):
                raise TypeError(f"game {name}: parameter {item.name} needs a number as its default")
        return GameKind(name, version, summary, build)

    return mark
