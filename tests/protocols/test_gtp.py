"""The Go Text Protocol: dialogues as controllers hold them, and all that can go wrong in one."""

import subprocess
import sys

import pytest
from case_files import cases
from gtp_process import GtpProcess, referee
from needed import need
from one_line import refused
from waiting import PATIENCE

from seedfolio import SpecificationError, load_game, load_program, replay
from seedfolio.engines.clock import Clock, GtpClocks
from seedfolio.games.go.area import margin_text
from seedfolio.opponents.opponent import Opponent, parse_arm
from seedfolio.protocols.gtp import GtpServer, go_board, handicap_points, hex_sides


@pytest.fixture(scope="module")
def program():
    return load_program("go:5x5", "table")


@pytest.fixture
def server(program):
    return GtpServer(Opponent(program), go_board(program.game), key=7)


def dialogue(server, name):
    """Send the commands of a dialogue in cases.txt; `*` ends an answer of which more is to come."""
    for command, wanted in cases(__file__, name):
        answer = server.answer(f"{command}\n")
        assert (answer or "\n\n").endswith("\n\n")
        shown = " ".join((answer or "").split())
        if wanted.endswith("*"):
            assert shown.startswith(wanted[:-1].strip()), f"{command}: {shown}"
        else:
            assert shown == wanted, f"{command}: {shown}"


def test_gogui_attaches_and_plays(server):
    """What GoGui sends when a program is attached and a game begun, in its order."""
    dialogue(server, "gogui")
    assert server.answer("  3 \t protocol_version \x07\r\n") == "=3 2\n\n"
    assert server.answer("proto\x00col_version\n") == "= 2\n\n"
    assert server.answer(" \t \n") is None
    assert server.answer("\ufffd\n") == "? unknown command\n\n"


def test_handicap_stones_are_where_gnu_go_has_them():
    sizes = 5, 7, 8, 9, 11, 13, 18, 19  # on 12x12 GNU Go is not with the protocol
    asked = [(size, number) for size in sizes for number in range(2, 11)]
    asking = "boardsize {}\nclear_board\nfixed_handicap {}\n"
    typed = "".join(asking.format(*each) for each in asked)
    command = [need("gnugo"), "--mode", "gtp"]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=True)
    answers = done.stdout.strip().split("\n\n")[2::3]
    theirs = [each[1:].split() if each.startswith("= ") else [] for each in answers]
    ours = [list(handicap_points(*each)) for each in asked]
    assert list(map(sorted, ours)) == list(map(sorted, theirs))


@pytest.mark.slow  # compiles a larger board
def test_handicap():
    program = load_program("go:9x9", "table")
    server = GtpServer(Opponent(program), go_board(program.game), key=7)
    dialogue(server, "handicap")


def test_clocks():
    clocks = GtpClocks()
    assert clocks.before(0) is None
    clocks.set_up(["60", "10", "2"])
    assert clocks.before(0) == Clock(60.0)
    clocks.spend(0, 50.0)
    clocks.spend(0, 14.0)
    assert clocks.before(0) == Clock(6.0, moves=1)
    clocks.spend(0, 5.0)
    assert (clocks.before(0), clocks.before(1)) == (Clock(10.0, moves=2), Clock(60.0))
    clocks.tell(1, ["3", "0"])
    assert clocks.before(1) == Clock(3.0)
    clocks.begin()
    assert clocks.before(1) == Clock(60.0)
    clocks.set_up(["0", "1", "0"])  # which is how GTP says that there is no limit
    assert clocks.before(0) is None
    # Whatever is left, a program keeps some of it.
    for left in (0.0, 0.01, 0.1, 1.0, 100.0):
        for clock in (Clock(left), Clock(left, moves=1), Clock(left, increment=9.0)):
            assert 0 <= clock.soon() <= clock.last() <= left


