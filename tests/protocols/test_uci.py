"""UCI with the moves of other games: dialogues as referees hold them, and what goes wrong."""

import re
import subprocess
import sys
from threading import Event

import numpy as np
import pytest
from waiting import PATIENCE, wait_until

from seedfolio.cli import run
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.opponents.opponent import Opponent
from seedfolio.programs.load import load_program
from seedfolio.protocols.uci import UciServer, check_uci

PLAYER = "uct:simulations=20"


@pytest.fixture(scope="module")
def program():
    return load_program("domineering:4x4", PLAYER)


def make(program, said, **options):
    names = (program.game.text, program.game.name)
    return UciServer(Opponent(program), names, said.append, **options)


def talk(program, text, **options):
    """All that is said in answer to these lines."""
    said: list[str] = []
    make(program, said, **options).serve(line.strip() for line in text.strip().splitlines())
    return said


def answers(said):
    return [line for line in said if not line.startswith(("info string seed ", "info nodes "))]


def best(program, moves, arm):
    history = [program.game.parse_move(move) for move in moves.split()]
    return f"bestmove {program.game.move_name(program.choose(history, arm))}"


def test_cutechess_plays_a_game(program):
    """What cutechess-cli sends to an engine, in its order."""
    said = talk(
        program,
        """
        uci
        setoption name Arm value 11
        isready
        ucinewgame
        position startpos
        isready
        go wtime 60000 btime 60000 winc 600 binc 600
        position startpos moves a1a2 c1d1
        go wtime 59000 btime 60000 winc 600 binc 600
        position startpos moves a1a2 c1d1 b1b2
        go wtime 58000 btime 60000 winc 600 binc 600
        stop
        """,
    )
    assert answers(said) == [
        "id name Seedfolio uct:simulations=20 0.2.0",
        "id author the Seedfolio maintainers",
        "option name UCI_Variant type combo default domineering:4x4 var domineering:4x4"
        " var domineering",
        "option name Arm type string default <empty>",
        "option name Key type string default <empty>",
        "uciok",
        "readyok",
        "readyok",
        best(program, "", 11),
        best(program, "a1a2 c1d1", 11),
        best(program, "a1a2 c1d1 b1b2", 11),
    ]
    assert said.count("info string seed 11") == 3


def test_whole_games(program):
    """Two engines, told the whole game each time, play what the study plays."""
    game = program.game
    for arms in ((3, 8), (5, 1)):
        moves: list[str] = []
        while (position := game.position([game.parse_move(move) for move in moves])).moves:
            lines = f"position startpos{' moves ' if moves else ''}{' '.join(moves)}\ngo"
            said = talk(program, lines, arm=str(arms[position.mover]))
            moves.append(said[-1].removeprefix("bestmove ").lower())
        cells = (np.array([arm], np.uint64) for arm in arms)
        assert program.play(*cells, program.workspace())[0][0] == position.score
        over = talk(program, f"position startpos moves {' '.join(moves)}\ngo")
        assert over == ["bestmove (none)"]


def test_go_infinite_waits_for_stop(program):
    said: list[str] = []

    def lines():
        yield "stop"
        yield "go infinite"
        wait_until(lambda: "info string seed 9" in said, "the search has begun")
        yield "isready"
        assert said[1:] == ["info string seed 9", "readyok"]
        yield ""  # neither an empty line nor what UCI does not know ends a search
        yield "debug on"
        yield "isready"
        assert said[3:] == ["readyok"]
        yield "stop"
        wait_until(lambda: said[-1].startswith("bestmove "), "the answer")
        yield "stop"
        yield "go ponder"
        yield "ponderhit"

    make(program, said, arm="9").serve(lines())
    assert said[5:] == said[:2] + said[4:5], "the end of input waits for the last answer"


def test_commands_wait_for_a_search_and_the_server_does_not(program, monkeypatch):
    said: list[str] = []
    server = make(program, said, arm="9")
    may_end, found = Event(), server._found

    def slowly(limits):
        may_end.wait()
        return found(limits)

    monkeypatch.setattr(server, "_found", slowly)

    def lines():
        yield "go"
        yield "stop"
        yield "position startpos moves a1a2"
        yield "go"
        yield "isready"
        assert said[-1] == "readyok"
        may_end.set()

    server.serve(lines())
    moves = [line for line in said if line.startswith("bestmove")]
    assert moves == [best(program, "", 9), best(program, "a1a2", 9)]


def test_arms_are_drawn_once_a_game(program):
    def arms(key, games):
        text = "ucinewgame\nposition startpos moves a1a2\ngo\ngo\n" * games
        said = [line for line in talk(program, text, key=key) if line.startswith("info string")]
        assert said[::2] == said[1::2]
        return said[::2]

    assert arms(4, 3) == arms(4, 3)
    assert len(set(arms(4, 3))) == 3
    assert arms(None, 3) != arms(None, 3)
    again = talk(program, "setoption name Key value 4\nposition startpos moves a1a2\ngo")
    assert again[1] == arms(4, 1)[0]


