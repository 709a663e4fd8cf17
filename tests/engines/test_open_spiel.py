"""OpenSpiel outside our process: its bots play as before, and nothing that they do can end us."""

import subprocess
from contextlib import closing, suppress
from threading import Thread

import pytest
from case_files import cases, programs
from external import LIMITS, play_matrix, program_of, started, wait_for_the_end
from waiting import PATIENCE, wait_until

import seedfolio
from seedfolio.core.isolated import isolated
from seedfolio.core.randomness import mix_int
from seedfolio.core.trust import Permit
from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.interface import IllegalMoveError
from seedfolio.engines.play.game import play_game
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import load_engine_program
from seedfolio.engines.protocols import open_spiel_trial
from seedfolio.engines.protocols.open_spiel_rules import OpenSpielGame
from seedfolio.engines.specification.positions import position_in
from seedfolio.errors import PortfolioError, SpecificationError

with suppress(ImportError):
    import pyspiel

pytestmark = pytest.mark.usefixtures("open_spiel")


def bot_text(game="tic_tac_toe", bot="mcts", options="simulations = 2", more="", limits=LIMITS):
    return f"""
[game]
name = "open_spiel:{game}"
moves = 40
[player]
protocol = "open_spiel"
bot = "{bot}"
options = {{ {options} }}
{more}
{limits}
"""


(OWN,) = programs(__file__)

EPD = "8/8/8/8/8/4k3/4p3/4K3 w - -\n4k3/4p3/8/8/8/8/4P3/R3K3 w Q -\n"
GRID = "[arms.grid]\nn = [2, 3]\nc = [0.5, 1.5]"
VALUES = 'simulations = "{n}", uct_c = "{c}"'
ALL = "simulations = 12, rollouts = 2, solve = true, memory = 10"


def mcts(simulations=0, uct_c=2.0, rollouts=1, memory=1000, solve=False):
    def make(game, player, seed, values):
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, seed)
        c, n = values.get("c", uct_c), values.get("n", simulations)
        return pyspiel.MCTSBot(game, evaluator, float(c), int(n), memory, solve, seed, False)

    return make


def own(game, player, seed, values):
    names = {}
    exec(OWN, names)
    return names["MyBot"](game, player, seed, middle=1)


IN_A_POSITION = "[openings]\nfile = 'a.epd'"
BOTS = {
    "all options": (bot_text("hex(board_size=4)", options=ALL), mcts(12, 2.0, 2, 10, True)),
    "a position": (bot_text("chess", options="simulations = 3", more=IN_A_POSITION), mcts(3)),
    "another": (
        bot_text("connect_four", "uniform_random", ""),
        lambda game, player, seed, values: pyspiel.make_uniform_random_bot(player, seed),
    ),
    "registered": (
        bot_text(bot="fixed_action_preference", options=""),
        lambda game, player, *rest: pyspiel.load_bot("fixed_action_preference", game, player),
    ),
    "a class": (bot_text(bot="my_bot.py:MyBot", options="middle = 1"), own),
    "values of arms": (
        bot_text("breakthrough(rows=5,columns=5)", options=VALUES, more=GRID),
        mcts(),
    ),
}


def moves_alone(program, game, make):
    start = pyspiel.load_game(program.specification.game.name.partition(":")[2])
    fens = [position_in(move) for move in game.moves[:1] if position_in(move)]
    played, plies = OpenSpielGame(start, *fens), program.specification.game.moves - len(fens)
    moves = list(game.moves[: len(fens)])
    for ply in range(plies):
        if played.state.is_terminal():
            break
        player = played.state.current_player()
        values = program.arm(game.arms[player != played.first]).values
        seed = mix_int(mix_int(int(values.get("seed", 0))) + ply) % (2**31 - 1)
        action = make(start, player, seed, values).step(played.state)
        moves.append(played.spell(action))
        played.state.apply_action(action)
    points = 1 + int(played.state.returns()[played.first]) if played.state.is_terminal() else 1
    return tuple(moves), points


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow if "chess" in BOTS[n][0] else ()) for n in BOTS],
)
def test_bots_play_as_they_do_in_our_process(name, tmp_path):
    text, make = BOTS[name]
    (tmp_path / "my_bot.py").write_text(OWN)
    (tmp_path / "a.epd").write_text(EPD)
    program = program_of(tmp_path, text)
    matrix, games = play_matrix(program, 3)
    assert len({game.arms for game in games}) == len(games) == 9
    assert {game.ending for game in games} <= {Ending.NORMAL, Ending.MOVE_LIMIT}
    for game in games:
        assert (game.moves, matrix[game.arms]) == moves_alone(program, game, make), game.arms


