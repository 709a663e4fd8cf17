"""Where the games that a person lost part from those that they won.

A position here is what the person knew when they had to move: their information state. A lost game
parts from the won ones in the last of its positions that some won game has, too. There the person
chose another move, or the program gave an answer that no won game has. Where no won game has any of
its positions, the last one counts that another lost game has, too, after the first move of the
person; else the position of the person's last move.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from seedfolio.games.game import Game
from seedfolio.people.store import PersonGame

WON, LOST = 2, 0


@dataclass(frozen=True)
class MoveFound:
    """A move that the person has played in a position."""

    move: int
    games: int
    points: int
    """Half points of the person in these games."""

    @property
    def success(self) -> float:
        """Of the person, from 0 to 1."""
        return self.points / (2 * self.games)


@dataclass(frozen=True)
class Parting:
    """A position in which lost games part from won ones."""

    history: tuple[int, ...]
    """A game that leads to it."""
    lost: int
    """How many lost games part here."""
    moves: tuple[MoveFound, ...]
    """What the person has played here, most success first."""
    by_person: bool
    """Whether the lost games have another move of the person here than the won ones."""

    @property
    def unknown(self) -> bool:
        """Whether no won game has the position, nor any before it."""
        return not any(each.points for each in self.moves)


@dataclass(frozen=True)
class _Decision:
    state: int
    history: tuple[int, ...]
    move: int


def partings(game: Game, colour: int, games: Iterable[PersonGame]) -> tuple[Parting, ...]:
    """Return the positions in which the lost games of `colour` part from the won ones.

    Those come first in which most lost games part, of equal ones the later in the game.
    """
    walked = [(each, _decisions(game, colour, each.history)) for each in games]
    won: dict[int, set[int]] = defaultdict(set)
    played: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for each, decisions in walked:
        for decision in decisions:
            played[decision.state][decision.move].append(each.points or 0)
            if each.points == WON:
                won[decision.state].add(decision.move)
    reached = Counter(each.state for _, decisions in walked for each in decisions)
    apart: dict[int, list[_Decision]] = defaultdict(list)
    for each, decisions in walked:
        if each.points == LOST and decisions:
            shared = [decision for decision in decisions if decision.state in won]
            again = [decision for decision in decisions[1:] if reached[decision.state] > 1]
            last = (shared or again or decisions)[-1]
            apart[last.state].append(last)
    found = [_parting(played[state], won[state], lost) for state, lost in apart.items()]
    return tuple(sorted(found, key=lambda each: (-each.lost, -len(each.history), each.history)))


def _parting(played: dict[int, list[int]], won: set[int], lost: Sequence[_Decision]) -> Parting:
    moves = [MoveFound(move, len(points), sum(points)) for move, points in played.items()]
    moves.sort(key=lambda each: (-each.success, -each.games, each.move))
    by_person = any(each.move not in won for each in lost)
    return Parting(lost[0].history, len(lost), tuple(moves), by_person)


def _decisions(game: Game, colour: int, history: tuple[int, ...]) -> list[_Decision]:
    """Return the decisions of a colour in a game."""
    return [
        _Decision(game.information(before, colour).history, before, history[ply])
        for ply in range(len(history))
        if game.position(before := history[:ply]).mover == colour
    ]
