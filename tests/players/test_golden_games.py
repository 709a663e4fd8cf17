"""Golden digests: the games that seeds play, pinned in golden_games.json.

A digest that changes means that a seed plays another move than before in some position. Then
every portfolio and study made until now is worth nothing under the same name: either the change
is a mistake, or it is a new `version` of the game or of the player. After raising that version,

    python tests/players/test_golden_games.py uct rave

writes the digests of these players anew; without names those of all. A row is a board, a player,
and ` x3` where a cell is three games.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from seedfolio.games import BUILT_IN, load_game
from seedfolio.players import PLAYERS as BUILT_IN_PLAYERS
from seedfolio.players import load_player
from seedfolio.players.program import Program

FILE = Path(__file__).with_name("golden_games.json")
GOLDEN: dict[str, dict[str, str]] = json.loads(FILE.read_text())
GAMES = 20
OFTEN = {
    "domineering:4x4": ("uct:simulations=50", "rave", "table"),
    "breakthrough:5x5,pawn_rows=1": ("uct:simulations=50,leaf=evaluation",),
    "go:5x5": ("uct",),
    **dict.fromkeys(("nim", "pig", "kuhn-poker", "phantom-tic-tac-toe"), ("table",)),
}
"""What `make test` plays: boards of other tests, and the player that compiles fastest."""
LONG = (
    *("domineering:5x5", "domineering:7x7", "domineering:8x16", "domineering:10x10"),
    *("breakthrough:6x6", "breakthrough:8x8", "atari-go:7x7", "atari-go:9x9"),
    *("pig:target=100", "pig:sides=20,horizon=12", "morra:fingers=5,rounds=10"),
)
ALSO_LONG = {
    "domineering:4x4": ("uct:simulations=50,leaf=evaluation", "alphabeta"),
    "chess": ("uct:simulations=50", "uct:simulations=50,leaf=evaluation", "rave", "flat", "table"),
    "atari-go:5x5": ("flat", "table", "rave", "alphabeta", "uct:simulations=50,leaf=evaluation"),
    "breakthrough:5x5,pawn_rows=1": ("flat", "table", "rave"),
    "go:5x5": ("rave", "flat", "table"),
    "havannah:base=4,swap=1": ("flat", "rave", "table"),
    "hex:3x3,swap=1": ("flat", "uct", "table"),
    "phantom-go:5x5": ("table",),
    "rolit:4x4": ("uct", "rave", "table"),
    "nim": ("rave", "flat"),
    **dict.fromkeys(
        ("batoo:5x5", "kuhn-poker", "leduc-poker", "liars-dice:sides=3", "morra"), ("flat",)
    ),
    "phantom-four:4x4": ("flat",),
}
"""Of games that another player here plays, by players that play other games here."""


def digest(board, player):
    """A digest of the moves and results of a few games between small and large seeds."""
    text, _, repeats = player.partition(" x")
    program = Program(load_game(board), load_player(text), int(repeats or 1))
    rows = np.array([k**7 for k in range(GAMES)], np.uint64)
    columns = np.arange(GAMES, dtype=np.uint64)[::-1].copy()
    scores, histories = program.play(rows, columns, program.workspace())
    text = " ".join(
        f"{score}:{history:016x}" for score, history in zip(scores, histories, strict=True)
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def mark(board, player):
    names = {player, player.partition(":")[0]}
    if names & {*OFTEN.get(board, ())}:
        return ()
    left_out = board in LONG or names & {*ALSO_LONG.get(board, ())}
    return pytest.mark.long if left_out else pytest.mark.slow


@pytest.mark.parametrize(
    ("board", "player"),
    [pytest.param(b, p, marks=mark(b, p)) for b, players in GOLDEN.items() for p in players],
)
def test_seeds_play_the_games_they_always_played(board, player):
    assert digest(board, player) == GOLDEN[board][player]


def test_no_game_and_no_player_is_left_out():
    assert {board.partition(":")[0] for board in GOLDEN} == {*BUILT_IN}
    assert {each.partition(":")[0] for each in GOLDEN["domineering:4x4"]} == {*BUILT_IN_PLAYERS}


if __name__ == "__main__":
    wanted = sys.argv[1:] or BUILT_IN_PLAYERS
    for name, digests in GOLDEN.items():
        for text in digests:
            if text.partition(":")[0] in wanted:
                digests[text] = digest(name, text)
    FILE.write_text(json.dumps(GOLDEN, indent=1) + "\n")
