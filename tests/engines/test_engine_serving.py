"""A boosted engine serves games: by GTP, by UCI, as its own UCI engine, and in blind series."""

import os
import sys
from contextlib import closing
from dataclasses import replace

import chess
import numpy as np
import pytest
from external import (
    BREAKTHROUGH,
    CHESS_ENGINE,
    GNU_GO,
    STOCKFISH,
    plays_alone,
    program_of,
    scripted_text,
)
from gtp_process import UciProcess
from one_line import one_line
from waiting import PATIENCE

from seedfolio import BlindTrial, EngineError, Opponent
from seedfolio.engines.play.book_side import state_after
from seedfolio.people.blind.design import Assignment, SeriesPlan
from seedfolio.portfolios.book.book import ORIGINAL, Book, BookPortfolio, one_book
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.protocols.gtp import GoBoard, GtpServer
from seedfolio.protocols.uci import UciServer
from seedfolio.protocols.uci_relay import UciRelay

ARMS = (7, 9)  # of the portfolio
BOARD = GoBoard(5, 6.5)


def boosted(program):
    first, second = (Distribution((arm,), (1.0,)) for arm in ARMS)
    return Opponent(program, Portfolio(first, second), "nash")


@pytest.fixture
def gnu_go(gnugo, tmp_path):
    engine = boosted(program_of(tmp_path, GNU_GO.format(board=5, games=10)))
    yield engine
    engine.close()


@pytest.fixture
def nim(tmp_path):
    engine = boosted(program_of(tmp_path, scripted_text(tmp_path, "well")))
    yield engine
    engine.close()


def asking(server):
    def ask(command):
        answer = server.answer(command)
        assert answer.startswith("="), (command, answer)
        assert answer.endswith("\n\n")
        assert "\n\n" not in answer[:-2]
        return answer[1:].strip()

    return ask


def test_it_plays_the_arms_of_its_portfolio(gnu_go):
    ask = asking(GtpServer(gnu_go, BOARD, key=1))
    seeds = [gnu_go.program.arm(arm).values["seed"] for arm in ARMS]
    assert ask("seedfolio-arm") == f"Black: seed {seeds[0]}; White: seed {seeds[1]}"
    assert ask("name") == "Seedfolio boosted GNU Go 3.8 (nash)"
    for command in ("boardsize 5", "komi 6.5", "clear_board"):
        ask(command)
    moves = [ask(f"genmove {'bw'[ply % 2]}").lower() for ply in range(4)]
    for colour in (0, 1):
        plays_alone(gnu_go.program, ARMS[colour], colour, moves)
    ask("undo")
    assert ask("genmove w").lower() == moves[3]


@pytest.mark.parametrize("clock", ["", '[clock]\ntime = "60"\n'])
def test_an_engine_hears_the_clock_of_the_controller_if_it_plays_by_one(clock, tmp_path):
    text = scripted_text(tmp_path, "well") + f'\n{clock}[log]\nfolder = "logs"\n'
    engine = boosted(program_of(tmp_path, text))
    ask = asking(GtpServer(engine, None, key=1))
    for command in ("time_settings 60 0 0", "time_left b 8 0", "time_left w 9 0", "genmove b"):
        ask(command)
    engine.close()
    said = "".join(each.read_text() for each in (tmp_path / "logs").iterdir())
    assert ("time_left b 8 0" in said) == bool(clock)


def test_what_is_passed_on_leaves_the_game_alone(nim):
    server = GtpServer(nim, None, key=1)
    ask = asking(server)
    first = ask("genmove b")
    ask("boardsize 9")
    assert ask("genmove b") == first  # from the beginning
    second = ask("genmove w")
    before = ask("heaps")
    ask("empty")
    assert ask("heaps") == "0 0 0 0"
    third = ask("genmove b")
    assert server.answer("12 refuse").startswith("?12 not now")
    assert server.answer("nonsense") == "? unknown command\n\n"
    for _ in range(2):
        ask("undo")
    assert [ask("genmove w"), ask("heaps"), ask("genmove b")] == [second, before, third]


def test_the_rules_are_kept_before_an_engine_hears_of_a_move(nim):
    server = GtpServer(nim, None, key=1, sides=nim.program.sides)
    ask = asking(server)
    assert server.answer("boardsize 9") == "? unacceptable size: this program plays 4x7 only\n\n"
    ask("boardsize 7")
    ask("play b c4")
    before = ask("heaps")
    for refused in ("play w g4", "play w zz", "play b a1"):
        assert server.answer(refused).startswith("? illegal move: ")
    assert server.answer("genmove b").startswith("? it is the other")
    assert ask("heaps") == before == "1 3 5 2"
    for move in ("w a1", "b a2", "w a3", "b a4"):
        ask(f"play {move}")
    assert server.answer("genmove w") == "? the game is over\n\n"
    assert server.answer("play w a1") == "? illegal move: the game is over\n\n"
    assert ask("final_score") == "B+1"
    ask("undo")
    ask("genmove b")


def test_a_bot_without_a_protocol_is_served_by_uci(open_spiel, tmp_path):
    engine, said = boosted(program_of(tmp_path, BREAKTHROUGH.format(simulations=20))), []
    position = "position startpos"
    commands = ["uci", "isready", position, "go", f"{position} moves nonsense", "go", "stop"]
    UciServer(engine, ("breakthrough",), said.append, "", 1).serve(commands)
    assert "id name Seedfolio boosted OpenSpiel mcts (nash)" in said[0]
    arm, move, *rest = said[-4:]
    assert arm == f"info string {engine.program.arm(ARMS[0]).name}"
    plays_alone(engine.program, ARMS[0], 0, [move.removeprefix("bestmove ")])
    assert rest == ["info string error: nonsense is not legal now", "bestmove (none)"]


