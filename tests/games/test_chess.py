"""Chess: perft, random games against python-chess, and cases made by hand."""

from __future__ import annotations

from collections import Counter
from random import Random

import chess
import pytest
from chess_looks import NAMES, NUMBERS, Look

from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.chess import ENDINGS
from seedfolio.games.chess.fen import START, parse_fen
from seedfolio.games.chess.position import perft

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


@pytest.mark.parametrize("fen", PERFT)
def test_perft(fen: str) -> None:
    assert perft(0, fen) == 1
    for depth, lines in enumerate(PERFT[fen], 1):
        if lines < 500_000:
            assert perft(depth, fen) == lines


@pytest.mark.long
@pytest.mark.parametrize("fen", PERFT)
def test_deep_perft(fen: str) -> None:
    assert perft(len(PERFT[fen]), fen) == PERFT[fen][-1]


def outcome(board: chess.Board) -> tuple[int, str] | None:
    """Return score and ending by python-chess; draws need no claim here."""
    if board.is_checkmate():
        return 0 if board.turn == chess.WHITE else 2, ENDINGS[0]
    if board.is_insufficient_material():
        return 1, ENDINGS[2]
    if board.is_stalemate():
        return 1, ENDINGS[1]
    if board.halfmove_clock >= 100:
        return 1, ENDINGS[3]
    if board.halfmove_clock >= 8 and board.is_repetition(3):
        return 1, ENDINGS[4]
    return None


def play_beside(fen: str, random: Random) -> str:
    """Play a random game beside python-chess; return how it ends."""
    board, history = chess.Board(fen), []
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
        loud = [m.uci() for m in board.legal_moves if board.is_capture(m) or m.promotion]
        assert sorted(look.loud) == sorted(loud), board.fen()
        name = random.choice(names)
        if back and len(history) > 1 and random.random() < 0.8:
            # Take back the last move but one where that is possible, so that positions repeat.
            last = NAMES[history[-2]]
            name = last[2:4] + last[:2] if last[2:4] + last[:2] in names else name
        board.push_uci(name)
        history.append(NUMBERS[name])


@pytest.mark.parametrize(
    "games",
    [
        pytest.param(games, marks=mark)
        for games, mark in ((60, ()), (180, pytest.mark.slow), (10_000, pytest.mark.long))
    ],
)
def test_random_games_are_as_python_chess_has_them(games: int) -> None:
    random = Random(games)
    starts = [START, KIWIPETE, *ENDGAMES, *ENDGAMES]
    found = Counter(play_beside(starts[k % len(starts)], random) for k in range(games))
    assert {*found} == {*ENDINGS} or games == 60, "all endings must be tried"


FIFTY = "fifty moves without capture or pawn move"
SHUFFLE = " a5a6 h8g8 a6a5 g8h8"
KINGS = " e1e2 e8e7 e2e1 e7e8"
PINNED = "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1"
"""The rook on h5 pins both pawns at once, so that en passant is illegal."""
FREE = "7k/3p4/8/K3P3/8/8/8/7r b - - 0 1"
CASTLING = "4k3/p7/8/8/8/8/P7/4K2R w K - 0 1"


@pytest.mark.parametrize(
    ("fen", "moves", "score", "ending"),
    [
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", 2, "checkmate"),
        ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1b1", 1, FIFTY),
        ("7k/8/5K2/8/8/8/8/R7 w - - 99 80", "a1a8", 1, FIFTY),
        # En passant that is illegal does not make another position; a legal one does.
        (PINNED, f"d7d5{SHUFFLE}", None, None),
        (PINNED, f"d7d5{2 * SHUFFLE}", 1, "threefold repetition"),
        (FREE, f"d7d5{2 * SHUFFLE}", None, None),
        (FREE, f"d7d5{3 * SHUFFLE}", 1, "threefold repetition"),
        # So does lost castling.
        (CASTLING, 2 * KINGS, None, None),
        (CASTLING, 3 * KINGS, 1, "threefold repetition"),
        # Bishops of one shade cannot mate.
        ("k7/8/8/8/8/8/2B5/K2B4 w - - 0 1", "", 1, "insufficient material"),
        ("k7/8/8/8/8/8/2B5/K1B5 w - - 0 1", "", None, None),
        ("kb6/8/8/8/8/8/8/KB6 w - - 0 1", "", None, None),
        ("kn6/8/8/8/8/8/8/KN6 w - - 0 1", "", None, None),
    ],
)
def test_endings(fen: str, moves: str, score: int | None, ending: str | None) -> None:
    look = Look(fen, moves)
    assert (look.score, look.ending) == (score, ending)


