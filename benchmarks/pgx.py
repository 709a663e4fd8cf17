"""Random moves a second on one CUDA device: Seedfolio's rules and those of pgx, in one run.

Run with `python -m benchmarks.pgx`, on a machine with a device, where pgx and JAX for CUDA are
installed (`pip install pgx 'jax[cuda12]'`). They are no dependency of Seedfolio.
"""

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba import int64, uint64
from rich.console import Console
from rich.table import Table

from benchmarks.noise import median_interval
from seedfolio.arena.cuda.arena import why_not_cuda
from seedfolio.core.compiler import named_by_content
from seedfolio.core.randomness import GOLDEN, mix
from seedfolio.games import load_game
from seedfolio.games.game import Game

GAMES = {
    "go:9x9": ("go_9x9", 32_768),
    "hex:11x11,swap=1": ("hex", 32_768),
    "chess": ("chess", 4_096),
}
"""Our games, with their names in pgx and how many pgx plays at once."""
STEPS = 200
"""Random moves in each game of pgx, and in each thread of ours, between two looks at the clock."""
ROUNDS = 6
BLOCK, BLOCKS_A_PROCESSOR = 128, 4

HEADER = f"""\
Random moves a second on one CUDA device, after compiling. Every legal move is as
likely, and where a game is over the next one begins. pgx ends Go after 162 moves
and chess after 512 plies. The ratio is the median of {ROUNDS} rounds, in turn, with its
95% interval."""

# Names that are filled in for each game; `cuda` is imported where there is a device.
cuda: Any = None
start: Any = None
play: Any = None
random_move: Any = None


def random_games_template(seed: Any, steps: Any, work: Any, made: Any) -> None:
    """Make random moves on every thread, and note how many it made."""
    thread = cuda.grid(1)
    if thread < work.shape[0]:
        key = mix(uint64(seed) + GOLDEN * uint64(thread + 1))
        state, step = start(), int64(0)
        for _ in range(steps):
            move, step = random_move(state, key, step, work[thread], int64(0))
            state = play(state, move) if move >= 0 else start()
        made[thread] = step


def by_seedfolio(game: Game) -> Callable[[], float]:
    """Return a function that plays for a while and returns random moves a second."""
    from numba import cuda

    from seedfolio.core.cuda_twins import TWINS

    names = {"cuda": cuda, **{name: game.functions[name] for name in ("start", "play")}}
    names["random_move"] = game.functions["random_move"]
    bound, _ = named_by_content(random_games_template, names, *TWINS.values())
    kernel: Any = cuda.jit(bound)
    blocks = BLOCKS_A_PROCESSOR * cuda.get_current_device().MULTIPROCESSOR_COUNT
    threads = BLOCK * blocks
    work = cuda.device_array((threads, game.rules.room), np.int32)
    made = cuda.device_array(threads, np.int64)
    rounds = iter(range(2**62))

    def rate() -> float:
        began = time.perf_counter()
        kernel[blocks, BLOCK](next(rounds), STEPS, work, made)
        moves = int(made.copy_to_host().sum())
        return moves / (time.perf_counter() - began)

    rate()  # compiles
    return rate


def by_pgx(name: str, games: int) -> Callable[[], float]:
    """Return a function that plays for a while and returns random moves a second."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(states: Any, key: Any) -> Any:
        choosing, resetting = jax.random.split(key)
        odds = jnp.where(states.legal_action_mask, 0.0, -1e9)
        moves = jax.random.categorical(choosing, odds, axis=-1)
        return step(states, moves, jax.random.split(resetting, games)), None

    run = jax.jit(lambda states, keys: jax.lax.scan(one, states, keys)[0])
    states = jax.jit(init)(jax.random.split(jax.random.PRNGKey(0), games))
    keys = jax.random.split(jax.random.PRNGKey(1), STEPS)

    def rate() -> float:
        began = time.perf_counter()
        jax.block_until_ready(run(states, keys))
        return games * STEPS / (time.perf_counter() - began)

    rate()  # compiles
    return rate


def main() -> bool:
    """Print the table, or why there is none; nothing is required."""
    problem = why_not_cuda()
    if problem is None and find_spec("pgx") is None:
        problem = "pgx is not installed: pip install pgx 'jax[cuda12]'"
    if problem is not None:
        print(f"benchmarks.pgx measures nothing here: {problem}")
        return True
    print(HEADER)
    table = Table("game")
    for heading in ("Seedfolio moves / s", "pgx moves / s", "ratio", "95% interval"):
        table.add_column(heading, justify="right")
    for text, (name, games) in GAMES.items():
        game = load_game(text)
        play_ours, play_theirs = by_seedfolio(game), by_pgx(name, games)
        rates = [(play_ours(), play_theirs()) for _ in range(ROUNDS)]
        ours, theirs = (float(np.median(each)) for each in zip(*rates, strict=True))
        ratio = median_interval([one / other for one, other in rates])
        spread = f"{ratio.low:.1f} to {ratio.high:.1f}"
        table.add_row(game.title, f"{ours:,.0f}", f"{theirs:,.0f}", f"{ratio.middle:.1f}", spread)
    Console().print(table)
    return True


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
