"""A game with more symmetries than a word has bits, and with numbers that are no moves."""

import numpy as np
import pytest
from booked import after, books_of, with_one
from numba import int64
from sessions import session_for

from seedfolio.core.compiler import compiled
from seedfolio.errors import SpecificationError
from seedfolio.games.board import Board
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules, Symmetry
from seedfolio.learning.book.self_play import Experience, SelfPlay
from seedfolio.players.lookup import symmetry_tables
from seedfolio.players.program import Program
from seedfolio.players.table import Table
from seedfolio.portfolios.book.lines import lines_to

NAMES = "start", "mover", "moves", "play", "score"


@game("ring", version=1, summary="go round a ring of fields")
def ring(fields=70, turns=69):
    """Four fields are named in turn; the second player wins if the last step is the shorter."""

    @compiled
    def start():
        return int64(0), int64(0), int64(0), int64(0)

    @compiled
    def mover(state):
        return state[0] % 2

    @compiled
    def moves(state, out, at):
        if state[0] == 4:
            return 0
        for field in range(fields):
            out[at + field] = field
        return fields

    @compiled
    def play(state, move):
        step = (move - state[2] + fields) % fields
        return state[0] + 1, state[2], int64(move), (step if state[0] == 2 else state[3])

    @compiled
    def score(state):
        return 2 if state[3] <= (state[2] - state[1] + fields) % fields else 0

    @compiled
    def cells(state, out):
        out[state[2]] = 1

    def turned(by):
        images = np.zeros(fields + 2, np.int64)
        images[:fields] = (np.arange(fields) + by) % fields
        return Symmetry(f"by {by}", images)

    return Rules(
        **dict(zip(NAMES, (start, mover, moves, play, score), strict=True)),
        cells=cells,
        move_names=[*(f"f{field}" for field in range(fields)), "", ""],
        max_moves=fields,
        max_plies=4,
        board=Board(1, fields, ".o"),
        symmetries=[turned(by) for by in range(1, turns + 1)],
        player="table",
    )


def test_numbers_that_are_no_moves_do_not_matter_and_too_many_moves_are_refused():
    images, origins = symmetry_tables(ring())
    assert (np.take_along_axis(origins, images.astype(int), 1) == np.arange(72)).all()
    with pytest.raises(SpecificationError, match="40,002 moves"):
        symmetry_tables(ring(fields=40_000, turns=0))


@pytest.mark.slow
def test_a_ring():
    plain = Program(ring(), Table())
    play = SelfPlay(session_for(plain))
    experience = after(play, Experience.none(), 4000)
    seeds = np.arange(2**33, 2**33 + 20, dtype=np.uint64)
    for colour, book in enumerate(books_of(experience)):
        assert len(book) > 0
        for k, line in enumerate(lines_to(play.program, book, colour, range(len(book)))):
            assert plain.game.information(line.moves, colour).history == book.states[k]
        booked = with_one(play.program, book, colour)
        points, _ = booked.play(seeds, seeds, booked.workspace())
        for k in range(len(seeds)):
            history = []
            while (position := plain.game.position(history)).moves:
                program = booked if position.mover == colour else plain
                history.append(program.choose(history, int(seeds[k])))
            assert position.score == points[k]
