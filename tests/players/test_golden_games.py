"""Golden digests: the games that seeds play, pinned.

A digest that changes means that a seed plays another move than before in some position. Then
every portfolio and study made until now is worth nothing under the same name: either the change
is a mistake, or it is a new `version` of the game or of the player. After raising that version,

    python tests/players/test_golden_games.py

prints the table anew.
"""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from sparing import one_in

from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.program import Program

GAMES = 20
PLAYERS = (
    "uct:simulations=10",
    "uct:simulations=100",
    "uct:simulations=400",
    "uct:simulations=100,exploration=0.5",
)
# One digest a player, in the order of PLAYERS. All are of version 1 of the games and of UCT.
GOLDEN = {
    "domineering:5x5": [
        "9b482a04e79b0ee2",
        "e6c530770200998e",
        "ded7580593674b19",
        "e4c90840b4507e8f",
    ],
    "domineering:7x7": [
        "2a7501198b1f863b",
        "9afe2ddcf4fb1173",
        "e7e778cae850d9d2",
        "18fe9bc2fe981d6a",
    ],
    "domineering:10x10": [
        "7f22b536a09050a0",
        "626dfaf97875175d",
        "393a3e8faf141544",
        "d464527c70ee68fe",
    ],
    "domineering:8x16": [
        "f57467e739991cf2",
        "1b6aacca6742ae2f",
        "47830e4e69670418",
        "80b81b022f75131e",
    ],
    "breakthrough:5x5,pawn_rows=1": [
        "f0ece0865d8856eb",
        "4f054c0fb01a235c",
        "80a89d5cbdc1324c",
        "7a1261da1812736f",
    ],
    "breakthrough:6x6": [
        "36474037f63d8fc3",
        "8785d7bd381d2df0",
        "b30c0ab2b5b51d69",
        "9498a415ebb2c79b",
    ],
    "breakthrough:8x8": [
        "c2f6e7baaea3164f",
        "52d7ade73f72164b",
        "9b8faef8845eec48",
        "6eb39b66582b2119",
    ],
    "atari-go:5x5": [
        "7d8deb945be894f0",
        "9e127aa1ac49fb85",
        "ba9c33179ca71e92",
        "31a9d622ec331756",
    ],
    "atari-go:7x7": [
        "63447844e50ca0cd",
        "9a1cb14a1baab82e",
        "f9fd5d099e3b08ea",
        "c7b215928c25446c",
    ],
    "atari-go:9x9": [
        "5917a83fcf40e49f",
        "f1fb0032a1ff1147",
        "79307d7342a7d090",
        "8e1eec4d41334972",
    ],
}
# The games and players that came later, each with its digest.
LATER = {
    ("havannah:base=4,swap=1", "uct:simulations=100"): "7a643b405ee14c8d",
    ("hex:3x3,swap=1", "rave:simulations=100"): "1d6ace39a6492b66",
    ("hex:3x3,swap=1", "rave:simulations=100,grave=20"): "730d76322ed62389",
}
OFTEN = ("domineering:7x7", "domineering:10x10", "breakthrough:6x6", "atari-go:5x5")
"""The boards of `make test`; `make test-long` has all."""


def digest(board: str, player: str) -> str:
    """A digest of the moves and results of a few games between small and large seeds."""
    program = Program(load_game(board), load_player(player))
    rows = np.array([k**7 for k in range(GAMES)], np.uint64)
    columns = np.arange(GAMES, dtype=np.uint64)[::-1].copy()
    scores, histories = program.play(rows, columns, program.workspace())
    text = " ".join(
        f"{score}:{history:016x}" for score, history in zip(scores, histories, strict=True)
    )
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    "board", [b if b in OFTEN else pytest.param(b, marks=pytest.mark.long) for b in GOLDEN]
)
def test_seeds_play_the_games_they_always_played(board: str) -> None:
    assert [digest(board, player) for player in PLAYERS] == GOLDEN[board]


@pytest.mark.slow
@pytest.mark.parametrize(("board", "player"), one_in(3, [*reversed(LATER)]))
def test_later_seeds_play_the_games_they_always_played(board: str, player: str) -> None:
    assert digest(board, player) == LATER[board, player]


def test_digests_tell_games_apart() -> None:
    digests = [*LATER.values(), *(value for values in GOLDEN.values() for value in values)]
    assert len(set(digests)) == len(digests)


if __name__ == "__main__":
    for later in LATER:
        print(f"    {later}: {digest(*later)!r},")
    for name in GOLDEN:
        print(f'    "{name}": [')
        for text in PLAYERS:
            print(f'        "{digest(name, text)}",')
        print("    ],")
