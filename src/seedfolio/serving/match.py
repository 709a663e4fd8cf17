"""A match: games between programs of the same game, both colours equally often."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from seedfolio.arena import Progress, Silent
from seedfolio.arena.threads import ThreadArena, available_cores
from seedfolio.boosting.request import MOST_GAMES, check_numbers
from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.engines.program import EngineProgram, is_engine_file
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.elo import Sprt
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE
from seedfolio.players.interface import identity
from seedfolio.players.program import Program
from seedfolio.portfolios.file import load_portfolio
from seedfolio.serving.match_record import MatchGame, MatchRecord
from seedfolio.serving.match_result import Match, Pairing, ratio_of
from seedfolio.serving.opponent import ArmInPlay, Boosted, Opponent, Original, load_opponent

MOST_PROGRAMS = 100
_AHEAD = 4
"""Games that wait for each thread, so that none is idle while the next is handed out."""


def match(
    *programs: str | Path | Game | Program | Original | Boosted,
    games: int = 200,
    key: int = 0,
    sprt: tuple[float, float] | None = None,
    record: str | Path | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Match:
    """Play a match between two programs, or each against each where there are more.

    A program is a portfolio file, a game for its own player, or a text such as
    domineering:7x7@uct:simulations=300 for a game and a player; from Python also what `load_boosted`
    and `load_program` return. All must be of the same game. Each two programs play `games` games,
    half of them with each colour. Originals draw a fresh seed for each game, portfolios one of
    their arms, all from `key`: the same match has the same games, whatever the number of threads.

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
        Means(workers, progress or Silent()),
    )


@dataclass(frozen=True)
class Means:
    """What a match is played with."""

    threads: int
    progress: Progress
    task: str = "match"


@dataclass(frozen=True)
class Pairings:
    """The programs of a match and its list of games, which has no end.

    Each round holds two games of each two programs, one with each colour.
    """

    programs: tuple[Opponent, ...]
    key: int

    @property
    def game(self) -> Game:
        """The game that all play."""
        return self.programs[0].program.game

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the programs, with a number where two have the same."""
        names = [each.name for each in self.programs]
        return tuple(
            name if names.count(name) == 1 else f"{name} #{number}"
            for number, name in enumerate(names, 1)
        )

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Which programs meet, as their places."""
        return list(combinations(range(len(self.programs)), 2))

    def colours(self, number: int) -> tuple[int, int]:
        """Return the programs that have the first and the second move in a game."""
        one, other = self.pairs[number // 2 % len(self.pairs)]
        return (other, one) if number % 2 else (one, other)

    def arms(self, number: int) -> tuple[ArmInPlay, ArmInPlay]:
        """Return the arms of a game."""
        drawn = mix_int(mix_int(self.key) + number)
        first, second = (self.programs[each] for each in self.colours(number))
        return first.new_game(0, drawn), second.new_game(1, drawn)

    def names_and_arms(self, number: int) -> tuple[tuple[str, str], tuple[int, int]]:
        """Return the names of the players of a game, and the numbers of their arms."""
        (first, second), arms = self.colours(number), self.arms(number)
        return (self.names[first], self.names[second]), (arms[0].number, arms[1].number)

    def identity(self) -> dict[str, Any]:
        """Return all on which the games depend."""
        programs = zip(self.names, self.programs, strict=True)
        return {
            "game": self.game.identity(),
            "programs": [
                {"name": name, "player": identity(each.program.player), "plays": _digest(each)}
                for name, each in programs
            ],
            "key": self.key,
        }

    def prepare(self) -> None:
        """Compile all that games need, in this thread alone."""
        for program in self.programs:
            plain = program.new_game(0, 0)
            history: list[int] = []
            while (position := self.game.position(history)).mover == CHANCE and position.moves:
                history.append(plain.draw_chance(history))
            plays = program.plays.arms if isinstance(program, Boosted) else ()
            turned = [arm for arm in plays if arm >> SYMMETRY_SHIFT]
            for arm in (plain.number, *turned[:1]):
                if position.moves:
                    program.playing.choose(history, arm, plain.luck)

    def play(self, number: int, stop: Event) -> MatchGame | None:
        """Play a game; None if `stop` is set on the way."""
        sides, history = self.arms(number), list[int]()
        while (position := self.game.position(history)).moves:
            if stop.is_set():
                return None
            if position.mover == CHANCE:
                history.append(sides[0].draw_chance(history))
            else:
                history.append(sides[position.mover].choose(history))
        names, arms = self.names_and_arms(number)
        moves = tuple(self.game.move_name(move) for move in history)
        return MatchGame(number, names, arms, moves, position.score or 0)


def play_match(
    pairings: Pairings, games: int, sprt: Sprt | None, record: Path | None, means: Means
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


def load_pairings(programs: Sequence[Any], key: int) -> Pairings:
    """Return the programs of a match; SpecificationError if they cannot meet."""
    if not 2 <= len(programs) <= MOST_PROGRAMS:
        raise SpecificationError(
            f"a match needs 2 to {MOST_PROGRAMS} programs, and {len(programs)} "
            f"{'is' if len(programs) == 1 else 'are'} given"
        )
    loaded = tuple(load_entrant(each) for each in programs)
    one = loaded[0].program.game
    for other in (each.program.game for each in loaded[1:]):
        if other.identity() != one.identity():
            versions = ""
            if other.title == one.title:
                versions = f": version {one.version} and version {other.version} of its rules"
            raise SpecificationError(
                f"all programs of a match must play the same game, not {one.title} and "
                f"{other.title}{versions}"
            )
    return Pairings(loaded, key)


def load_entrant(program: Any) -> Opponent:
    """Return a program of a match, loaded or described."""
    if isinstance(program, Boosted | Original):
        return program
    if isinstance(program, Program):
        return Original(program)
    if isinstance(program, Game):
        return load_opponent(program)
    if isinstance(program, EngineProgram):
        raise _engine(program.name)
    if not isinstance(program, str | Path):
        raise SpecificationError(
            "a program of a match must be a portfolio file, a text such as "
            f"domineering:7x7@uct:simulations=300, or a loaded program, not {program!r}"
        )
    text, player = _split(str(program))
    if is_engine_file(text):
        raise _engine(text)
    if text.endswith(".json") and load_portfolio(text).engine is not None:
        raise _engine(text)
    return load_opponent(text, player)


def _split(text: str) -> tuple[str, str | None]:
    """Return the game or file, and the player after the last @, if there is one."""
    game, at, player = text.rpartition("@")
    # A folder or a file may have an @ in its name; a player has no such endings.
    if not at or "/" in player or player.endswith((".json", ".toml")) or ".py" in player:
        return text, None
    return game, player


def _engine(name: str) -> SpecificationError:
    return SpecificationError(
        f"{name} is an external engine; a match is between built-in programs only, for now"
    )


def _digest(program: Opponent) -> str | None:
    """Return a digest of what was learnt; None for an original."""
    digest = hashlib.sha256()
    if isinstance(program, Boosted) and (drawn := program.plays.distributions) is not None:
        for side in (drawn.first, drawn.second):
            digest.update(np.array(side.arms, "<u8").tobytes())
            digest.update(np.array(side.weights, "<f8").tobytes())
    elif program.playing.books is not None:
        digest.update(program.playing.book_words.astype("<u8").tobytes())
    else:
        return None
    return digest.hexdigest()
