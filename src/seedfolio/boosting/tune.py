"""Finding better values for the parameters of a program, and saying what they gain.

Three quarters of the games try settings against the given program, in rounds that a model of
all games so far chooses (see `tuning.search`). The rest play the best setting against the given
program in fresh games: with unseen seeds, or other pairs of a finite list of arms.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from seedfolio.arena import Arena, Run, WholeJob
from seedfolio.boosting.request import MOST_GAMES, check_numbers
from seedfolio.boosting.session import made_folder
from seedfolio.core.display import Displayed, Line, Part
from seedfolio.core.files import atomic_write, file_name, read_regular
from seedfolio.core.randomness import mix_int
from seedfolio.core.table import Bold, Table, percent
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.evaluation.intervals import SuccessInterval
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.programs.load import Learnable, load_program
from seedfolio.report.plots.tuning import plot_tuning
from seedfolio.report.progress import chosen_progress
from seedfolio.tuning.changed import changed, declared, known_value
from seedfolio.tuning.games import Games, Pairs, most_pairs, open_games
from seedfolio.tuning.parameter import Parameter, Setting, Value, parse_parameters
from seedfolio.tuning.search import ROUNDS, Search

if TYPE_CHECKING:
    from matplotlib.figure import Figure

USUAL_GAMES, _SLOW_GAMES = 20_000, 1_000
FEWEST_GAMES = 200
_JUDGED = 0.25
"""The share of the games that judge the best setting."""
_SHOWN = 12
"""Settings of several parameters in the table."""
_BAR = 24
"""Letters of the longest bar."""


@dataclass(frozen=True)
class Tried:
    """A setting, and its success against the given program."""

    setting: Setting
    games: int
    success: float
    """In its own games."""
    expected: float
    """By the model, which knows the games of all settings."""


class Round(BaseModel):
    """Settings that are played in turn, and the successes of those that are done."""

    settings: list[list[str]]
    pairs: list[int]
    points: list[float] = []


class Record(BaseModel):
    """What the file of a tuning keeps."""

    model_config = ConfigDict(extra="forbid")

    seedfolio_tuning: int = 1
    asked: dict[str, Any]
    rounds: list[Round] = []
    judged: list[float] = []
    """The scores of the pairs of the last games."""


@dataclass(frozen=True, repr=False)
class Tuned(Displayed):
    """The best setting that was found, and its success against the given program.

    >>> from seedfolio import tune
    >>> found = tune("domineering:4x4", "uct:simulations=10", parameters=["exploration=0.05..2"],
    ...              budget=400, record="tune.json")
    >>> found.parameters
    ('exploration',)
    >>> 0 <= found.success.low <= found.success.mean <= found.success.high <= 1
    True
    """

    title: str
    parameters: tuple[str, ...]
    setting: Setting
    """The best values found."""
    success: SuccessInterval
    """Of the program with these values against the given program, in fresh games."""
    judged: int
    """Games of that success."""
    tried: tuple[Tried, ...]
    """All settings that were played, by value."""
    given: str
    """The text of the given program."""
    tuned: str
    """The program with the best values: a text to use, or lines of an engine's file."""
    program: Program | EngineProgram
    """The program to use: the tuned one if it is better, else the given one."""

    @property
    def better(self) -> bool:
        """Whether the gain is larger than chance explains."""
        return self.success.low > 0.5

    @property
    def games(self) -> int:
        """All games."""
        return self.judged + sum(each.games for each in self.tried)

    @property
    def text(self) -> str:
        """What to use, in a sentence."""
        interval = f"{percent(self.success.low)} to {percent(self.success.high)}"
        if self.better:
            return (
                f"Use {self._words}: {percent(self.success.mean)}% against the given program, "
                f"95% interval {interval}, from {self.judged:,} fresh games."
            )
        if self.judged == 0:
            return f"Keep {self.given}: no other setting in the ranges promises more."
        why = "That may be luck." if self.success.mean > 0.5 else "That is no gain."
        return (
            f"Keep {self.given}: the best setting found, {self._words}, has "
            f"{percent(self.success.mean)}% against it, 95% interval {interval}. {why}"
        )

    @property
    def _words(self) -> str:
        pairs = zip(self.parameters, self.setting, strict=True)
        return ",".join(f"{name}={shown(value)}" for name, value in pairs)

    def table(self) -> Table:
        """Return the settings that were played, with a bar for each."""
        rows = list(self.tried)
        if len(self.parameters) > 1:
            rows = sorted(rows, key=lambda each: -each.expected)[:_SHOWN]
        least = min((each.expected for each in rows), default=0.0)
        most = max((each.expected for each in rows), default=1.0)
        span = max(most - least, 0.01)
        lines = []
        for each in rows:
            words = [shown(value) for value in each.setting]
            expected = percent(each.expected)
            if each.setting == self.setting:
                expected = Bold(expected)
            bar = "█" * max(1, round(_BAR * (each.expected - least) / span))
            lines.append([*words, f"{each.games:,}", percent(each.success), expected, bar])
        best = (
            "" if len(rows) == len(self.tried) else f" The best {len(rows)} of {len(self.tried)}."
        )
        return Table(
            [*self.parameters, "games", "success in %", "expected", ""],
            lines,
            title=f"{self.title}: settings against the given program",
            caption="Success against the given program; expected: by a model of all games." + best,
            words=(len(self.parameters) + 3,),
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Return the curve of each parameter; with a path (.svg, .png), write it."""
        rows = [(each.setting, each.games, each.success, each.expected) for each in self.tried]
        return plot_tuning(None if path is None else Path(path), self.title, self.parameters, rows)

    def _summary(self) -> str:
        return f"{self.title}: {self.text}"

    def _parts(self) -> list[Part]:
        parts: list[Part] = [self.table(), Line(self.text)]
        if self.better:
            parts.append(Line(f"use it: {self.tuned}") if "\n" not in self.tuned else self.tuned)
        return parts

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                **dict(zip(self.parameters, map(_plain, each.setting), strict=True)),
                "games": each.games,
                "success": each.success,
                "expected": each.expected,
            }
            for each in self.tried
        ]

    def as_data(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return {
            "title": self.title,
            "given": self.given,
            "setting": dict(zip(self.parameters, map(_plain, self.setting), strict=True)),
            "better": self.better,
            "tuned": self.tuned,
            **self.success.as_data(),
            "judged": self.judged,
            "games": self.games,
            "text": self.text,
            "tried": self._records(),
        }


def tune(
    game: Learnable,
    player: str | Player | None = None,
    *,
    parameters: Sequence[str] = (),
    budget: int | None = None,
    minutes: float | None = None,
    key: int = 0,
    record: str | Path | None = None,
    arena: str | Arena = "auto",
    threads: int | None = None,
    address: str | None = None,
    progress: Any = None,
) -> Tuned:
    """Find values of a program's parameters that make it stronger.

    Settings play against the given program, each pair of seeds with both colours. A model of all
    games chooses the settings of the next round; a quarter of the games then judges the best one,
    with seeds that the others did not have, or with other pairs of a finite list. A setting is
    recommended only if its gain is larger than chance explains. The same command continues after an
    interruption.

    Args:
        game: A game such as domineering:7x7 or my_game.py:4x4, perhaps with a player after an @, or
            the .toml file of an engine.
        player: Player, perhaps with parameters (default: the game's).
        parameters: What to tune, or several: a range such as exploration=0.05..2 or depth=2..6, or
            choices such as leaf=playout,evaluation. Of an engine its options, words of its go,
            flags of its command (default: what the game or the player declares).
        budget: Number of games in all (default: 20,000; 1,000 for engines).
        minutes: How long to play, in place of a budget.
        key: Draws what the model tries.
        record: File that keeps all results (default: in the folder studies).
        arena: As in `boost`.
        threads: As in `boost`.
        address: As in `boost`.
        progress: As in `boost`.

    >>> from seedfolio import tune
    >>> found = tune("domineering:4x4", "uct:simulations=10", parameters=["exploration=0.05..2"],
    ...              budget=400, record="tune.json")
    >>> found.text.startswith(("Use exploration=", "Keep uct:simulations=10"))
    True
    """
    check_numbers(budget=budget, key=key, threads=threads)
    if isinstance(parameters, str):
        parameters = [parameters]
    given = load_program(game, player)
    if isinstance(given, Program):
        given = given.single()
    ranges = parse_parameters(parameters or declared(given))
    if not ranges:
        raise SpecificationError(
            f"{given.title} declares nothing to tune; name it, such as `parameters` weight=0.1..2"
        )
    ranges = tuple(_typed(each, known_value(given, each.name)) for each in ranges)
    for each in ranges:  # both ends at once, so that a wrong range shows before any game
        for place in (0.0, 1.0):
            changed(given, {each.name: each.value(place)})
    run = Run(arena, threads, address, chosen_progress(progress))
    path = Path(record) if record is not None else made_folder(_default(given, ranges))
    with open_games(given, run) as games:
        asked = _asked(given, ranges, budget, minutes, key)
        kept = _read(path, asked)
        if "budget" not in kept.asked:
            assert minutes is not None
            kept.asked["budget"] = max(FEWEST_GAMES, int(60 * minutes * games.speed()))
        return Tuning(games, ranges, kept, path, run).complete(key)


class Tuning:
    """A tuning under way; without a path nothing is kept."""

    def __init__(
        self,
        games: Games,
        ranges: tuple[Parameter, ...],
        kept: Record,
        path: Path | None,
        run: Run,
    ) -> None:
        self._games, self._ranges, self._kept, self._path = games, ranges, kept, path
        self._progress = run.progress
        self._budget = int(kept.asked["budget"])
        self._judged, self._most = max(1, int(self._budget * _JUDGED) // 2), None
        if (most := most_pairs(games.given)) is not None:
            self._judged = min(self._judged, max(1, most // 2))
            self._most = most - self._judged
        known = (known_value(games.given, each.name) for each in ranges)
        ours = tuple(value for value in known if value is not None)
        inside = len(ours) == len(ranges) and all(
            0 <= each.place(value) <= 1 for each, value in zip(ranges, ours, strict=True)
        )
        self._given = ours if inside else None
        self._search = Search(ranges, self._given)
        self._texts = {tuple(map(str, each)): each for each in self._search.settings}

    def complete(self, key: int) -> Tuned:
        """Play what is missing and return the result."""
        learning = int(self._budget * (1 - _JUDGED)) // 2
        if isinstance(self._progress, WholeJob):
            done = 2 * sum(sum(each.pairs[: len(each.points)]) for each in self._kept.rounds)
            self._progress.expect(self._budget - done, f"{self._budget:,} games in all")
        for number in range(ROUNDS):
            if number == len(self._kept.rounds):
                self._plan(number, learning, key)
            self._play(number)
        expected, _ = self._search.posterior()
        best = int(expected.argmax())
        setting, scores = self._search.settings[best], np.zeros(0)
        if expected[best] > 0.5 and setting != self._given:
            scores = self._judge(setting)
        return self._result(setting, scores, expected.tolist())

    def _plan(self, number: int, learning: int, key: int) -> None:
        rng = np.random.default_rng(mix_int(mix_int(key) + number))
        chosen = self._search.next_round(rng)
        already = sum(sum(each.pairs) for each in self._kept.rounds)
        each = max(1, (learning - already) // (ROUNDS - number) // len(chosen))
        pairs = []
        for setting in chosen:
            left = each if self._most is None else self._most - self._search.played(setting) // 2
            pairs.append(max(0, min(each, left)))
        settings = [list(map(str, setting)) for setting in chosen]
        self._kept.rounds.append(Round(settings=settings, pairs=pairs))

    def _play(self, number: int) -> None:
        """Play the settings of a round that are not done, and count all of it."""
        found = self._kept.rounds[number]
        name = f"round {number + 1} of {ROUNDS}{self._best}"
        missing = 2 * sum(found.pairs[len(found.points) :])
        if missing:
            self._progress.begin(name, missing)
        settings = [self._texts[tuple(words)] for words in found.settings]
        done = len(found.points)
        asked = [  # those that are done keep their places, on which luck depends
            Pairs(self._changed(each), self._search.played(each) // 2, pairs if at >= done else 0)
            for at, (each, pairs) in enumerate(zip(settings, found.pairs, strict=True))
        ]
        try:
            for at, scores in enumerate(self._games.scores(asked) if missing else ()):
                if at >= done:
                    found.points.append(2 * float(scores.sum()))
                    self._write()
        finally:
            if missing:
                self._progress.end()
        found.points += [0.0] * (len(settings) - len(found.points))
        for setting, pairs, points in zip(settings, found.pairs, found.points, strict=True):
            self._search.add(setting, 2 * pairs, points)

    @property
    def _best(self) -> str:
        if not self._search.games.any():
            return ""
        words = zip(self._ranges, self._search.best(), strict=True)
        return ", " + ",".join(f"{each.name}={shown(value)}" for each, value in words)

    def _judge(self, setting: Setting) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the scores of the best setting in fresh games.

        Their seeds are unseen. Of a finite list they are other pairs of its arms.
        """
        if not self._kept.judged:
            pairs = Pairs(self._changed(setting), self._most or 0, self._judged)
            self._progress.begin("fresh games", 2 * pairs.count)
            try:
                (scores,) = self._games.scores([pairs], unseen=True)
                self._kept.judged = scores.tolist()
            finally:
                self._progress.end()
            self._write()
        return np.array(self._kept.judged)

    def _result(self, setting: Setting, scores: Any, expected: list[float]) -> Tuned:
        search, given = self._search, self._games.given
        tried = [
            Tried(each, int(games), points / games, model)
            for each, games, points, model in zip(
                search.settings, search.games, search.points, expected, strict=True
            )
            if games
        ]
        if len(self._ranges) == 1:
            tried.sort(key=lambda each: self._ranges[0].place(each.setting[0]))
        success = SuccessInterval.of(scores)
        program = self._changed(setting)
        return Tuned(
            given.title,
            tuple(each.name for each in self._ranges),
            setting,
            success,
            2 * len(scores),
            tuple(tried),
            _words_of(given),
            _changed_words(program, self._values(setting)),
            program if success.low > 0.5 else given,
        )

    def _values(self, setting: Setting) -> dict[str, Value]:
        return {each.name: value for each, value in zip(self._ranges, setting, strict=True)}

    def _changed(self, setting: Setting) -> Program | EngineProgram:
        return changed(self._games.given, self._values(setting))

    def _write(self) -> None:
        if self._path is not None:
            atomic_write(self._path, (self._kept.model_dump_json(indent=1) + "\n").encode())


def shown(value: Value) -> str:
    """Return a value as a player's text has it."""
    return str(value) if isinstance(value, int | str) else f"{value:f}"


def _plain(value: Value) -> int | float | str:
    return value if isinstance(value, int | str) else float(value)


def _words_of(program: Program | EngineProgram) -> str:
    return program.player.text if isinstance(program, Program) else program.file


def _changed_words(program: Program | EngineProgram, values: dict[str, Value]) -> str:
    """Return what to type for a program, or the lines that change in an engine's file."""
    if isinstance(program, Program):
        return shlex.quote(f"{program.game.text}@{program.player.text}")
    table = program.specification.player
    lines = [f"in {program.file}, [player]:"]
    names = [name for name in values if name in table.options]
    if names:
        options = ", ".join(
            f"{json.dumps(name)} = {json.dumps(table.options[name])}" for name in names
        )
        lines.append(f"  options: {options}")
    if len(names) < len(values):
        lines.append(f"  command = {json.dumps(table.command)}")
        if table.go is not None:
            lines.append(f"  go = {json.dumps(table.go)}")
    return "\n".join(lines)


def _typed(parameter: Parameter, known: Value | None) -> Parameter:
    """Return the parameter with decimals if its value has them: 1..2 are not two numbers."""
    whole = parameter.whole and not isinstance(known, Decimal)
    return replace(parameter, whole=whole)


def _default(program: Program | EngineProgram, ranges: Sequence[Parameter]) -> Path:
    names = "-".join(each.name for each in ranges)
    return Path("studies") / f"{file_name(f'{program.study_name}-tune-{names}')}.json"


def _asked(
    given: Program | EngineProgram,
    ranges: Sequence[Parameter],
    budget: int | None,
    minutes: float | None,
    key: int,
) -> dict[str, Any]:
    """Return all that the games depend on, but for the budget that minutes have become."""
    asked: dict[str, Any] = {
        "program": given.identity_of_parts(),
        "parameters": [repr(each) for each in ranges],
        "key": key,
    }
    if minutes is not None:
        if budget is not None:
            raise SpecificationError(
                "`budget` and `minutes` are two ways to say the same: choose one"
            )
        if not 0 < minutes <= 10**6:
            raise SpecificationError(f"`minutes` must be above 0, not {minutes:g}")
        asked["minutes"] = minutes
    else:
        games = budget or (_SLOW_GAMES if given.traits.slow else USUAL_GAMES)
        if budget is not None and not FEWEST_GAMES <= budget <= MOST_GAMES:
            raise SpecificationError(f"`budget` must be {FEWEST_GAMES} games or more, not {budget}")
        asked["budget"] = games
    return asked


def _read(path: Path, asked: dict[str, Any]) -> Record:
    """Return what a file keeps of the same tuning; a new one if there is no file."""
    if not path.exists():
        return Record(asked=asked)
    try:
        kept = Record.model_validate_json(read_regular(path))
    except (OSError, ValidationError, ValueError) as error:
        raise StudyError(
            f"{path} is not the record of a tuning; name another file with `record`"
        ) from error
    same = {name: value for name, value in kept.asked.items() if name in asked}
    if same != json.loads(json.dumps(asked)):
        raise StudyError(
            f"{path} has another tuning: of another program, with other ranges or another budget; "
            "name another file with `record`, or delete it"
        )
    return kept
