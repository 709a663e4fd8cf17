"""OpenSpiel outside our process: its bots play as before, and nothing that they do can end us."""

import hashlib
import json
import platform
import subprocess
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from threading import Thread

import pytest
from external import LIMITS, need_open_spiel, play_matrix, program_of, started
from waiting import PATIENCE, wait_until

import seedfolio
from seedfolio.core.trust import Permit
from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.interface import IllegalMoveError
from seedfolio.engines.play.game import play_game
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import load_engine_program
from seedfolio.engines.protocols import open_spiel_trial
from seedfolio.errors import PortfolioError, SpecificationError


@pytest.fixture(autouse=True)
def _installed():
    need_open_spiel()


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


OWN = """
import random

class MyBot:
    def __init__(self, game, player, seed, middle=0):
        self.draw, self.middle = random.Random(seed), middle

    def step(self, state):
        moves = state.legal_actions()
        return 4 if self.middle and 4 in moves else self.draw.choice(moves)
"""
EPD = "8/8/8/8/8/4k3/4p3/4K3 w - -\n4k3/4p3/8/8/8/8/4P3/R3K3 w Q -\n"
GRID = "[arms.grid]\nn = [2, 3]\nc = [0.5, 1.5]"
GOLDEN = {
    "mcts": (
        bot_text("breakthrough(rows=5,columns=5)", options="simulations = 20, uct_c = 1.5"),
        "6671db49d7cd46cb",
    ),
    "all options": (
        bot_text(
            "hex(board_size=4)", options="simulations = 12, rollouts = 2, solve = true, memory = 10"
        ),
        "4d3280e423d5f502",
    ),
    "chess": (bot_text("chess", options="simulations = 3"), "035d90a7494edfbd"),
    "a position": (
        bot_text("chess", options="simulations = 3", more="[openings]\nfile = 'a.epd'"),
        "2f40f3b392e3d865",
    ),
    "another": (bot_text("connect_four", "uniform_random", ""), "a2577cfcd13ed9e3"),
    "registered": (bot_text(bot="fixed_action_preference", options=""), "e51e0e7fd451a29d"),
    "a class": (bot_text(bot="my_bot.py:MyBot", options="middle = 1"), "44a6dcb95af7ac25"),
    "values of arms": (
        bot_text("othello", options='simulations = "{n}", uct_c = "{c}"', more=GRID),
        "bb0ee3436491b82c",
    ),
}
"""Games of three arms, and their digests when bots still ran in our process."""
MADE_WITH = "2.0.2", "aarch64"


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow if "chess" in GOLDEN[n][0] else ()) for n in GOLDEN],
)
def test_bots_play_as_they_did_in_our_process(name, tmp_path):
    if (version("open_spiel"), platform.machine()) != MADE_WITH:  # it computes with floats
        pytest.skip("the digests are of another OpenSpiel or another kind of processor")
    text, digest = GOLDEN[name]
    (tmp_path / "my_bot.py").write_text(OWN)
    (tmp_path / "a.epd").write_text(EPD)
    program = program_of(tmp_path, text)
    _, games = play_matrix(program, 3)
    played = sorted([*game.arms, game.ending.value, game.points, *game.moves] for game in games)
    said = json.dumps([program.identity(), played], sort_keys=True)
    assert hashlib.sha256(said.encode()).hexdigest()[:16] == digest


MUCH_MEMORY = "kept = bytearray(10**9)\nreturn state.legal_actions()[len(kept) * 0]"


def own_bot(folder, body, limits=LIMITS):
    """Return a program whose bot is a class with this body of `step`."""
    lines = body.replace("\n", "\n        ")
    head = "import ctypes, os, sys\n\nclass MyBot:\n    def __init__(self, game, player, seed):\n"
    text = f"{head}        pass\n\n    def step(self, state):\n        {lines}\n"
    (folder / "my_bot.py").write_text(text)
    return program_of(folder, bot_text(bot="my_bot.py:MyBot", options="", limits=limits))


