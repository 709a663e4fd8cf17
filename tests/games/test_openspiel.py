"""Random games by our rules and by OpenSpiel's, move by move, for games that both have alike."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyspiel
import pytest
from sparing import levels

from seedfolio import CHANCE, load_game
from seedfolio.games.game import Game, Position

Move = Callable[[Any, int], str | int]


def same_number(state, action):
    return action


def nothing(game, history, position, state):
    pass


def any_move(draw, moves, game, history):
    return draw.choice(sorted(moves))


@dataclass(frozen=True)
class Oracle:
    """A game of OpenSpiel, and how it is ours."""

    text: str
    move: Move = same_number
    """Our name or number of an action."""
    same: Callable[[Game, list[int], Position, Any], None] = nothing
    """Compares more than mover, moves, odds and result."""
    pick: Callable[[random.Random, dict[int, int], Game, list[int]], int] = any_move
    unit: int = 1
    """The points of ours for one of the returns."""
    results: int = 2
    """How many different results random games have at least."""


# Breakthrough: OpenSpiel's first player starts at the top, `a5b4*` is our `a1b2`.
def turned(rows):
    def move(state, action):
        name = state.action_to_string(state.current_player(), action).rstrip("*")
        return re.sub(r"\d+", lambda rank: str(rows + 1 - int(rank[0])), name)

    return move


def same_pawns(game, history, position, state):
    rows = [line[1:] for line in str(state).splitlines()[:-1]]
    cells = position.cells.reshape(game.rules.board.rows, -1).tolist()
    assert cells == [[".bw".index(pawn) for pawn in row] for row in rows]


def capturing(draw, moves, game, history):
    """Capture where possible, mostly: eight of these games end as a side has no pawn left."""
    pawns = (game.position(history).cells > 0).sum()
    after = {move: (game.position([*history, move]).cells > 0).sum() for move in sorted(moves)}
    captures = [move for move in after if after[move] < pawns and draw.random() < 0.95]
    return draw.choice(captures or [*after])


# Nim: `pile:3, take:2;` is the leftmost object that is taken.
def piles(state):
    """`(0): 1 3 5 7` as [1, 3, 5, 7]."""
    return [int(size) for size in str(state).partition(": ")[2].split()]


def taken(state, action):
    name = state.action_to_string(state.current_player(), action)
    text = re.fullmatch(r"pile:(\d+), take:(\d+);", name)
    pile, take = int(text[1]), int(text[2])
    return f"{'abcdefghij'[piles(state)[pile - 1] - take]}{pile}"


def same_piles(game, history, position, state):
    rows = position.cells.reshape(game.rules.board.rows, game.rules.board.columns)
    assert rows.sum(axis=1).tolist() == piles(state)


def nim(heaps, misere):
    sizes = [*heaps.split(), "0", "0"][:4]
    named = zip(("first", "second", "third", "fourth"), sizes, strict=True)
    ours = ",".join(f"{name}={size}" for name, size in named)
    form = f"nim(pile_sizes={heaps.replace(' ', ';')},is_misere={str(misere == 1).lower()})"
    return f"nim:{ours},misere={misere}", Oracle(form, taken, same_piles)


# Pig: from rash players, who often reach the target in one turn, to timid ones.
def rolled(state, action):
    return str(action + 1) if state.is_chance_node() else ("roll", "hold")[action]


def patient(draw, moves, game, history):
    if len(history) == 0 or len(moves) != 2 or 0 not in moves:
        return any_move(draw, moves, game, history)
    patience = (0.95, 0.8, 0.1)[history[1 % len(history)] % 3]
    return 0 if draw.random() < patience else 1


def same_scores(game, history, position, state):
    assert f"Scores: {position.cells[0]} {position.cells[1]}, " in str(state)
    assert f"Turn total: {position.cells[2]}\n" in str(state)


def pig(target, sides, horizon, results=2):
    form = f"pig(winscore={target},diceoutcomes={sides},horizon={horizon})"
    ours = f"pig:target={target},sides={sides},horizon={horizon}"
    return ours, Oracle(form, rolled, same_scores, patient, results=results)


# Cards and dice: numbers of chance's outcomes come after those of moves.
def dealt(first):
    return lambda state, action: action + (first if state.is_chance_node() else 0)


# Hex and Havannah, where the second player may swap.
def named(state, action):
    return str(state.action_to_string(state.current_player(), action))


def swapping(draw, moves, game, history):
    swap = game.parse_move("swap")
    return swap if swap in moves and draw.random() < 0.6 else any_move(draw, moves, game, history)


def swapped(state, action):
    """Havannah's swap is there a move on the first stone."""
    name = named(state, action)
    return "swap" if [action] == state.history() else name


