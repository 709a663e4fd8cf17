"""From minutes to games: how many games each learner gets on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from seedfolio.arena import Arena
from seedfolio.boosting.request import MOST_GAMES, Request
from seedfolio.boosting.saved import requests_of
from seedfolio.errors import SpecificationError
from seedfolio.learning.learner import Budget, Learner
from seedfolio.programs.interface import Playable
from seedfolio.study.arms import TrainingArms
from seedfolio.study.session import Session
from seedfolio.study.store import Study

_CELLS = 2**20  # more than any arena plays while its speed is measured
_TRIED_SECONDS, _FEWEST_TRIED, _MOST_TRIED = 2.0, 100, 100_000
"""A learner's speed is measured with the games of this many seconds, within these limits."""


def with_budget(
    request: Request, learners: Sequence[Learner], session: Session, note: Callable[[str], None]
) -> Request:
    """Return a request for minutes with the number of games for each learner on this machine.

    Measures the speed, unless the study has the same request already: then the number of games
    stays, since another number would give another result. `note` receives a line.
    """
    if request.minutes is None:
        return request
    asked = requests_of(session.study)[-1:]
    minutes, names = f"{request.minutes:g} minutes", [learner.name for learner in learners]
    many = f"for each of {len(names)} learners" if len(names) > 1 else f"for {names[0]}"
    for before in asked:
        if before.budget and before.model_copy(update={"budget": None}) == request:
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
        "evaluation takes extra time"
    )
    return request.model_copy(update={"budget": games})


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
    games = max(1, min(games, MOST_GAMES))
    step: int = 10 ** max(0, len(str(games)) - 2)
    return games // step * step
