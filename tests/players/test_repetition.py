"""Games end by repetition in a match as they do in `Game.position`."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from reference_uct import ReferenceUct
from token_game import TOKEN

from seedfolio import Bound, Program, below, compiled, load_game, load_player, move_key
from seedfolio.games.game import Game
from seedfolio.games.rules import memory_functions
from seedfolio.players.uct import Uct


class AnyMove:
    name = text = "any-move"
    version, parameters, stochastic = 1, {}, False

    def bind(self, game):
        moves = game.functions["moves"]

        @compiled
        def choose(view, seed, moment, knobs, workspace):
            count = moves(view, workspace, 0)
            return workspace[below(move_key(seed, moment[0], moment[1]), 0, count)]

        return Bound(choose, choose, np.zeros(1, np.int64), game.rules.max_moves)


@pytest.mark.slow
def test_a_match_ends_where_the_rules_say():
    # Kings among pawns that cannot move. Black begins.
    game = load_game("chess:fen=8/8/8/8/8/pp1p3p/P2P3P/K6k_b_-_-_0_1")
    assert game.position([]).mover == 1
    assert game.draw([]).splitlines()[6:9] == [
        " 3 p p . p . . . p 3",
        " 2 P . . P . . . P 2",
        " 1 K . . . . . . k 1",
    ]
    assert load_game(game.source).identity() == game.identity()
    program = Program(game, AnyMove())
    endings: Counter[str] = Counter()
    for seed in range(30):
        line, points = program.play_line((seed, seed + 1), luck=0)
        assert game.position(line[:-1]).moves
        end = game.position(line)
        assert not end.moves
        assert end.score == points
        endings[end.ending] += 1
    assert endings["threefold repetition"] > 0
    assert len(endings) > 1


def test_the_last_position_of_the_game_recurs_in_a_search():
    """Knights go out and home again: after four plies the position of the root has come back."""
    game = load_game("chess")
    start, play, repetition = game.functions["start"], game.rules.play, game.rules.repetition
    assert repetition is not None

    @compiled
    def opened(setup):
        return start()

    memory = memory_functions(repetition, opened, play)
    begun, recurs = memory["begun"], memory["recurs"]

    @compiled
    def walk(line, room, found):
        state = begun(0, room)
        for ply in range(len(line)):
            state = play(state, line[ply])
            found[ply] = recurs(state, ply + 1, room)

    names = game.rules.move_names
    line = np.array([names.index(name) for name in ("g1f3", "g8f6", "f3g1", "f6g8")])
    found = np.zeros(len(line), np.bool_)
    walk(line, np.zeros(repetition.room, np.int64), found)
    assert found.tolist() == [False, False, False, True]


class PlainToken:
    """The game of `token_game` once more, by its description."""

    def position(self, history):
        place = age = laps = 0
        for move in history:
            lap = move == 2
            place, age = (0, 0) if lap else ((place + (1 if move else -1)) % 4, age + 1)
            laps += lap
        over = age == 8 or laps == 2
        where = place, len(history) % 2, laps
        moves, score = ((), place % 3) if over else ((0, 1, 2), None)
        return SimpleNamespace(mover=len(history) % 2, moves=moves, score=score, where=where)

    def recurs(self, history, played):
        """Whether the position occurred in the game, which has the first moves of the history."""
        here = self.position(history).where
        return any(self.position(history[:n]).where == here for n in range(played + 1))


def test_uct_takes_a_position_that_recurs_for_a_draw():
    game = Game("token", 1, {}, "token", TOKEN, source="token")
    player = Uct(simulations=40)
    program, plain = Program(game, player), ReferenceUct(PlainToken(), 40, player.exploration)
    for history in ([], [1], [0, 0], [1, 0], [1, 1, 0], [0, 2, 1], [0, 1, 1, 1]):
        for seed in range(20):
            assert program.choose(history, seed) == plain.choose(history, seed)


@pytest.mark.slow
@pytest.mark.parametrize("player", ["flat:playouts=30", "rave:simulations=100,exploration=1"])
def test_who_cannot_win_goes_where_a_position_recurs(player):
    lost = Game("token", 1, {}, "t", replace(TOKEN, score=compiled(lambda state: 0)), source="t")
    program, plain = Program(lost, load_player(player)), PlainToken()
    for history in ([0, 0], [1, 0], [1, 1], [0, 1, 1, 1], [2, 1, 0, 0]):
        recurring = {move for move in range(3) if plain.recurs([*history, move], len(history))}
        assert 0 < len(recurring) < 3
        assert {program.choose(history, seed) for seed in range(20)} <= recurring
    assert program.identity_of_parts()["player"]["version"] == 2
