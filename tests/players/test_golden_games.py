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

from seedfolio import Program, load_player
from seedfolio.games import BUILT_IN, load_game
from seedfolio.players import PLAYERS as BUILT_IN_PLAYERS

FILE = Path(__file__).with_name("golden_games.json")
GOLDEN: dict[str, dict[str, str]] = json.loads(FILE.read_text())
GAMES = 20
MARKS = {"+": (), "-": pytest.mark.long}
"""A digest that begins with + is in `make test`, with - in `make test-long`, else between. Often:
boards of other tests, with the player that compiles fastest. Long: where other rows pin both, the
game with another player and the player in another game."""


def digest(board, player):
    text, _, repeats = player.partition(" x")
    program = Program(load_game(board), load_player(text), int(repeats or 1))
    rows = np.array([k**7 for k in range(GAMES)], np.uint64)
    columns = np.arange(GAMES, dtype=np.uint64)[::-1].copy()
    scores, histories = program.play(rows, columns, program.workspace())
    text = " ".join(
        f"{score}:{history:016x}" for score, history in zip(scores, histories, strict=True)
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("board", "player"),
    [
        pytest.param(board, player, marks=MARKS.get(known[0], pytest.mark.slow))
        for board, players in GOLDEN.items()
        for player, known in players.items()
    ],
)
def test_seeds_play_the_games_they_always_played(board, player):
    assert digest(board, player) == GOLDEN[board][player].lstrip("+-")


def test_no_game_and_no_player_is_left_out():
    assert {board.partition(":")[0] for board in GOLDEN} == {*BUILT_IN}
    assert {each.partition(":")[0] for each in GOLDEN["domineering:4x4"]} == {*BUILT_IN_PLAYERS}


if __name__ == "__main__":
    wanted = sys.argv[1:] or BUILT_IN_PLAYERS
    for name, digests in GOLDEN.items():
        for text, known in digests.items():
            if text.partition(":")[0] in wanted:
                digests[text] = f"{known[0] if known[0] in MARKS else ''}{digest(name, text)}"
    FILE.write_text(json.dumps(GOLDEN, indent=1) + "\n")
