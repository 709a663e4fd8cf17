"""Phantom Go against a referee and two observers in plain Python, who hear the referee only."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from naive_go import NaiveGo, Point, neighbours, point_of
from recording import recorder
from sparing import levels

from seedfolio.core.compiler import compiled_entry
from seedfolio.games import load_game
from seedfolio.games.go.phantom_go import KOMI
from seedfolio.games.go.stones import go_geometry

Message = tuple[Any, ...]


class Referee:
    """Knows all, and says to each player what it may hear."""

    def __init__(self, size):
        self.board = NaiveGo(size)
        self.colour, self.passes, self.accepted, self.refused = 0, 0, 0, False

    def answer(self, point):
        """Judge a try of the mover; return what it hears, and what the other hears."""
        board, colour = self.board, self.colour
        taken = board.stones.get(point) == 1 - colour if point else False
        captured = set[Point]() if point is None else board.place(point, colour)
        self.refused = captured is None
        if captured is None:
            return ("taken" if taken else "illegal", point), None
        self.accepted, self.colour = self.accepted + 1, 1 - colour
        if point is None:
            board.ko, self.passes = None, self.passes + 1
            return ("passed",), ("other passed",)
        self.passes = 0
        news = tuple(sorted(captured))
        return ("played", point, news), ("other played", news)

    def is_over(self):
        return self.passes == 2 or self.accepted == 3 * self.board.size**2


@dataclass
class Observer:
    """A player's knowledge, drawn from what the referee has said to it and from nothing else."""

    size: int
    heard: list[Message] = field(default_factory=list)
    own: set[Point] = field(default_factory=set)
    known: set[Point] = field(default_factory=set)
    lost: set[Point] = field(default_factory=set)
    illegal: set[Point] = field(default_factory=set)
    others: int = 0
    accepted: int = 0
    passes: int = 0
    refused: bool = False

    def hear(self, message):
        self.heard.append(message)
        kind, *rest = message
        self.refused = kind in ("taken", "illegal")
        if kind == "taken":
            self.known.add(rest[0])
        elif kind == "illegal":
            self.illegal.add(rest[0])
            chain = [rest[0]]
            for stone in chain:
                beside = set(neighbours(self.size, stone))
                chain += [own for own in sorted(beside & self.own) if own not in chain]
                self.known |= beside - self.own - {rest[0]}
        else:
            self.accepted += 1
            self.passes = self.passes + 1 if kind.endswith("passed") else 0
            self.lost, self.illegal = set(), set()
        if kind == "played":
            point, captured = rest
            self.own.add(point)
            self.known -= set(captured)
            self.others -= len(captured)
        elif kind == "other played":
            self.lost = set(rest[0])
            self.own -= self.lost
            self.others += 1
            for point in self.lost:
                self.known |= set(neighbours(self.size, point)) - self.lost

    def may_try(self):
        points = {(r, c) for r in range(self.size) for c in range(self.size)}
        return {None} | (points - self.own - self.known - self.illegal)

    def plausible(self):
        useful = {p for p in self.may_try() if p and not set(neighbours(self.size, p)) <= self.own}
        return useful or {None}

    def view(self, colour):
        """What our view should hold."""
        sets = (
            frozenset(self.own),
            frozenset(self.known),
            *map(frozenset, (self.lost, self.illegal)),
        )
        mover = self.accepted % 2
        if mover != colour:
            sets = *sets[:2], frozenset(), frozenset()
        return *sets, self.others, self.passes, self.accepted, mover, self.refused


start = play = view = event = write_cells = None


def _views_template(history, sets, numbers, events):
    state = start()
    for ply in range(len(history) + 1):
        for colour in range(2):
            mine = view(state, colour)
            for k in range(4):
                write_cells(mine[:4][k], mine[:4][k], sets[ply, colour, k])
            numbers[ply, colour] = *mine[4:8], np.int64(mine[8])
        if ply < len(history):
            after = play(state, history[ply])
            for colour in range(2):
                events[ply, colour] = event(state, history[ply], after, colour)
            state = after


