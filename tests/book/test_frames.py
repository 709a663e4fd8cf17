"""Books under symmetries that are not their own inverses, and more of them than a word has bits."""

from functools import partial

import numpy as np
import pytest
from booked import after, books_of, with_one
from numba import int64
from sessions import session_for
from walking import played_out

from seedfolio.core.compiler import compiled
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.board import Board
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules, Symmetry
from seedfolio.learning.book.self_play import Experience, SelfPlay
from seedfolio.players.books.frames import frame_functions
from seedfolio.players.lookup import symmetry_tables
from seedfolio.players.program import Program
from seedfolio.players.table import Table
from seedfolio.portfolios.book.lines import lines_to


@pytest.mark.parametrize(
    "board", ["atari-go:5x5", pytest.param("phantom-go:5x5", marks=pytest.mark.slow)]
)
def test_a_move_of_the_book_comes_back_to_the_board(board):
    """Into the book and out again is the same move, or another that the symmetries so far allow."""
    game = load_game(board)
    images, origins = symmetry_tables(game)
    assert (images != origins).any(), "rotations by a quarter are needed"
    frames = frame_functions(game)
    opened, follow = frames["open_frame"], frames["follow"]
    inward, turned_back = frames["inward"], frames["turned_back"]

    @compiled
    def walk(arm, line, book, out):
        frame, key = opened(arm, book), np.uint64(0)
        for turn in range(len(line)):
            inside = inward(frame, line[turn])
            outside = turned_back(frame, inside, arm, turn)
            out[turn, 0], out[turn, 1] = inside, outside
            out[turn, 2] = inward(frame, outside)
            frame, key = follow(frame, key, line[turn], turn % 2)

    names = game.rules.move_names
    line = np.array([names.index(name) for name in ("A1", "B1", "D2", "C4", "E3")])
    out = np.zeros((len(line), 3), np.int64)
    in_book = set()
    for turned in images[:, line].astype(np.int64):
        for arm in range(10):
            walk(np.uint64(arm), turned, np.ones(1, np.uint64), out)
            in_book.add(tuple(out[:, 0]))
            assert (out[:, 2] == out[:, 0]).all()
            assert (out[2:, 1] == turned[2:]).all()  # the first two moves leave one symmetry
    if not game.rules.hides:
        assert len(in_book) == 1, "all images of a game are one line of the book"
    if board == "atari-go:5x5":  # the centre leaves all symmetries, and each turn draws one anew
        corner, middle = names.index("A1"), names.index("C3")
        drawn = []
        for arm in range(40):
            walk(np.uint64(arm), np.array([corner]), np.ones(1, np.uint64), out)
            first = out[0, 1]
            walk(np.uint64(arm), np.array([middle, corner]), np.ones(1, np.uint64), out)
            drawn.append((first, out[1, 1]))
        assert len({one for one, _ in drawn}) == len({other for _, other in drawn}) == 4
        assert 3 < sum(one == other for one, other in drawn) < 20


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
        sides = (booked, plain) if colour == 0 else (plain, booked)
        for seed, expected in zip(seeds.tolist(), points, strict=True):
            choose = (partial(each.choose, arm=seed) for each in sides)
            assert played_out(plain.game, *choose)[1].score == expected
