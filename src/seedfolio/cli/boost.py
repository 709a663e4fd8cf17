"""`boost`, the main job, and `play`, to meet its outcome."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from seedfolio.cli.application import app
from seedfolio.cli.options import (
    ArenaName,
    ArenaOption,
    JsonOption,
    QuietOption,
    RepeatsOption,
    ThreadsOption,
    make_arena,
    make_progress,
    print_json,
    say,
)
from seedfolio.errors import SpecificationError

_OR_THE_FILES = ", or what engine.toml says"
_THE_GAMES_OWN = "the game's own, see seedfolio games"


@app.command()
def boost(
    game: Annotated[
        str,
        typer.Argument(
            help="A game such as domineering:7x7, a file of yours: my_game.py:size=4, or a "
            "program from outside: engine.toml."
        ),
    ],
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            "-p",
            help="A player such as uct:simulations=400.",
            show_default=_THE_GAMES_OWN,
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            help="Seeds of each colour to learn about.",
            show_default=f"500{_OR_THE_FILES}",
        ),
    ] = None,
    kt: Annotated[
        int | None,
        typer.Option(
            "--kt",
            help="Opponent seeds that each of them meets.",
            show_default=f"100{_OR_THE_FILES}",
        ),
    ] = None,
    opponents: Annotated[
        int | None,
        typer.Option(
            help="Unseen seeds of each colour to judge with, at least.",
            show_default=f"100{_OR_THE_FILES}",
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            help="Games that each learner chooses for itself, instead of --kt; --k are then the "
            "seeds that stand for the original.",
            show_default="only learners that always do",
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(help="The same in time: as many games as this machine plays in it."),
    ] = None,
    symmetries: Annotated[
        bool,
        typer.Option("--symmetries", help="Draw every seed under a random symmetry of the board."),
    ] = False,
    repeats: RepeatsOption = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            "--learner",
            "-l",
            help="Which learner; may be given several times.",
            show_default="best-seed, best-half, nash, sparse-nash; with --budget or --minutes auto",
        ),
    ] = None,
    despite_check: Annotated[
        bool,
        typer.Option("--despite-check", help="Boost a program from outside that failed its check."),
    ] = False,
    study: Annotated[
        Path | None,
        typer.Option(help="File that keeps everything.", show_default="studies/GAME-PLAYER.study"),
    ] = None,
    arena: ArenaOption = ArenaName.AUTO,
    threads: ThreadsOption = None,
    quiet: QuietOption = False,
    as_json: JsonOption = False,
) -> None:
    """Learn which seeds to play, prove it on unseen ones, save the boosted program.

    Every game goes into the study file, so the same command goes on after an interruption, and
    one with larger numbers plays only what is missing.
    """
    from seedfolio.boosting.boost import DEFAULT_CHOOSING, DEFAULT_LEARNERS
    from seedfolio.boosting.boost import boost as run_boost
    from seedfolio.boosting.engine import boost_engine, engine_summary
    from seedfolio.engines.program import is_engine_file

    outside = is_engine_file(game)
    chooses = budget is not None or minutes is not None
    _refuse(chooses and kt is not None, "--kt: with --budget or --minutes learners choose games")
    note = (lambda text: None) if quiet else say
    asked: dict[str, Any] = {
        "k": k,
        "kt": kt,
        "opponents": opponents,
        "learners": learner or (DEFAULT_CHOOSING if chooses else DEFAULT_LEARNERS),
        "budget": budget,
        "repeats": repeats,
        "study": study,
        "progress": make_progress(quiet),
        "note": note,
    }
    if outside:
        _refuse(player is not None, "--player: the file names the program")
        _refuse(symmetries, "--symmetries: those of a program from outside are not known")
        _refuse(arena is ArenaName.CUDA, "--arena: a program from outside runs as it is")
        _refuse(minutes is not None, "--minutes: give the --budget of a program from outside")
        outcome = boost_engine(game, **asked, games=threads, despite_check=despite_check)
    else:
        _refuse(despite_check, "--despite-check: built-in players are deterministic")
        arena_made = make_arena(arena, threads)
        asked |= {"minutes": minutes, "symmetries": symmetries, "arena": arena_made}
        outcome = run_boost(game, player, **asked)
    saved = outcome.save_portfolios()
    if as_json:
        files = {"study": str(outcome.study), "portfolios": {n: str(p) for n, p in saved.items()}}
        played = {"engine": engine_summary(outcome.study).as_data()} if outside else {}
        print_json({**outcome.as_data(), **files, **played})
        return
    Console().print(outcome.table())
    if outside:
        print(engine_summary(outcome.study).text)
    for name, why in outcome.notes.items():
        Console().print(f"{name} chose: {why}.", highlight=False, markup=False)
    print(f"study       {outcome.study}")
    for name, path in saved.items():
        print(f"{name:<11} {path}")
    # A mixture makes a better opponent for a person than one arm, which plays always alike.
    suggested = saved.get("nash", next(iter(saved.values())))
    command = next(iter(outcome.portfolios.values())).served_by
    print(f"play it:    seedfolio {command} {shlex.quote(str(suggested))}")


def _refuse(given: bool, what: str) -> None:
    """Say that an option has no meaning here, if it was given."""
    if given:
        option, _, why = what.partition(": ")
        raise SpecificationError(f"leave out {option}: {why}")


@app.command()
def play(
    opponent: Annotated[
        str, typer.Argument(help="A portfolio file, or a game to play the original program.")
    ],
    player: Annotated[
        str | None,
        typer.Option("--player", "-p", help="The original's player.", show_default=_THE_GAMES_OWN),
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the program move first.")] = False,
    key: Annotated[
        int | None, typer.Option(help="Draw the program's seed from this number.", min=0)
    ] = None,
    sgf: Annotated[
        Path | None, typer.Option(help="Write the game to this file, if it is one of Go stones.")
    ] = None,
) -> None:
    """Play against a boosted program, or the original, in the terminal."""
    from seedfolio.serving.opponent import load_opponent
    from seedfolio.serving.terminal import play_game

    other = load_opponent(opponent, player)
    person = 1 if second else 0
    if sgf is None:
        play_game(other, person, key)
        return
    from seedfolio.report.sgf import sgf_text
    from seedfolio.study.files import atomic_write

    program = other.program
    sgf_text(program.game, [])  # a game that has no such records is refused before it is played
    if not sgf.parent.is_dir():
        raise SpecificationError(f"there is no folder {sgf.parent} for the record")
    history, arm = play_game(other, person, key)
    name = f"{program.player.text}, {arm.name}"
    names = ("person", name) if person == 0 else (name, "person")
    atomic_write(sgf, sgf_text(program.game, history, names, program.title).encode())
