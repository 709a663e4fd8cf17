"""Phantom Go whose referee tells refusals only: against players with a board in plain Python."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from go_views import points_with, views_of
from knowing import Knowing
from naive_go import NaiveGo, point_of
from numba import int64
from recording import recorder
from sparing import levels

from seedfolio import SpecificationError, compiled, load_game

GAME = load_game("phantom-go:5x5,announce=0")
KINDS = {"captures", "is captured", "forgets", "impossible", "known", "regained", "moves on"}


class Player:
    """One player, who hears of its own tries whether they are legal, and that the other moved."""

    def __init__(self, size, colour):
        self.board, self.colour = NaiveGo(size), colour
        self.heard, self.tried, self.turns, self.refused = (), set(), 0, False

    def stones(self, colour):
        return frozenset(p for p, c in self.board.stones.items() if c == colour)

    def accepted(self, point, ends):
        self.heard += ((point, "accepted", ends),)
        self.tried, self.refused, self.turns = set(), False, self.turns + 1
        if point is None:
            return "passes"
        stones = self.board.stones
        kind = "regained" if stones.pop(point, None) == self.colour else "moves on"
        self.board.ko = None
        captured = self.board.place(point, self.colour)
        if captured is None:
            stones[point] = self.colour
            for beside in self.board.region(point)[1]:
                stones.pop(beside, None)
            return "forgets"
        return "captures" if captured else kind

    def illegal(self, point):
        self.heard += ((point, "illegal"),)
        self.tried, self.refused = self.tried | {point}, True
        if point in self.board.stones:
            return "known"
        self.board.ko = None
        captured = self.board.place(point, 1 - self.colour)
        if captured is None:
            return "impossible"
        return "is captured" if captured else "known"

    def other_moved(self, ends):
        self.heard += (("other moved", ends),)
        self.turns += 1

    def view(self):
        mine = self.turns % 2 == self.colour
        tried = frozenset(self.tried if mine else ())
        sets = self.stones(self.colour), self.stones(1 - self.colour), tried, frozenset()
        return *sets, self.turns, self.turns % 2, mine and self.refused

    def plausible(self):
        own = self.stones(self.colour)
        free = set(self.board.points()) - self.board.stones.keys() - self.tried
        return {p for p in free if not set(self.board.around(p)) <= own} or {None}


TOLD = compiled(lambda seen: (seen[4], seen[5], int64(seen[6])))


def compare_game(record, views, events, size, meaning):
    board, passes, kinds = NaiveGo(size), 0, set()
    players, noticed = [Player(size, 0), Player(size, 1)], [(), ()]
    for ply in range(len(record.moves) + 1):
        turn = players[0].turns
        colour = turn % 2
        over = passes == 2 or turn == 3 * size * size
        assert (record.counts[ply] == 0) == over
        assert record.movers[ply] == colour
        assert record.refused[ply] == players[colour].refused
        for each, player in enumerate(players):
            stones = frozenset(p for p, c in board.stones.items() if c == each)
            assert points_with(record.cells[ply], each + 1, size) == stones
            assert views[ply][each] == player.view()
            assert points_with(record.seen[each][ply], each + 1, size) == player.stones(each)
            assert points_with(record.seen[each][ply], 2 - each, size) == player.stones(1 - each)
            told = each, player.heard
            assert meaning.setdefault((each, noticed[each]), told) == told
            assert meaning.setdefault(told, (each, noticed[each])) == (each, noticed[each])
        if over:
            break
        mover, other = players[colour], players[1 - colour]
        legal = [point_of(size, m) for m in record.legal[ply, : record.counts[ply]]]
        assert legal == [*sorted(set(board.points()) - mover.tried), None]
        plausible = [point_of(size, m) for m in record.plausible[ply] if m >= 0]
        assert sorted(plausible, key=str) == sorted(mover.plausible(), key=str)
        point = point_of(size, int(record.moves[ply]))
        if point is None or board.place(point, colour) is not None:
            board.ko = None if point is None else board.ko
            passes = passes + 1 if point is None else 0
            kinds.add(mover.accepted(point, passes == 2))
            other.other_moved(passes == 2)
            assert events[ply, 1 - colour] >= 0
        else:
            kinds.add(mover.illegal(point))
            assert events[ply, 1 - colour] == -1
        noticed = [
            (*old, int(new)) if new >= 0 else old
            for old, new in zip(noticed, events[ply], strict=True)
        ]
    assert record.score == board.half_points(3.5)
    return kinds


@levels(("size", "games"), slow=[(5, 60)], long=[(5, 200), (9, 20)])
def test_whole_games_against_the_players_boards(size, games):
    game = load_game(f"phantom-go:{size}x{size},announce=0")
    record, kinds, meaning = recorder(game), set(), {}
    views_in = views_of(game, size, TOLD, 3)
    for number in range(games):
        # Random tries make short chains; a lean game has moves that a program considers.
        played = record(number, lean=number % 2 == 1)
        views, events = views_in(played.moves)
        kinds |= compare_game(played, views, events, size, meaning)
        assert len(played.moves) <= game.rules.max_plies
    assert kinds == {*KINDS, "passes"}


def test_a_captured_stone_stays_on_the_own_board_until_a_refusal_speaks_against_it():
    # White takes A1 with A2 and B1; Black is told nothing.
    history = [GAME.parse_move(name) for name in ["A1", "A2", "E5", "B1", "E4", "C3"]]
    assert "".join(map(str, GAME.position(history).cells)).count("1") == 2
    seen = [GAME.information(history, 0).cells[0]]
    for name in ("A2", "B1"):
        history.append(GAME.parse_move(name))
        assert GAME.position(history).refused
        seen.append(GAME.information(history, 0).cells[0])
    assert seen == [1, 1, 0]
    assert GAME.information(history, 0).cells[[1, 5]].tolist() == [2, 2]


def all_live(own, others):
    go = NaiveGo(5)
    go.stones = dict.fromkeys(own, 0) | dict.fromkeys(others, 1)
    return not any(go.chain_without_liberty(stone) for stone in go.stones)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["C3 A1 B2 A3 D4 A5", "A1 A2 E5 B1 E4 C3 A2", "A1 A2 E5 B1 E4 C3 A2 B1"]
)
def test_boards_are_drawn_as_described(text):
    """Black has two or three stones and White had three turns."""
    history = [GAME.parse_move(name) for name in text.split()]
    board = GAME.information(history, 0).cells
    points = [divmod(index, 5) for index in range(25)]
    own, known = ([p for p, c in zip(points, board, strict=True) if c == k] for k in (1, 2))
    places = [p for p, c in zip(points, board, strict=True) if c == 0]
    most, n = 3 - len(known), len(places)
    weights = {}
    for number in range(most + 1):
        several = range(most, n + 1) if number == most else [number]
        each = sum(comb(n, k) for k in several) / 2**n / comb(n, number)
        for hidden in combinations(places, number):
            if all_live(own, [*known, *hidden]):
                weights[hidden] = each
    total, draws, knowing = sum(weights.values()), 4000, Knowing(GAME)
    found = dict.fromkeys(weights, 0)
    for key in range(draws):
        cells = np.array(knowing.complete(history, key).cells)
        assert points_with(cells, 1, 5) == set(own)
        assert points_with(cells, 2, 5) >= set(known)
        found[tuple(sorted(points_with(cells, 2, 5) - set(known)))] += 1
    for point in places:
        share = sum(w for hidden, w in weights.items() if point in hidden) / total
        count = sum(c for hidden, c in found.items() if point in hidden)
        assert abs(count - draws * share) <= 4.5 * (draws * share * (1 - share)) ** 0.5


def test_the_default_has_its_old_identity_and_openspiel_announces():
    assert load_game("phantom-go:5x5,announce=1").identity() == load_game("phantom-go").identity()
    assert "announce" not in load_game("phantom-go").parameters
    assert GAME.parameters["announce"] == 0
    assert load_game(GAME.text).identity() == GAME.identity()
    with pytest.raises(SpecificationError, match="openspiel=1 does not go with announce=0"):
        load_game("phantom-go:openspiel=1,announce=0")
