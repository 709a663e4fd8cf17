"""How many games a job plays on this machine: to learn from, and in proportion to judge by."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import replace
from math import isqrt
from pathlib import Path
from tempfile import TemporaryDirectory

from seedfolio.arena import Arena, WholeJob
from seedfolio.arena.processes import ProcessArena
from seedfolio.arena.ray.arena import EnginesOnRay
from seedfolio.boosting.request import MOST_GAMES, Request
from seedfolio.boosting.saved import requests_of
from seedfolio.boosting.session import known_check
from seedfolio.boosting.study_time import StudySize, take_sample
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.books import own_seeds_for
from seedfolio.learning.learner import Budget, Learner
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.programs.interface import Playable
from seedfolio.study.arms import TrainingArms
from seedfolio.study.session import Session
from seedfolio.study.store import Study

_CELLS = 2**20  # more than any arena plays while its speed is measured
_SHORT = 0.5
"""Seconds for the speed that is shown before a job."""
_SOON = 120.0
"""Seconds of a job of an external engine that is too short to play a sample of it first."""
_LEAST_SECONDS = 0.001
"""Of a game of an external engine."""
_TRIED_SECONDS, _FEWEST_TRIED, _MOST_TRIED = 2.0, 100, 100_000
"""A learner's speed is measured with the games of this many seconds, within these limits."""


_FEWEST_JUDGES = 20
"""Arms of the original, and opponents: with fewer the table would lack a column."""


