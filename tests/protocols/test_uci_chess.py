"""Chess by UCI: any position, with one compiled program, limits, and what it tells."""

import sys

import chess
import pytest
from gtp_process import UciProcess
from needed import need
from numba.core.dispatcher import Dispatcher

from seedfolio import Opponent, Program, SpecificationError, load_game
from seedfolio.programs.built_in import load_built_in
from seedfolio.protocols.served_game import ServedGame
from seedfolio.protocols.uci import UciServer

MATE = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
FENS = [
    MATE,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17",
    "8/P6k/8/8/8/8/p6K/8 b - -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
]


def talk(program, *lines):
    said: list[str] = []
    engine = Opponent(program)
    UciServer(engine, ("chess",), said.append, key=3).serve(lines)
    return said


def arms_of(program):
    return [talk(program, f"position startpos{moves}", "go")[1] for moves in ("", " moves e2e4")]


def compile_no_more(monkeypatch):
    def refuse(self, *arguments):
        raise AssertionError("compiled anew")

    monkeypatch.setattr(Dispatcher, "compile", refuse)


@pytest.mark.slow
def test_positions_need_no_compiling(monkeypatch):
    program = load_built_in("chess", "table")
    seeds = arms_of(program)
    compile_no_more(monkeypatch)
    for fen in FENS:
        board = chess.Board(fen if len(fen.split()) == 6 else f"{fen} 0 1")
        for _ in range(6):
            moves = " ".join(move.uci() for move in board.move_stack)
            position = f"position fen {fen} moves {moves}" if moves else f"position fen {fen}"
            said = talk(program, position, "go movetime 5", "d")
            assert said[1] == seeds[not board.turn], "the arm is that of the game"
            board.push(chess.Move.from_uci(said[-2].split()[1]))
            assert board.is_valid()
            if board.is_game_over():  # a few milliseconds may find a mate, or miss it
                break
    usual = talk(program, f"position fen {chess.STARTING_FEN}", "go")
    assert usual == talk(program, "position startpos", "go")


def test_bad_positions():
    program = Program(load_game("chess"), load_built_in("chess").player)
    for line, expected in {
        "position fen 8/8 w - - 0 1": "chess: fen: the board has 2 rows, not 8",
        "position fen": "chess: fen: it has 0 of 4 to 6 fields: ",
        "position rubbish": "a position must be startpos, or in chess fen and a FEN; ",
    }.items():
        error, move = talk(program, line, "go")
        assert error.startswith(f"info string error: {expected}")
        assert move == "bestmove (none)"
    with pytest.raises(SpecificationError, match="nim has no position fen"):
        ServedGame(Opponent(load_built_in("nim")), 0).begin_at("8/8/8/8/8/8/8/8 w - - 0 1")


@pytest.mark.slow
def test_whole_games_against_fairy_stockfish(tmp_path):
    other = need("fairy-stockfish")
    game = load_game("breakthrough:8x8")
    command = (sys.executable, "-m", "seedfolio", "uci", game.text, "-p", "table")
    ours, theirs = UciProcess(*command, cwd=tmp_path), UciProcess(other, cwd=tmp_path)
    with ours, theirs:
        for engine in (ours, theirs):
            engine.ask("uci", "uciok")
            engine.ask("setoption name UCI_Variant value breakthrough\nisready", "readyok")
        for number in range(2):
            engines = [ours, theirs] if number % 2 == 0 else [theirs, ours]
            for engine in engines:
                engine.ask("ucinewgame\nisready", "readyok")
            moves: list[str] = []
            while game.position([game.parse_move(move) for move in moves]).moves:
                position = f"position startpos moves {' '.join(moves)}".removesuffix(" moves ")
                mover = engines[len(moves) % 2]
                moves.append(mover.ask(f"{position}\ngo depth 2", "bestmove").split()[0])
            for engine in engines:
                end = engine.ask(
                    f"position startpos moves {' '.join(moves)}\ngo depth 2", "bestmove"
                )
                assert end == "(none)"


@pytest.mark.slow  # compiles chess
def test_castling_of_chess960():
    program = load_built_in("chess", "table")
    on, off = (f"setoption name UCI_Chess960 value {value}" for value in ("true", "false"))
    shuffled = "position fen 1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1 moves c1b1 c8b8"
    usual = "position startpos moves e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1h1"
    assert "option name UCI_Chess960 type check default false" in talk(program, "uci")
    assert talk(program, on, shuffled, usual) == []
    assert talk(program, on, off, usual.replace("e1h1", "e1g1")) == []
    (said,) = talk(program, on, off, shuffled)
    assert "king and rook are not at home" in said
    (said,) = talk(program, "setoption name UCI_Chess960 value 1")
    assert said == "info string error: UCI_Chess960 is true or false, not '1'"
