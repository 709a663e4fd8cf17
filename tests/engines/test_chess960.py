"""Chess960 with engines: Stockfish castles as UCI_Chess960 has it, and python-chess agrees."""

import io

import chess
import chess.engine
import chess.pgn
import pytest
from external import CHESS_ENGINE, play_matrix, program_of

from seedfolio import SpecificationError, replay
from seedfolio.engines.endings import Ending
from seedfolio.engines.specification.openings import epd_lines, pgn_lines
from seedfolio.engines.specification.positions import begun
from seedfolio.games.chess.fen import start_fen

NUMBER = 871  # RKRNQNBB: White castles with a rook beside the king
ENGINE = CHESS_ENGINE.format(game=f"chess:fen={NUMBER}", moves=50, nodes="100..110")
ENGINE = ENGINE.replace("Threads = 1", "Threads = 1, UCI_Chess960 = true")
EPD = """r1k1r3/pppppppp/8/8/8/8/PPPPPPPP/R1K1R3 w KQkq -
1rk4r/pp5p/8/8/8/8/PP5P/1RK4R b KQkq -
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O;
4rkr1/8/8/8/8/8/8/4RKR1 w GEge -
"""
PGN = """[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w KQkq - 0 1"]

1. Ng3 Ng6 2. O-O O-O *

[Variant "fischerandom"]

1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O *
"""


def played_on(fen, moves):
    board, castled = chess.Board(fen, chess960=True), []
    for move in moves:
        castled.append(board.is_castling(board.parse_uci(move)))
        board.push_uci(move)
    return board, castled


def test_openings():
    file, read = io.StringIO(PGN), pgn_lines(PGN, "here", 20, chess960=True)
    for line in read:
        game = chess.pgn.read_game(file)
        fen, moves = begun(line)
        assert fen == game.board().shredder_fen()
        assert list(moves) == [move.uci() for move in game.mainline_moves()]
    assert read[0][-2:] == ("g1h1", "g8h8")
    fens = [begun(line)[0] for line in epd_lines(EPD, "here", chess960=True)]
    assert [fen.split()[2] for fen in fens] == ["EAea", "HBhb", "HAha", "GEge"]
    for wrong in (
        lambda: pgn_lines(PGN, "here", 20),
        lambda: epd_lines(EPD.splitlines()[-1], "here"),
    ):
        with pytest.raises(SpecificationError, match=r"'Chess960', not Standard|of Chess960; name"):
            wrong()


def test_the_option_and_the_game_go_together(tmp_path):
    for old, new, message in (
        (", UCI_Chess960 = true", "", "for which UCI has options UCI_Chess960 = true"),
        (f"chess:fen={NUMBER}", "chess", "name one of its 960 starts as the game"),
        (
            "[arms.grid]",
            "[[opponents]]\noptions = { Hash = 2 }\n[arms.grid]",
            "opponent .*for which",
        ),
    ):
        with pytest.raises(SpecificationError, match=message):
            program_of(tmp_path, ENGINE.replace(old, new))


@pytest.mark.slow
@pytest.mark.parametrize("openings", ["", '[openings]\nfile = "a.epd"\n'])
def test_stockfish_castles(openings, stockfish, tmp_path):
    (tmp_path / "a.epd").write_text(EPD)
    program = program_of(tmp_path, ENGINE + openings)
    _, games = play_matrix(program, 3, remember=True)
    assert {game.ending for game in games} <= {Ending.NORMAL, Ending.MOVE_LIMIT}
    castled = 0
    for game in games:
        fen, moves = begun(game.moves)
        castled += sum(played_on(fen or start_fen(str(NUMBER)), moves)[1])
    assert castled > 0
    again = replay(program, 1, 0)
    read = chess.pgn.read_game(io.StringIO(again.pgn))
    assert (read.headers["Variant"], read.errors) == ("Chess960", [])
    assert read.board().chess960
    assert [move.uci() for move in read.mainline_moves()] == list(begun(again.moves)[1])
