r"""Seeds for time steps: a seed for each phase of a game, between one seed and a book.

    python -m experiments.time_steps domineering:5x5 --plot steps.svg

"Learning opening books" (Cazenave et al.) proposes to optimise seeds for time steps. Here an arm is
one seed for each of four phases, a byte each; the last phase lasts to the end. It is learnt one
phase after the other: the first seed of `k` that does best against `kt` seeds of the original, with
the others fixed, beginning with the best single seed. Beside it stand the best single seed of as
many games, and a book of as many games. All are judged on unseen seeds. Every game is kept; the
same command continues.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import typer
from numba import int64, uint64
from numpy.typing import NDArray

from experiments.options import ArenaOption, ThreadsOption
from seedfolio import compare, load_game, load_player
from seedfolio.arena import Run
from seedfolio.boosting.session import open_session
from seedfolio.core.compiler import compiled
from seedfolio.core.files import file_name
from seedfolio.evaluation.exploiters import exploiter_success
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound, Player
from seedfolio.players.program import Program
from seedfolio.report.plots.figures import drawn_figure, panels
from seedfolio.study.arms import UnseenArms, success_of
from seedfolio.study.session import Session

PHASES, SEEDS = 4, 256
"""Of an arm: so it is one byte for each phase, and all arms are training seeds."""
ENTRY = 9
"""Bytes that a book needs for a move: a hash of 64 bits, and the move."""

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Phases:
    """A player with a seed for each phase: a byte of a training seed. Other seeds stay as they are.

    So an arm of four equal bytes plays as that one seed.
    """

    inner: Player
    length: int
    name: ClassVar[str] = "phases"
    version: ClassVar[int] = 1
    thinking: ClassVar[None] = None

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        return {"player": self.text}

    @property
    def text(self) -> str:
        """What it is called."""
        return f"{self.inner.text}, a seed for {self.length} moves"

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seed is fixed."""
        return self.inner.stochastic

    def bind(self, game: Game) -> Bound:
        """Return this player for one game."""
        bound = self.inner.bind(game)
        choose = _phased(bound.choose, self.length)
        same = bound.again is bound.choose
        again = choose if same else _phased(bound.again, self.length)
        return replace(bound, choose=choose, again=again)