def test_gnu_go_answers_what_is_its_own_and_the_referee_scores(gnu_go):
    server = GtpServer(gnu_go, BOARD, key=1)
    ask = asking(server)
    names = ask("list_commands").split()
    assert {"genmove", "seedfolio-arm", "attack", "top_moves"} <= {*names}
    assert len(names) == len({*names})
    known = [ask(f"known_command {name}") for name in ("play", "attack", "loadsgf")]
    assert known == ["true", "true", "false"]
    for refused in ("boardsize 9", "komi 0.5", "loadsgf game.sgf"):
        assert server.answer(refused).startswith(("? unacceptable", "? unknown command"))
    ask("play b c3")
    assert server.answer("play w c3").startswith("? illegal move")
    assert ask("list_stones black") == "C3"
    board = [line.split() for line in ask("showboard").splitlines()]
    assert board[0] == board[-1] == list("ABCDE")
    assert board[3][:6] == ["3", ".", ".", "X", ".", "."]
    assert ask("final_score") == "W+5.5"  # so the level 1 of this program thinks
    for command in ("play w pass", "play b pass"):
        ask(command)
    assert ask("final_score") == "B+18.5"  # the referee, who scores studies, knows better
    for command in ("clear_board", "play w c3", "play b pass", "play w pass"):
        ask(command)
    assert ask("final_score") == "W+31.5"  # White moved first


@pytest.mark.parametrize(
    ("mode", "words"), [("illegal", "which is illegal"), ("die", "broke"), ("resign", "")]
)
def test_after_a_fault_the_game_goes_on(tmp_path, mode, words):
    engine = boosted(program_of(tmp_path, scripted_text(tmp_path, mode, bad=str(ARMS[0]))))
    server = GtpServer(engine, None, key=1)
    ask = asking(server)
    for command in ("play b g4", "play w f4"):
        ask(command)
    if mode == "resign":
        before = ask("heaps")
        assert ask("reg_genmove b") == ask("genmove b") == "resign"
        assert ask("heaps") == before  # it is no move, and none is taken back
    else:
        answer = server.answer("genmove b")
        assert answer.startswith("? ")
        assert words in answer
    ask("play b e4")
    assert ask("heaps") == "1 3 5 4"
    ask("genmove w")
    engine.close()


DRAWN = Portfolio(Distribution((7,), (1.0,)), Distribution((9,), (1.0,)))
LOGS = '\n[log]\nfolder = "logs"\n'


def booked(game, behind):
    openings = {0: [()], 1: [(move,) for move in game.position([]).moves]}
    books = []
    for lines in openings.values():
        states = np.array([state_after(line) for line in lines], np.uint64)
        moves = np.array([game.position(line).moves[-1] for line in lines], np.int64)
        books.append(one_book(replace(Book.none(), states=states, moves=moves)))
    return BookPortfolio(*books, symmetric=False, behind=behind)


def opened(tmp_path, kind, mode="well"):
    program = program_of(tmp_path, scripted_text(tmp_path, mode, bad="7") + LOGS)
    if kind == "seeds":
        learnt = DRAWN
    else:
        learnt = booked(program.board_game(), DRAWN if kind == "book before seeds" else None)
    return closing(BlindTrial(tmp_path / "a.blind", Opponent(program, learnt, "nash")))


def begun(trial, program, colour=1):
    plan = SeriesPlan("0", "0", (Assignment(program, colour, 5),))
    token = trial._games.add(plan).token
    trial.begin_game(token)
    return token


def work(folder):
    logs = [each.read_text() for each in (folder / "logs").glob("*")]
    return len(logs), sum(log.count("> genmove") for log in logs)


def whole_game(trial, token, folder):
    done, before = [], work(folder)  # one was asked for its name
    game = trial.answer(token)
    while True:
        after = work(folder)
        done.append((after[0] - before[0], after[1] - before[1]))
        before = after
        if game.ending is not None:
            return game.history, done
        moves = trial.game.position(game.history).moves
        game = trial.move(token, trial.game.move_name(moves[-1]))
        if game.ending is not None:
            return game.history, done
        game = trial.answer(token)


@pytest.mark.parametrize("kind", ["seeds", "book", "book before seeds"])
@pytest.mark.parametrize("program", [0, 1])
def test_an_answer_costs_the_same_searches_whichever_program_plays(tmp_path, kind, program):
    with opened(tmp_path, kind) as trial:
        history, done = whole_game(trial, begun(trial, program), tmp_path)
        names = [trial.game.move_name(move) for move in history]
        in_book = kind != "seeds" and program == 1
        if in_book:
            assert history[0] == trial.game.position([]).moves[-1]
        arm = trial._arms(Assignment(program, 1, 5))[program].number
        assert (arm == 7) == (program == 1 and kind != "book")
        if not in_book:
            plays_alone(trial.boosted.program, arm, 0, names)
    searches = 1 if kind == "book" else 2
    assert {moves for _, moves in done} == {searches}
    starts = [started for started, _ in done]
    if kind == "seeds":  # the one that plays is told nothing twice
        assert starts[0] == 2
        assert set(starts[1:]) <= {0, 1}
    else:
        assert set(starts) == {searches}
    assert len(done) > 1


def test_a_program_that_resigns_does_so_when_both_have_searched(tmp_path):
    with opened(tmp_path, "seeds", "resign") as trial:
        ended = []
        for program in (0, 1):
            token = begun(trial, program)
            game = trial.answer(token)
            moves = trial.game.position(game.history).moves
            before = work(tmp_path)[1]
            trial.move(token, trial.game.move_name(moves[-1]))
            game = trial.answer(token)
            assert work(tmp_path)[1] == before + 2
            ended.append((game.ending, game.points))
    assert ended == [(None, None), ("resigned", 2)]


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