def test_en_passant_and_the_most_moves() -> None:
    assert "e5d6" not in Look(PINNED, "d7d5").moves
    assert "e5d6" in Look(FREE, "d7d5").moves
    look = Look(MOST)
    assert len(look.numbers) == len(look.moves) == 218


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("", "it has 0 of 4 to 6 fields: board, mover, castling, en passant, clocks"),
        ("8/8/8/8/8/8/8 w - - 0 1", "the board has 7 rows, not 8"),
        ("8/8/8/8/8/8/8/7 w - - 0 1", "row 1 has 7 cells, not 8: 7"),
        ("8/8/8/4x3/8/8/8/8 w - - 0 1", "'x' in row 5 is neither a piece nor 1 to 8"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has 0 kings, not 1"),
        ("k7/8/8/8/8/8/8/K7 x - - 0 1", "the mover is 'x', not w or b"),
        ("k7/8/8/8/8/8/8/K7 w KK - 0 1", "castling is 'KK', not - or some of KQkq in this order"),
        ("k7/8/8/8/8/8/8/K7 w K - 0 1", "castling K: king and rook are not at home"),
        ("k7/8/8/8/8/8/8/K7 w - e3 0 1", "en passant is 'e3', not - or a square of row 6"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "en passant e6: no pawn has just passed it"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "the clock 'x' is not a number from 0 to 9999"),
        ("k7/8/8/8/8/8/8/K7 w - - 101 1", "101 plies without capture or pawn move are more .*"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn stands on the first or last row"),
        ("k7/8/8/8/8/QQQQQ3/PPPPPPPP/K7 w - - 0 1", "White has more pieces than 8 pawns can .*"),
        ("k7/8/8/8/8/8/8/KR5r b - - 0 1", None),
        ("k7/8/8/8/8/8/8/KQ5R b - - 0 1", None),
        ("k7/8/8/8/8/8/8/RK6 w - - 0 1", "White to move could capture the king"),
        ("8/8/8/3k4/4P3/8/8/K7 w - - 0 1", "White to move could capture the king"),
        ("8/8/8/3k4/8/4N3/8/K7 w - - 0 1", "White to move could capture the king"),
        ("8/8/8/3kK3/8/8/8/8 b - - 0 1", "Black to move could capture the king"),
    ],
)
def test_bad_fen(fen: str, expected: str | None) -> None:
    if expected is None:
        parse_fen(fen)
        return
    with pytest.raises(SpecificationError, match=f"^chess: fen: {expected}$"):
        load_game(f"chess:fen={fen}")


def test_one_spelling_of_a_fen() -> None:
    assert load_game("chess:fen=start").text == load_game("chess").text == "chess"
    spaced = load_game("chess:fen=k7/8/8/8/8/8/8/KR6 w - - 0 1")
    assert spaced.text == "chess:fen=k7/8/8/8/8/8/8/KR6_w_-_-_0_1"


def test_move_names() -> None:
    named = [name for name in NAMES if name]
    assert len({*named}) == len(named) == 1792 + 2 * 22 * 4
    board = load_game("chess").rules.board
    assert board.cells_of("e7e8q") == (52, 60)
    assert board.cells_of("e2e4") == (12, 28)