def points_with(cells, content, size):
    return frozenset(divmod(int(index), size) for index in np.flatnonzero(cells == content))


def our_views(entry, moves, size):
    """Return the view of each colour in each position, and the events of each try."""
    plies = len(moves)
    sets = np.zeros((plies + 1, 2, 4, size * size), np.int64)
    numbers = np.zeros((plies + 1, 2, 5), np.int64)
    events = np.zeros((plies, 2), np.int64)
    entry(moves, sets, numbers, events)
    views = [
        [
            (
                *(points_with(cells, 1, size) for cells in sets[ply, colour]),
                *map(int, numbers[ply, colour, :4]),
                bool(numbers[ply, colour, 4]),
            )
            for colour in (0, 1)
        ]
        for ply in range(plies + 1)
    ]
    return views, events


def check_position(record, ply, referee, observers):
    size, stones = referee.board.size, referee.board.stones
    count = record.counts[ply]
    assert (count == 0) == referee.is_over()
    assert record.movers[ply] == referee.colour
    assert record.refused[ply] == referee.refused
    for colour in (0, 1):
        assert points_with(record.cells[ply], colour + 1, size) == {
            p for p, c in stones.items() if c == colour
        }
        observer = observers[colour]
        # What is known is true.
        assert all(stones.get(p) == 1 - colour for p in observer.known)
        if colour == referee.colour:
            assert not (observer.lost | observer.illegal) & stones.keys()
        assert observer.others == list(stones.values()).count(1 - colour)
        assert points_with(record.seen[colour][ply], colour + 1, size) == observer.own
        assert points_with(record.seen[colour][ply], 2 - colour, size) == observer.known
    if count > 0:
        observer = observers[referee.colour]
        assert [point_of(size, m) for m in record.legal[ply, : count - 1]] == sorted(
            p for p in observer.may_try() if p
        )
        assert point_of(size, record.legal[ply, count - 1]) is None
        plausible = [point_of(size, m) for m in record.plausible[ply] if m >= 0]
        assert set(plausible) == observer.plausible()
        assert len(set(plausible)) == len(plausible)


def compare_game(record, views, events, size, meaning):
    """Judge one game of ours; return the kinds of messages heard in it."""
    referee, observers = Referee(size), [Observer(size), Observer(size)]
    noticed = [(), ()]
    for ply in range(len(record.moves) + 1):
        check_position(record, ply, referee, observers)
        for colour, observer in enumerate(observers):
            assert views[ply][colour] == observer.view(colour)
            # Same events, same messages, and the other way round.
            told = colour, tuple(observer.heard)
            assert meaning.setdefault((colour, noticed[colour]), told) == told
            assert meaning.setdefault(told, (colour, noticed[colour])) == (colour, noticed[colour])
        if ply == len(record.moves):
            break
        mover = referee.colour
        answers = referee.answer(point_of(size, int(record.moves[ply])))
        for colour, message in ((mover, answers[0]), (1 - mover, answers[1])):
            assert (message is None) == (events[ply, colour] == -1)
            if message is not None:
                observers[colour].hear(message)
                noticed[colour] = *noticed[colour], int(events[ply, colour])
    assert record.score == referee.board.half_points(KOMI[size])
    return {message[0] for observer in observers for message in observer.heard}


@pytest.mark.slow
@levels(("size", "games"), [(5, 60)], long=[(5, 200), (9, 20)])
def test_whole_games_against_the_referee(size, games):
    game = load_game(f"phantom-go:{size}x{size}")
    record = recorder(game)
    names = {**game.functions, "write_cells": go_geometry(size).write_cells}
    entry = compiled_entry(_views_template, names)
    kinds = set()
    meaning = {}
    longest = 0
    for number in range(games):
        played = record(number, lean=number % 2 == 1)
        views, events = our_views(entry, played.moves, size)
        kinds |= compare_game(played, views, events, size, meaning)
        longest = max(longest, len(played.moves))
    assert kinds == {"taken", "illegal", "passed", "other passed", "played", "other played"}
    assert 2 * size * size < longest <= game.rules.max_plies