def same_boards(game, history, position, state):
    def board(text):
        return [".xo".index(glyph) for glyph in text[:11] if glyph != "\n"]

    assert position.cells.tolist() == board(str(state))
    for colour in (0, 1):
        seen = game.information(history, colour).cells
        assert seen.tolist() == board(state.observation_string(colour))


OFTEN = {
    "breakthrough:5x5,pawn_rows=1": Oracle(
        "breakthrough(rows=5,columns=5)", turned(5), same_pawns, capturing
    ),
    **dict([nim("3 4 5", 0), nim("3 4 5", 1), pig(15, 6, 9, 3)]),
    "kuhn-poker": Oracle("kuhn_poker", dealt(2), results=4),
    "leduc-poker": Oracle("leduc_poker(suit_isomorphism=true)", dealt(3), results=6),
    "liars-dice": Oracle("liars_dice", dealt(13)),
    "hex:3x3,swap=1": Oracle("hex(board_size=3,swap=True)", named, pick=swapping),
    "havannah:base=4,swap=1": Oracle("havannah(board_size=4,swap=True)", swapped, pick=swapping),
    "phantom-tic-tac-toe": Oracle("phantom_ttt", same=same_boards, results=3),
}
THREE_PIGS = "pig(players=3,winscore=15,diceoutcomes=6,horizon=60)"
SLOW = {
    "pig:players=3,horizon=60": Oracle(THREE_PIGS, rolled, pick=patient, unit=2, results=4),
    "kuhn-poker:players=3": Oracle("kuhn_poker(players=3)", dealt(2), results=6),
    "hex:11x11": Oracle("hex(board_size=11)", named),
}
LONG = {
    "breakthrough:8x8": Oracle("breakthrough(rows=8,columns=8)", turned(8)),
    "breakthrough:7x5": Oracle("breakthrough(rows=7,columns=5)", turned(7)),
    "havannah:base=10": Oracle("havannah(board_size=10)", named),
    **dict([nim("1 3 5 7", 1), nim("10 1 10 10", 0), pig(100, 6, 1000), pig(6, 2, 1000)]),
    **dict([pig(30, 20, 99), pig(40, 6, 1, 1)]),
}
ORACLES = OFTEN | SLOW | LONG


def play_both(text, seeds):
    """Play random games by both rules; yield the points of each."""
    oracle, game = ORACLES[text], load_game(text)
    theirs = pyspiel.load_game(oracle.text)
    level = game.rules.scale // game.rules.seats if game.rules.par is None else game.rules.par
    for seed in seeds:
        draw, state, history = random.Random(seed), theirs.new_initial_state(), list[int]()
        while not state.is_terminal():
            position, chance = game.position(history), state.is_chance_node()
            assert position.mover == (CHANCE if chance else state.current_player())
            ours = [oracle.move(state, action) for action in state.legal_actions()]
            numbers = [game.parse_move(m) if isinstance(m, str) else m for m in ours]
            moves = dict(zip(numbers, state.legal_actions(), strict=True))
            assert sorted(position.moves) == sorted(moves)
            if chance:
                odds = dict(zip(position.moves, game.odds(history), strict=True))
                for action, likely in state.chance_outcomes():
                    (move,) = (move for move in moves if moves[move] == action)
                    assert odds[move] / sum(odds.values()) == pytest.approx(likely, abs=1e-12)
            oracle.same(game, history, position, state)
            chosen = oracle.pick(draw, moves, game, history)
            state.apply_action(moves[chosen])
            history.append(chosen)
        end = game.position(history)
        assert end.moves == ()
        assert len(history) <= game.rules.max_plies
        assert [(each - level) / oracle.unit for each in end.points] == pytest.approx(
            state.returns()
        )
        yield tuple(end.points)


@levels(
    ("text", "games"),
    [(text, 60) for text in OFTEN],
    slow=[(text, 60) for text in SLOW],
    long=[(text, 5_000) for text in ORACLES],
)
def test_random_games_move_by_move(text, games):
    assert len({*play_both(text, range(games))}) >= ORACLES[text].results
