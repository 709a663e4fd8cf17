"""Every built-in program compiles for CUDA, to code of the kind that is fast and exact there."""

import re

import pytest
from cuda_cases import cases, need_numba_cuda, program_of, ptx_of
from sparing import levels

from seedfolio import Program, load_game, load_player
from seedfolio.players.books.table import pack
from seedfolio.players.several import Duel, Meeting

need_numba_cuda()

CAPABILITIES = [(8, 0), (9, 0)]
"""One program is compiled for both; all others for the newer one, since compiling takes long."""
LAYOUT = {(8, 0): 2, (9, 0): 3}
"""Dimensions of the scratch space: rows, and blocks of columns."""
MOST_CONSTANTS = 64 * 1024
SMOKE = [("nim", "uct:simulations=20"), ("morra", "table:noise=30"), ("pig", "flat:playouts=40")]


def bytes_of_constants(ptx):
    arrays = re.findall(r"\.const\b.*?\.[bsuf](\d+)\s+[\w$]+(?:\[(\d+)\])?", ptx)
    return sum(int(bits) // 8 * int(length or 1) for bits, length in arrays)


assert bytes_of_constants(".const .align 2 .b8 a$5[910];\n.const .b32 o;\n.global .b8 b[9];") == 914


def check_program(program, capabilities=CAPABILITIES[1:]):
    for capability in capabilities:
        ptx = ptx_of(program, capability, LAYOUT[capability])
        assert ".target sm_{}{}".format(*capability) in ptx
        assert not re.search(r"\bcall\b", ptx), "all functions must be inlined"
        assert ".local" not in ptx, "nothing may live in the slow memory of a thread"
        assert not re.search(r"\.(f16|f32|f64)\b", ptx), "all arithmetic must be on integers"
        assert bytes_of_constants(ptx) <= MOST_CONSTANTS
        # What a GPU does in its own way is done in its own way.
        assert "shfl.sync" in ptx
        assert ("shfl.sync.bfly" in ptx) == (program.player.name == "flat")
        assert "[2048]" not in ptx, "bits are picked by halves, not by a table"


@levels(("game", "player"), SMOKE[:1], slow=SMOKE[1:])
def test_some_programs_compile(game, player):
    both = (game, player) == SMOKE[0]
    check_program(program_of(game, player), CAPABILITIES if both else CAPABILITIES[1:])


NIM, BOOKS = load_game("nim"), pack([[], []], symmetric=True)
PAIR = "uct:simulations=20", "uct:simulations=50"
SEVERAL = "uct:simulations=20+uct:simulations=20,exploration=0.2+rave:simulations=20"
FORMS = {
    "two of a match": lambda: Program(NIM, Duel(*map(load_player, PAIR))),
    "a round of a tuning": lambda: Program(NIM, Meeting(tuple(map(load_player, PAIR)))),
    "several": lambda: program_of("nim", SEVERAL),
    "a book": lambda: program_of("domineering:4x4", "uct:simulations=20").with_books(BOOKS),
    "hidden": lambda: program_of("phantom-four:4x4", "flat:playouts=40").with_books(BOOKS),
}


@levels("form", slow=["several", "a book", "hidden"], long=["two of a match"])
def test_all_forms_of_a_program_compile(form):
    check_program(FORMS[form]())


EVERY_PLAYER = [
    ("breakthrough:5x5", "alphabeta:depth=2"),
    ("breakthrough:5x5", "uct:simulations=20,leaf=evaluation"),
    ("hex:3x3", "rave:simulations=20"),
    ("phantom-tic-tac-toe", "table:noise=30"),
]
"""With the programs above and below, each player, with hidden information and without: those that
`make test` compiles. `make test-long` compiles all games with all players."""


def marked(game, player):
    often = (game, player) in EVERY_PLAYER
    return pytest.param(game, player, marks=pytest.mark.slow if often else pytest.mark.long)


assert {*SMOKE, *EVERY_PLAYER} <= {*cases()}


@pytest.mark.parametrize(("game", "player"), [marked(*one) for one in cases() if one not in SMOKE])
def test_every_program_compiles(game, player):
    check_program(program_of(game, player))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "waits"), [("go:5x5", True), ("nim", False)])
def test_threads_wait_for_each_other_where_that_pays(game, waits):
    ptx = ptx_of(program_of(game, "uct:simulations=20"), CAPABILITIES[1])
    assert ("bar.warp.sync" in ptx) == waits
