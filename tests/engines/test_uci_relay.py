"""A boosted UCI engine: the engine itself, but for what makes an arm."""

import os
import sys
from contextlib import closing
from dataclasses import replace

import chess
import numpy as np
import pytest
from external import CHESS_ENGINE, STOCKFISH, plays_alone, program_of, scripted_text
from gtp_process import UciProcess
from one_line import one_line
from waiting import PATIENCE

from seedfolio.engines.play.book_side import state_after
from seedfolio.errors import EngineError
from seedfolio.opponents.opponent import Opponent
from seedfolio.portfolios.book.book import ORIGINAL, Book, BookPortfolio, one_book
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.protocols.uci_relay import UciRelay

PLAYER = 'go = "nodes {nodes}"\noptions = { Seed = "{seed}" }\n'
SETTINGS = '[arms]\nnumbering = "plain"\nseeds = "3..40"\n[arms.grid]\nnodes = [7]\n'


LATE = {"never ready": {"command": 2.0}, "hang": {"move": 1.0}}


def scripted(folder, mode="well", bad="none", more=PLAYER):
    """Return the scripted engine with two arms for White and two for Black."""
    text = scripted_text(
        folder, mode, bad=bad, seed="0", protocol="uci", more=more, limits=LATE.get(mode, ())
    )
    program = program_of(folder, text.replace('[arms]\n        numbering = "plain"', SETTINGS))
    first, second = Distribution((0, 1), (0.5, 0.5)), Distribution((2, 3), (0.5, 0.5))
    return Opponent(program, Portfolio(first, second), "nash")


def relayed(boosted, *commands, key=1, stays=False):
    """Return what is said after all commands at once, as from a pipe; its other end may stay."""
    said = []
    read, write = os.pipe()
    with os.fdopen(read), os.fdopen(write, "w") as end:
        end.write("".join(f"{command}\n" for command in commands))
        end.flush() if stays else end.close()
        with closing(UciRelay(boosted, said.append, key)) as relay:
            relay.serve(read)
    return said


def arms_said(said):
    return [line.removeprefix("info string ") for line in said if ", nodes" in line]


def bestmoves(said):
    return [line.split()[1] for line in said if line.startswith("bestmove")]


def test_all_but_the_options_of_the_arm_is_passed_on(tmp_path):
    options = ["setoption name Bold Play value true", "setoption name seed value 99"]
    commands = ["uci", options[0], "tell me more", options[1], "position fen x b", "go nodes 1"]
    said = relayed(scripted(tmp_path), *commands, "tell", "go perft 1")
    assert said[:5] == [
        "id name Seedfolio boosted scripted 1 (nash)",
        "id author nobody",
        "option name Bold Play type check",
        "uciok",
        "info string error: the portfolio sets seed",
    ]
    seed = arms_said(said)[0].split(",")[0].removeprefix("seed ")
    assert "told 0 True me more" in said
    assert "info string bold True" in said
    assert f"told {seed} True " in said
    assert seed in ("5", "6")  # Black is to move in that position
    assert "Nodes searched: 16" in said  # which is no move
    assert len(bestmoves(said)) == 1


def test_it_plays_the_arm_of_the_colour_with_the_limits_of_the_arm(tmp_path):
    boosted = scripted(tmp_path)
    game = ["position startpos", "go wtime 1000 btime 1000", "position startpos moves a1", "go"]
    said = relayed(boosted, *game)
    white, black = (boosted.draw_arm(colour, 1) for colour in (0, 1))
    assert arms_said(said) == [boosted.program.arm(number).name for number in (white, black)]
    first, second = bestmoves(said)
    plays_alone(boosted.program, white, 0, [first])
    plays_alone(boosted.program, black, 1, ["a1", second])


def test_a_game_has_its_arms_and_the_next_one_others(tmp_path):
    game = ["ucinewgame", "ucinewgame", "position startpos", "go", "position startpos", "go"]
    said = arms_said(relayed(scripted(tmp_path), *(game * 8)))
    assert (said[::2], len(set(said))) == (said[1::2], 2)
    assert arms_said(relayed(scripted(tmp_path), *game, key=1))[0] == said[0]
    # Options of the user outlive a new process.
    game = ["ucinewgame", "position startpos", "go"]
    boosted = scripted(tmp_path, more=f"{PLAYER}reuse = false\n")
    said = relayed(boosted, "setoption name Bold Play value true", *game, *game)
    assert said.count("info string bold True") == 2
    # A search without end is stopped.
    said = relayed(boosted, "go infinite", "stop", "go infinite", "go")
    assert (said.count("info string thinking"), bestmoves(said)[:2]) == (2, ["a1", "a1"])
    assert (len(bestmoves(said)), len(bestmoves(relayed(boosted, "go ponder")))) == (3, 1)


