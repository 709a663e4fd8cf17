"""The Go Text Protocol: dialogues as controllers hold them, and all that can go wrong in one."""

import sys

import pytest
from gtp_process import GtpProcess
from waiting import PATIENCE

from seedfolio.cli import run
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.opponents.opponent import Opponent, parse_arm
from seedfolio.programs.load import load_program
from seedfolio.protocols.gtp import GtpServer, go_board


@pytest.fixture(scope="module")
def program():
    return load_program("go:5x5", "table")


@pytest.fixture
def server(program):
    return GtpServer(Opponent(program), go_board(program.game), key=7)


def dialogue(server, text):
    """Send what is before the bars; the answer is behind them, and `*` in it is any text."""
    for line in text.strip().splitlines():
        command, _, wanted = (part.strip() for part in line.partition("|"))
        answer = server.answer(f"{command}\n")
        if not wanted:
            assert answer is None, f"{command}: {answer}"
            continue
        assert answer is not None, command
        assert answer.endswith("\n\n")
        shown = " ".join(answer.split())
        if wanted.endswith("*"):
            assert shown.startswith(wanted[:-1].strip()), f"{command}: {shown}"
        else:
            assert shown == wanted, f"{command}: {shown}"


def test_gogui_attaches_and_plays(server):
    """What GoGui sends when a program is attached and a game begun, in its order."""
    dialogue(
        server,
        """
        name | = Seedfolio table:noise=0
        protocol_version | = 2
        list_commands | = *
        version | = 0.2.0
        gogui-analyze_commands | = string/Seedfolio Arm/seedfolio-arm
        # interrupt

        boardsize 5 | =
        clear_board | =
        komi 5.5 | =
        time_settings 0 10 1 | =
        play B C3 | =
        time_left w 10 1 | =
        genmove w | = *
        undo | =
        undo | =
        undo | ? cannot undo
        known_command genmove | = true
        known_command kgs-chat | = false
        known_command | = false
        17 protocol_version | =17 2
        0 protocol_version # an answer, please | =0 2
        99 no_such_command | ?99 unknown command
        no-such-command with words | ? unknown command
        12 | ?12 unknown command
        """,
    )
    assert server.answer("  3 \t protocol_version \x07\r\n") == "=3 2\n\n"
    assert server.answer("proto\x00col_version\n") == "= 2\n\n"
    assert server.answer(" \t \n") is None
    assert server.answer("\ufffd\n") == "? unknown command\n\n"


def test_two_programs_are_told_each_others_moves(program):
    """What gogui-twogtp sends: both programs stay on one board, to the end."""
    servers = [GtpServer(Opponent(program), go_board(program.game), key) for key in (1, 2)]
    for server in servers:
        dialogue(server, "1 boardsize 5 | =1\n2 clear_board | =2\n3 komi 5.5 | =3")
    moves: list[str] = []
    while moves[-2:] != ["pass", "pass"] and len(moves) < 75:
        colour = "bw"[len(moves) % 2]
        answer = servers[len(moves) % 2].answer(f"4 genmove {colour}")
        moves.append(answer.removeprefix("=4 ").strip())
        assert servers[len(moves) % 2].answer(f"5 play {colour} {moves[-1]}") == "=5\n\n"
    boards = {server.answer("showboard") for server in servers}
    scores = {server.answer("final_score") for server in servers}
    assert len(boards) == len(scores) == 1


def test_one_colour_may_move_twice_and_go_on_after_passes(server):
    """Handicap stones come as moves in a row, and a controller may resume after two passes."""
    moves = ["b C3", "b B2", "b D4", "w pass", "b pass"]
    dialogue(server, "\n".join(f"play {move} | =" for move in moves))
    dialogue(server, "final_score | = B+19.5\ngenmove w | = pass")
    dialogue(server, "play w E5 | =\nplay b pass | =\nplay w E4 | =")
    assert board(server) == ["....O", "...XO", "..X..", ".X...", "....."]
    for _ in range(3):
        assert server.answer("undo") == "=\n\n"
    assert board(server) == [".....", "...X.", "..X..", ".X...", "....."]


def board(server):
    rows = server.answer("showboard").splitlines()[2:7]
    return ["".join(row.split()[1:-1]) for row in rows]


