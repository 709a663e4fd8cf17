"""Commands that play games and learn from them, and those that say what to expect of it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seedfolio.cli.application import with_flags
from seedfolio.cli.command import Call, command
from seedfolio.cli.output import (
    Json,
    Quiet,
    make_progress,
    note_unless,
    print_json,
    print_lines,
    print_parts,
    say,
)
from seedfolio.core.plain_text import put
from seedfolio.core.program_files import is_portfolio_name
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from seedfolio.analysis.game_checkup import GameCheckup
    from seedfolio.analysis.learner_checkup import LearnerCheckup
    from seedfolio.boosting.checkup import Checkup
    from seedfolio.boosting.cross_validation import CrossValidation
    from seedfolio.boosting.learn import LearntMatrix
    from seedfolio.boosting.online import Online
    from seedfolio.boosting.plan import Planned
    from seedfolio.boosting.results import Boost, Comparison, Results
    from seedfolio.boosting.tune import Tuned
    from seedfolio.matches.exploit import Exploit
    from seedfolio.papers.experiment import Outcome


@command("boosting.boost.boost")
def boost(call: Call, quiet: Quiet = False, as_json: Json = False) -> None:
    """Learn which seeds to play, and test them on unseen ones.

    Saves the boosted program of each learner. The default learners are book, best-seed, best-half,
    nash and sparse-nash; with --budget or --minutes auto. Every game goes into the study file, so
    the same command continues after an interruption, and one with larger numbers plays only what is
    missing.
    """
    outcome: Boost = call(progress=make_progress(quiet), note=note_unless(quiet))
    if outcome.hint:
        note_unless(quiet)(f"note: {outcome.hint}")
    print_boost(outcome, outcome.save_portfolios(), as_json)


def print_boost(outcome: Boost, files: Mapping[str, Path], as_json: bool) -> None:
    """Print a boost, its files, and how to play against what it recommends."""
    if as_json:
        portfolios = {name: str(path) for name, path in files.items()}
        study = str(outcome.study)
        print_json({**outcome.as_data(), "study": study, "portfolios": portfolios})
        return
    _print_results(outcome)
    for name, path in files.items():
        put(f"{name:<11} {path}")
    if any("-games.json" in path.name for path in files.values()):
        print_lines(
            "Files that were learnt from more games are kept. The new ones have the number of "
            "their games in their names."
        )
    best = outcome.recommended
    learnt = next(iter(outcome.portfolios.values()), None)
    if best is not None and best in files:
        put(f"play it:    seedfolio {outcome.served_by} {shlex.quote(str(files[best]))}")
        named = None if outcome.verdict is None else outcome.verdict.stranger
        if named is not None and named.name != best:
            put(f"            ({best} gains most in the first and the last column together)")
    elif best is None and learnt is not None and learnt.engine is None:
        original = shlex.join([learnt.game.source, "-p", learnt.player.source])
        put(f"play it:    seedfolio play {original}")


def _print_results(outcome: Results) -> None:
    """Print tables, what was chosen and why, which portfolio to use, and the study."""
    print_parts(outcome)
    put(f"study       {outcome.study}")


@command("matches.exploit.exploit", program={"type": str})
def exploit(
    call: Call,
    save: Annotated[
        Path | None,
        typer.Option(help="The counter-portfolio's file.", show_default="beside the study"),
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Learn against a program: how much of it is left?

    Several kinds of opponent learn, and unseen seeds measure the strongest. It is written as a
    portfolio that plays. Every game goes into the study file, so the same command continues after
    an interruption. For example:

    seedfolio exploit studies/domineering-7x7-uct-simulations-100-book.json

    seedfolio exploit domineering:7x7@uct:simulations=300 --budget 50000

    seedfolio exploit engine.toml --budget 400
    """
    if save is not None and not is_portfolio_name(save):
        raise SpecificationError(f"{save} is no portfolio: end its name with .json")
    if save is not None and not save.parent.is_dir():
        raise SpecificationError(f"cannot write {save}: the folder {save.parent} does not exist")
    found: Exploit = call(progress=make_progress(quiet), note=note_unless(quiet))
    file = found.save(save)
    if as_json:
        print_json({**found.as_data(), "study": str(found.boost.study), "portfolio": str(file)})
        return
    print_parts(found)
    put(f"counter     {file}")
    put(f"play it:    seedfolio {found.boost.served_by} {shlex.quote(str(file))}")
    put(f"study       {found.boost.study}")


