"""Chess: perft, random games and PGN records against python-chess, and cases made by hand."""

import os
import re
import sys
import tarfile
from collections import Counter
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random

import chess
import chess.pgn
import numpy as np
import pytest
from case_files import cases
from needed import missing
from numba import int64
from sparing import levels

from seedfolio import SpecificationError, load_game
from seedfolio.core.compiler import compiled_entry
from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.games.chess import ENDINGS
from seedfolio.games.chess.fen import START, by_files, is_chess960, parse_fen, start_fen
from seedfolio.games.chess.position import perft
from seedfolio.games.chess.san import san_moves
from seedfolio.report.records.pgn import pgn_text

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ENDGAME = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTING = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
TALKING = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
MIDDLE = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
MOST = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
PERFT = {
    START: [20, 400, 8902, 197281, 4865609, 119060324],
    KIWIPETE: [48, 2039, 97862, 4085603, 193690690],
    ENDGAME: [14, 191, 2812, 43238, 674624],
    PROMOTING: [6, 264, 9467, 422333, 15833292],
    TALKING: [44, 1486, 62379, 2103487, 89941194],
    MIDDLE: [46, 2079, 89890, 3894594, 164075551],
}
"""The six positions of the Chess Programming Wiki."""
ENDGAMES = [
    "8/8/4k3/8/8/3BK3/8/5n2 w - - 0 1",
    "8/5k2/8/1q6/8/8/2K5/8 b - - 60 90",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 90 60",
    "k7/pP6/P7/8/8/8/7p/6BK b - - 0 1",
]


@pytest.mark.parametrize("most", [500_000, pytest.param(2**40, marks=pytest.mark.long)])
@pytest.mark.parametrize("fen", PERFT)
def test_perft(fen, most):
    assert perft(0, fen) == 1
    for depth, lines in enumerate(PERFT[fen], 1):
        if lines < most:
            assert perft(depth, fen) == lines


# Positions after any FEN and moves, compiled once.
CHESS = load_game("chess")
NAMES = CHESS.rules.move_names
NUMBERS = {name: move for move, name in enumerate(NAMES) if name}


class Look:
    """A position: the names of its moves, and if there are none its score and why it is over."""

    def __init__(self, fen=START, moves=""):
        numbers = [NUMBERS[name] for name in moves.split()] if isinstance(moves, str) else moves
        words = np.array(parse_fen(fen), np.uint64)
        room = np.zeros(CHESS.rules.max_moves + CHESS.rules.repetition.room, np.int64)
        captures = np.zeros(CHESS.rules.max_moves, np.int64)
        found = _look()(words, np.array(numbers, np.int64), room, captures)
        count, score, ending, loud_count = found
        self.numbers = room[:count].tolist()
        self.loud = [NAMES[move] for move in captures[: max(loud_count, 0)].tolist()]
        """Captures and promotions."""
        assert (loud_count < 0) == (count == 0)
        self.score = int(score) if count == 0 else None
        self.ending = ENDINGS[ending] if count == 0 else None

    @property
    def moves(self):
        return {NAMES[move] for move in self.numbers}


@cache
def _look():
    names = {**CHESS.functions, "loud": CHESS.rules.evaluation.loud}
    return compiled_entry(_look_template, names)


begun = loud = moves = played = score = ending = None


def _look_template(words, history, room, captures):
    state = begun(words, room)
    count = moves(state, room, int64(0))
    for ply in range(len(history)):
        state = played(state, history[ply], room)
        count = moves(state, room, int64(0))
    loud_count = loud(state, captures, int64(0))
    if count > 0:
        return count, int64(-1), int64(-1), loud_count
    return count, int64(score(state)), int64(ending(state)), loud_count


def outcome(board):
    if board.is_checkmate():
        return 0 if board.turn == chess.WHITE else 2, ENDINGS[0]
    drawn = {
        2: board.is_insufficient_material(),
        1: board.is_stalemate(),
        3: board.halfmove_clock >= 100,
        4: board.halfmove_clock >= 8 and board.is_repetition(3),
    }
    return next(((1, ENDINGS[number]) for number, is_so in drawn.items() if is_so), None)


def is_loud(board, move):
    return bool((board.is_capture(move) and not board.is_castling(move)) or move.promotion)