def test_a_game_that_its_length_has_ended_takes_passes_only(server, program):
    game, history = program.game, []
    while (position := game.position(history)).moves:
        points = position.moves[:-1] or position.moves
        history.append(points[7 * len(history) % len(points)])
        move = f"{'bw'[position.mover]} {game.move_name(history[-1])}"
        assert server.answer(f"play {move}") == "=\n\n"
    assert len(history) == 75
    free = game.move_name(next(m for m in game.position(history[:-1]).moves if m != history[-1]))
    assert server.answer(f"play w {free}") == "? illegal move: the game is over\n\n"
    assert server.answer("play w pass") == "=\n\n"
    assert server.answer("genmove b") == "= pass\n\n"
    assert server.answer("undo") == server.answer("undo") == "=\n\n"
    assert server.answer("final_score")[2] == "WB"[(position.score or 0) // 2]


def test_arms_are_drawn_once_a_game(program):
    def server(key=None):
        return GtpServer(Opponent(program), go_board(program.game), key)

    def arms(server, games=4):
        drawn = []
        for _ in range(games):
            server.answer("clear_board")
            drawn.append(server.answer("seedfolio-arm"))
            server.answer("genmove b")
            assert server.answer("seedfolio-arm") == drawn[-1]
            server.answer("boardsize 5")
        return drawn

    known = arms(server(3))
    assert arms(server(3)) == known
    assert len(set(known)) == 4
    assert arms(server()) != arms(server())
    hasty = server(3)  # saying twice that a game begins does not begin two
    for _ in range(3):
        hasty.answer("clear_board")
    first = Opponent(program).new_game(0, 3).name
    assert hasty.answer("seedfolio-arm") == known[0]
    assert known[0].startswith(f"= Black: {first}; White: seed ")


@pytest.mark.slow
def test_the_command_over_pipes(tmp_path, program):
    """Half lines, bytes that are no text, and an end of input in the middle of a line."""
    command = (sys.executable, "-m", "seedfolio", "gtp", "go:5x5", "-p", "table", "--seed", "4")
    with GtpProcess(*command, cwd=tmp_path) as engine:
        engine.send(b"1 proto")
        engine.send(b"col_version\r\n2 na")
        assert engine.read() == "=1 2"
        engine.send(b"me\n\xff\xfe\n")
        assert engine.read() == "=2 Seedfolio table:noise=0 of one arm"
        assert engine.read() == "? unknown command"
        move = engine.ask("genmove b")
        assert program.game.parse_move(move) == program.choose([], 4)
        engine.send(b"3 play w pa")
        assert engine.process.stdin is not None
        engine.process.stdin.close()
        assert engine.read() == "?3 invalid color or coordinate"
        assert engine.process.wait(PATIENCE) == 0


PLACE = "invalid color or coordinate"
REFUSED = {
    "boardsize 9": "unacceptable size: this program plays 5 only",
    "boardsize five": "boardsize not an integer",
    "boardsize": "boardsize not an integer",
    "komi 6.5": "unacceptable komi: this program plays with 5.5 only",
    "komi nan": "unacceptable komi: this program plays with 5.5 only",
    "komi": "komi not a float",
    "play": PLACE,
    "play b I5": PLACE,
    "play b F1": PLACE,
    "play b A6": PLACE,
    "play b A0": PLACE,
    "play b A" + "9" * 5000: PLACE,
    "play b resign": PLACE,
    "play red A1": "invalid color",
    "genmove green": "invalid color",
    "genmove": "invalid color",
    "play w c3": "illegal move: C3 is not legal now",
}


def test_what_fails_says_why_and_changes_nothing(server):
    server.answer("play black c3")
    before = server.answer("showboard")
    for command, answer in REFUSED.items():
        assert server.answer(command) == f"? {answer}\n\n"
        assert server.answer("showboard") == before


def test_ko_and_suicide_are_illegal(server):
    for move in ("b C2", "w D2", "b B3", "w E3", "b C4", "w D4", "b D3", "w C3"):
        assert server.answer(f"play {move}") == "=\n\n"
    assert server.answer("play b D3") == "? illegal move: D3 is not legal now\n\n"
    for move in ("b A2", "w pass", "b B1", "w pass", "b A5"):
        assert server.answer(f"play {move}") == "=\n\n"
    assert server.answer("play w A1").startswith("? illegal move")
    move = server.answer("reg_genmove b")  # which plays nothing
    assert server.answer("reg_genmove b") == server.answer("genmove b") == move


@pytest.mark.slow  # compiles symmetries
def test_one_arm_for_all_games(program):
    arm = parse_arm("195/3", program.game)
    assert parse_arm(str(195 + (3 << 48)), program.game) == arm  # as in a portfolio
    server = GtpServer(Opponent(program, arm=arm), go_board(program.game))
    for _ in range(2):
        assert server.answer("seedfolio-arm") == (
            "= Black: seed 195, symmetry 3; White: seed 195, symmetry 3\n\n"
        )
        move = server.answer("genmove b").removeprefix("= ").strip()
        assert program.game.parse_move(move) == program.choose([], arm)
        server.answer("clear_board")
    for text in ("", "x", "-1", "1/", "/3", "1/9", "1/2/3", "²", "9" * 30, f"{1 << 48}/1"):
        with pytest.raises(SpecificationError, match=r"arm|symmetry|not below"):
            parse_arm(text, program.game)


def test_games_that_gtp_has_words_for():
    assert go_board(load_game("go:9x9,komi=7")).komi == 7
    assert go_board(load_game("atari-go:6x6")).komi is None
    assert go_board(load_game("phantom-go:7x7")).size == 7
    for text in ("domineering:4x4", "nim", "morra", "pig", "batoo:5x5"):
        with pytest.raises(SpecificationError, match="try seedfolio") as caught:
            go_board(load_game(text))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("batoo:5x5",), "players choose in secret"),
        (("go:5x5", "--arm", "1/9"), "no symmetry 9; symmetries are numbered from 0"),
        (("a.study",), "neither a game nor a portfolio"),
        (("no.json", "-p", "table"), "leave out --player"),
    ],
)
def test_refusals_on_the_command_line(capsys, arguments, words):
    assert run(["gtp", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err
    assert printed.err.count("\n") == 1
