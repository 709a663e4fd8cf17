"""GTP with games that are not quite Go: Phantom Go, Atari-Go and Havannah."""

import sys

import pytest
from gtp_process import GtpProcess, gnugo, referee
from test_gtp import dialogue
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
@pytest.mark.parametrize("game", ["atari-go:5x5", "havannah:base=4,swap=1"])
def test_other_games_have_their_own_answers(game):
    dialogue(serve(load_program(game, "table"), 1), game)


SIZE, KOMI = 5, 5.5


@pytest.mark.slow
def test_whole_games_against_gnu_go(tmp_path):
    game, arms = load_game("go:5x5"), set()
    command = (sys.executable, "-m", "seedfolio", "gtp", "go:5x5", "-p", "table", "--key", "1")
    options = ("--quiet", "--chinese-rules", "--never-resign", "--capture-all-dead")
    other = (gnugo(), "--mode", "gtp", "--level", "1", "--seed", "5", *options)
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
