"""Games with books, checked move by move against what the books say."""

from functools import partial, reduce

import numpy as np
import pytest
from booked import HIDDEN, PERFECT, after, books_of, learnt, self_play_of, with_one
from numba import int64
from sessions import session_for
from walking import played_out

from seedfolio import Board, Program, Rules, SpecificationError, Symmetry, compiled, game, load_game
from seedfolio.core.randomness import fold
from seedfolio.core.seeds import turned_arm
from seedfolio.learning.book.self_play import Experience, SelfPlay
from seedfolio.players.books.frames import frame_functions
from seedfolio.players.books.table import NO_STATE, Instructions, pack
from seedfolio.players.lookup import symmetry_tables
from seedfolio.players.table import Table
from seedfolio.portfolios.book.lines import lines_to
from seedfolio.programs.load import load_program

BOTH = [PERFECT, pytest.param(HIDDEN, marks=pytest.mark.slow)]
ARMS = np.arange(2**33, 2**33 + 60, dtype=np.uint64)
OTHERS = ARMS + np.uint64(1000)

both = pytest.mark.parametrize("case", BOTH, ids=["perfect", "hidden"])


@both
def test_without_entries_arms_play_as_they_always_do(case):
    program = self_play_of(*case).program
    plain = load_program(*case, 1)
    expected = plain.play(ARMS, OTHERS, plain.workspace())
    for books in ([[], []], [[(1.0, Instructions.none())], []], [[], [(1.0, Instructions.none())]]):
        booked = program.with_books(pack(books, symmetric=True))
        assert np.array_equal(booked.play(ARMS, OTHERS, booked.workspace()), expected)


@both
@pytest.mark.parametrize("colour", [0, 1])
def test_choose_plays_the_games_of_the_match(case, colour):
    play = self_play_of(*case)
    books = books_of(learnt(*case))
    booked, plain = with_one(play.program, books[colour], colour), load_program(*case, 1)
    points, hashes = booked.play(ARMS, OTHERS, booked.workspace())
    sides = (booked, plain) if colour == 0 else (plain, booked)
    for k, arms in enumerate(zip(ARMS.tolist(), OTHERS.tolist(), strict=True)):
        choose = (partial(each.choose, arm=arm) for each, arm in zip(sides, arms, strict=True))
        history, position = played_out(booked.game, *choose)
        folded = reduce(lambda before, move: np.uint64(fold(before, move)), history, np.uint64(0))
        assert (position.score, folded) == (points[k], hashes[k])


@pytest.mark.parametrize("colour", [0, 1])
def test_where_all_is_seen_entries_stand_for_all_images(colour):
    """The book's state is that of the least image of the moves, found here by trying all."""
    play = self_play_of(*PERFECT)
    book = books_of(learnt(*PERFECT))[colour]
    entries = dict(zip(book.states.tolist(), book.moves.tolist(), strict=True))
    booked, plain = with_one(play.program, book, colour), load_program(*PERFECT, 1)
    images, _ = symmetry_tables(booked.game)
    played = booked.play_noting(ARMS, OTHERS, booked.workspace())
    followed = 0
    for k, arms in enumerate(zip(ARMS, OTHERS, strict=True)):
        history, left = [], NO_STATE
        while (position := booked.game.position(history)).moves:
            program = booked if position.mover == colour else plain
            move = program.choose(history, int(arms[position.mover]))
            if position.mover == colour and left == NO_STATE:
                turned = min([int(image[m]) for m in history] for image in images)
                state = booked.game.information(turned, colour).history
                if state in entries:
                    followed += 1
                    fitting = [i for i in images if [int(i[m]) for m in history] == turned]
                    assert entries[state] in [int(image[move]) for image in fitting]
                else:
                    left = state
            history.append(move)
        assert played.left[k, colour, 0] == left
    assert followed > len(ARMS)


@both
def test_each_symmetry_is_drawn_as_often(case):
    play = self_play_of(*case)
    program = play.program
    images, _ = symmetry_tables(program.game)
    moves = program.game.position([]).moves
    corner = min(moves)
    root = Instructions.of(np.zeros(1, np.uint64), np.array([corner]))
    booked = program.with_books(pack([[(1.0, root)], []], symmetric=True))
    drawn = [booked.choose([], arm) for arm in range(800)]
    expected = {int(image[corner]) for image in images}
    assert set(drawn) == expected
    for move in expected:
        assert drawn.count(move) == pytest.approx(800 / len(expected), rel=0.25)
    fixed = program.with_books(pack([[(1.0, root)], []], symmetric=False))
    assert {fixed.choose([], arm) for arm in range(20)} == {corner}


@pytest.mark.slow
@both
def test_each_entry_has_a_game_that_leads_to_it_and_an_arm_that_plays_it(case):
    play = self_play_of(*case)
    plain = load_program(*case, 1)
    for colour, book in enumerate(books_of(learnt(*case))):
        lines = lines_to(play.program, book, colour, range(len(book)))
        for k, line in enumerate(lines):
            assert plain.game.information(line.moves, colour).history == book.states[k]
            if not plain.game.position(line.moves).refused:
                arm = turned_arm(int(book.arms[k]), line.symmetry)
                assert plain.choose(line.moves, arm) == book.moves[k]
            if (parent := book.parents[k]) >= 0:
                # What leads there passes the entry before it, and plays its move.
                passed = [
                    line.moves[length]
                    for length in range(len(line.moves))
                    if plain.game.information(line.moves[:length], colour).history
                    == book.states[parent]
                    and plain.game.position(line.moves[:length]).mover == colour
                ]
                assert passed == [book.moves[parent]]


@pytest.mark.slow
def test_a_state_after_a_refusal_is_searched_afresh_where_the_book_ends():
    """The book tries a cell; where it is refused and the book ends, the seed begins to choose."""
    program = self_play_of(*HIDDEN).program
    plain = load_program(*HIDDEN, 1)
    game = plain.game
    waited = game.information([4], 1)  # what the second player knows after a move it cannot see
    root = Instructions.of(np.array([waited.history], np.uint64), np.array([4]))
    booked = program.with_books(pack([[], [(1.0, root)]], symmetric=False))
    for seed in range(20):
        assert booked.choose([4], seed) == 4
        refused = [4, 4]
        assert game.position(refused).refused
        # A table's move depends on its state alone, so a plain seed plays the same there.
        assert booked.choose(refused, seed) == plain.choose(refused, seed)


def test_where_a_choice_leaves_the_book_its_move_is_noted():
    program = self_play_of(*PERFECT).program
    first = program.game.position([]).moves[0]
    parts = ([-1], [False], [2], [2], [first, -1])
    root = Instructions(np.zeros(1, np.uint64), *map(np.array, parts))
    booked = program.with_books(pack([[(1.0, root)], []], symmetric=False))
    left = booked.play_noting(ARMS, OTHERS, booked.workspace()).left[:, 0]
    planned = (left[:, 2] >> np.uint64(32)).astype(bool)
    assert 10 < planned.sum() < 50
    assert (left[:, 0] == 0).all()
    assert (left[:, 1] == NO_STATE).all()
    assert set((left[planned, 2] & np.uint64(0xFFFF)).tolist()) == {first + 1}
    plain = load_program(*PERFECT, 1)
    for k in np.flatnonzero(~planned):
        assert int(left[k, 2]) - 1 == plain.choose([], int(ARMS[k]))


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
