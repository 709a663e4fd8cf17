"""Hints: what the program would play in the visitor's place, asked with several seeds."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass

from seedfolio.opponents.game_in_progress import PERSON, GameInProgress
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.program import Program

_SEEDS = 8
_MOST_THINKING = 4_000
"""Simulations of all seeds together, so that a hint takes no longer than a few moves."""
_MOST_KEPT = 1_000
_SHOWN = 3


@dataclass(frozen=True)
class Advice:
    """A move that some seeds play."""

    move: str
    seeds: int
    success: float | None
    """What they expect of it, in percent, where the player tells."""


@dataclass(frozen=True)
class Hint:
    """What the program would play."""

    asked: int
    """How many seeds; 0 if the move is from the book."""
    moves: tuple[Advice, ...]


class Hints:
    """The hints that were asked for, by the position of a sitting."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: OrderedDict[tuple[str, int], Hint] = OrderedDict()

    def find(self, sitting: str, now: GameInProgress) -> Hint | None:
        """Return the hint for a position, if somebody asked for it."""
        with self._lock:
            return self._found.get((sitting, len(now.history)))

    def keep(self, sitting: str, now: GameInProgress, hint: Hint) -> None:
        """Keep a hint."""
        with self._lock:
            self._found[sitting, len(now.history)] = hint
            while len(self._found) > _MOST_KEPT:
                self._found.popitem(last=False)


def can_advise(opponent: Opponent | None, now: GameInProgress) -> bool:
    """Tell whether there is a hint: on the person's turn, from a built-in program."""
    built_in = opponent is not None and isinstance(opponent.program, Program)
    return built_in and now.turn == PERSON and now.game.seat is None


def advise(opponent: Opponent, now: GameInProgress) -> Hint:
    """Return what seeds of the program would play in the person's place, or its book."""
    program = opponent.playing
    thinking = program.player.thinking
    effort = 1 if thinking is None else int(program.player.parameters[thinking])
    asked = max(1, min(_SEEDS, _MOST_THINKING // effort))
    votes: Counter[int] = Counter()
    outlooks: dict[int, list[float]] = defaultdict(list)
    for seed in range(asked):
        room = program.workspace()
        move, from_book = program.choose_noting(now.history, seed, seed, room)
        if from_book:
            return Hint(0, (Advice(now.game.move_name(move), 0, None),))
        votes[move] += 1
        if program.bound.outlook is not None:
            found = program.bound.outlook(room, len(now.position.moves))
            outlooks[move].append(100 / (1 + 10 ** (-found.centipawns / 400)))
    moves = [
        Advice(
            now.game.move_name(move),
            count,
            sum(outlooks[move]) / count if outlooks[move] else None,
        )
        for move, count in votes.most_common(_SHOWN)
    ]
    return Hint(asked, tuple(moves))