@command("boosting.compare.compare", budget={"also": ("-b",)})
def compare(
    call: Call,
    table: Annotated[
        Path | None, typer.Option(help="Write the table for a paper: a .csv or .tex file.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw curves with bands, and intervals: a .png or .svg file."),
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compare learners, with the same number of games for each.

    All are evaluated on the same unseen seeds. The default learners are auto, auto:exploiters=1,
    halving, halving:keep=16, best-seed, top, nash and exploiter; seedfolio learners lists all. A
    learner that takes a matrix gets the largest square that the budget pays for. Games are kept in
    the study file, so the same command continues after an interruption.

    With several budgets or --repetitions there are more tables, and --plot draws them.
    """
    _check_picture(plot)
    if table is not None and table.suffix not in (".csv", ".tex"):
        raise SpecificationError(f"{table} is no table: end its name with .csv or .tex")
    outcome: Comparison = call(progress=make_progress(quiet), note=note_unless(quiet))
    if table is not None:
        outcome.save_table(table, f"seedfolio {shlex.join(sys.argv[1:])}")
        say(f"wrote {table}")
    if plot is not None:
        outcome.plot(plot)
        say(f"wrote {plot}")
    if as_json:
        print_json({**outcome.as_data(), "study": str(outcome.study)})
    else:
        _print_results(outcome)


@command("boosting.plan.plan")
def plan(call: Call, as_json: Json = False) -> None:
    """Say how many games are enough, and how long they take.

    Plays for about two seconds to measure the speed; nothing is kept.
    """
    planned: Planned = call(note=say)
    if as_json:
        print_json(planned.as_data())
    else:
        print_lines(planned.text)


@command(
    "boosting.checkup.check",
    file={"type": str},  # a game is not a path
    threads={"min": 1},
    games={"min": 1},
    seconds={"min": 1},
)
def check(call: Call, as_json: Json = False) -> None:
    """Check an external engine, a game or a learner.

    Of an engine: does an arm always play the same, do arms differ? Plays a few games, in new
    processes and in used ones, and compares every move. Exits with code 1 if the engine fails.

    Or check a game: plays random games and looks at every position of them. A file of yours runs
    in another process first, as a wrong game may crash it or never end. Exits with code 1 and one
    line if something is wrong.

    Or check a learner of yours, in a file that ends in .py.
    """
    found: Checkup | GameCheckup | LearnerCheckup = call(note=note_unless(as_json))
    if as_json:
        print_json(found.as_data())
    else:
        print_lines(with_flags(found.text))
    if not found.passed:
        raise typer.Exit(1)


@command("boosting.tune.tune")
def tune(
    call: Call,
    plot: Annotated[
        Path | None, typer.Option(help="Draw success over the values: a .png or .svg file.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Find better values for the parameters of a program.

    Tries values against the given program, most games where the success promises most, and
    measures the best ones with seeds that the others did not have. The same command continues
    after an interruption. For example:

    seedfolio tune domineering:7x7 --parameter exploration=0.05..2

    seedfolio tune my_game.py:5x5 --parameter exploration=0.05..2 --minutes 5

    seedfolio tune engine.toml --parameter Contempt=-50..50 --budget 2000
    """
    _check_picture(plot)
    found: Tuned = call(progress=make_progress(quiet))
    _print_with_picture(found, plot, as_json)


@command("boosting.online.online")
def online(
    call: Call,
    plot: Annotated[
        Path | None, typer.Option(help="Draw losing rates over the games: a .png or .svg file.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Let a learning opponent play the portfolios of a study.

    UCBT, a bandit, plays the portfolios and single seeds of the study with seeds of the same
    study. Games between two seeds are taken from the study, and played if it lacks them. Games
    with a book are played; a book of an external engine is left out.
    """
    note = note_unless(quiet)
    _check_picture(plot)
    outcome: Online = call(progress=make_progress(quiet), note=note)
    _print_with_picture(outcome, plot, as_json, note)


@command("boosting.cross_validation.cross_validate")
def cross_validate(
    call: Call,
    plot: Annotated[
        Path | None, typer.Option(help="Draw success against K: a .png or .svg file.")
    ] = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Cross-validate learners on the matrix of a study.

    Learners learn from some arms of each colour and meet those left out, and an exploiter who plays
    the best of these; again and again, with other draws from the same matrix. The default learners
    are best-seed, nash, best-half and uniform. No game is played.
    """
    _check_picture(plot)
    found: CrossValidation = call(progress=make_progress(quiet))
    _print_with_picture(found, plot, as_json)


@command("boosting.learn.learn", matrix={"type": str, "metavar": "FILE"})
def learn(
    call: Call,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the matrix and success: a .png or .svg file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Learn portfolios from a matrix of results from anywhere.

    The matrix is a table of win rates or payoffs, or a tournament: PGN, or the output of fastchess
    or cutechess-cli. Each learner that takes a matrix says which players to draw, how often, how
    far that can be exploited, and how well it does against opponents left out. No game is played.
    """
    _check_picture(plot)
    found: LearntMatrix = call()
    _print_with_picture(found, plot, as_json)


def _print_with_picture(
    found: CrossValidation | LearntMatrix | Online | Tuned,
    plot: Path | None,
    as_json: bool,
    note: Callable[[str], None] = say,
) -> None:
    """Draw a result if that is asked for, and print it."""
    if plot is not None:
        found.plot(plot)
        note(f"wrote {plot}")
    if as_json:
        print_json(found.as_data())
    else:
        print_parts(found)


def _check_picture(path: Path | None) -> None:
    """Refuse an unknown format before anything is computed."""
    from seedfolio.report.plots.figures import picture_format

    if path is not None:
        picture_format(path)


@command("papers.run.reproduce", boards={"also": ("--game",)}, numbers={"metavar": "NAME=NUMBER"})
def reproduce(
    call: Call,
    experiment: Annotated[
        str | None, typer.Argument(help="The experiment; see below.", show_default=False)
    ] = None,
    *,
    listed: Annotated[
        bool, typer.Option("--list", help="List the experiments, with their numbers and times.")
    ] = False,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the table to this file as well.")
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(help="Draw the figures into this folder: success against K, moves."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Make a table of the papers again.

    The same command continues after an interruption.

    table3: rectangular learning on Domineering, Atari-Go and Breakthrough. phantom-go: Phantom Go
    on 5x5, 7x7 and 9x9. gametestbed: five small games of hidden information and chance. chess and
    havannah: 100 seeds of each colour against each other; --set redraws=200 sets the draws for each
    K of the curve, and --board havannah:base=5 another board.

    With GNU Go, whose numbers are set with --k, --opponents, --set and --paper: transfer (to other
    opponents, 5x5), variants (options as arms, 7x7), go9 and go19 (UCB with widening), go-seeds
    (seeds 1 to 32 at level 10, 9x9), batoo (stones chosen in private), moves (boosted and original
    moves, judged by a stronger program).
    """
    from seedfolio.core.files import atomic_write

    if listed:
        _list_experiments()
        return
    if experiment is None:
        raise SpecificationError("name an experiment such as table3; `list` names all of them")
    note = note_unless(quiet)
    numbers = _numbers(call.given.get("numbers", ()))
    outcome: Outcome = call(
        experiment=experiment, numbers=numbers, progress=make_progress(quiet), note=note
    )
    text = outcome.markdown()
    if markdown is not None:
        atomic_write(markdown, text.encode())
    put(text, end="")
    if plots is not None:
        drawn = ", ".join(map(str, outcome.draw(plots)))
        note(f"drew {drawn}" if drawn else f"{experiment} has no figure")


def _list_experiments() -> None:
    from seedfolio.core.table import Table
    from seedfolio.papers.run import list_experiments

    rows = []
    for each in list_experiments():
        numbers = ", ".join(f"{name}={number}" for name, number in each["usual"].items())
        rows.append([each["name"], numbers, each["takes"], each["makes"]])
    headings = ["name", "usual numbers", "took", "makes"]
    print_parts([Table(headings, rows, words=range(4))])


def _numbers(texts: Any) -> dict[str, int]:
    """Return the numbers that were given, by name."""
    given = {}
    for text in texts:
        name, _, number = text.partition("=")
        if not number.isdecimal():
            raise SpecificationError(f"--set {text} is not a name and a number such as k=100")
        given[name] = int(number)
    return given
