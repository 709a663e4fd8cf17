"""A game on a board of given size. In Python, a position is the list of moves that led to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import int64, uint64
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled_entry
from seedfolio.core.display import Brief
from seedfolio.core.kept_states import state_size
from seedfolio.core.randomness import below, noticed
from seedfolio.errors import SpecificationError
from seedfolio.games.defaults import complete_functions
from seedfolio.games.rules import Rules


@dataclass(frozen=True, repr=False)
class Position(Brief):
    """A position as Python sees it."""

    mover: int
    """The colour to move, or CHANCE."""
    moves: tuple[int, ...]
    """Legal moves; empty when the game is over."""
    score: int | None
    """Points of the first player once the game is over: half points where there are no payoffs."""
    refused: bool
    """Whether the last move was a try that the referee refused."""
    cells: NDArray[np.int64]
    """The whole board."""
    ending: str = ""
    """Why the game is over, in a few words, if the rules tell."""
    points: tuple[int, ...] = ()
    """Points of all seats once the game is over."""

    def _summary(self) -> str:
        left = f"{len(self.moves)} moves, mover {self.mover}"
        return left if self.moves else f"over, score {self.score}"


def half_points_of(rules: Rules, points: int) -> int:
    """Return 2 for points that win the game, 1 for a draw and 0 for a loss."""
    if rules.seats > 2 and rules.par is None:  # several may share a win
        return 2 if points == rules.scale else min(points, 1)
    level = rules.scale / 2 if rules.par is None else rules.par
    return 1 + (points > level) - (points < level)


@dataclass(frozen=True, repr=False)
class Information(Brief):
    """What one colour knows: its information state."""

    history: int
    """The 64-bit hash of all events that it has noticed."""
    events: tuple[int, ...]
    """The events that it has noticed, one number each."""
    cells: NDArray[np.int64]
    """The board as it sees it."""

    def _summary(self) -> str:
        return f"{len(self.events)} events, hash {self.history:016x}"


@dataclass(frozen=True, repr=False)
class Game(Brief):
    """A game on a board of given size: `domineering(rows=7, columns=7)`."""

    name: str
    version: int
    parameters: Mapping[str, Any]
    text: str
    """The short form, for people and file names: `domineering:7x7`."""
    rules: Rules
    source: str
    """The argument with which `load_game` returns this game: `text`, or a user's file and options.
    """
    whole: Game | None = None
    """The game for more than two players, of which this is one seat against the others."""
    seat: int | None = None
    """That seat, from 0."""

    @property
    def title(self) -> str:
        """The name as shown to people: `domineering 7x7`."""
        return self.text.replace(":", " ").replace(",", " ")

    def identity(self) -> dict[str, Any]:
        """What results are tied to: the name, the version of the rules and the parameters."""
        return {"name": self.name, "version": self.version, "parameters": dict(self.parameters)}

    @cached_property
    def functions(self) -> dict[str, Callable[..., Any]]:
        """All functions of the rules by name, with defaults for those left out."""
        return complete_functions(self.rules)

    @cached_property
    def state_size(self) -> int:
        """How many entries of a workspace a state takes, see `core.kept_states`."""
        start: Any = self.rules.start
        return state_size(getattr(start, "py_func", start)())

    def move_numbers(self, history: Sequence[int | str] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the moves of a history by number; each is given by number or by name.

        SpecificationError if one is neither.
        """
        if isinstance(history, str):
            raise SpecificationError(f"moves are a list such as {[history]!r}, not the text itself")
        if isinstance(history, np.ndarray) or set(map(type, history)) <= {int}:
            numbers: Sequence[int] | NDArray[np.int64] = history  # type: ignore[assignment]
        else:
            numbers = [self._move_number(move) for move in history]
        try:
            return np.asarray(numbers, np.int64).reshape(-1)
        except OverflowError:
            raise SpecificationError(f"{self.title}: no move has such a number") from None

    def _move_number(self, move: object) -> int:
        if isinstance(move, str):
            return self.parse_move(move)
        if isinstance(move, int | np.integer):
            return int(move)
        raise SpecificationError(f"{self.title}: a move is a number or a name, not {move!r}")

    def position(self, history: Sequence[int | str]) -> Position:
        """Return the position after `history`; SpecificationError if a move in it is illegal.

        Here and below, moves are given by number or by name.
        """
        rules = self.rules
        moves = self.move_numbers(history)
        legal = self._room()
        cells = np.zeros(rules.board.size, np.int64)
        mover, count, over, refused, played = self._look(moves, self._setup, legal, cells)
        result, ending = over
        points = self._points(int(result)) if count == 0 else ()
        if played < len(moves):
            raise SpecificationError(
                f"{self.title}: move {played + 1} ({self.move_name(int(moves[played]))}) is illegal"
            )
        return Position(
            mover=int(mover),
            moves=tuple(int(move) for move in legal[:count]),
            score=points[0] if points else None,
            refused=bool(refused),
            cells=cells,
            ending=rules.endings[ending] if count == 0 and ending >= 0 else "",
            points=points,
        )

    def odds(self, history: Sequence[int | str]) -> tuple[int, ...]:
        """Return how likely each of the `moves` of chance is after `history`, relatively."""
        outcomes = np.array(self.position(history).moves, np.int64)
        if self.rules.odds is None:
            return (1,) * len(outcomes)
        likely = np.zeros_like(outcomes)
        self._weigh(self.move_numbers(history), outcomes, likely)
        return tuple(likely.tolist())

    def draw_outcome(self, history: Sequence[int | str], luck: int) -> int:
        """Return what chance does after `history` in a game with this luck, as the match does."""
        outcomes, odds = self.position(history).moves, self.odds(history)
        point = int(below(np.uint64(luck), len(history), sum(odds)))
        return outcomes[int(np.searchsorted(np.cumsum(odds), point, side="right"))]

    def first_fault(
        self,
        lines: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
        chosen: NDArray[np.int64],
        states: NDArray[np.uint64],
        colour: int,
    ) -> tuple[int, int, int]:
        """Play many lines; return the number, ply and fault of the first that has one.

        `lines` are the moves of all, where each ends, and how many moves at the beginning of each
        need no check. After each line `colour` is to move, `chosen` is a legal move, and the hash
        of what the colour has noticed is as in `states`, unless that is empty. (-1, -1, 0): no
        fault.
        """
        number, ply, fault = self._first_fault(
            lines, chosen, states, np.int64(colour), (self._setup, self._room())
        )
        return int(number), int(ply), int(fault)

    def information(self, history: Sequence[int | str], colour: int) -> Information:
        """Return what `colour` knows after `history`, whose moves must be legal."""
        moves = self.move_numbers(history)
        events = np.zeros(len(moves), np.int64)
        cells = np.zeros(self.rules.board.size, np.int64)
        count, hashed = self._notice(moves, np.int64(colour), self._setup, events, cells)
        return Information(int(hashed), tuple(int(event) for event in events[:count]), cells)

    def picture(self, history: Sequence[int | str] = (), colour: int | None = None) -> list[int]:
        """Return the cells to show to people: of the whole board, or as `colour` sees it."""
        if self.rules.picture is not None:
            return list(self.rules.picture(self.move_numbers(history).tolist()))
        if colour is None:
            return [int(cell) for cell in self.position(history).cells]
        return [int(cell) for cell in self.information(history, colour).cells]

    def draw(self, history: Sequence[int | str] = (), colour: int | None = None) -> str:
        """Return the board after `history` as text: the whole board, or what `colour` sees."""
        return self.rules.board.draw(self.picture(history, colour))

    def move_name(self, move: int) -> str:
        """Return the notation of a move."""
        names = self.rules.move_names
        return names[move] if 0 <= move < len(names) and names[move] else f"number {move}"

    def parse_move(self, text: str) -> int:
        """Return the move with this notation, in any case; SpecificationError if there is none."""
        move = self._moves_by_name.get(text.strip().lower())
        if move is None:
            example = next(name for name in self.rules.move_names if name)
            raise SpecificationError(
                f"{text.strip()!r} is not a move of {self.title}; moves look like {example}"
            )
        return move

    def _points(self, result: int) -> tuple[int, ...]:
        """Return the points of all seats; see `games.defaults`."""
        if self.rules.seats == 2:
            return result, self.rules.scale - result
        return tuple(result >> 8 * seat & 255 for seat in range(self.rules.seats))

    def _room(self) -> NDArray[np.int64]:
        """Return room for the legal moves of a position, and for what the match remembers."""
        repetition = self.rules.repetition
        return np.zeros(self.rules.max_moves + 1 + (repetition.room if repetition else 0), np.int64)

    @cached_property
    def _setup(self) -> NDArray[np.int64]:
        return np.array(self.rules.setup, np.int64)

    def once(self, make: Callable[..., Any], *arguments: Any) -> Any:
        """Return make(self, *arguments), made once: so all programs of the game share its code."""
        if (key := (make, *arguments)) not in self._made:
            self._made[key] = make(self, *arguments)
        return self._made[key]

    @cached_property
    def _made(self) -> dict[Any, Any]:
        return {}

    def share_code(self, other: Game) -> None:
        """Take the compiled code of a game that differs in its `setup` only."""
        assert self.rules.placed is other.rules.placed is not None
        shared = ("functions", "_made", "_look", "_first_fault", "_notice")
        self.__dict__.update({name: getattr(other, name) for name in shared})

    @cached_property
    def _moves_by_name(self) -> dict[str, int]:
        return {name.lower(): move for move, name in enumerate(self.rules.move_names) if name}

    @cached_property
    def _look(self) -> Callable[..., Any]:
        return compiled_entry(_look_template, self.functions)

    @cached_property
    def _weigh(self) -> Callable[..., Any]:
        return compiled_entry(_weigh_template, {**self.functions, "odds": self.rules.odds})

    @cached_property
    def _first_fault(self) -> Callable[..., Any]:
        return compiled_entry(_first_fault_template, self.functions)

    @cached_property
    def _notice(self) -> Callable[..., Any]:
        return compiled_entry(_notice_template, self.functions)

    def _summary(self) -> str:
        return self.title


