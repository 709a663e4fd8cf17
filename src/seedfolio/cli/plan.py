"""`plan`, how many games are enough, and `online`, how portfolios stand up to one who learns."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    ArenaName,
    ArenaOption,
    JsonOption,
    QuietOption,
    ThreadsOption,
    make_arena,
    make_progress,
    print_json,
    say,
)
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from seedfolio.boosting.sample_size import Plan

_EPSILON = 0.05
_UNSEEN = 100  # opponents of each colour that `boost` judges with
_USUAL_ARMS = 100
_MOST_ARMS = 2000  # beyond that it would take hours


@app.command()
def plan(
    game: Annotated[
        str, typer.Argument(help="A game such as domineering:7x7, or a file of yours.")
    ],
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            "-p",
            help="A player such as uct:simulations=400.",
            show_default="the game's own, see seedfolio games",
        ),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="How well each seed's success is to be known.",
            show_default="0.05 unless --kt is given",
        ),
    ] = None,
    delta: Annotated[float, typer.Option(help="With what chance that may fail.")] = 0.05,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            help="Seeds of each colour to learn about.",
            show_default="the fewest that go with epsilon",
        ),
    ] = None,
    kt: Annotated[
        int | None,
        typer.Option("--kt", help="Opponent seeds that each meets: tells epsilon for K and Kt."),
    ] = None,
    repeats: Annotated[
        int | None,
        typer.Option(
            help="Games between two seeds, where luck plays a part.", show_default="16, else 1"
        ),
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how many games are enough for a precision, and how long they take on this machine.

    Plays for about two seconds to measure the speed; nothing is kept.
    """
    from seedfolio.boosting.sample_size import make_plan, measure_speed
    from seedfolio.programs.load import load_program

    if epsilon is None and kt is None:
        epsilon = _EPSILON
    sizes: dict[str, Any] = {"delta": delta, "epsilon": epsilon, "k": k, "kt": kt}
    make_plan(**sizes)  # a mistake shows before anything is compiled
    program = load_program(game, player, repeats)
    planned = make_plan(**sizes, repeats=program.repeats)
    speed = measure_speed(program, make_arena(arena, threads))
    if as_json:
        times = {"games_per_second": speed, "seconds": planned.games / speed}
        print_json({"title": program.title, **planned.as_data(), **times})
        return
    print(program.title)
    command = ["seedfolio", "boost", game, *(["--player", player] if player else [])]
    command += ["--k", str(planned.k), "--kt", str(planned.kt)]
    command += ["--repeats", str(repeats)] if repeats else []
    for name, text in _lines(planned, speed, shlex.join(command)):
        print(f"{name:<10} {text}")


def _lines(plan: Plan, speed: float, command: str) -> list[tuple[str, str]]:
    from seedfolio.boosting.boost import MOST_GAMES
    from seedfolio.boosting.sample_size import duration

    sure = f"{100 * (1 - plan.delta):g}%"
    points = 100 * min(1.0, plan.epsilon)
    within, below = (f"{each:.1f}" if each >= 1 else f"{each:.2g}" for each in (points, 2 * points))
    judging = 2 * plan.k * _UNSEEN * plan.repeats
    a_pair = f", {plan.repeats} for each pair of seeds" if plan.repeats > 1 else ""
    run = command
    if (plan.games + judging) // plan.repeats > MOST_GAMES:
        run = f"not with one study, which takes up to {MOST_GAMES:,} games; choose a larger epsilon"
    return [
        ("seeds", f"K={plan.k:,} of each colour; {sure} sure that one of them is among the best"),
        ("", f"{100 * plan.best_share:.2g}% of all seeds"),
        ("opponents", f"Kt={plan.kt:,} for each of them"),
        ("precision", f"{sure} sure that every seed's mean is within {within} points of its"),
        ("", f"success, for each colour: the best mean is at most {below} points below"),
        ("", "the best of the K seeds"),
        ("games", f"{plan.games:,} to learn from{a_pair};"),
        ("", f"about {judging:,} more to judge by {_UNSEEN} unseen seeds of each colour"),
        ("speed", f"{speed:,.0f} games/s on this machine now"),
        ("time", f"{duration(plan.games / speed)} to learn, {duration(judging / speed)} to judge"),
        ("halving", f"looks for the best among as many seeds from {plan.halving_games:,} games on"),
        ("", f"({duration(plan.halving_games / speed)}), without that promise for every seed"),
        ("run", run),
    ]