def test_where_a_book_has_a_move_the_engine_is_not_asked(tmp_path):
    boosted = scripted(tmp_path)
    number = boosted.program.make_judge().number
    states = np.array([state_after([]), state_after([number("a4"), number("a3")])], np.uint64)
    moves = np.array([number("a4"), number("a2")])
    book = replace(Book.none(), states=states, moves=moves)
    plays = BookPortfolio(one_book(book), ORIGINAL, symmetric=False)
    asked = ["position startpos", "go nodes 3", "position startpos moves a4 a3", "go wtime 1"]
    with closing(Opponent(boosted.program, plays, "book")) as booked:
        said = relayed(booked, *asked)
        assert said == ["info string book", "bestmove a4", "info string book", "bestmove a2"]
        for commands in (
            ("position startpos moves a4", "go"),  # the second player has no book
            ("position startpos moves a4 b3", "go"),
            ("position fen x w moves a4 a3", "go"),
            ("position startpos", "go searchmoves a1"),
            ("position startpos", "go infinite", "stop"),
        ):
            said = relayed(booked, *commands)
            assert len(arms_said(said)) == len(bestmoves(said)) == 1
            assert "info string book" not in said


@pytest.mark.slow
def test_a_book_of_chess960_is_for_its_own_start(stockfish, tmp_path):
    text = CHESS_ENGINE.format(game="chess:fen=871", moves=8, nodes="60..61")
    text = text.replace("Threads = 1", "Threads = 1, UCI_Chess960 = true")
    program = program_of(tmp_path, text)
    moves = np.array([program.make_judge().number("e2e4")])
    book = replace(Book.none(), states=np.array([state_after([])], np.uint64), moves=moves)
    plays = BookPortfolio(one_book(book), ORIGINAL, symmetric=False)
    start = f"position fen {chess.Board.from_chess960_pos(871).fen()}"
    option = "setoption name UCI_Chess960 value"
    with closing(Opponent(program, plays, "book")) as booked:
        said = relayed(booked, f"{option} true", start, "go")
        assert said == ["info string book", "bestmove e2e4"]
        said = relayed(booked, "uci", f"{option} false", "position startpos", "go")
    assert "option name UCI_Chess960 type check default false" in said
    assert "info string error: the portfolio sets UCI_Chess960" in said
    assert "info string book" not in said


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("die", "code 3"),
        pytest.param("never ready", "limits.command", marks=pytest.mark.slow),
        pytest.param("hang", r"limits.move\) after 'go", marks=pytest.mark.slow),
    ],
)
def test_an_engine_that_fails_ends_it_in_one_line(mode, words, tmp_path):
    boosted = scripted(tmp_path, mode, bad="5")
    drawn = {key: boosted.program.arm(boosted.draw_arm(1, key)) for key in range(9)}
    bad = {key for key, arm in drawn.items() if arm.values["seed"] == 5}
    moves = "position startpos moves a1 a2 a3"
    game = [moves, "go"] if mode == "hang" else [moves, "go", moves, "go"]
    with one_line(words, EngineError):
        relayed(boosted, *game, key=bad.pop(), stays=mode == "hang")


@pytest.mark.slow
def test_a_boosted_stockfish_plays_as_stockfish_does(stockfish, open_spiel, tmp_path, command):
    text = STOCKFISH.replace("moves = 30", "moves = 8")
    program = program_of(tmp_path, f"{text}[study]\nk = 2\n")
    sizes = ["--kt", "2", "--opponents", "2", "-l", "best-half", "--quiet"]
    code, printed, err = command("boost", "engine.toml", *sizes)
    assert code == 0, err
    last = printed.splitlines()[-1]
    # Two arms beat nothing for certain, so that no line says to play them.
    assert last == "best-half   studies/engine-best-half.json"
    portfolio = last.split()[-1]
    for wrong in ("gtp", "play"):
        code, _, refused = command(wrong, portfolio)
        assert (code, refused.count("\n")) == (2, 1)
        assert "seedfolio uci" in refused
    words = [sys.executable, "-m", "seedfolio", "uci", portfolio, "--key", "5"]
    moves = []
    with UciProcess(*words, cwd=tmp_path) as engine:
        name = engine.ask("uci", "id name")
        assert name.startswith("Seedfolio boosted Stockfish")
        engine.ask("isready", "readyok")
        arms = []
        while len(moves) < 6:
            engine.send(f"position startpos moves {' '.join(moves)}\ngo movetime 5\n".encode())
            arms.append(engine.ask("", "info string nodes"))
            moves.append(engine.ask("", "bestmove").split()[0])
        engine.send(b"quit\n")
        assert engine.process.wait(PATIENCE) == 0
    assert (arms[::2], arms[1::2]) == (arms[:1] * 3, arms[1:2] * 3)
    numbers = {program.arm(number).name: number for number in range(2)}
    for colour in (0, 1):
        plays_alone(program, numbers[f"nodes {arms[colour]}"], colour, moves)
