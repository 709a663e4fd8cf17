"""The built-in programs that CUDA must play, and how they are compiled without a device."""

import hashlib
import os
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from seedfolio.core.compiler import filled_in, fingerprint
from seedfolio.core.files import atomic_write
from seedfolio.games import BUILT_IN, load_game
from seedfolio.players import PLAYERS, load_player
from seedfolio.players.books.table import NO_STATE, Instructions, pack
from seedfolio.players.program import Program

BOARDS = """
    domineering:4x4 atari-go:5x5 breakthrough:5x5 chess go:5x5 havannah:base=4 hex:3x3
    phantom-go:5x5 batoo:5x5 phantom-tic-tac-toe phantom-four:4x4 nim pig morra kuhn-poker
    leduc-poker rolit:4x4 liars-dice
"""
SMALL = {text.partition(":")[0]: text for text in BOARDS.split()}
PLAYING = {
    "uct": "uct:simulations=20",
    "flat": "flat:playouts=40",
    "table": "table:noise=30",
    "rave": "rave:simulations=20",
    "alphabeta": "alphabeta:depth=2",
}
SEARCHING = ("uct", "rave")
"""Players that need to see the whole board."""
EVALUATING = "uct:simulations=20,leaf=evaluation"
TWO_WORDS = ["phantom-go:9x9"]
"""Boards that take two words of 64 bits."""
OTHER_RULES = ["phantom-go:5x5,announce=0"]
"""Parameters that give a game other compiled code."""

assert {*SMALL} == {*BUILT_IN}, "a game has come or gone"
assert {*PLAYING} == {*PLAYERS}, "a player has come or gone"


def cases():
    found = []
    for game in [*SMALL.values(), *TWO_WORDS, *OTHER_RULES]:
        rules = load_game(game).rules
        for name, player in PLAYING.items():
            perfect = not (rules.hides or rules.chance)
            fits = {"alphabeta": rules.evaluation is not None, **dict.fromkeys(SEARCHING, perfect)}
            if fits.get(name, True):
                found.append((game, player))
        if rules.evaluation is not None:
            found.append((game, EVALUATING))
    return found


def program_of(game, player):
    program = Program(load_game(game), load_player(player))
    return replace(program, repeats=3) if program.has_luck else program


def with_book(program):
    single = replace(program, repeats=1)
    seeds = np.arange(30, dtype=np.uint64)
    books = [{}, {}]
    for _ in range(3):
        sides = [
            [(1.0, Instructions.of(np.array([*book], np.uint64), np.array([*book.values()], int)))]
            for book in books
        ]
        booked = single.with_books(pack(sides, symmetric=True))
        left = booked.play_noting(seeds, seeds[::-1].copy(), booked.workspace()).left
        for colour, book in enumerate(books):
            for state, _, marks in left[:, colour].tolist():
                if state != NO_STATE and marks & 0xFFFF:
                    book.setdefault(state, (marks & 0xFFFF) - 1)
    return replace(booked, repeats=program.repeats)


def need_numba_cuda():
    """Skip the module where numba-cuda is missing; fail where it must not be."""
    if find_spec("numba_cuda") is None:
        assert os.environ.get("CI") != "true", "the tests need numba-cuda"
        pytest.skip("numba-cuda is not installed", allow_module_level=True)


def ptx_of(program, capability, dimensions=3):
    """Return the program's kernel for a kind of device, kept on disk under a hash of its parts."""
    import numba.cuda.dispatcher as dispatcher
    from numba import cuda, int64, types, uint8, uint64
    from numba.np.numpy_support import from_dtype
    from numpy import dtype

    from seedfolio.arena.cuda.device import work_kind
    from seedfolio.arena.cuda.kernel import TWINS, play_template

    words, counts = types.Array(uint64, 1, "C"), types.Array(int64, 1, "C")
    work = types.Array(from_dtype(dtype(work_kind(program))), dimensions, "C")
    results = types.Array(uint8, 1, "C")
    # In the order of the arguments of play_template.
    played = results, words, types.Array(uint64, 3, "C")
    cells = words, words, int64, counts, words, int64, int64
    signature = types.void(*cells, work, counts, counts, *played)
    names = {"play_cell": program.play_cell, "note": program.side["note"]}
    kernel = filled_in(play_template, names)
    content = fingerprint(kernel, *TWINS.values())
    made_from = f"{content} {signature} {capability} {version('numba-cuda')}"
    folder = Path(os.environ.get("NUMBA_CACHE_DIR", Path(__file__).with_name("__pycache__")))
    kept = folder / f"{hashlib.sha256(made_from.encode()).hexdigest()[:20]}.ptx"
    if content is not None and kept.exists():
        return kept.read_text()
    with pytest.MonkeyPatch.context() as patch:
        device = SimpleNamespace(compute_capability=capability)
        patch.setattr(dispatcher, "get_current_device", lambda: device)
        code, _ = cuda.compile(kernel, signature, device=False, abi="numba", cc=capability)
    if content is not None:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_write(kept, str(code).encode())
    return str(code)