def play_beside(fen, random):
    """Play a random game beside python-chess; return how it ends."""
    board, history = chess.Board(fen, chess960=is_chess960(fen)), []
    back = random.random() < 0.3
    while True:
        look = Look(fen, history)
        expected = outcome(board)
        if expected:
            assert (look.score, look.ending) == expected, board.fen()
            assert not look.numbers
            return expected[1]
        names = [move.uci() for move in board.legal_moves]
        assert look.moves == {*names}, board.fen()
        assert len(look.numbers) == len(names)
        loud = [m.uci() for m in board.legal_moves if is_loud(board, m)]
        assert sorted(look.loud) == sorted(loud), board.fen()
        name = random.choice(names)
        castling = [m.uci() for m in board.legal_moves if board.is_castling(m)]
        if board.chess960 and castling:
            name = random.choice([name, *castling])
        if back and len(history) > 1 and random.random() < 0.8:
            # Take back the last move but one where that is possible, so that positions repeat.
            last = NAMES[history[-2]]
            name = last[2:4] + last[:2] if last[2:4] + last[:2] in names else name
        board.push_uci(name)
        history.append(NUMBERS[name])


@pytest.mark.parametrize("games", [60, pytest.param(10_000, marks=pytest.mark.long)])
def test_random_games_are_as_python_chess_has_them(games):
    random = Random(games)
    starts = [START, KIWIPETE, *ENDGAMES, *ENDGAMES]
    found = Counter(play_beside(starts[k % len(starts)], random) for k in range(games))
    assert {*found} == {*ENDINGS}, "all endings must be tried"


@pytest.mark.parametrize("games", [40, pytest.param(10_000, marks=pytest.mark.long)])
def test_random_games_of_chess960_are_as_python_chess_has_them(games):
    random = Random(games)
    for _ in range(games):
        play_beside(start_fen(str(random.randrange(960))), random)


SHUFFLE = " a5a6 h8g8 a6a5 g8h8"
KINGS = " e1e2 e8e7 e2e1 e7e8"
PINNED = "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1"
"""The rook on h5 pins both pawns at once, so that en passant is illegal."""
FREE = "7k/3p4/8/K3P3/8/8/8/7r b - - 0 1"
CASTLING = "4k3/p7/8/8/8/8/P7/4K2R w K - 0 1"


@pytest.mark.parametrize(
    ("given", "ending"), cases(__file__, "endings of chess", lambda text: eval(text, globals()))
)
def test_endings(given, ending):
    """The same en passant or castling makes the same position; bishops of one shade cannot mate."""
    *position, score = given
    look = Look(*position)
    assert (look.score, str(look.ending)) == (score, ending)


def test_en_passant_and_the_most_moves():
    assert "e5d6" not in Look(PINNED, "d7d5").moves
    assert "e5d6" in Look(FREE, "d7d5").moves
    look = Look(MOST)
    assert len(look.numbers) == len(look.moves) == 218


BAD_FEN = Path(__file__).with_name("bad_fen.txt").read_text().splitlines()[1:]


@pytest.mark.parametrize(("fen", "expected"), [line.split("->") for line in BAD_FEN])
def test_bad_fen(fen, expected):
    if not expected:
        parse_fen(fen.strip())
        return
    with pytest.raises(SpecificationError, match=f"^chess: fen: {expected.strip()}$"):
        load_game(f"chess:fen={fen.strip()}")


def test_one_spelling_of_a_fen_and_of_moves():
    assert load_game("chess:fen=start").text == load_game("chess").text == "chess"
    spaced = load_game("chess:fen=k7/8/8/8/8/8/8/KR6 w - - 0 1")
    assert spaced.text == "chess:fen=k7/8/8/8/8/8/8/KR6_w_-_-_0_1"
    named = [name for name in NAMES if name]
    assert len({*named}) == len(named) == 1792 + 2 * 22 * 4
    board = load_game("chess").rules.board
    assert board.cells_of("e7e8q") == (52, 60)
    assert board.cells_of("e2e4") == (12, 28)


PERFT_FOLDER = Path(os.environ.get("PYTHON_CHESS_SOURCE", Path(sys.prefix) / "python-chess"))
SUITES = ("random", "tricky", "chess960")
"""Those of chess; the others are of its variants."""
X_FEN = ("xfen-", "asymmetrical-")
"""Positions of Chess960 that name no files of rooks."""


