"""What tests of external engines share."""

import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
from needed import missing
from waiting import PATIENCE, wait_until

from seedfolio.arena.processes import ProcessArena
from seedfolio.engines.program import load_engine_program

SCRIPTED = Path(__file__).with_name("scripted.py")
SCRIPTED_UCI = Path(__file__).with_name("scripted_uci.py")
UNPLAYED = 255
SEED = 'setup = ["seed {seed}"]'
SEEDED_UCI = 'go = "nodes 1"\noptions = { Seed = "{seed}" }'

LIMITS = f"""
[limits]
start = {PATIENCE}
command = {PATIENCE}
move = {PATIENCE}
"""
"""Limits that engines do not reach on any machine."""

GTP_GO = """
[game]
name = "go"
board = 5
komi = 6.5
[player]
protocol = "gtp"
"""

GNU_GO = f"""{LIMITS}
[game]
name = "go"
board = {{board}}
komi = 6.5
moves = 150
[player]
protocol = "gtp"
command = "gnugo --mode gtp --quiet --level 1 --chinese-rules --never-resign \
--monte-carlo --mc-games-per-level {{games}}"
setup = ["set_random_seed {{{{seed}}}}"]
reuse = false
"""
CHESS_ENGINE = f"""{LIMITS}
[game]
name = "{{game}}"
moves = {{moves}}
[player]
protocol = "uci"
command = "stockfish"
go = "nodes {{{{nodes}}}}"
forget = true
options = {{{{ Hash = 1, Threads = 1 }}}}
[arms.grid]
nodes = "{{nodes}}"
"""
"""Stockfish for a game of chess, cut after so many moves; its arms think for so many nodes."""
STOCKFISH = CHESS_ENGINE.replace("= 1 }", '= 1, "Use NNUE" = "{{nnue}}" }')
STOCKFISH += "nnue = [true, false]\n"
STOCKFISH = STOCKFISH.format(game="open_spiel:chess", moves=30, nodes="100..110")
BREAKTHROUGH = """
[game]
name = "open_spiel:breakthrough(rows=5,columns=5)"
[player]
protocol = "open_spiel"
bot = "mcts"
options = {{ simulations = {simulations} }}
"""


def started(program, number):
    arm = program.arm(number)
    engine = program.open(arm)
    engine.new_game(arm)
    return engine


def plays_alone(program, number, colour, moves):
    """An arm without us plays what it played in a game as this colour."""
    alone = started(program, number)
    for ply, move in enumerate(moves):
        if ply % 2 == colour:
            assert alone.choose(colour) == move
        else:
            alone.told(1 - colour, move)
    alone.close()


def need_open_spiel():
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        missing("OpenSpiel is not installed: pip install open_spiel")


def program_of(folder, text, name="engine.toml"):
    file = Path(folder) / name
    file.write_text(text)
    return load_engine_program(file)


def scripted_text(folder, mode, *, bad="2", seed="{seed}", more="", protocol="gtp", limits=()):
    """Return the scripted engine, whose arm 2 misbehaves; only `limits`, in seconds, may pass."""
    script = SCRIPTED if protocol == "gtp" else SCRIPTED_UCI
    kept = {"start": PATIENCE, "command": PATIENCE, "move": PATIENCE, **dict(limits)}
    limit_lines = "\n".join(f"{name} = {seconds}" for name, seconds in kept.items())
    # Without what a site adds, Python starts in half the time.
    words = [sys.executable, "-S", "-E", str(script), seed, mode, bad, f"token-{folder}"]
    return f"""
        [game]
        name = "nim"
        [player]
        protocol = "{protocol}"
        command = {words!r}
        {more}
        [arms]
        numbering = "plain"
        [limits]
        {limit_lines}
    """


def seeded_text(folder, mode="well", **options):
    """Return the scripted engine whose seed is a command: arms share processes."""
    return scripted_text(folder, mode, **{"seed": "0", "more": SEED, **options})


def numbered_text(folder, arms, grid="", **options):
    text = scripted_text(folder, "well", seed="{number}", **options)
    text = text.replace('numbering = "plain"', "")
    return f'{text}[arms.grid]\nnumber = "1..{arms}"\n{grid}'


def left_behind(folder):
    return wait_for_the_end(f"token-{folder}\0")


def wait_for_the_end(part):
    try:
        wait_until(lambda: not _commands(part), "all engines have ended")
    except AssertionError:
        return _commands(part)
    return []


def _commands(part):
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found.append((process / "cmdline").read_bytes())
    return [each for each in found if part.encode() in each]


class Kept:
    def __init__(self):
        self.games = []
        self.kept = []

    def answers(self):
        return iter(self.kept)

    def keep(self, games, answers):
        self.games += games
        self.kept += answers


def play_matrix(program, arms, **options):
    kept = Kept()
    seeds = np.arange(arms, dtype=np.uint64)
    rows, columns = np.repeat(seeds, arms), np.tile(seeds, arms)
    matrix = np.full((arms, arms), UNPLAYED, np.uint8)
    with ProcessArena(program, **{"games": 1, "archive": kept, **options}) as arena:
        for block in arena.play(program, rows, columns):
            matrix[block.rows, block.columns] = block.results
    return matrix, kept.games
