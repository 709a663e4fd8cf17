"""Whole games of Breakthrough against Fairy-Stockfish, over pipes."""

import sys

import pytest
from gtp_process import UciProcess, installed

from seedfolio.games import load_game


@pytest.mark.slow
def test_whole_games_against_fairy_stockfish(tmp_path):
    other = installed("fairy-stockfish")
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
            # Both agree that it is over.
            for engine in engines:
                end = engine.ask(
                    f"position startpos moves {' '.join(moves)}\ngo depth 2", "bestmove"
                )
                assert end == "(none)"
