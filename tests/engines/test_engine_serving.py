"""A boosted program from outside, served as a GTP engine."""

import pytest
from outside import GNU_GO, need, program_of

from seedfolio.learning.portfolio import Distribution, Portfolio
from seedfolio.serving.gtp import GoBoard, GtpServer
from seedfolio.serving.outside import OutsideEngine

MOVES = (7, 9)  # the arms of the portfolio


@pytest.fixture
def program(tmp_path):
    need("gnugo")
    return program_of(tmp_path, GNU_GO.format(games=60))


@pytest.fixture
def engine(program):
    first, second = (Distribution((arm,), (1.0,)) for arm in MOVES)
    engine = OutsideEngine(program, Portfolio(first, second), "nash")
    yield engine
    engine.close()


def test_it_plays_the_arms_of_its_portfolio(engine, program):
    server = GtpServer(engine, GoBoard(5, 6.5), key=1)

    def ask(command):
        answer = server.answer(command)
        assert answer.startswith("="), (command, answer)
        return answer[1:].strip()

    seeds = [program.arm(arm).values["seed"] for arm in MOVES]
    assert ask("seedfolio-arm") == f"Black: seed {seeds[0]}; White: seed {seeds[1]}"
    assert ask("name") == "Seedfolio boosted GNU Go 3.8 (nash)"
    for command in ("boardsize 5", "komi 6.5", "clear_board"):
        ask(command)
    moves = [ask(f"genmove {'bw'[ply % 2]}").lower() for ply in range(4)]
    for colour in (0, 1):
        alone = program.start(MOVES[colour])
        for ply, move in enumerate(moves):
            if ply % 2 == colour:
                assert alone.choose(colour) == move
            else:
                alone.told(ply % 2, move)
        alone.close()
    ask("undo")
    assert ask("genmove w").lower() == moves[3]


def test_what_cannot_be_played_is_refused(engine):
    server = GtpServer(engine, GoBoard(5, 6.5), key=1)
    assert server.answer("boardsize 9").startswith("? unacceptable size")
    assert server.answer("play b c3") == "=\n\n"
    assert server.answer("play w c3").startswith("? illegal move")
    assert server.answer("final_score").startswith("? the game is not over")
    assert server.answer("play w pass") == "=\n\n"
    assert server.answer("play b pass") == "=\n\n"
    assert server.answer("final_score") == "= B+1\n\n"
