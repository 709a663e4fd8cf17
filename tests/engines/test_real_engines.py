"""Real programs: GNU Go and Stockfish; bots that OpenSpiel does not have."""

import subprocess
from pathlib import Path

import pytest
from external import BREAKTHROUGH, GNU_GO, STOCKFISH, play_matrix, program_of
from one_line import one_line

from seedfolio.engines.endings import Ending
from seedfolio.engines.interface import IllegalMoveError
from seedfolio.engines.play.check import check_program
from seedfolio.engines.protocols.process import find_program
from seedfolio.engines.protocols.uci import UciOption


def saved(games):
    return 1 - sum(game.asked for game in games) / sum(len(game.moves) for game in games)


@pytest.mark.slow
def test_a_matrix_of_gnu_go_is_the_same_with_and_without_remembering_and_reuse(gnugo, tmp_path):
    program = program_of(tmp_path, GNU_GO.format(board=4, games=60))
    remembered, games = play_matrix(program, 3, remember=True)
    plain, fresh = play_matrix(program, 3, remember=False, reuse=False, games=2)
    assert (remembered == plain).all()
    cells = {game.arms: game.moves for game in fresh}
    assert cells == {game.arms: game.moves for game in games}
    assert {game.ending for game in games} == {Ending.NORMAL}
    assert saved(games) > 0.2
    assert saved(fresh) == 0
    for game in games[:4]:  # scored as it does itself
        assert game.moves[-2:] == ("pass", "pass")
        played = "".join(f"play {'bw'[k % 2]} {move}\n" for k, move in enumerate(game.moves))
        script = f"boardsize 4\nkomi 6.5\n{played}final_score\nquit\n"
        command = [find_program("gnugo", Path()), "--mode", "gtp", "--quiet", "--chinese-rules"]
        done = subprocess.run(command, input=script, capture_output=True, text=True, check=True)
        score = [line for line in done.stdout.splitlines() if "+" in line]
        assert score[-1].startswith("= B" if game.points == 2 else "= W")


@pytest.mark.slow
def test_the_check_copes_with_a_seed_that_clearing_the_board_changes(gnugo, tmp_path):
    text = GNU_GO.format(board=4, games=60).replace("--quiet", "--quiet --seed {seed}")
    text = text.replace('setup = ["set_random_seed {seed}"]\nreuse = false', "")
    found = check_program(program_of(tmp_path, text))
    assert (found.passed, found.by_moves, found.reusable) == (True, True, False)
    assert any("processes that have played before" in each for each in found.differences)


def test_a_go_board_refuses_what_is_not_on_it(gnugo, tmp_path):
    judge = program_of(tmp_path, GNU_GO.format(board=5, games=10)).make_judge()
    try:
        judge.new_game()
        judge.play("c3", known=False)
        for move in ("c3", "f1", "a6", "i1", "a0", "x", "", "3c", "e\u0663"):
            with pytest.raises(IllegalMoveError, match=f"^{move}$"):
                judge.play(move, known=False)
        judge.play("pass", known=False)
        judge.play("pass", known=False)
        assert judge.points() == 2
    finally:
        judge.close()


@pytest.mark.slow
def test_stockfish_with_options_as_arms(stockfish, open_spiel, tmp_path):
    program = program_of(tmp_path, STOCKFISH)
    assert program.engine_identity.startswith("Stockfish")
    found = check_program(program)
    assert found.passed
    assert found.remember
    remembered, games = play_matrix(program, 2, remember=True)
    plain, _ = play_matrix(program, 2, remember=False, reuse=False)
    assert (remembered == plain).all()
    assert {game.ending for game in games} <= {Ending.NORMAL, Ending.MOVE_LIMIT}
    assert saved(games) > 0


def test_an_option_that_stockfish_does_not_have_or_take(stockfish, open_spiel, tmp_path):
    for option, said in (
        ("Sead = 1", "has no option 'Sead'"),
        ("Hash = 0", "takes whole numbers from 1 to "),
        ("Ponder = 3", "takes true or false for its option 'Ponder', not '3'"),
    ):
        found = check_program(program_of(tmp_path, STOCKFISH.replace("Hash = 1", option)))
        assert said in found.fault
        assert not found.passed
    option = UciOption.read(
        "option name UCI Style type combo default Normal var Very solid var Normal"
    )
    assert option == UciOption("UCI Style", "combo", choices=("Very solid", "Normal"))
    assert option.takes("very solid")
    assert not option.takes("Risky")
    spin = UciOption.read("option name Contempt type spin default 0 min -100 max 100")
    assert [spin.takes(value) for value in ("-100", "100", "-101", "1.5", "--1")] == [1, 1, 0, 0, 0]
    assert UciOption.read("option name Clear Hash type button").takes("")
    assert UciOption.read("id name option type") is None


OPEN_SPIEL = BREAKTHROUGH.format(simulations="20, uct_c = 1.5") + '[arms]\nnumbering = "plain"\n'


def test_bots_and_options_that_there_are_not(open_spiel, tmp_path):
    for old, new, message in (
        ('"mcts"', '"alpha_zero"', "OpenSpiel has no bot 'alpha_zero'; there are mcts"),
        ("uct_c", "uct_d", "the bot mcts has no option 'uct_d'; it has simulations"),
        ('"mcts"', '"uniform_random"', "the bot uniform_random has no option 'simulations'"),
        ("= 20", "= 0", "simulations must be 1 or more, not 0"),
        ("= 20", "= 2000000000", "simulations must be at most 10,000,000, not 2000000000"),
        ("uct_c = 1.5", "memory = 2000000", "memory must be at most 1,000,000"),
        ("uct_c = 1.5", 'uct_c = "high"', "mcts cannot play: could not convert"),
        ("= 20", f"= {10**30}", "mcts cannot play: "),
        ('"mcts"', '"uniform_restricted_actions"', "uniform_restricted_actions cannot play: "),
    ):
        with one_line(message):
            check_program(program_of(tmp_path, OPEN_SPIEL.replace(old, new)))
