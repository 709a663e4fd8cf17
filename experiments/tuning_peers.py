"""How far `tune` and other optimisers stay below the best value, at equal games.

    pip install optuna nevergrad
    python -m experiments.tuning_peers --runs 20

The games are simulated: a value wins with the success that it had against exploration 1.4 on a real
board. Every method gets the same number of games to search with, and says which value it would use.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import exp, log
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.tuning.parameter import parse_parameters
from seedfolio.tuning.search import ROUNDS, Search

GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.4)
SUCCESS = {
    "domineering 7x7": (60.4, 61.4, 61.9, 61.4, 58.9, 56.2, 52.6, 50),
    "breakthrough 6x6": (57.9, 60.5, 63.4, 62.2, 61.4, 58.2, 54.4, 50),
    "breakthrough 8x8": (71.5, 72.0, 71.9, 71.0, 68.5, 61.7, 54.8, 50),
    "atari-go 7x7": (69.0, 69.1, 68.6, 67.2, 66.3, 61.8, 54.8, 50),
    "go 7x7": (68.2, 69.8, 69.7, 69.1, 66.9, 61.2, 55.1, 50),
}
"""Of explorations against 1.4, measured with 10,000 games or more each."""
LOW, HIGH = 0.05, 2.0
NEAR = 0.015
Play = Callable[[float, int], float]
"""play(value, games): the success in so many games."""
Method = Callable[[Play, int, int], float]
"""method(play, games, key): the value that it would use after so many games."""

app = typer.Typer(add_completion=False)


def success_of(board: str, value: float) -> float:
    """Return the true success of an exploration against 1.4."""
    places = [log(each) for each in GRID]
    return float(np.interp(log(value), places, SUCCESS[board])) / 100


def tune(play: Play, games: int, key: int) -> float:
    """Search as `seedfolio tune` does."""
    search = Search(parse_parameters([f"exploration={LOW}..{HIGH}"]), None)
    left = games
    for number in range(ROUNDS):
        chosen = search.next_round(np.random.default_rng(mix_int(key) + number))
        for setting in chosen:
            each = left // (ROUNDS - number) // len(chosen)
            search.add(setting, each, each * play(float(setting[0]), each))
        left -= each * len(chosen)
    return float(search.best()[0])


def halving(play: Play, games: int, key: int) -> float:
    """Search by sequential halving of 16 values, then by a parabola through the last four."""
    values: NDArray[np.float64] = np.exp(np.linspace(log(LOW), log(HIGH), 16))
    played, points = np.zeros(16), np.zeros(16)
    left = np.arange(16)
    while len(left) > 2:
        each = games // 3 // len(left)
        for place in left:
            points[place] += each * play(values[place], each)
            played[place] += each
        means = points[left] / played[left]
        left = np.sort(left[np.argsort(-means)[: len(left) // 2]])
    best = int(left[np.argmax(points[left] / played[left])])
    near = np.arange(max(0, best - 2), min(16, best + 3))
    places, means = np.log(values[near]), points[near] / played[near]
    a, b, _ = np.polyfit(places, means, 2, w=np.sqrt(played[near]))
    top = -b / (2 * a) if a < 0 else places[np.argmax(means)]
    return float(np.exp(np.clip(top, places[0], places[-1])))


def spsa(play: Play, games: int, key: int) -> float:
    """Follow the slope as fishtest does, with its decay of steps, by factors."""
    rng = np.random.default_rng(key)
    steps, place, last = games // 20, log(1.4), []
    for k in range(steps):
        apart = 0.5 / (k + 1) ** 0.101
        sign = rng.choice((-1, 1))
        ahead, behind = (
            play(exp(min(log(HIGH), max(log(LOW), place + sign * side * apart))), 10)
            for side in (1, -1)
        )
        rate = 1.0 / (k + 1 + 0.1 * steps) ** 0.602 * (0.1 * steps) ** 0.602 * 0.25
        place += sign * rate * (ahead - behind) / (2 * apart)
        place = min(log(HIGH), max(log(LOW), place))
        last.append(place)
    return exp(float(np.mean(last[-steps // 4 :])))


def tpe(play: Play, games: int, key: int) -> float:
    """Search with optuna's TPE, 100 trials."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(
        direction="maximize", sampler=optuna.samplers.TPESampler(seed=key % 2**31)
    )

    def trial(asked: Any) -> float:
        return play(asked.suggest_float("exploration", LOW, HIGH, log=True), games // 100)

    study.optimize(trial, n_trials=100)
    return float(study.best_params["exploration"])


def nevergrad(name: str, evaluations: int) -> Method:
    """Return the search of one of nevergrad's optimisers, with so many evaluations."""

    def search(play: Play, games: int, key: int) -> float:
        import nevergrad as ng

        space = ng.p.Log(lower=LOW, upper=HIGH)
        space.random_state.seed(key % 2**31)
        space.function.deterministic = False
        optimizer = ng.optimizers.registry[name](space, budget=evaluations)
        found = optimizer.minimize(lambda value: 1 - play(float(value), games // evaluations))
        return float(found.value)

    return search


METHODS: dict[str, Method] = {
    "seedfolio tune": tune,
    "sequential halving, parabola": halving,
    "SPSA": spsa,
    "optuna, TPE": tpe,
    "nevergrad, TBPSA": nevergrad("TBPSA", 500),
    "nevergrad, OptimisticNoisyOnePlusOne": nevergrad("OptimisticNoisyOnePlusOne", 500),
}


def loss(method: Method, board: str, games: int, key: int) -> float:
    """Return how far the value that a method would use is below the best one."""
    rng = np.random.default_rng(mix_int(key))

    def play(value: float, count: int) -> float:
        return float(rng.binomial(count, success_of(board, value)) / count)

    found = method(play, games, mix_int(key + 1))
    return max(SUCCESS[board]) / 100 - success_of(board, found)


@app.command()
def measure(
    runs: Annotated[int, typer.Option(help="Runs of each board.")] = 20,
    games: Annotated[int, typer.Option(help="Games of a run.")] = 15_000,
) -> None:
    """Print a row of the table for each method."""
    warnings.simplefilter("ignore")
    print(
        f"| {games:,} games a run, {runs} runs of {len(SUCCESS)} boards | below the best | near |"
    )
    print("| --- | ---: | ---: |")
    for name, method in METHODS.items():
        found = np.array(
            [
                loss(method, board, games, 1000 * n + k)
                for n, board in enumerate(SUCCESS)
                for k in range(runs)
            ]
        )
        error = found.std(ddof=1) / len(found) ** 0.5
        near = np.mean(found <= NEAR)
        print(
            f"| {name} | {100 * found.mean():.2f}±{100 * error:.2f} | {100 * near:.0f}% |",
            flush=True,
        )


if __name__ == "__main__":
    app()