def _phased(play: Callable[..., Any], length: int) -> Callable[..., Any]:
    training = uint64(SEEDS**PHASES)

    @compiled
    def of_phase(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        own = uint64(seed)
        if own < training:
            phase = min(int64(moment[1]) // int64(length), int64(PHASES - 1))
            own = (own >> uint64(8 * phase)) & uint64(SEEDS - 1)
        return play(view, own, moment, knobs, workspace)

    return of_phase


def arm_of(seeds: list[int]) -> int:
    """Return the arm with these seeds, that of the first phase first."""
    assert all(0 <= seed < SEEDS for seed in seeds)
    return sum(seed << (8 * phase) for phase, seed in enumerate(seeds))


@app.command()
def measure(
    board: Annotated[str, typer.Argument(help="A game, such as domineering:7x7.")],
    player: Annotated[str, typer.Option("--player", "-p")] = "uct:simulations=100,exploration=0.3",
    length: Annotated[int, typer.Option(help="Moves of a phase.")] = 2,
    k: Annotated[
        int, typer.Option(min=1, max=51, help="Seeds to choose from in each phase: up to 51.")
    ] = 40,
    kt: Annotated[
        int, typer.Option(min=1, max=SEEDS, help="Seeds of the original to learn against.")
    ] = 40,
    opponents: Annotated[int, typer.Option(help="Unseen seeds, 17 or more.")] = 60,
    folder: Annotated[Path, typer.Option(help="Where the studies are.")] = Path("studies/steps"),
    plot: Annotated[Path | None, typer.Option(help="Draw bytes against success.")] = None,
    arena: ArenaOption = "auto",
    threads: ThreadsOption = None,
) -> None:
    """Print a row for each way to spend the same games."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = file_name(f"{board}-{player}")
    program = Program(load_game(board), Phases(load_player(player), length))
    with open_session(program, folder / f"{stem}-phases.study", Run(arena, threads)) as (
        session,
        _,
    ):
        judged = [
            (f"best seed of {k}", 1, _judged(session, [_best(session, c, k, kt) for c in (0, 1)])),
            (
                f"best seed of {(1 + PHASES) * k}",
                1,
                _judged(session, [_best(session, c, (1 + PHASES) * k, kt) for c in (0, 1)]),
            ),
            (
                "a seed for each phase",
                PHASES,
                _judged(session, [_phase_by_phase(session, c, k, kt) for c in (0, 1)]),
            ),
        ]
        found = [(name, size, rows(opponents)) for name, size, rows in judged]
    games = 2 * (1 + PHASES) * k * kt
    book = compare(
        board,
        player,
        learners="book",
        budget=games,
        opponents=opponents,
        study=folder / f"{stem}-book.study",
        arena=arena,
        threads=threads,
    )
    (row,) = (each for each in book.rows if each.name == "book")
    entries = max(book.learnt["book"].plays.sizes)
    size = ENTRY * entries
    found.append((f"book, {entries} moves", size, (row.estimates[0], row.estimates[-1])))
    print(f"| {board}, {player}, {games:,} games | bytes a colour | K'=1 | K'=16 |")
    print("| --- | ---: | ---: | ---: |")
    for name, size, (one, sixteen) in found:
        print(f"| {name} | {size} | {one.text} | {sixteen.text} |")
    if plot is not None:
        _draw(plot, board, found)


def _results(session: Session, colour: int, ours: Any, theirs: Any) -> NDArray[np.float64]:
    """Return the success of our arms against theirs."""
    own, other = (np.array(each, np.uint64) for each in (ours, theirs))
    rectangle = (own, other) if colour == 0 else (other, own)
    (points,) = session.results([rectangle], f"{len(own)} arms against {len(other)}")
    return success_of(colour, points, session.study.full)


def _single(seeds: int) -> list[int]:
    return [arm_of([seed] * PHASES) for seed in range(seeds)]


def _best(session: Session, colour: int, k: int, kt: int) -> int:
    arms = _single(k)
    return arms[int(_results(session, colour, arms, _single(kt)).mean(axis=1).argmax())]


def _phase_by_phase(session: Session, colour: int, k: int, kt: int) -> int:
    seeds = [_best(session, colour, k, kt) & (SEEDS - 1)] * PHASES
    for phase in range(PHASES):
        tried = [[*seeds[:phase], seed, *seeds[phase + 1 :]] for seed in range(k)]
        means = _results(session, colour, [arm_of(each) for each in tried], _single(kt)).mean(1)
        seeds = tried[int(means.argmax())]
    return arm_of(seeds)


def _judged(session: Session, arms: list[int]) -> Callable[[int], tuple[Any, Any]]:
    """Return what measures an arm of each colour against unseen seeds, at K'=1 and K'=16."""

    def judge(opponents: int) -> tuple[Any, Any]:
        unseen = UnseenArms(0, opponents).seeds()
        both = [_results(session, c, [arms[c]], unseen)[0] for c in (0, 1)]
        mean = [exploiter_success(each, 1).plain for each in both]
        worst = [exploiter_success(each, 16).plain for each in both]
        return _mean(mean), _mean(worst)

    return judge


def _mean(both: list[Any]) -> Any:
    first, second = both
    return replace(
        first,
        mean=(first.mean + second.mean) / 2,
        error=float(np.hypot(first.error, second.error)) / 2,
    )


def _draw(path: Path, board: str, found: list[tuple[str, int, tuple[Any, Any]]]) -> None:
    def figure() -> Any:
        drawn, (axis,) = panels(1)
        for place, title in enumerate(("K'=1", "K'=16")):
            sizes = [size for _, size, _ in found]
            means = [100 * each[place].mean for _, _, each in found]
            errors = [100 * each[place].error for _, _, each in found]
            axis.errorbar(sizes, means, errors, marker="o", linestyle="", label=title)
        for number, (name, size, each) in enumerate(found):
            side = "right" if name.startswith("book") else "left"
            axis.annotate(
                name,
                (size, 100 * each[0].mean),
                (6 if side == "left" else -6, -10 if number % 2 else 4),
                textcoords="offset points",
                fontsize=7,
                horizontalalignment=side,
            )
        axis.set_xscale("log")
        axis.set_title(board)
        axis.set_xlabel("bytes stored for each colour")
        axis.set_ylabel("success in %")
        axis.legend()
        return drawn

    drawn_figure(figure, path)


if __name__ == "__main__":
    app()
