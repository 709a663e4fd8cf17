"""GTP with games that are not quite Go: Phantom Go, Atari-Go and Havannah."""

import sys

import pytest
from gtp_process import GtpProcess, gnugo, referee
from waiting import PATIENCE

from seedfolio.games import load_game
from seedfolio.games.go.area import margin_text
from seedfolio.matches.replay import replay
from seedfolio.opponents.opponent import Opponent
from seedfolio.programs.load import load_program
from seedfolio.protocols.gtp import GtpServer, go_board, hex_sides


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
def test_atari_go_ends_with_the_first_capture():
    server = serve(load_program("atari-go:5x5", "table"), 1)
    assert server.answer("komi 6.5") == "=\n\n", "there is no komi, so any will do"
    assert server.answer("play b pass").startswith("? illegal move")
    assert server.answer("play b A1") == "=\n\n"
    assert server.answer("play b B1") == "? illegal move: it is the turn of White\n\n"
    assert server.answer("final_score") == "? the game is not over\n\n"
    for move in ("w A2", "b E5", "w B1"):
        assert server.answer(f"play {move}") == "=\n\n"
    assert server.answer("final_score") == "= W+1\n\n"
    assert server.answer("genmove b") == "? the game is over\n\n"
    assert server.answer("play b C3") == "? illegal move: the game is over\n\n"
    assert server.answer("undo") == "=\n\n"
    assert server.answer("final_score") == "? the game is not over\n\n"


@pytest.mark.slow
def test_havannah_has_the_commands_of_its_programs():
    server = serve(load_program("havannah:base=4,swap=1", "table"), 1)
    assert server.answer("boardsize 4") == "=\n\n"
    assert server.answer("boardsize 7") == "? unacceptable size: this program plays 4 only\n\n"
    assert server.answer("winner") == "= none\n\n"
    # A bridge from corner to corner; all of White's stones are apart.
    for move in ("black a1", "white e3", "play b b1", "play w d5", "black c1", "white g7"):
        assert server.answer(move) == "=\n\n"
    assert server.answer("history") == "= a1 e3 b1 d5 c1 g7\n\n"
    assert server.answer("play b e1").startswith("? illegal move"), "it is not on the board"
    assert server.answer("black d1") == "=\n\n"
    assert server.answer("havannah_winner") == "= black\n\n"
    assert server.answer("final_score") == "= B+1\n\n"
    assert "X X X X e" in server.answer("showboard")
    assert server.answer("undo") == "=\n\n"
    assert server.answer("winner") == "= none\n\n"


SIZE, KOMI = 5, 5.5


def sides(folder):
    """Our program and GNU Go, which captures what is dead before it passes."""
    command = (sys.executable, "-m", "seedfolio", "gtp", "go:5x5", "-p", "table", "--key", "1")
    options = ("--quiet", "--chinese-rules", "--never-resign", "--capture-all-dead")
    other = (gnugo(), "--mode", "gtp", "--level", "1", "--seed", "5", *options)
    return GtpProcess(*command, cwd=folder), GtpProcess(*other, cwd=folder)


@pytest.mark.slow
def test_whole_games_against_gnu_go(tmp_path):
    game, arms = load_game("go:5x5"), set()
    ours, theirs = sides(tmp_path)
    with ours, theirs:
        for number in range(3):
            engines = [ours, theirs] if number % 2 == 0 else [theirs, ours]
            moves = referee(engines, SIZE, KOMI, longest=3 * SIZE * SIZE)
            arms.add(ours.ask("seedfolio-arm"))
            history = [game.parse_move(move) for move in moves]
            assert game.position(history).moves == ()
            # One board for both, stone for stone; nothing is dead, so both count it alike.
            for colour in ("black", "white"):
                assert stones(theirs, colour) == drawn(ours, "XO"[colour == "white"])
            assert theirs.ask("final_status_list dead") == ""
            assert ours.ask("final_score") == theirs.ask("final_score")
            assert ours.ask("final_score") == margin_text(game, history)
        assert ours.ask("quit") == ""
        assert ours.process.wait(PATIENCE) == 0
    assert len(arms) > 1, "arms are drawn anew for each game"


def stones(engine, colour):
    return set(engine.ask(f"list_stones {colour}").split())


def drawn(engine, glyph):
    header, *rows = engine.ask("showboard").splitlines()
    letters = header.split()
    points = set()
    for row in rows[:-1]:
        number, *cells, _ = row.split()
        points |= {
            f"{at}{number}" for at, cell in zip(letters, cells, strict=True) if cell == glyph
        }
    return points