@pytest.mark.slow
def test_limits(program):
    """With `nodes` it thinks more or less; a program of another size has the same code."""
    for nodes in (3, 60):
        other = load_program("domineering:4x4", f"uct:simulations={nodes}")
        info, _, move = talk(program, f"position startpos moves a1a2\ngo nodes {nodes}", arm="5")
        assert move == best(other, "a1a2", 5)
        form = rf"info nodes {nodes} time \d+ nps \d+ score cp -?\d+ pv {move[9:]}"
        assert re.fullmatch(form, info)
    *infos, seed, move = talk(program, "position startpos moves a1a2\ngo movetime 300", arm="5")
    counts = [int(info.split()[2]) for info in infos]
    assert len(counts) > 1
    assert counts == sorted(counts)
    assert (seed, infos[-1].split()[-1]) == ("info string seed 5", move.split()[1])
    plain = talk(program, "position startpos moves a1a2\ngo", arm="5")
    assert re.fullmatch(r"info nodes 20 score cp -?\d+ pv \w+", plain[0])
    # A limit that this player does not have, and one that is no number.
    assert talk(program, "position startpos moves a1a2\ngo depth 3", arm="5") == plain
    wrong = talk(program, "position startpos moves a1a2\ngo nodes many", arm="5")
    expected = "info string error: go nodes takes a whole number of 1 or more, not 'many'"
    assert wrong == [expected, *plain]


@pytest.mark.parametrize("text", ["phantom-tic-tac-toe", "pig", "morra", "batoo:5x5"])
def test_games_with_secrets_or_chance(text, capsys):
    with pytest.raises(SpecificationError, match="UCI shows all moves"):
        check_uci(load_game(text))
    assert run(["uci", text]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_the_command_over_pipes(tmp_path, program):
    done = subprocess.run(
        [sys.executable, "-m", "seedfolio", "uci", program.game.text, "-p", PLAYER, "--arm", "7"],
        cwd=tmp_path,
        input=b"uci\nisready\nposition startpos moves a1a2\ngo depth 3\n\xff\nisrea",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0, done.stderr
    assert lines[3] == "option name Arm type string default 7"
    assert (lines[6], *lines[8:10]) == (
        *("readyok", "info string seed 7"),
        best(program, "a1a2", 7),
    )
    assert lines[10:] == ["info string unknown command \ufffd", "info string unknown command isrea"]
    done = subprocess.run(  # which does not wait for the search
        [sys.executable, "-m", "seedfolio", "uci", program.game.text, "-p", PLAYER],
        cwd=tmp_path,
        input=b"position startpos\ngo infinite\nquit\n",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"bestmove" not in done.stdout


def test_positions_forward_and_back(program):
    lines = ["a1a2 c1d1 b1b2", "a1a2 c2d2", "A1A2 c2d2"]
    text = "".join(f"position startpos moves {line}\ngo\n" for line in lines)
    said = talk(program, f"{text}position startpos\ngo", arm="6")
    assert answers(said) == [best(program, line, 6) for line in (*lines, "")]
    (board,) = talk(program, "position startpos moves a1a2\nd")
    assert board == program.game.draw([program.game.parse_move("a1a2")])
    for option in ("Key value 3", "Arm value 9"):  # an option does not change the position
        options = f"setoption name {option}\nsetoption name Arm value 9"
        said = talk(program, f"position startpos moves a1a2\n{options}\ngo")
        assert said[-1] == best(program, "a1a2", 9)


WRONG = {
    "position startpos moves a1a2 a2b2": "a2b2 is not legal now",
    "position startpos moves e2e4": "is not a move of domineering 4x4",
    "position fen 8/8 w - - 0 1": "domineering 4x4 has no position fen; use position start",
    "position": "a position must be startpos",
    "position startpos e2e4": "after startpos comes moves",
    "setoption name Arm value x": "'x' is not an arm",
    "setoption name Key value -1": "Key must be a whole number",
    "setoption name Hash value 16": "there is no option 'hash'; the options are UCI_Variant, Arm",
    "setoption Arm": "setoption takes",
    "setoption name UCI_Variant value chess": "this program plays domin",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_is_not_understood(program, line):
    told, *said = talk(program, f"position startpos moves a1a2\n{line}\ngo\nisready", arm="2")
    assert told.startswith("info string error: ")
    assert WRONG[line] in told
    if line.startswith("position"):
        assert said[0] == "bestmove (none)"
    assert "readyok" in said
    assert talk(program, "xboard\nisready") == ["info string unknown command xboard", "readyok"]
    for fine in ("UCI_Variant value domineering", "Arm value <empty>"):
        assert talk(program, f"setoption name {fine}") == []
