"""What a boosted program is worth: how many times the thinking the original needs to equal it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from math import exp, isfinite, log, sqrt
from pathlib import Path
from typing import Any

from seedfolio.arena import Arena, Progress, Run, no_note
from seedfolio.arena.choice import is_cluster, open_arena
from seedfolio.boosting.request import MOST_GAMES, check_numbers
from seedfolio.core.display import Displayed, Line, Part
from seedfolio.core.files import file_name
from seedfolio.core.table import Table, percent
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.evaluation.intervals import SuccessInterval
from seedfolio.matches.match import Keeping, check_run, play_match
from seedfolio.matches.result import interval_text
from seedfolio.matches.schedule import Pairings
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.program import Program
from seedfolio.report.progress import chosen_progress
from seedfolio.tuning.changed import changed, known_value

_USUAL = {"open_spiel": "simulations", "uci": "nodes"}
"""What says how long an engine thinks: a bot of OpenSpiel by its option, UCI by a word of `go`."""
_MCTS_SIMULATIONS = 100
"""Of OpenSpiel's `mcts` unless the specification says more."""


@dataclass(frozen=True)
class Thinking:
    """The amount of thinking of a program."""

    parameter: str
    base: int
    """The value in the program as it is."""
    original: Callable[[int], Opponent]
    """Returns the original program with another value."""


def thinking_of(opponent: Opponent, parameter: str | None = None) -> Thinking:
    """Return what says how long a program thinks: `parameter`, or the usual one of its kind.

    SpecificationError if there is no such number.
    """
    if isinstance(opponent.program, Program):
        return _of_built_in(opponent.program, parameter)
    return _of_engine(opponent.program, parameter)


def _of_built_in(program: Program, parameter: str | None) -> Thinking:
    player = program.player
    parameters = player.parameters.items()
    numbers = {key: value for key, value in parameters if isinstance(value, int) and value > 0}
    name = parameter or getattr(player, "thinking", None)  # an object of one's own may lack it
    if name in numbers and is_dataclass(player):
        return Thinking(name, numbers[name], partial(_with, program, name))
    what = "no amount of thinking" if name is None else f"no whole number {name} of 1 or more"
    known = f"; name a `parameter`: {', '.join(numbers)}" if numbers else ""
    raise SpecificationError(f"{player.text} has {what} to multiply{known}")


def _of_engine(program: EngineProgram, parameter: str | None) -> Thinking:
    table = program.specification.player
    name = parameter or _USUAL.get(table.protocol)
    if name is None:
        raise _no_number(program, parameter)
    value = known_value(program, name)
    if value is None and (table.bot, name) == ("mcts", _USUAL["open_spiel"]):
        value = _MCTS_SIMULATIONS
    if not isinstance(value, int):
        raise _no_number(program, parameter)
    return Thinking(name, value, partial(_with, program, name))


def _with(program: Program | EngineProgram, name: str, value: int) -> Opponent:
    return Opponent(changed(program, {name: value}), own=True)


def _no_number(program: EngineProgram, parameter: str | None) -> SpecificationError:
    if parameter is None:
        return SpecificationError(
            f"{program.file} does not show how long the engine thinks; name the flag of its "
            "command, the word of its go or the option that has the number, with `parameter`"
        )
    return SpecificationError(
        f"{program.file} has no whole number for {parameter}, in its command, its go or its "
        "options; name another with `parameter`"
    )


@dataclass(frozen=True)
class WorthStep:
    """The boosted program against the original with more thinking."""

    times: float
    """How many times the thinking."""
    thinking: int
    """The parameter of the player with it."""
    success: SuccessInterval
    """Of the boosted program."""


