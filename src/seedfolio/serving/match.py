"""A match: games between programs of the same game, both colours equally often."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from threading import Event

from seedfolio.arena import Progress
from seedfolio.arena.threads import ThreadArena, available_cores
from seedfolio.boosting.request import MOST_GAMES, check_numbers
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.elo import Sprt
from seedfolio.games.game import Game
from seedfolio.players.program import Program
from seedfolio.report.progress import chosen_progress
from seedfolio.serving.match_record import MatchGame, MatchRecord
from seedfolio.serving.match_result import Match, Pairing, ratio_of
from seedfolio.serving.opponent import Boosted, Original
from seedfolio.serving.pairings import Pairings, load_pairings

_AHEAD = 4
"""Games that wait for each thread, so that none is idle while the next is handed out."""


def match(
    *programs: str | Path | Game | Program | Original | Boosted,
    games: int = 200,
    key: int = 0,
    sprt: tuple[float, float] | None = None,
    record: str | Path | None = None,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> Match:
    """Play a match between two programs, or each against each where there are more.

    A program is a portfolio file, a game for its own player, or a text such as
    domineering:7x7@uct:simulations=300 for a game and a player; from Python also what
    `load_boosted` and `load_program` return. All must be of the same game. Each two programs play
    `games` games, half of them with each colour. Originals draw a fresh seed for each game,
    portfolios one of their arms, all from `key`: the same match has the same games, whatever the
    number of threads.

    With `sprt`, two differences in Elo, a match of two programs ends as soon as the sequential
    test accepts one of the two; `games` is then the most. `record` is a file that keeps every
    game: the same match continues it.

    >>> from seedfolio import match
    >>> programs = "domineering:4x4@uct:simulations=20", "domineering:4x4@uct:simulations=5"
    >>> played = match(*programs, games=20)
    >>> played.games
    20
    >>> success = played.pairings[0].success
    >>> 0 <= success.low <= success.mean <= success.high <= 1
    True
    """
    check_numbers(games=games, key=key, threads=threads)
    if not 2 <= games <= MOST_GAMES or games % 2:
        raise SpecificationError(
            f"`games` must be an even number of 2 or more, as each colour has half, not {games}"
        )
    if not 0 <= key < 2**64:
        raise SpecificationError(f"`key` must be from 0 to 2**64 - 1, not {key}")
    test = None if sprt is None else _sprt(sprt, len(programs))
    workers = ThreadArena(available_cores() if threads is None else threads).threads
    return play_match(
        load_pairings(programs, key),
        games,
        test,
        None if record is None else Path(record),
        MatchMeans(workers, chosen_progress(progress)),
    )


@dataclass(frozen=True)
class MatchMeans:
    """What a match is played with."""

    threads: int
    progress: Progress
    task: str = "match"


def play_match(
    pairings: Pairings, games: int, sprt: Sprt | None, record: Path | None, means: MatchMeans
) -> Match:
    """Play the match, less the games that the record has."""
    points: dict[tuple[int, int], list[int]] = {pair: [] for pair in pairings.pairs}
    total = games * len(pairings.pairs)
    with ExitStack() as stack:
        kept = None
        if record is not None:
            kept = stack.enter_context(
                MatchRecord(record, pairings.identity(), pairings.names_and_arms)
            )
        old = kept.games[:total] if kept else []
        means.progress.begin(means.task, total)
        stack.callback(means.progress.end)
        new = stack.enter_context(closing(_played(pairings, range(len(old), total), means.threads)))
        for game in chain(old, new):
            if kept and game.number >= len(old):
                kept.add(game)
            means.progress.advance(1)
            _count(pairings, game, points)
            if sprt is not None and game.number % 2 and _decided(sprt, points[0, 1]):
                break
    found = tuple(Pairing(*pair, tuple(points[pair])) for pair in pairings.pairs)
    names = pairings.names
    return Match(pairings.game.title, names, found, pairings.key, sprt, record)


def _played(
    pairings: Pairings, numbers: Sequence[int], threads: int
) -> Generator[MatchGame, None, None]:
    """Yield games in the order of their numbers; threads play ahead."""
    if not numbers:
        return
    pairings.prepare()
    stop, ahead = Event(), threads * _AHEAD
    waiting: deque[Future[MatchGame | None]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for number in numbers:
                waiting.append(pool.submit(pairings.play, number, stop))
                if len(waiting) > ahead:
                    yield _result(waiting)
            while waiting:
                yield _result(waiting)
        finally:
            # An interrupt waits for a move of each thread, not for a game.
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


def _result(waiting: deque[Future[MatchGame | None]]) -> MatchGame:
    game = waiting.popleft().result()
    assert game is not None, "nobody reads games after a stop"
    return game


def _count(pairings: Pairings, game: MatchGame, points: dict[tuple[int, int], list[int]]) -> None:
    first, second = pairings.colours(game.number)
    if first < second:
        points[first, second].append(game.half_points)
    else:
        points[second, first].append(2 - game.half_points)


def _decided(sprt: Sprt, points: list[int]) -> bool:
    scores = Pairing(0, 1, tuple(points)).scores
    return sprt.decision(ratio_of(sprt, scores)) is not None


def _sprt(given: tuple[float, float], programs: int) -> Sprt:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise SpecificationError(
            f"`sprt` must be two differences in Elo such as (0, 30), not {given!r}"
        )
    test = Sprt(*given)
    if programs != 2:
        raise SpecificationError("`sprt` is for a match of two programs; leave it out")
    return test