def suite_text(name):
    found = sorted(PERFT_FOLDER.glob("chess-*.tar.gz"))
    if not found:
        missing(f"the source of python-chess is not in {PERFT_FOLDER}: run make suites")
    with tarfile.open(found[-1]) as archive:
        (member,) = (each for each in archive if each.name.endswith(f"/perft/{name}.perft"))
        file = archive.extractfile(member)
        return file.read().decode()


def suite_cases(text):
    """Yield the name of each position, its FEN, and its number of lines by their length."""
    name, fen, lines = "", "", dict[int, int]()
    for line in [*text.splitlines(), "id"]:
        word, _, rest = line.strip().partition(" ")
        if word == "id":
            if lines:
                yield name, fen, lines
            name, lines = rest, {}
        elif word == "epd":
            fen = rest
        elif word == "perft":
            depth, count = rest.split()
            lines[int(depth)] = int(count)


# All of them are 4 * 10**12 lines, half a day; take 2**63 for that.
@levels("most", slow=[20_000], long=[10_000_000])
@pytest.mark.parametrize("suite", SUITES)
def test_perft_suites(suite, most):
    """The deepest perft of each position that has at most this many lines."""
    compared = 0
    for name, fen, lines in suite_cases(suite_text(suite)):
        if name.startswith(X_FEN):
            with pytest.raises(ValueError, match="king and rook are not at home"):
                parse_fen(fen)
            fen = by_files(fen)
        depth = max((depth for depth, count in lines.items() if count <= most), default=1)
        assert perft(depth, fen) == lines[depth], (name, fen, depth)
        compared += 1
    assert compared > 10


def test_starts_of_chess960():
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        assert start_fen(str(number)) == by_files(board.fen()) == board.shredder_fen()
    with pytest.raises(SpecificationError, match=r"fen: it has 1 of 4 to 6 fields"):
        load_game("chess:fen=960")


PGN_STARTS = [
    START,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 40",
    "8/P1P4k/8/2pP4/4pp2/8/p2PP1pK/8 b - - 0 1",
]


def random_game(board, random, most=160):
    played = []
    while len(played) < most and (moves := list(board.legal_moves)):
        move = random.choice(moves)
        board.push(move)
        played.append(move.uci())
    return played


def test_san_is_that_of_python_chess():
    random, signs = Random(1), set()
    for number in range(30):
        fen = PGN_STARTS[number % len(PGN_STARTS)]
        moves = random_game(chess.Board(fen), random)
        board, expected = chess.Board(fen), []
        for move in moves:
            expected.append(board.san(chess.Move.from_uci(move)))
            board.push_uci(move)
        assert san_moves(moves, fen) == expected, fen
        signs |= {*"".join(expected)}
    assert signs >= {*"KQRBNOx=+#-"}


def test_records_are_read_back():
    random = Random(2)
    players = 'Ann "the \\ second"', "uct\nwith 100 simulations"
    for number in range(10):
        fen = PGN_STARTS[number % len(PGN_STARTS)]
        moves, points = random_game(chess.Board(fen), random), number % 3
        record = GameRecord(players=players, moves=tuple(moves), points=points)
        text = pgn_text(record, fen.replace(" ", "_"), {"Round": "3"})
        assert max(map(len, text.splitlines())) <= 80
        game = chess.pgn.read_game(StringIO(text))
        assert game.errors == []
        assert [move.uci() for move in game.mainline_moves()] == moves
        # As the standard has it; python-chess leaves quotes as they are written.
        assert re.sub(r"\\(.)", r"\1", game.headers["White"]) == players[0]
        assert game.headers["Black"] == "uct with 100 simulations"
        assert game.headers["Result"] == ("0-1", "1/2-1/2", "1-0")[points]
        assert game.headers["Round"] == "3"
        assert game.board().fen(en_passant="fen") == fen


def test_records_by_hand():
    record = GameRecord(moves=("e7e5", "e2e4"), points=1, ending=Ending.UNFINISHED)
    text = pgn_text(record, "4k3/4p3/8/8/8/8/4P3/4K3 b - -")
    assert '[FEN "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1"]' in text
    assert text.endswith("\n\n1... e5 2. e4 *\n")
    assert pgn_text(GameRecord(moves=(), points=2)).endswith('[Result "1-0"]\n\n1-0\n')
    with pytest.raises(SpecificationError, match=r"move 2 \(e7e4\) is illegal"):
        pgn_text(GameRecord(moves=("e2e4", "e7e4"), points=1))