MUCH_MEMORY = "kept = bytearray(10**9)\nreturn state.legal_actions()[len(kept) * 0]"


def own_bot(folder, body, limits=LIMITS):
    head = "import ctypes, os, sys\nclass MyBot:\n def __init__(self, game, player, seed): pass\n"
    lines = body.replace("\n", "\n  ")
    (folder / "my_bot.py").write_text(f"{head} def step(self, state):\n  {lines}\n")
    return program_of(folder, bot_text(bot="my_bot.py:MyBot", options="", limits=limits))


def forfeit(program):
    _, (game,) = play_matrix(program, 1)
    assert not wait_for_the_end(f"{program.folder}/my_bot.py")
    return game


def test_what_a_bot_prints_and_reads_is_not_our_protocol(tmp_path, capfd):
    body = (
        "print('a line', sys.stdin.read())\nos.write(1, b'another\\n')\n"
        "os.system('echo a third; cat')\nreturn state.legal_actions()[0]"
    )
    assert forfeit(own_bot(tmp_path, body)).ending is Ending.NORMAL
    assert capfd.readouterr() == ("", "")


def test_another_thread_can_end_a_bot(tmp_path):
    program = own_bot(tmp_path, f"open({str(tmp_path / 'begun')!r}, 'w')\nwhile True:\n    pass")
    engine = started(program, 0)
    faults = []

    def choose():
        with pytest.raises(EngineFaultError) as caught:
            engine.choose(0)
        faults.append(caught.value)

    thread = Thread(target=choose)
    thread.start()
    wait_until((tmp_path / "begun").exists, "the bot thinks")
    engine.kill()
    thread.join(PATIENCE)
    engine.close()
    assert faults[0].ending is Ending.CRASH
    assert not wait_for_the_end(f"{tmp_path}/my_bot.py")


def test_nothing_in_a_folder_takes_the_place_of_a_library(tmp_path, monkeypatch):
    """Neither in the current folder, nor in that of the specification, where the process runs."""
    for name in ("json", "pyspiel", "seedfolio", "random"):
        (tmp_path / f"{name}.py").write_text("import os\nos._exit(9)\n")
    monkeypatch.chdir(tmp_path)
    open_spiel_trial.refusal.cache_clear()
    program = program_of(tmp_path, bot_text("tic_tac_toe()"))
    _, (game,) = play_matrix(program, 1)
    assert game.ending is Ending.NORMAL
    monkeypatch.setattr(subprocess, "run", None)
    program_of(tmp_path, bot_text("tic_tac_toe()"))  # a game is tried once


SECRET = "a line that nobody should see"


@pytest.mark.parametrize(
    ("game", "message"), cases(__file__, "games that would harm us are refused in one line")
)
def test_games_that_would_harm_us_are_refused_in_one_line(game, message, tmp_path, capfd):
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n" * 3)
    large = b"x" * 700 * 2**20 if game.startswith("go(") else b""  # what we use is not counted
    with pytest.raises(SpecificationError) as caught:
        program_of(tmp_path, bot_text(game.replace("FILE", str(file))))
    del large
    said = str(caught.value)
    assert message in said
    assert "\n" not in said
    assert len(said) < 500
    assert SECRET not in said
    assert capfd.readouterr() == ("", "")


