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

from seedfolio.games import BUILT_IN, load_game
from seedfolio.players import PLAYERS as BUILT_IN_PLAYERS
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
# Every game with every player that plays it, on a small board.
EVERY = {
    ("domineering:4x4", "uct:simulations=50"): "2302509e567c2ec0",
    ("domineering:4x4", "uct:simulations=50,leaf=evaluation"): "70fe81c1bb10c724",
    ("domineering:4x4", "rave:simulations=50"): "b9f976f1b2aa2508",
    ("domineering:4x4", "flat:playouts=20"): "88a8c8c3c526852f",
    ("domineering:4x4", "table:noise=10"): "26e805281210cf35",
    ("domineering:4x4", "alphabeta:depth=2"): "b33f69b3b858828f",
    ("atari-go:5x5", "uct:simulations=50"): "9d2f7b96b34d70ad",
    ("atari-go:5x5", "uct:simulations=50,leaf=evaluation"): "67a1a34d5e39b3b1",
    ("atari-go:5x5", "rave:simulations=50"): "a79de1c460a50fda",
    ("atari-go:5x5", "flat:playouts=20"): "b18d39685d39fb98",
    ("atari-go:5x5", "table:noise=10"): "2607f266c99c39a1",
    ("atari-go:5x5", "alphabeta:depth=2"): "0e12d64588ebd8f8",
    ("chess", "uct:simulations=50"): "d47f7c4b8f4cceae",
    ("chess", "uct:simulations=50,leaf=evaluation"): "571bf442c6c76871",
    ("chess", "rave:simulations=50"): "bba11001089ffe81",
    ("chess", "flat:playouts=20"): "e599401e1f6dfac6",
    ("chess", "table:noise=10"): "918897c6f701fbde",
    ("chess", "alphabeta:depth=2"): "10c954167d9675ac",
    ("go:5x5", "uct:simulations=50"): "1953a6156a246b79",
    ("go:5x5", "rave:simulations=50"): "ef96ebc8430a2ca1",
    ("go:5x5", "flat:playouts=20"): "55ca8d6cc0e9ad14",
    ("go:5x5", "table:noise=10"): "646c4a37b2955145",
    ("havannah:base=4,swap=1", "uct:simulations=50"): "6fb8787ce2461579",
    ("havannah:base=4,swap=1", "uct:simulations=100"): "7a643b405ee14c8d",
    ("havannah:base=4,swap=1", "rave:simulations=50"): "5f700e4a012c591e",
    ("havannah:base=4,swap=1", "flat:playouts=20"): "dc308a728e557dd1",
    ("havannah:base=4,swap=1", "table:noise=10"): "5c0de296b970a284",
    ("hex:3x3,swap=1", "uct:simulations=50"): "b5ac7e53d78227c6",
    ("hex:3x3,swap=1", "rave:simulations=50"): "307361a9aae8496e",
    ("hex:3x3,swap=1", "rave:simulations=100"): "1d6ace39a6492b66",
    ("hex:3x3,swap=1", "rave:simulations=100,grave=20"): "730d76322ed62389",
    ("hex:3x3,swap=1", "flat:playouts=20"): "ad315ddda59906db",
    ("hex:3x3,swap=1", "table:noise=10"): "f0915ffb4f0fed4a",
    ("batoo:5x5", "flat:playouts=20"): "c0ccafc580915989",
    ("batoo:5x5", "table:noise=10"): "ecb5f9f61e0bc114",
    ("phantom-tic-tac-toe", "flat:playouts=20"): "58201dc038ebd573",
    ("phantom-tic-tac-toe", "table:noise=10"): "2ef02b1609d3cd80",
    ("phantom-four:4x4", "flat:playouts=20"): "603c2dda77b8329e",
    ("phantom-four:4x4", "table:noise=10"): "ef00ac737ab39415",
    ("nim", "uct:simulations=50"): "b97b6c78630cfe17",
    ("nim", "rave:simulations=50"): "91bc8f4fadd355cc",
    ("nim", "flat:playouts=20"): "aafdd67ffe89dcfd",
    ("nim", "table:noise=10"): "fd2af3333919c984",
    ("pig", "flat:playouts=20"): "96153c4ba5c46346",
    ("pig", "table:noise=10"): "14a1776cf48f6b6e",
    ("morra", "flat:playouts=20"): "743f9e4b04cb12b2",
    ("morra", "table:noise=10"): "e5c4970c2a891790",
    ("kuhn-poker", "flat:playouts=20"): "0912c3cb516078d2",
    ("kuhn-poker", "table:noise=10"): "37f780128247a308",
    ("leduc-poker", "flat:playouts=20"): "e5535ac30c2646cc",
    ("leduc-poker", "table:noise=10"): "b1f5af6285ac4317",
    ("rolit:4x4", "uct:simulations=50"): "80a7cd0c57f7b06c",
    ("rolit:4x4", "rave:simulations=50"): "583a8d2da1859b6e",
    ("rolit:4x4", "flat:playouts=20"): "c5491204d531ecd1",
    ("rolit:4x4", "table:noise=10"): "d8673f5b2c055cf5",
    ("liars-dice:sides=3", "flat:playouts=20"): "e263c741f47e0001",
    ("liars-dice:sides=3", "table:noise=10"): "ca576e8300633e7b",
    ("breakthrough:5x5,pawn_rows=1", "uct:simulations=50"): "05c9c8927a667573",
    ("breakthrough:5x5,pawn_rows=1", "uct:simulations=50,leaf=evaluation"): "b2c60103d53a06b8",
    ("breakthrough:5x5,pawn_rows=1", "rave:simulations=50"): "aa8c1c55af52849f",
    ("breakthrough:5x5,pawn_rows=1", "flat:playouts=20"): "c142374c5e5fbd12",
    ("breakthrough:5x5,pawn_rows=1", "table:noise=10"): "cc0b198a61ff2923",
    ("breakthrough:5x5,pawn_rows=1", "alphabeta:depth=2"): "01245bb8f6165bcc",
    ("phantom-go:5x5", "flat:playouts=20"): "788eb44cec38d8fd",
    ("phantom-go:5x5", "table:noise=10"): "21d13412df9192c8",
}
OFTEN = ("domineering:7x7", "domineering:10x10", "breakthrough:6x6", "atari-go:5x5")
"""The boards of `make test-all`; `make test-long` has all."""
ONCE = {
    ("domineering:4x4", "uct:simulations=50,leaf=evaluation"),
    ("domineering:4x4", "rave:simulations=50"),
    ("domineering:4x4", "alphabeta:depth=2"),
    ("atari-go:5x5", "uct:simulations=50"),
    ("breakthrough:5x5,pawn_rows=1", "uct:simulations=50"),
    ("chess", "table:noise=10"),
    ("go:5x5", "uct:simulations=50"),
    ("havannah:base=4,swap=1", "uct:simulations=50"),
    ("hex:3x3,swap=1", "rave:simulations=100,grave=20"),
    ("phantom-go:5x5", "flat:playouts=20"),
    ("batoo:5x5", "flat:playouts=20"),
    ("phantom-tic-tac-toe", "table:noise=10"),
    ("phantom-four:4x4", "table:noise=10"),
    ("nim", "uct:simulations=50"),
    ("pig", "table:noise=10"),
    ("morra", "table:noise=10"),
    ("kuhn-poker", "flat:playouts=20"),
    ("leduc-poker", "table:noise=10"),
    ("rolit:4x4", "uct:simulations=50"),
    ("liars-dice:sides=3", "flat:playouts=20"),
}
"""Every game once, and every player: these are never left out."""


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


@pytest.mark.parametrize(
    ("board", "player"),
    [case if case in ONCE else pytest.param(*case, marks=pytest.mark.slow) for case in EVERY],
)
def test_every_player_plays_the_games_it_always_played(board: str, player: str) -> None:
    assert digest(board, player) == EVERY[board, player]


def test_no_game_and_no_player_is_left_out() -> None:
    assert {board.partition(":")[0] for board, _ in ONCE} == set(BUILT_IN)
    assert {player.partition(":")[0] for _, player in ONCE} == set(BUILT_IN_PLAYERS)


if __name__ == "__main__":
    for case in EVERY:
        print(f"    {case}: {digest(*case)!r},")
    for name in GOLDEN:
        print(f'    "{name}": [')
        for text in PLAYERS:
            print(f'        "{digest(name, text)}",')
        print("    ],")