def in_proportion(
    request: Request, program: Playable, learners: int, free: Collection[str]
) -> Request:
    """Return a request with a budget so that judging the original takes no more than learning.

    Only sizes that are `free`, `k` and `opponents`, become smaller, and never fewer than 20.
    """
    if request.budget is None:
        return request
    learning = request.budget * learners // program.repeats
    opponents = request.opponents
    if "opponents" in free:
        opponents = min(opponents, max(_FEWEST_JUDGES, isqrt(learning // 2)))
    k = request.k
    if "k" in free:
        k = min(k, max(_FEWEST_JUDGES, learning // (2 * opponents)))
    return request.model_copy(update={"k": k, "opponents": opponents})


def expected_games(
    request: Request, program: Playable, learners: Sequence[Learner], *, again: bool = True
) -> tuple[int, int]:
    """Return about how many games a job plays: to learn from, and to judge by.

    `again` says whether it measures the recommended one of several learners again.
    """
    each = request.games(program.repeats, itself=not program.opponents)
    choosing = [one for one in learners if request.chooses or not isinstance(one, MatrixLearner)]
    learning = each * (len(choosing) + (len(choosing) < len(learners)))
    books = sum(one.settled(program, each).name.startswith("book") for one in learners)
    # Small portfolios meet more opponents, and chosen arms are not among the K that have met them.
    small = 10 if program.traits.slow else 100
    few = small if request.chooses else small // 4
    cells = 2 * request.k + (len(learners) - books) * few
    if again and len(learners) > 1 and not program.traits.slow:
        cells, books = (cells, books + 1) if books else (cells + small, 0)
    # A book plays one game with each of its seeds, where a cell may have several.
    by_book = books * (small if program.traits.slow else 2 * own_seeds_for(each))
    return learning, (cells * program.repeats + by_book) * request.opponents


def announce(
    session: Session,
    requests: Sequence[Request],
    learners: Sequence[Learner],
    note: Callable[[str], None],
    *,
    times: int = 1,
    extra: int = 0,
) -> None:
    """Tell progress how many games the whole job has, and how long they take here.

    All requests meet the same arms of the original, and each is done a number of `times`. `extra`
    games are of opponents who learn.
    """
    progress, program = session.progress, session.program
    if not isinstance(progress, WholeJob):
        return
    games = [
        expected_games(each, program, learners, again=times == 1 and each is requests[-1])
        for each in requests
    ]
    shared = sum(2 * each.k * each.opponents * program.repeats for each in requests[1:])
    learning = times * sum(each for each, _ in games)
    judging = times * (sum(each for _, each in games) - shared)
    games_of_all = learning + judging + extra
    left = games_of_all - session.study.count() * program.repeats
    if left <= 0:
        return
    text = f"about {_two_digits(games_of_all):,} games: {_two_digits(learning):,} to learn "
    text += f"from, {_two_digits(judging):,} to judge by"
    text += f", {_two_digits(extra):,} of opponents who learn" if extra else ""
    if left < games_of_all:
        text += f"; about {_two_digits(left):,} are left to play"
    if isinstance(program, EngineProgram):
        speed = _speed_of_engine(session, program, requests[-1], left, note)
    else:
        speed = measure_speed(program, session.arena, _SHORT)
    progress.expect(left, f"{text}; about {duration(left / speed)} at {_rate(speed)}")


def _speed_of_engine(
    session: Session,
    program: EngineProgram,
    request: Request,
    left: int,
    note: Callable[[str], None],
) -> float:
    """Return about how many games a second an engine plays in this job.

    For a short job by the game of its check, else by a sample, as answers that are known cost
    nothing.
    """
    check, arena = known_check(session.study, program), session.arena
    assert check is not None, "a session of an engine begins with its check"
    assert isinstance(arena, ProcessArena | EnginesOnRay), "no other arena plays engines"
    speed = arena.at_once / max(check.seconds, _LEAST_SECONDS)
    if left < speed * _SOON:
        return speed
    note("plays some games as the study would, to see how long it takes")
    threads = arena.at_once if isinstance(arena, ProcessArena) else None
    sample = replace(take_sample(program, check, threads), threads=arena.at_once)
    k, kt = (
        (isqrt(request.budget), isqrt(request.budget))
        if request.budget
        else (request.k, request.kt)
    )
    size = StudySize(k, kt, request.opponents, program.arms.unseen, itself=not program.opponents)
    return size.games * program.repeats / sample.seconds(size, program.repeats)


def duration(seconds: float) -> str:
    """Return a time for people: `40 seconds`, `2.5 hours`."""
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            amount = seconds / size
            return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:,.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds >= 1.5 else "1 second"


def with_budget(
    request: Request,
    learners: Sequence[Learner],
    session: Session,
    note: Callable[[str], None],
    *,
    free: Collection[str],
) -> Request:
    """Return a request for minutes with the number of games for each learner on this machine.

    Measures the speed, unless the study has the same request already: then the number of games
    stays, since another number would give another result. `note` receives a line. Sizes that are
    `free` follow the number of games.
    """
    if request.minutes is None:
        return in_proportion(request, session.program, len(learners), free)
    asked = requests_of(session.study)[-1:]
    minutes, names = f"{request.minutes:g} minutes", [learner.name for learner in learners]
    many = f"for each of {len(names)} learners" if len(names) > 1 else f"for {names[0]}"
    for before in asked:
        follows = {"budget": None, **{name: getattr(request, name) for name in free}}
        if before.budget and before.model_copy(update=follows) == request:
            note(f"{minutes} were {before.budget:,} games {many} when this began; continuing")
            return before
    fastest = measure_speed(session.program, session.arena)
    # With slower learners the number is smaller; then the speed of `auto` is only roughly right.
    most = int(60 * request.minutes * fastest / len(learners))
    tried = [learner.settled(session.program, most).sample() for learner in learners]
    if session.program.traits.slow:  # the time is that of the games, whoever learns from them
        speeds = [fastest] * len(learners)
    else:
        speeds = [_speed(learner, session, fastest) for learner in tried]
    games = _rounded(int(60 * request.minutes / sum(1 / speed for speed in speeds)))
    pairs = zip(speeds, names, strict=True)
    measured = ", ".join(f"{_rate(speed)} with {name}" for speed, name in pairs)
    note(
        f"measured {measured}: {minutes} are {games:,} games {many} (`budget` {games}); "
        "evaluation takes about as long again"
    )
    request = request.model_copy(update={"budget": games})
    return in_proportion(request, session.program, len(learners), free)


def measure_speed(
    program: Playable,
    arena: Arena,
    seconds: float = 2.0,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Return how many games a second the arena plays, measured for about `seconds` seconds.

    Nothing is kept. The first block does not count, as it may compile code and start threads.
    """
    seeds = TrainingArms(0, min(_CELLS, program.arms.training)).seeds()
    began, ended, cells = None, 0.0, 0
    with closing(arena.play(program, seeds, seeds[::-1].copy())) as blocks:
        for block in blocks:
            ended = clock()
            if began is None:
                began = ended
                continue
            cells += len(block.rows)
            if ended - began >= seconds:
                break
    if began is None or ended <= began:
        raise SpecificationError(f"{program.title}: games are too fast to measure their speed")
    return cells * program.repeats / (ended - began)


def _speed(learner: Learner, session: Session, fastest: float) -> float:
    """Return how many games a second a learner uses, including the time to store results."""
    program = session.program
    games = max(_FEWEST_TRIED * program.repeats, int(min(fastest * _TRIED_SECONDS, _MOST_TRIED)))
    _timed(learner, session, _FEWEST_TRIED * program.repeats)  # compiles
    used, seconds = _timed(learner, session, games)
    return min(fastest, max(1, used) / max(seconds, 1e-6))


def _timed(learner: Learner, session: Session, games: int) -> tuple[int, float]:
    """Let a learner learn in a temporary study; return its games and seconds."""
    with (
        TemporaryDirectory() as folder,
        Study.open(Path(folder) / "trial.study", session.program.identity()) as study,
    ):
        trial = Session(study, session.arena, session.program)
        began = time.perf_counter()
        learnt = learner.learn(trial, Budget(games))
        return learnt.games, time.perf_counter() - began


def _rate(speed: float) -> str:
    return f"{speed:,.0f} games/s" if speed >= 10 else f"{60 * speed:.2g} games/min"


def _rounded(games: int) -> int:
    """Return a number of games that is easy to type again: rounded down to two digits."""
    return _two_digits(max(1, min(games, MOST_GAMES)))


def _two_digits(games: int) -> int:
    step: int = 10 ** max(0, len(str(games)) - 2)
    return games // step * step