@app.command()
def online(
    study: Annotated[Path, typer.Argument(help="A study file.")],
    games: Annotated[
        int, typer.Option(help="Games that UCBT plays against each opponent.")
    ] = 16384,
    arms: Annotated[
        int | None,
        typer.Option(
            help="Seeds that UCBT chooses among.", show_default="Kt of the study, at most 100"
        ),
    ] = None,
    repetitions: Annotated[int, typer.Option(help="How often all is repeated.")] = 20,
    discount: Annotated[
        float,
        typer.Option(help="What games before count for after each game: below 1, UCBT forgets."),
    ] = 1.0,
    widening: Annotated[
        float | None,
        typer.Option(
            help="Open the first W √N of its seeds after N games.", show_default="all at once"
        ),
    ] = None,
    change: Annotated[
        int, typer.Option(help="Games after which the opponent that changes does so.")
    ] = 1024,
    plot: Annotated[
        Path | None, typer.Option(help="Draw losing rates over the games: a .png or .svg file.")
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show how well portfolios of a study resist an opponent that learns from game to game.

    UCBT, a bandit, plays the portfolios and single seeds of the study with seeds of the same
    study. Games between two seeds are taken from the study, and played if it lacks them.
    """
    from seedfolio.boosting.boost import saved_boost, saved_matrices
    from seedfolio.evaluation.online import known_opponents, online_rectangles, play_online
    from seedfolio.evaluation.online_games import Variant
    from seedfolio.evaluation.ucbt import Widening
    from seedfolio.report.figures import picture_format
    from seedfolio.report.online import (
        how_to_read,
        meaning,
        online_data,
        online_table,
        plot_online,
    )
    from seedfolio.study.arms import TrainingArms
    from seedfolio.study.store import Study

    if arms is not None and arms > _MOST_ARMS:
        raise SpecificationError(f"{arms} arms are more than online play takes, {_MOST_ARMS}")
    if plot is not None:
        picture_format(plot)  # refuses an unknown one before anything is computed
    variant = Variant(discount, None if widening is None else Widening(widening))
    progress = make_progress(quiet)
    with Study.read(study) as opened:
        outcome = saved_boost(opened)
        asked = saved_matrices(opened)
        weighed = {n: file for n, file in outcome.portfolios.items() if file.book is None}
        saved = {name: file.portfolio() for name, file in weighed.items()}
        opponents = known_opponents(opened, asked.k, asked.kt, saved)
        held = TrainingArms(0, min(asked.kt, _USUAL_ARMS) if arms is None else arms)
        rectangles = online_rectangles(opponents, held)
        if any(opened.missing(*each).any() for each in rectangles):
            program = next(iter(outcome.portfolios.values())).program(study.parent)
            _play(study, program, rectangles, make_arena(arena, threads), progress)
        plays = play_online(
            opened,
            opponents,
            held,
            games,
            repetitions,
            progress=progress,
            variant=variant,
            change=change,
        )
    if plot is not None:
        plot_online(plot, outcome.title, plays)
        if not quiet:
            say(f"wrote {plot}")
    if as_json:
        print_json(online_data(outcome.title, plays))
        return
    for play in plays:
        Console().print(online_table(outcome.title, play))
        print()
    Console().print(how_to_read(plays[0]), meaning(plays[0]), highlight=False, markup=False)


def _play(study: Path, program: Any, rectangles: Any, arena: Any, progress: Any) -> None:
    """Play what the study lacks of the rectangles."""
    from seedfolio.arena import Silent
    from seedfolio.evaluation.unseen import playing
    from seedfolio.study.session import play_missing
    from seedfolio.study.store import Study

    able = playing(program, [seeds for each in rectangles for seeds in each])
    task = "seeds that UCBT holds"
    with Study.open(study, program.identity()) as opened:
        play_missing(opened, arena, able, rectangles, task, progress or Silent())