@dataclass(frozen=True, repr=False)
class Worth(Displayed):
    """How many times the thinking the original needs to hold 50% against the boosted program.

    >>> from seedfolio import boost, worth
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> found = worth(boosted.save_portfolios()["best-seed"], games=20, most=2)
    >>> found.parameter, found.steps[0].times, found.steps[0].thinking
    ('simulations', 1.0, 5)
    """

    title: str
    parameter: str
    """The parameter of the player that says how long it thinks."""
    games: int
    """Games of each step."""
    most: float
    steps: tuple[WorthStep, ...]
    """By thinking, the least first."""

    @property
    def times(self) -> float | None:
        """How many times; None if it is less than once, or more than `most`."""
        return _crossing(self.steps, [step.success.mean for step in self.steps])

    @property
    def low(self) -> float | None:
        """The lower end of the 95% interval; None if it is below once."""
        ends = [step.success.low for step in self.steps]
        return self.steps[-1].times if min(ends) > 0.5 else _crossing(self.steps, ends)

    @property
    def high(self) -> float | None:
        """The upper end of the 95% interval; None if it is beyond the last step."""
        # The last place where it is above 50, so from the other side.
        ends = [1 - step.success.high for step in reversed(self.steps)]
        return self.steps[0].times if min(ends) > 0.5 else _crossing(self.steps[::-1], ends)

    @property
    def text(self) -> str:
        """The answer in a sentence."""
        first, last = self.steps[0].success, self.steps[-1].success
        if first.mean < 0.5:
            return (
                "worth less than once the thinking: the boosted program has "
                f"{percent(first.mean)}% against the original, 95% interval {interval_text(first)}"
            )
        if self.times is None:
            low = "" if self.low is None else f", 95% interval from {_number(self.low)} on"
            return (
                f"worth more than {_number(self.most)} times the thinking{low}: the boosted "
                f"program has {percent(last.mean)}% against {self.steps[-1].thinking} "
                f"{self.parameter}"
            )
        low = "below 1" if self.low is None else _number(self.low)
        high = f"more than {_number(self.most)}" if self.high is None else _number(self.high)
        about = _number(self.times)
        return f"worth about {about} times the thinking, 95% interval {low} to {high}"

    def table(self) -> Table:
        """Return the steps as a table."""
        rows = [
            [
                _number(step.times),
                str(step.thinking),
                percent(step.success.mean),
                interval_text(step.success),
            ]
            for step in self.steps
        ]
        return Table(
            ["times", self.parameter, "success in %", "95% interval"],
            rows,
            title=self.title,
            caption=f"Success of the boosted program against the original with more "
            f"{self.parameter}, {self.games} games a line, both colours equally often. Its other "
            f"parameters stay as they are: tuned for more {self.parameter}, it may be stronger.",
            words=(),
        )

    def _summary(self) -> str:
        return f"{self.title}: {self.text}"

    def _parts(self) -> list[Part]:
        return [self.table(), Line(self.text)]

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"times": step.times, self.parameter: step.thinking, **step.success.as_data()}
            for step in self.steps
        ]

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return {
            "title": self.title,
            "parameter": self.parameter,
            "games": self.games,
            "most": self.most,
            "times": self.times,
            "low": self.low,
            "high": self.high,
            "text": self.text,
            "steps": [
                {"times": step.times, "thinking": step.thinking, **step.success.as_data()}
                for step in self.steps
            ],
        }


def worth(
    portfolio: AnyProgram,
    *,
    games: int = 200,
    most: float = 64,
    steps: int = 2,
    key: int = 0,
    parameter: str | None = None,
    record: str | Path | None = None,
    arena: str | Arena = "auto",
    threads: int | None = None,
    address: str | None = None,
    progress: Progress | bool | None = None,
    note: Callable[[str], None] = no_note,
) -> Worth:
    """Return how many times the thinking the original needs to equal the boosted program.

    Thinking is the parameter that a player declares: the `simulations` of uct and rave, the
    `playouts` of flat. Of an external engine it is the nodes in the `go` of UCI or the simulations
    of a bot of OpenSpiel. The original gets 1, 2, 4 times as much, up to `most` times, until it
    holds 50% against the boosted program; then `steps` bisections make the range smaller.

    Args:
        portfolio: A portfolio file that boost has written.
        games: Number of games of each step.
        most: The most times the thinking that the original gets.
        steps: Number of bisections after the original has reached 50%.
        key: As in `match`.
        parameter: What says how long the program thinks: a whole number of the player; of an
            external engine a flag of its command, a word of its go or an option (default: what the
            player declares; nodes or simulations of an engine).
        record: Folder that keeps every game; the same command continues it.
        arena: As in `match`.
        threads: As in `match`.
        address: As in `boost`.
        progress: As in `boost`.
        note: Receives lines for people.

    >>> from seedfolio import boost, worth
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> found = worth(boosted.save_portfolios()["best-seed"], games=20, most=2)
    >>> found.text.startswith("worth ")
    True
    """
    check_numbers(games=games, steps=steps, key=key, threads=threads)
    _check_sizes(games, most, steps)
    run = Run(arena, threads, address, chosen_progress(progress), note)
    check_run(run)
    boosted = _load(portfolio)
    thinking = thinking_of(boosted, parameter)
    name, base = thinking.parameter, thinking.base
    try:
        thinking.original(round(base * most))
    except SpecificationError as error:
        raise SpecificationError(f"{error}; choose a smaller `most`") from error
    folder = None if record is None else _folder(Path(record))

    def play(amount: int) -> WorthStep:
        keeping = Keeping(folder and folder / f"{file_name(name)}-{amount}.jsonl")
        pairings = Pairings((boosted, thinking.original(amount)), key)
        played = play_match(pairings, games, run, keeping, task=f"{name}={amount}")
        return WorthStep(amount / base, amount, played.pairings[0].success)

    with ExitStack() as stack:
        if is_cluster(run):
            run = replace(run, arena=stack.enter_context(open_arena(run)), address=None)
        found = search(play, base, most, steps)
    return Worth(f"{boosted.title}, {boosted.name}", name, games, most, found)


