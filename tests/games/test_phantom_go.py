"""Phantom Go: against a referee and observers in plain Python, OpenSpiel, and all boards."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pyspiel
import pytest
from go_views import points_with, views_of
from knowing import Knowing
from naive_go import NaiveGo, Point, neighbours, openspiel_actions, point_of
from numba import int64
from recording import recorder
from sparing import levels, one_in

from seedfolio import compiled, load_game
from seedfolio.games.go.phantom_go import KOMI

Message = tuple[Any, ...]


class Referee:
    """Knows all, and says to each player what it may hear."""

    def __init__(self, size):
        self.board = NaiveGo(size)
        self.colour, self.passes, self.accepted, self.refused = 0, 0, 0, False

    def answer(self, point):
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
        sets = (
            frozenset(self.own),
            frozenset(self.known),
            *map(frozenset, (self.lost, self.illegal)),
        )
        mover = self.accepted % 2
        if mover != colour:
            sets = *sets[:2], frozenset(), frozenset()
        return *sets, self.others, self.passes, self.accepted, mover, self.refused


TOLD = compiled(lambda seen: (*seen[4:8], int64(seen[8])))


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
    views_in = views_of(game, size, TOLD, 5)
    kinds = set()
    meaning = {}
    longest = 0
    for number in range(games):
        played = record(number, lean=number % 2 == 1)
        views, events = views_in(played.moves)
        kinds |= compare_game(played, views, events, size, meaning)
        longest = max(longest, len(played.moves))
    assert kinds == {"taken", "illegal", "passed", "other passed", "played", "other played"}
    assert 2 * size * size < longest <= game.rules.max_plies


LOOK = 8
"""The whole state is compared at one ply in so many, and at the end; the rest at every ply."""
LETTERS = "ABCDEFGHJ"
STONES = str.maketrans("012", "+XO")


def picture(cells, size):
    text = "".join(map(str, cells.tolist())).translate(STONES)
    rows = [f" {row + 1} {text[row * size : (row + 1) * size]}\n" for row in reversed(range(size))]
    return "".join(rows) + f"   {LETTERS[:size]}\n"


def last_move(record, ply, is_pass):
    """What OpenSpiel tells both players of the move that led to position `ply`."""
    if record.refused[ply]:
        return "Previous move was observational\n"
    text = f"Previous move was valid{' and was a pass' if is_pass else ''}\n"
    captured = np.count_nonzero(record.cells[ply - 1]) - np.count_nonzero(record.cells[ply])
    captured += 0 if is_pass else 1
    return text + (f"In previous move {captured} stones were captured\n" if captured else "")


def whole_state(record, ply, is_pass, size):
    cells = record.cells[ply]
    black, white = np.count_nonzero(cells == 1), np.count_nonzero(cells == 2)
    mover = "BW"[record.movers[ply]]
    return (
        f"GoState(komi=3.5, to_play={mover}, history.size()={ply}, stones_count: w{white} b{black})"
        f"\n\n{picture(cells, size)}"
        f"\nObservation white:\n{picture(record.seen[1][ply], size)}"
        f"\nObservation black:\n{picture(record.seen[0][ply], size)}"
        f"\n{last_move(record, ply, is_pass)}"
    )


def compare_with_openspiel(theirs, record, size, number, look):
    """Replay a game of ours there; return how it ended.

    Compared at every ply: what may be tried, whose turn it is (so whether the try was accepted),
    and whether it is over; at some, and at the end, the board, what each player sees, the numbers
    of stones and of captures.
    """
    state = theirs.new_initial_state()
    legal, moves = number[record.legal].tolist(), number[record.moves].tolist()
    movers, counts = record.movers.tolist(), record.counts.tolist()
    accepted = (record.refused == 0).tolist()
    boards = {record.cells[0].tobytes()}
    for ply, move in enumerate(moves, 1):
        assert state.legal_actions() == legal[ply - 1][: counts[ply - 1]]
        state.apply_action(move)
        repeats = False
        if accepted[ply] and move != size * size:
            cells = record.cells[ply].tobytes()
            repeats = cells in boards
            boards.add(cells)
        over = repeats or ply == len(moves)
        assert state.is_terminal() == over
        if over or ply % LOOK == look:
            assert str(state) == whole_state(record, ply, move == size * size, size)
        if repeats:
            # OpenSpiel calls it a draw; we play on.
            assert state.returns() == [0, 0]
            return "repetition"
        if not over:
            assert state.current_player() == movers[ply]
            assert accepted[ply] == (movers[ply] != movers[ply - 1])
    assert state.returns()[0] == record.score - 1
    return "passes" if moves[-2:] == [size * size] * 2 else "length"


@levels("games", slow=[600], long=[10_000])
@pytest.mark.parametrize("size", one_in(3, [5, 7, 9]))
def test_random_games(size, games):
    theirs = pyspiel.load_game(f"phantom_go(board_size={size},komi=3.5)")
    record = recorder(load_game(f"phantom-go:{size}x{size},komi=3.5,openspiel=1"))
    number = openspiel_actions(size)
    ends = {
        # In every third game the moves are plausible, for more stones on the board.
        compare_with_openspiel(theirs, record(k, lean=k % 3 == 0), size, number, k % LOOK)
        for k in range(games)
    }
    assert ends == {"passes", "length", "repetition"}


GAME = load_game("phantom-go:5x5")
HIDDEN = "C2 D2 B3 E3 C4 D4 D3 A5 B1 C3"
"""White takes D3 with C3, and has a stone at A5 that Black does not know of."""
DRAWS = 4000


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("C3 A1 B2 A3 D4 A5", ""),
        (HIDDEN, "D3"),
        (f"{HIDDEN} D3", "D3"),
        (f"{HIDDEN} B5 E5", ""),
        # White was refused at A1 as illegal.
        ("A2 E5 B1 E4 C2 A1", "A1"),
    ],
)
def test_hidden_stones_are_drawn_uniformly_where_they_can_be(text, empty):
    history = [GAME.parse_move(name) for name in text.split()]
    mover = GAME.position(history).mover
    board = GAME.information(history, mover).cells
    free = board == 0
    for row, column in (divmod(GAME.parse_move(name), 6) for name in empty.split()):
        free[5 * row + column] = False
    hidden = np.count_nonzero(GAME.position(history).cells == 2 - mover)
    hidden -= np.count_nonzero(board == 2 - mover)
    assert hidden > 0
    knowing = Knowing(GAME)
    drawn = np.array([knowing.complete(history, key).cells for key in range(DRAWS)])
    others = drawn == 2 - mover
    assert ((drawn == mover + 1) == (board == mover + 1)).all()
    counts = np.count_nonzero(others, axis=0)
    assert (counts[~free & (board == 0)] == 0).all()
    share = shares(board, mover, np.flatnonzero(free), hidden)
    deviation = np.sqrt(DRAWS * share * (1 - share))
    assert (np.abs(counts[free] - DRAWS * share) <= 4.5 * deviation).all()
    assert all(all_live(board == mover + 1, each) for each in others)


def shares(board, mover, free, hidden):
    """How often each free point holds a stone, over all boards on which every chain lives."""
    own, known = board == mover + 1, board == 2 - mover
    count, found = np.zeros(len(free)), 0
    for chosen in combinations(range(len(free)), hidden):
        others = known.copy()
        others[free[list(chosen)]] = True
        if all_live(own, others):
            count[list(chosen)] += 1
            found += 1
    return count / found


def all_live(own, others):
    go = NaiveGo(5)
    go.stones = {divmod(int(p), 5): 0 for p in np.flatnonzero(own)}
    go.stones |= {divmod(int(p), 5): 1 for p in np.flatnonzero(others)}
    return not any(go.chain_without_liberty(stone) for stone in go.stones)