def test_one_colour_may_move_twice_and_go_on_after_passes(server):
    """Handicap stones come as moves in a row, and a controller may resume after two passes."""
    played(server, "b C3", "b B2", "b D4", "w pass", "b pass")
    dialogue(server, "after passes")
    played(server, "w E5", "b pass", "w E4")
    assert board(server) == ["....O", "...XO", "..X..", ".X...", "....."]
    for _ in range(3):
        assert server.answer("undo") == "=\n\n"
    assert board(server) == [".....", "...X.", "..X..", ".X...", "....."]


def board(server):
    rows = server.answer("showboard").splitlines()[2:7]
    return ["".join(row.split()[1:-1]) for row in rows]


def played(server, *moves):
    for move in moves:
        assert server.answer(f"play {move}") == "=\n\n"


def test_a_game_that_its_length_has_ended_takes_passes_only(server, program):
    game, history = program.game, []
    while (position := game.position(history)).moves:
        points = position.moves[:-1] or position.moves
        history.append(points[7 * len(history) % len(points)])
        played(server, f"{'bw'[position.mover]} {game.move_name(history[-1])}")
    assert len(history) == 75
    free = game.move_name(next(m for m in game.position(history[:-1]).moves if m != history[-1]))
    assert server.answer(f"play w {free}") == "? illegal move: the game is over\n\n"
    assert (server.answer("play w pass"), server.answer("genmove b")) == ("=\n\n", "= pass\n\n")
    assert server.answer("undo") == server.answer("undo") == "=\n\n"
    assert server.answer("final_score")[2] == "WB"[(position.score or 0) // 2]


def test_arms_are_drawn_once_a_game(program):
    def arms(key=None):
        server = GtpServer(Opponent(program), go_board(program.game), key)
        drawn = []
        for _ in range(4):
            for _ in range(2):  # saying twice that a game begins does not begin two
                server.answer("clear_board")
            drawn.append(server.answer("seedfolio-arm"))
            server.answer("genmove b")
            assert server.answer("seedfolio-arm") == drawn[-1]
            server.answer("boardsize 5")
        return drawn

    known = arms(3)
    assert (arms(3), len(set(known))) == (known, 4)
    assert arms() != arms()
    first = Opponent(program).new_game(0, 3).name
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
    "komi nan": "unacceptable komi: this program plays with 5.5 only",
    "komi": "komi not a float",
    **dict.fromkeys(("play", "play b I5", "play b F1", "play b A6", "play b A0"), PLACE),
    **dict.fromkeys(("play b A" + "9" * 5000, "play b resign"), PLACE),
    **dict.fromkeys(("play red A1", "genmove green", "genmove"), "invalid color"),
    "play w c3": "illegal move: C3 is not legal now",
}


def test_what_fails_says_why_and_changes_nothing(server):
    server.answer("play black c3")
    before = server.answer("showboard")
    for command, answer in REFUSED.items():
        assert (server.answer(command), server.answer("showboard")) == (f"? {answer}\n\n", before)


def test_ko_and_suicide_are_illegal(server):
    played(server, "b C2", "w D2", "b B3", "w E3", "b C4", "w D4", "b D3", "w C3")
    assert server.answer("play b D3") == "? illegal move: D3 is not legal now\n\n"
    played(server, "b A2", "w pass", "b B1", "w pass", "b A5")
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


def test_games_that_gtp_has_words_for(tmp_path):
    assert go_board(load_game("go:9x9,komi=7")).komi == 7
    assert go_board(load_game("atari-go:6x6")).komi is None
    assert go_board(load_game("phantom-go:7x7")).size == 7
    for arguments, words in (
        *((name, "try seedfolio") for name in ("domineering:4x4", "nim", "morra", "pig")),
        ("batoo:5x5", "players choose in secret"),
        ("go:5x5 --arm 1/9", "no symmetry 9; symmetries are numbered from 0"),
        ("no.json -p table", "leave out --player"),
    ):
        refused("gtp", *arguments.split(), cwd=tmp_path, saying=words)


