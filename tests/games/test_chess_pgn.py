"""PGN records of chess games, read by python-chess."""

import re
from io import StringIO
from random import Random

import chess
import chess.pgn
import pytest

from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.games.chess.fen import START
from seedfolio.games.chess.san import san_moves
from seedfolio.report.records.pgn import pgn_text

STARTS = [
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
        fen = STARTS[number % len(STARTS)]
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
        fen = STARTS[number % len(STARTS)]
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