def processes_of(folder):
    """Return the bots whose file is in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if f"{folder}/my_bot.py".encode() in words:
            found.append(int(process.name))
    return found


def forfeit(program):
    """Return the first game of a program whose bots misbehave; it leaves no process."""
    _, (game,) = play_matrix(program, 1)
    wait_until(lambda: not processes_of(program.folder), "all bots have ended")
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
    assert not processes_of(tmp_path)


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
PLAIN = "is not a two-player game with alternating moves, no chance and no hidden information"
NO_MEMORY = "needs more than 1024 MiB of memory"


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("efg_game(filename=FILE)", "reads a file"),
        ("misere(game=efg_game(filename=FILE))", "reads a file"),
        ("chess(chess960=true)", PLAIN),  # it was a segmentation fault
        ("crazyhouse", "has moves with the same name"),
        ("y(board_size=-1)", "crashes; choose other parameters"),
        pytest.param("hex(board_size=20000)", NO_MEMORY, marks=pytest.mark.slow),
        ("mnk(m=100000,n=100000,k=5)", NO_MEMORY),
        ("hex(board_size=300)", "has moves whose names are not text"),
        ("go(board_size=25)", "OpenSpiel has no game 'go(board_size=25)'"),
    ],
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


def test_a_board_that_is_no_position_of_chess_is_illegal(tmp_path):
    judge = program_of(tmp_path, bot_text("chess")).make_judge()
    for fen in ("fen=8/8/8/8/8/8/8/8_w_-_-_0_1", "fen=garbage"):
        with pytest.raises(IllegalMoveError, match="fen="):
            judge.play(fen, known=False)
    judge.play("fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1", known=False)
    judge.play("e2e4", known=False)
    assert judge.mover == 1


def test_arms_share_processes(tmp_path):
    program = program_of(tmp_path, bot_text())
    with closing(EnginePool(program)) as pool:
        for pair in ((0, 1), (2, 3), (4, 5)):
            assert play_game(program, pool, *pair).ending is Ending.NORMAL
        assert pool.effort.starts == 2


FAULTS = [
    ("ctypes.string_at(0)", Ending.CRASH, "bot MyBot was ended by signal 11 after "),
    ("os.abort()", Ending.CRASH, "bot MyBot was ended by signal 6 after "),
    ("os._exit(3)", Ending.CRASH, "bot MyBot ended with code 3 after "),
    ("sys.exit('enough')", Ending.CRASH, "bot MyBot ended with code 1 after "),
    ("raise ValueError('no\\nmove')", Ending.CRASH, "bot MyBot raised ValueError: no move"),
    ("return 99", Ending.ILLEGAL_MOVE, "plays action 99, which is illegal at the start"),
    (
        "while True:\n    pass",
        Ending.TIMEOUT,
        "bot MyBot does not answer within 0.7 s (limits.move)",
    ),
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


@pytest.mark.slow
def test_memory_of_mcts_has_a_limit(tmp_path):
    assert forfeit(own_bot(tmp_path, MUCH_MEMORY)).ending is Ending.NORMAL  # where none is set
    limits = f"{LIMITS}memory = 120\n"
    text = bot_text("gomoku", options="simulations = 9999999", limits=limits)
    found = forfeit(program_of(tmp_path, text))
    assert found.ending is Ending.CRASH
    assert "MemoryError" in found.detail


def test_a_bot_runs_only_if_the_user_has_named_it(tmp_path):
    program = own_bot(tmp_path, "return state.legal_actions()[0]")
    file, before = program.file, program.identity_of_parts()
    assert load_engine_program(file).engine_identity == "bot MyBot"
    listed = load_engine_program(file, Permit.LISTED)
    assert listed.engine_identity == "bot MyBot"
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
def test_a_game_that_takes_too_long_is_refused(tmp_path):
    with pytest.raises(SpecificationError, match="takes more than 10 s for a few moves"):
        program_of(tmp_path, bot_text("nim(pile_sizes=1;2000000)"))