ILLEGAL, TURN, STATE = 1, 2, 3
"""What is wrong with a line: a move, whose turn it is at its end, or the state there."""

# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
opened: Any = None
begun: Any = None
mover: Any = None
moves: Any = None
play: Any = None
played: Any = None
result: Any = None
odds: Any = None
ending: Any = None
cells: Any = None
refused: Any = None
event: Any = None
cells_seen: Any = None


def _look_template(history: Any, setup: Any, legal: Any, out: Any) -> Any:
    """Replay `history`; return (mover, legal moves, (result, ending), refused, moves played)."""
    state = begun(setup, legal)
    count = moves(state, legal, 0)
    over = int64(-1), int64(-1)
    for ply in range(len(history)):
        found = False
        for k in range(count):
            if legal[k] == history[ply]:
                found = True
        if not found:
            cells(state, out)
            return mover(state), count, over, refused(state), ply
        state = played(state, history[ply], legal)
        count = moves(state, legal, 0)
    cells(state, out)
    if count == 0:
        over = int64(result(state)), int64(ending(state))
    return mover(state), count, over, refused(state), len(history)


def _weigh_template(history: Any, outcomes: Any, likely: Any) -> None:
    """Replay `history`; write how likely each of the outcomes of chance is."""
    state = start()
    for ply in range(len(history)):
        state = play(state, history[ply])
    for k in range(len(outcomes)):
        likely[k] = odds(state, outcomes[k])


def _notice_template(history: Any, colour: Any, setup: Any, events: Any, out: Any) -> Any:
    """Replay `history` as `colour` notices it; return (number of events, their hash)."""
    state = opened(setup)
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


def _first_fault_template(lines: Any, chosen: Any, states: Any, colour: Any, rooms: Any) -> Any:
    """Find the first fault in lines, as `first_fault` says.

    `rooms` are the setup of the game and room for legal moves.
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
