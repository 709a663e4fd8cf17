"""`check`: is a program from outside deterministic, and how long will its study take?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, print_json

if TYPE_CHECKING:
    from seedfolio.engines.check import Check


_BOOSTED = 10
"""As many arms more meet the unseen ones of each colour when what was learnt is judged."""


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A program from outside: engine.toml.")],
    games: Annotated[
        int | None,
        typer.Option(
            "--threads", help="Games at once, in the study.", show_default="all cores", min=1
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Check a program from outside: does an arm always play the same, do arms differ?

    Plays a few games, in new processes and in used ones, and compares every move. Exits with
    code 1 if the program fails.
    """
    from seedfolio.arena.threads import available_cores
    from seedfolio.boosting.boost import DEFAULT_LEARNERS
    from seedfolio.boosting.engine import engine_request
    from seedfolio.boosting.sample_size import duration
    from seedfolio.engines.check import check_program
    from seedfolio.engines.program import load_engine_program
    from seedfolio.study.matrices import training_cells

    program = load_engine_program(file)
    asked = engine_request(program, None, None, None, DEFAULT_LEARNERS, None)
    identity = program.engine_identity
    found = check_program(program)
    judging = 2 * (asked.k + _BOOSTED) * asked.opponents
    cells = training_cells(asked.k, asked.kt) + judging
    total = cells if found.passed else cells * program.specification.study.repeats
    seconds = total * found.seconds / (games or available_cores())
    if as_json:
        sizes = {"games": total, "study_seconds": seconds}
        print_json({"title": program.title, "engine": identity, **found.as_data(), **sizes})
    else:
        print(f"{program.title}: {identity}")
        for name, text in _lines(found, reuse=program.specification.player.reuse):
            print(f"{name:<13} {text}")
        sizes_text = f"k={asked.k}, kt={asked.kt}, opponents={asked.opponents}"
        most = " or less" if found.remember else ""
        print(f"{'study':<13} about {total:,} games ({sizes_text}), {duration(seconds)}{most} here")
        print(f"{'verdict':<13} {_verdict(found)}")
    if not found.passed:
        raise typer.Exit(1)


def _lines(found: Check, *, reuse: bool) -> list[tuple[str, str]]:
    """Return what was found, each with its name; without `reuse` used processes were not tried."""
    if found.fault:
        return [("first game", f"forfeited by {found.fault}")]
    where = {
        "again": (
            found.deterministic,
            "the same pair of arms plays the same moves in new processes",
            "the same pair of arms plays other moves in new processes",
        ),
        "reuse": (
            found.reusable,
            "and in processes that have played before: they are kept for the next game",
            "not in processes that have played before: every game gets new ones, which is slow",
        ),
        "by moves": (
            found.by_moves,
            "an arm plays by the moves so far alone: equal beginnings are computed once",
            "an arm does not play by the moves so far alone: every game is played to its end",
        ),
        "arms": (
            found.arms_differ,
            "different arms play different games",
            "all arms tried play the same game: the program does not take the seed or the options",
        ),
    }
    if not reuse:
        every = "reuse = false: every game gets new processes, and used ones were not tried"
        where["reuse"] = (True, every, "")
    lines = [(name, yes if good else no) for name, (good, yes, no) in where.items()]
    lines += [("where", difference) for difference in found.differences]
    lines.append(("a game", f"{found.moves} moves, {found.seconds:.2g} s"))
    return lines


def _verdict(found: Check) -> str:
    if found.passed:
        return "passed: its arms are deterministic players"
    return "failed: boost refuses it, or takes the mean of several games with --despite-check"