def _load(portfolio: AnyProgram) -> Opponent:
    boosted = load_opponent(portfolio)
    if boosted.plays is None:
        raise SpecificationError(
            f"{boosted.title}, {boosted.name} is not boosted, so it is worth its own thinking; "
            "name a portfolio, a .json file that seedfolio boost writes"
        )
    return boosted


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StudyError(
            f"cannot keep games in the folder {path}: {error.strerror}; name another with `record`"
        ) from error
    return path


def search(
    play: Callable[[int], WorthStep], base: int, most: float, steps: int
) -> tuple[WorthStep, ...]:
    """Return the steps that are played, by thinking: doubling, then bisection."""
    last = round(base * most)
    done = [play(base)]
    if done[0].success.mean < 0.5:
        return tuple(done)
    while done[-1].success.mean > 0.5 and done[-1].thinking < last:
        done.append(play(min(2 * done[-1].thinking, last)))
    if done[-1].success.mean > 0.5:
        return tuple(done)
    below, above = done[max(0, len(done) - 2)], done[-1]
    for _ in range(steps):
        between = round(sqrt(below.thinking * above.thinking))
        if between in (below.thinking, above.thinking):
            break
        step = play(between)
        below, above = (step, above) if step.success.mean > 0.5 else (below, step)
        done.append(step)
    done.sort(key=lambda step: step.thinking)
    # The upper end of the interval may lie beyond.
    while done[-1].success.high > 0.5 and done[-1].thinking < last:
        done.append(play(min(2 * done[-1].thinking, last)))
    return tuple(done)


def _crossing(steps: Sequence[WorthStep], successes: Sequence[float]) -> float | None:
    """Return where successes first fall to 50%, linear in the logarithm of the thinking.

    None if they begin below it, or never fall to it.
    """
    if successes[0] < 0.5:
        return None
    for number, success in enumerate(successes):
        if success <= 0.5:
            if number == 0:
                return steps[0].times
            before, start = successes[number - 1], log(steps[number - 1].times)
            share = (before - 0.5) / (before - success)
            return exp(start + share * (log(steps[number].times) - start))
    return None


def _check_sizes(games: int, most: float, steps: int) -> None:
    if not 2 <= games <= MOST_GAMES or games % 2:
        raise SpecificationError(
            f"`games` must be an even number of 2 or more, as each colour has half, not {games}"
        )
    if isinstance(most, bool) or not isinstance(most, int | float) or not isfinite(most):
        raise SpecificationError(f"`most` must be a number, not {most!r}")
    if not 1 < most <= 10**6:
        raise SpecificationError(f"`most` must be above 1, and at most {10**6}, not {most:g}")
    if not 0 <= steps <= 20:
        raise SpecificationError(f"`steps` must be from 0 to 20, not {steps}")


def _number(times: float) -> str:
    return f"{times:.3g}" if times >= 10 else f"{times:.2g}"