def test_a_warning_of_open_spiel_is_shown(tmp_path, capfd):
    program_of(tmp_path, bot_text("quoridor(board_size=3)")).make_judge()
    assert "known issues" in capfd.readouterr().err


def test_the_judge_of_chess(tmp_path):
    program = program_of(tmp_path, bot_text("chess"))
    judge = program.make_judge()
    for fen in ("fen=8/8/8/8/8/8/8/8_w_-_-_0_1", "fen=garbage"):
        with pytest.raises(IllegalMoveError, match="fen="):
            judge.play(fen, known=False)
    judge.play("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1", known=False)
    judge.play("e2e4", known=False)
    assert judge.mover == 1
    judge = program.make_judge()
    for ply, move in enumerate(["f2f3", "e7e5", "g2g4", "d8h4"]):  # the fool's mate: Black wins
        assert judge.points() is None
        assert judge.mover == ply % 2
        judge.play(move, known=False)
    assert judge.points() == 0


def test_arms_share_processes(tmp_path):
    program = program_of(tmp_path, bot_text())
    with closing(EnginePool(program)) as pool:
        for pair in ((0, 1), (2, 3), (4, 5)):
            assert play_game(program, pool, *pair).ending is Ending.NORMAL
        assert pool.effort.starts == 2


FAULTS = [
    ("ctypes.string_at(0)", Ending.CRASH, "bot MyBot was ended by signal 11 after "),
    ("os._exit(3)", Ending.CRASH, "bot MyBot ended with code 3 after "),
    ("sys.exit('enough')", Ending.CRASH, "bot MyBot ended with code 1 after "),
    ("raise ValueError('no\\nmove')", Ending.CRASH, "bot MyBot raised ValueError: no move"),
    ("return 99", Ending.ILLEGAL_MOVE, "plays action 99, which is illegal at the start"),
    ("while True:\n    pass", Ending.TIMEOUT, "does not answer within 0.7 s (limits.move"),
    (MUCH_MEMORY, Ending.CRASH, "bot MyBot raised MemoryError"),
]


@pytest.mark.parametrize(("body", "ending", "message"), FAULTS)
def test_a_fault_loses_the_game(body, ending, message, tmp_path):
    limits = LIMITS
    if ending is Ending.TIMEOUT:
        limits = LIMITS.replace(f"move = {PATIENCE}", "move = 0.7")
    if body is MUCH_MEMORY:
        limits = f"{LIMITS}memory = 500\n"
    found = forfeit(own_bot(tmp_path, body, limits))
    assert found.ending is ending
    assert message in found.detail
    assert "\n" not in found.detail


def test_a_bot_runs_only_if_the_user_has_named_it(tmp_path):
    program = own_bot(tmp_path, "return state.legal_actions()[0]")
    file, before = program.file, program.identity_of_parts()
    assert load_engine_program(file).engine_identity == "bot MyBot"
    assert load_engine_program(file, Permit.LISTED).engine_identity == "bot MyBot"
    (tmp_path / "my_bot.py").write_text("open('ran', 'w')")
    assert program.identity_of_parts() != before  # another bot, another study
    changed = load_engine_program(file, Permit.LISTED)
    with pytest.raises(PortfolioError, match=r"would run the Python file .*my_bot\.py"):
        changed.open(changed.arm(0))
    assert not (tmp_path / "ran").exists()
    with (
        seedfolio.trusting(),
        pytest.raises(SpecificationError, match="has no class 'MyBot' with a method step"),
    ):
        changed.open(changed.arm(0))
    assert (tmp_path / "ran").exists()


@pytest.mark.slow
def test_a_game_that_takes_too_long_is_refused(tmp_path, monkeypatch):
    sooner = f"import {open_spiel_trial.__name__} as trial; trial._SECONDS = 2; trial.main()"
    monkeypatch.setattr(open_spiel_trial, "isolated", lambda code: isolated(sooner))
    with pytest.raises(SpecificationError, match="takes more than 10 s for a few moves"):
        program_of(tmp_path, bot_text("nim(pile_sizes=1;2000000)"))
