"""The check of an external engine, or of a game, for its author."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import asdict, dataclass
from io import StringIO
from math import sqrt
from pathlib import Path
from typing import Any

from seedfolio.analysis.game_checkup import GameCheckup, check_up_game
from seedfolio.analysis.learner_checkup import LearnerCheckup, check_up_learner, is_learner_file
from seedfolio.arena import no_note
from seedfolio.arena.threads import available_cores
from seedfolio.boosting.boost import default_learners
from seedfolio.boosting.budget import duration
from seedfolio.boosting.request import Request
from seedfolio.boosting.study_time import Sample, StudySize, take_sample
from seedfolio.conformance.check import RandomGames
from seedfolio.core.display import Displayed, lines_table
from seedfolio.core.isolated import isolated
from seedfolio.core.program_files import is_engine_file, is_file, is_portfolio_name
from seedfolio.core.table import Table
from seedfolio.core.user_file import split_source
from seedfolio.engines.endings import FORFEITS
from seedfolio.engines.play.check import (
    Check,
    Fault,
    check_opponent,
    check_program,
    faults_of,
    games_a_cell,
    stressed,
)
from seedfolio.engines.program import load_engine_program
from seedfolio.engines.protocols.process import kept_mark, marked
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.games import load_game
from seedfolio.programs.words import split_program

_MEMORY = 8 * 2**30
"""Bytes of address space for the other process."""
_MOST_TOLD = 2**26
_HINTS: dict[int, str] = {
    signal.SIGSEGV: "; a function may read or write outside an array, or call itself without end",
    signal.SIGBUS: "; a function may read or write outside an array",
    signal.SIGABRT: "; a function may write outside an array",
    signal.SIGFPE: "; a function may divide by zero",
}


def check_up_own_game(text: str, games: int, seconds: int) -> GameCheckup:
    """Check a game as `check_up_game` does; one in a file has so much CPU time and a process."""
    if seconds < 1:
        raise SpecificationError(f"`seconds` must be 1 or more, not {seconds}")
    file, _ = split_source(text)
    if games < 1 or not (file.endswith(".py") and is_file(Path(file))):
        return check_up_game(text, games)
    code, told = _told(text, games, seconds)
    found = next((each["found"] for each in told if "found" in each), None)
    for each in told:
        if "warning" in each:
            warnings.warn(each["warning"], stacklevel=3)
    if found is None:
        doing = next((each["doing"] for each in reversed(told) if "doing" in each), "starting")
        how, hint = _ending(code, seconds)
        return _failed(text, f"{how} while {doing}{hint}")
    return _checkup(text, found)


def _told(text: str, games: int, seconds: int) -> tuple[int, list[dict[str, Any]]]:
    """Run the check in another process; return its exit code, and all that it has written."""
    with tempfile.TemporaryFile() as answer:
        words = text, str(games), str(seconds), str(answer.fileno())
        process = subprocess.Popen(
            isolated(f"from {__name__} import main; main(*sys.argv[1:])", *words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[answer.fileno()],
            # OpenBLAS takes memory for each core. The keeper ends the process if we cannot.
            env=marked({**os.environ, "OPENBLAS_NUM_THREADS": "1"}, kept_mark()),
            process_group=0,  # Ctrl-C is for us
        )
        try:
            code = process.wait()
        finally:
            process.kill()
            process.wait()
        answer.seek(0)
        lines = answer.read(_MOST_TOLD).splitlines()
    told = []
    for line in lines:
        with suppress(ValueError):  # the game may have written there, too, or ended in a line
            told.append(json.loads(line))
    return code, [each for each in told if isinstance(each, dict)]


def _ending(code: int, seconds: int) -> tuple[str, str]:
    """Return how the other process has ended without an answer, and what that may mean."""
    if code >= 0:
        return f"it ends the process with exit code {code}", ""
    if -code == signal.SIGXCPU:
        return (
            f"not done after {seconds} seconds of CPU time",
            "; a loop may have no end, or it needs more `seconds`",
        )
    return f"it ends the process by a signal ({signal.strsignal(-code)})", _HINTS.get(-code, "")


def _failed(text: str, problem: str) -> GameCheckup:
    return GameCheckup(text, None, f"{text}: {problem}", RandomGames((), ()), 0.0)


def _checkup(text: str, found: dict[str, Any]) -> GameCheckup:
    game, problem = None, str(found["problem"])
    if found["loaded"]:
        try:
            # What it prints has been printed.
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                game = load_game(text)
        except SeedfolioError as error:  # other than in the other process
            problem = " ".join(str(error).split())
    played = RandomGames(tuple(found["lengths"]), tuple(found["scores"]))
    return GameCheckup(found["title"], game, problem, played, found["speed"])


def main(text: str, games: str, seconds: str, answer: str) -> None:
    """Check a game in this process, under limits; write to an open file what happens."""

    def tell(**what: Any) -> None:
        os.write(int(answer), f"{json.dumps(what)}\n".encode())

    def show(message: Warning | str, *_: object, **__: object) -> None:
        tell(warning=" ".join(str(message).split()))

    _limit(int(seconds))
    warnings.showwarning = show
    with redirect_stdout(sys.stderr):
        try:
            found = check_up_game(text, int(games), lambda doing: tell(doing=doing))
        except MemoryError:
            found = _failed(text, f"it needs more than {_MEMORY // 2**30} GiB of memory")
        except Exception as error:
            found = _failed(text, " ".join(f"{type(error).__name__}: {error}".split()))
    tell(
        found={
            "title": found.title,
            "loaded": found.game is not None,
            "problem": found.problem,
            "lengths": found.played.lengths,
            "scores": found.played.scores,
            "speed": found.speed,
        }
    )


def _limit(seconds: int) -> None:
    limits = {
        resource.RLIMIT_CPU: (seconds, seconds + 1),
        resource.RLIMIT_AS: (_MEMORY, _MEMORY),
        resource.RLIMIT_CORE: (0, 0),
    }
    for kind, (soft, hard) in limits.items():
        _, most = resource.getrlimit(kind)
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (soft, hard))


_NOTABLE = 0.02
"""Seconds for the start of an engine that are worth a line."""


@dataclass(frozen=True, repr=False)
class Checkup(Displayed):
    """What the check of an external engine has found, and how long its study will take.

    With the files of docs/boost-your-engine.md:

    >>> from seedfolio import check
    >>> found = check("bot.toml")
    >>> found
    <Checkup nim, bot: passed>
    >>> found.sizes, found.found.deterministic
    ((6, 6, 17), True)
    """

    title: str
    identity: str
    """The name and version that the engine reports."""
    found: Check
    sizes: tuple[int, int, int]
    """K, Kt and opponents of its study."""
    games: int
    """The approximate number of games of the study; 0 after a forfeit in the check."""
    seconds: float | None
    """Their approximate time on this machine; None after a forfeit in the check."""
    reuse: bool
    """Whether processes are kept for the next game, if the check allows it."""
    sample: Sample | None = None
    """Games of the study that the time was estimated from."""
    faults: tuple[Fault, ...] = ()
    """What went wrong in all games of the check, late answers included."""
    stress: int = 0
    """How many more games it played to meet faults."""
    repeats: int = 1
    """How many games a cell of the study has."""

    @property
    def passed(self) -> bool:
        """Whether `boost` can take the arms, which have met no fault."""
        fit = self.found.passed or self.found.noisy
        return fit and not self.faults and not self.found.habits

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        sizes = {"games": self.games, "study_seconds": self.seconds}
        faults = {"faults": [asdict(each) for each in self.faults], "stress_games": self.stress}
        found = {**self.found.as_data(), "passed": self.passed}
        if self.found.noisy:
            found["arms_differ"] = None  # not measured
        return {"title": self.title, "engine": self.identity, **found, **sizes, **faults}

    @property
    def text(self) -> str:
        """The whole check as text."""
        lines = [f"{self.title}: {self.identity}"]
        lines += [f"{name:<13} {text}" for name, text in self._lines()]
        return "\n".join(lines)

    def _summary(self) -> str:
        fit = "noisy" if self.found.noisy else "passed"
        return f"{self.title}: {fit if self.passed else 'failed'}"

    def _parts(self) -> list[Table]:
        return [lines_table(f"{self.title}: {self.identity}", self._lines())]

    def _records(self) -> list[dict[str, Any]]:
        return [self.as_data()]

    def _lines(self) -> list[tuple[str, str]]:
        stress = [("stress", f"{self.stress} more games")] if self.stress else []
        faults = [("fault", each.text) for each in self.faults]
        return [*self._findings(), *stress, *faults, *self._study()]

    def _study(self) -> list[tuple[str, str]]:
        k, kt, opponents = self.sizes
        sizes = f"k={k}, kt={kt}, opponents={opponents}"
        if self.seconds is None:
            return [("verdict", "failed: correct the engine or its specification")]
        study = f"about {self.games:,} games ({sizes}), about {duration(self.seconds)} here"
        verdict = "passed: its arms are deterministic players"
        if self.found.noisy:
            verdict = f"noisy: boost takes the mean of {self.repeats} games a cell"
        elif not self.found.passed:
            verdict = "failed: boost refuses it, or takes the mean of several games with "
            verdict += "`despite_check`"
        if (self.found.passed or self.found.noisy) and not self.passed:
            if self.faults:
                verdict = "failed: boost plays it, and a fault loses the game; correct the engine"
            else:
                verdict = "failed: boost plays it, but it may slow down or end late; correct it"
        return [("study", study), ("verdict", verdict)]

    def _findings(self) -> list[tuple[str, str]]:
        """Return the findings, each with its name."""
        found = self.found
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
                "all arms tried play the same game: the engine ignores the seed or the options",
            ),
        }
        if not self.reuse:  # used processes were not tried
            every = "reuse = false: every game gets new processes, and used ones were not tried"
            where["reuse"] = (True, every, "")
        if found.noise is not None:
            unknown = "not compared, as games differ anyway: does the seed reach the engine?"
            where = {"again": where["again"], "arms": (False, "", unknown)}
        lines = [(name, yes if good else no) for name, (good, yes, no) in where.items()]
        lines += [("habit", habit) for habit in found.habits]
        lines += [("where", difference) for difference in found.differences]
        if found.noise is not None:
            lines.append(("noise", self._noise(found.noise)))
        lines.append(("a game", f"{found.moves} moves, {found.seconds:.2g} s"))
        if self.sample is not None:
            lines += self._sampled(self.sample)
        return lines

    def _noise(self, noise: float) -> str:
        """Return what the noise means."""
        one, mean = 100 * noise, 100 * noise / sqrt(self.repeats)
        said = f"{one:.0f} points, the standard deviation of one game between the same two arms"
        return f"{said}; of a mean of {self.repeats} it is {mean:.0f}"

    def _sampled(self, sample: Sample) -> list[tuple[str, str]]:
        """Return what a few games of the study took."""
        said = f"{sample.games} games as in the study: {sample.moves:.0f} moves on average, "
        said += f"{sample.answer_seconds:.2g} s for each that an engine computes"
        lines = [("sample", said)]
        if sample.start_seconds >= _NOTABLE:
            each = "every computed move" if sample.remember else "every game"
            when = f"at {each}" if not sample.reuse else "seldom"
            if sample.reuse and not sample.shared:
                when = "nearly every game, as the arm is part of the command"
            lines.append(("start", f"{sample.start_seconds:.2g} s to start and end it, {when}"))
        return lines


def check(
    file: str | Path,
    *,
    threads: int | None = None,
    games: int | None = None,
    seconds: int = 600,
    note: Callable[[str], None] = no_note,
) -> Checkup | GameCheckup | LearnerCheckup:
    """Check an external engine, the file of which ends in .toml, a game, or a learner.

    Of an engine: does an arm always play the same, do arms differ? Plays a few games, in new
    processes and in used ones, and compares every move. A few more games, played as the study
    plays them, show how long it will take. With `games` as many more look for faults; a game that
    meets one is played once more. An engine that crashes, or answers late, does not pass.

    Of a game: does it keep the rules of `check_game`? A file of yours runs in another process
    first, with at most 8 GiB of memory: a wrong game may crash it, or never end.

    Of a learner: is it deterministic, does it keep its budget, are its weights valid, and does it
    go on after an interruption? It learns from made-up results.

    Args:
        file: An external engine: engine.toml. Or a game: my_game.py:size=4. Or a learner:
            my_learner.py.
        threads: Number of games that a study will run at once, to estimate its time (default: all
            cores).
        games: Random games of a game (default: 200); of an engine, more games (default: none).
        seconds: CPU time that a game of yours may use, in seconds.
        note: Receives a line about each step.

    With the files of docs/boost-your-engine.md:

    >>> from seedfolio import check
    >>> found = check("bot.toml")
    >>> found.passed
    True
    >>> found.text.splitlines()[-1]
    'verdict       passed: its arms are deterministic players'

    And a game:

    >>> check("nim", games=20).passed
    True
    """
    program, player = split_program(str(file))
    if is_portfolio_name(program) or player is not None:
        raise SpecificationError(
            f"{file} is more than a game: check takes a game, such as domineering:7x7 or "
            "my_game.py, or the .toml file of an engine"
        )
    if is_learner_file(str(file)):
        return check_up_learner(str(file))
    if not is_engine_file(file) and not Path(file).is_dir():
        return check_up_own_game(str(file), 200 if games is None else games, seconds)
    if games is not None and games < 1:
        raise SpecificationError(f"`games` must be 1 or more, not {games}")
    return _check_engine(file, threads, games or 0, note)


def _check_engine(
    file: str | Path, threads: int | None, games: int, note: Callable[[str], None]
) -> Checkup:
    program = load_engine_program(file)
    k, kt, opponents = program.arms.usual_sizes
    kt = kt if program.opponents else min(k, kt)
    request = Request(k=k, kt=kt, opponents=opponents, learners=("nash",))
    note("starts the engine")
    identity = program.engine_identity
    met: list[GameRecord] = []
    found = check_program(program, note, met)
    request.check(program)
    reuse, sizes = program.reuse, (k, kt, opponents)
    if found.fault:
        return Checkup(program.title, identity, found, sizes, 0, None, reuse)
    for place, name in enumerate(program.opponents):
        note(f"plays a game against {name} three times")
        check_opponent(program, place)
    note("plays some games as the study would, to see how long it takes")
    sample = take_sample(program, found, threads)
    book = "book" in default_learners(program, k, kt)
    itself = not program.opponents
    size = StudySize(*sizes, program.arms.unseen, book, itself)
    repeats = games_a_cell(program, found)
    seconds = sample.seconds(size, repeats)
    faulty = [
        (game, game.ending in FORFEITS and bool(game.late)) for game in (*met, *sample.faulty)
    ]
    if games:
        note(f"plays {games} more games to look for faults")
        faulty += stressed(program, found, games, threads or available_cores())
    return Checkup(
        program.title,
        identity,
        found,
        sizes,
        size.games * repeats,
        seconds,
        reuse,
        sample,
        faults_of(faulty),
        games,
        repeats,
    )
