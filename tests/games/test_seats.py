"""Games for more than two players: their rules against oracles, and one seat against the others."""

import random
from itertools import product

import numpy as np
import pytest
from sparing import levels

from seedfolio import Program, Rules, SpecificationError, load_game
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.games.kind import GameKind
from seedfolio.players.seated import seed_of_profile
from seedfolio.players.table import Table
from seedfolio.programs.built_in import load_built_in

ROLIT = [(board, n, 700) for board in ("4x4", "4x6", "6x6", "8x4", "8x8") for n in (2, 3, 4)]


@levels(("board", "players", "games"), [("8x4", 3, 12)], slow=[("8x6", 4, 20)], long=ROLIT)
def test_rolit_move_by_move(board, players, games):
    game = load_game(f"rolit:{board},players={players}")
    rows, columns = map(int, board.split("x"))
    for seed in range(games):
        draw, naive, history = random.Random(seed), NaiveRolit(rows, columns, players), list[int]()
        while legal := naive.moves():
            position = game.position(history)
            assert position.mover == naive.mover
            assert [divmod(move, 8) for move in position.moves] == sorted(legal)
            shown = {divmod(k, columns): int(c) - 1 for k, c in enumerate(position.cells) if c > 0}
            assert shown == naive.balls
            row, column = draw.choice(legal)
            history.append(8 * row + column)
            naive.play((row, column))
        end = game.position(history)
        assert end.moves == ()
        share = game.rules.scale // len(naive.winners())
        assert end.points == tuple(share * (seat in naive.winners()) for seat in range(players))


def test_the_last_object_of_nim_for_three():
    game = load_game("nim:first=0,second=0,third=1,fourth=3,misere=1,players=3")
    # Heaps of one and three: the first player takes one, the second one, the third the last two.
    taken = [game.parse_move(name) for name in ("a1", "c2", "a2")]
    assert [game.position(taken[:n]).mover for n in range(3)] == [0, 1, 2]
    assert game.position(taken).points == (2, 2, 0)


@pytest.fixture(scope="module")
def kuhn():
    """The second of three seats: what each seat sees differs."""
    return load_built_in("kuhn-poker:players=3,seat=2", "table", repeats=1)


@pytest.mark.slow
def test_a_game_of_a_seat(kuhn):
    game = kuhn.game
    assert game.text == "kuhn-poker:players=3,seat=2"
    assert game.title == "kuhn-poker players=3 seat=2"
    assert game.identity()["parameters"] == {"players": 3, "seat": 2}
    assert load_game(game.source).text == game.text
    dealt = [game.parse_move(card) for card in "TKJ"]
    assert [game.position([*dealt, *[0] * n]).mover for n in range(3)] == [1, 0, 1]
    history = [*dealt, 0, 1, 1, 0]
    whole = game.whole
    assert whole.position(history).points == (1, 5, 0)
    assert game.position(history).points == (5, 1)


@pytest.mark.slow
def test_every_seat_plays_by_its_own_knowledge(kuhn):
    game, whole = kuhn.game, kuhn.game.whole
    # The third seat has the jack either way, and does not know the two other cards.
    one, other = ([*map(game.parse_move, cards), 0, 1] for cards in ("TKJ", "KQJ"))
    assert whole.information(one, 2).history == whole.information(other, 2).history
    chosen = [kuhn.choose(one, arm) for arm in range(40)]
    assert chosen == [kuhn.choose(other, arm) for arm in range(40)]
    assert set(chosen) == {0, 1}


def test_profiles_are_seeds_of_the_same_player(kuhn):
    """Each seat plays as its seed alone would, by the definition of the table."""
    game = kuhn.game
    as_third = load_built_in("kuhn-poker:players=3,seat=3", "table", repeats=1)
    history = [*map(game.parse_move, "TKJ"), 0, 1]
    for profile in range(20):
        seed = int(seed_of_profile(np.uint64(profile), 2))
        assert 0 <= seed < 1 << SYMMETRY_SHIFT
        assert kuhn.choose(history, profile) == as_third.choose(history, seed)


def test_the_seat_must_be_named():
    with pytest.raises(SpecificationError, match=r"has 3 seats; name the one .*seat=1$"):
        Program(load_game("pig:players=3"), Table())
    with pytest.raises(SpecificationError, match="seat=4 is not between 1 and 3"):
        load_game("pig:players=3,seat=4")
    with pytest.raises(SpecificationError, match="has two sides; leave out seat"):
        load_game("pig:seat=1")
    assert load_game("pig:players=2").identity() == load_game("pig").identity()
    assert "players" not in load_game("nim").parameters
    assert GameKind("mine", 1, "", mine)().parameters["players"] == 2


def mine(players: int = 2) -> Rules:
    return load_game("nim").rules


DIRECTIONS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


class NaiveRolit:
    """A position of Rolit; cells are (row, column), owners are seats."""

    def __init__(self, rows, columns, players):
        self.rows, self.columns, self.players = rows, columns, players
        low, left = rows // 2 - 1, columns // 2 - 1
        around = [(low, left), (low + 1, left), (low + 1, left + 1), (low, left + 1)]
        self.balls = {cell: k % players for k, cell in enumerate(around)}
        self.mover = 0

    def turned(self, cell):
        """The balls that the mover turns by putting one on a cell."""
        found = []
        for up, right in DIRECTIONS:
            line, (row, column) = [], (cell[0] + up, cell[1] + right)
            while self.balls.get((row, column), self.mover) != self.mover:
                line.append((row, column))
                row, column = row + up, column + right
            if self.balls.get((row, column)) == self.mover:
                found += line
        return found

    def moves(self):
        empty = [c for c in product(range(self.rows), range(self.columns)) if c not in self.balls]
        turning = [cell for cell in empty if self.turned(cell)]
        beside = [
            (row, column)
            for row, column in empty
            if any((row + up, column + right) in self.balls for up, right in DIRECTIONS)
        ]
        return turning or beside

    def play(self, cell):
        for each in [cell, *self.turned(cell)]:
            self.balls[each] = self.mover
        self.mover = (self.mover + 1) % self.players

    def winners(self):
        counts = [list(self.balls.values()).count(seat) for seat in range(self.players)]
        return [seat for seat, count in enumerate(counts) if count == max(counts)]