def serve(program, arm):
    engine = Opponent(program, arm=arm)
    return GtpServer(engine, go_board(program.game), None, hex_sides(program.game))


@pytest.mark.slow
def test_phantom_go_is_played_as_if_the_moves_were_hidden():
    """Told all moves that were accepted, the arms play the very game that they play in the dark."""
    program = load_program("phantom-go:5x5", "table")
    game = program.game
    refused = 0
    for arms in ((1, 2), (3, 4), (5, 6)):
        servers = [serve(program, arm) for arm in arms]
        moves, tried = [], []
        while moves[-2:] != ["pass", "pass"] and len(moves) < 75:
            colour = len(moves) % 2
            moves.append(servers[colour].answer(f"genmove {'bw'[colour]}")[2:].strip())
            tries = servers[colour].answer("seedfolio-tries")[2:].split()
            tried += [*tries, moves[-1]]
            assert servers[1 - colour].answer(f"play {'bw'[colour]} {moves[-1]}") == "=\n\n"
            assert servers[1 - colour].answer("seedfolio-tries") == "=\n\n"
            refused += len(tries)
        history = replay(program, *arms).history
        assert tried == [game.move_name(move) for move in history]
        assert servers[0].answer("showboard") == servers[1].answer("showboard")
        assert servers[0].answer("final_score") == servers[1].answer("final_score")
        # A move goes back with its tries.
        for _ in moves:
            assert servers[0].answer("undo") == "=\n\n"
        assert servers[0].answer("undo") == "? cannot undo\n\n"
    assert refused > 10
    server = serve(program, 1)
    assert server.answer("play b C3") == "=\n\n"
    assert server.answer("play w C3") == "? illegal move: C3 is refused by the rules\n\n"
    assert server.answer("play w B3") == "=\n\n"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["atari-go:5x5", "havannah:base=4,swap=1"])
def test_other_games_have_their_own_answers(game):
    dialogue(serve(load_program(game, "table"), 1), game)


SIZE, KOMI = 5, 5.5


@pytest.mark.slow
def test_whole_games_against_gnu_go(tmp_path):
    game, arms = load_game("go:5x5"), set()
    command = (sys.executable, "-m", "seedfolio", "gtp", "go:5x5", "-p", "table", "--key", "1")
    options = ("--quiet", "--chinese-rules", "--never-resign", "--capture-all-dead")
    other = (need("gnugo"), "--mode", "gtp", "--level", "1", "--seed", "5", *options)
    ours, theirs = GtpProcess(*command, cwd=tmp_path), GtpProcess(*other, cwd=tmp_path)
    with ours, theirs:
        for number in range(3):
            engines = [ours, theirs] if number % 2 == 0 else [theirs, ours]
            moves = referee(engines, SIZE, KOMI, longest=3 * SIZE * SIZE)
            arms.add(ours.ask("seedfolio-arm"))
            history = [game.parse_move(move) for move in moves]
            assert game.position(history).moves == ()
            # One board for both, stone for stone; nothing is dead, so both count it alike.
            for colour, glyph in (("black", "X"), ("white", "O")):
                stones = {*theirs.ask(f"list_stones {colour}").split()}
                assert stones == drawn(ours, glyph)
            assert theirs.ask("final_status_list dead") == ""
            assert ours.ask("final_score") == theirs.ask("final_score")
            assert ours.ask("final_score") == margin_text(game, history)
        assert (ours.ask("quit"), ours.process.wait(PATIENCE)) == ("", 0)
    assert len(arms) > 1, "arms are drawn anew for each game"


def drawn(engine, glyph):
    header, *rows = engine.ask("showboard").splitlines()
    letters = header.split()
    return {
        f"{at}{row.split()[0]}"
        for row in rows[:-1]
        for at, cell in zip(letters, row.split()[1:-1], strict=True)
        if cell == glyph
    }
