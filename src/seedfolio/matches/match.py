"""A match: games between programs of the same game, both colours equally often."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Hashable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from threading import Event

from pydantic import ValidationError

from seedfolio.arena import Arena, Progress, Run, no_note
from seedfolio.arena.choice import AUTO, find_arena, is_cluster, open_arena
from seedfolio.arena.ray.arena import RayArena
from seedfolio.arena.threads import ThreadArena, available_cores
from seedfolio.boosting.request import MOST_GAMES, check_numbers
from seedfolio.engines.clock import TimeControl
from seedfolio.engines.record import GameRecord
from seedfolio.engines.specification.tables import AdjudicationTable
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.sprt import Sprt
from seedfolio.matches.cluster import cluster_games
from seedfolio.matches.files import GameFiles, pgn_file, sgf_files
from seedfolio.matches.host import Host
from seedfolio.matches.record import MatchRecord
from seedfolio.matches.result import Forfeits, Match, Pairing
from seedfolio.matches.schedule import Pairings, load_lines, load_pairings
from seedfolio.opponents.load import AnyProgram
from seedfolio.report.progress import chosen_progress

_SHOWN = {"resign": "600,3", "draw": "10,8,60"}
_AHEAD = 4
"""Games that wait for each thread, so that none is idle while the next is handed out."""
_FEWEST_FOR_GPU = 5000
"""With fewer games in all, `auto` plays on threads: a GPU takes longer to compile."""


def match(
    *programs: AnyProgram,
    games: int = 200,
    key: int = 0,
    sprt: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: str = "logistic",
    gauntlet: bool = False,
    openings: str | Path | None = None,
    plies: int = 8,
    resign: str | None = None,
    draw: str | None = None,
    time: str | None = None,
    margin: int = 0,
    record: str | Path | None = None,
    sgf: str | Path | None = None,
    pgn: str | Path | None = None,
    arena: str | Arena = "auto",
    threads: int | None = None,
    address: str | None = None,
    progress: Progress | bool | None = None,
    note: Callable[[str], None] = no_note,
) -> Match:
    """Play a match between two programs, or each against each where there are more.

    From Python a program is also what `boost`, `load_boosted` or `load_program` returned. All must
    be of the same game. Each two programs play half of their games with each colour. Originals draw
    a fresh seed for each game, portfolios one of their arms, all from `key`: the same match has the
    same games, whatever the number of threads.

    An adaptive program learns from game to game. Its games are played one after the other, whatever
    the arena and the threads; the same file gives the same games, and the next match other arms to
    meet. There is no interval then, as its games depend on each other.

    Where both programs have few arms, as portfolios or lists of options have, games repeat. For the
    intervals and for `sprt` equal games are one.

    With `time` each side has a clock, and loses if it runs out. External engines hear it in place
    of their limits; built-in programs think as they were learnt, and less where time is short. Then
    another run may have other games.

    With `sprt`, a match of two programs ends as soon as the sequential test accepts one of the two
    differences. A GPU plays games between built-in programs and keeps no moves; "auto" takes it for
    5,000 games or more without `record`, `sgf` and `pgn`. With external engines, `threads` is the
    number of games at once.

    Args:
        programs: Two or more: portfolio files, games such as domineering:7x7, a game and a player
            such as domineering:7x7@uct:simulations=300, engine.toml, FILE.json@original for the
            program that a portfolio was learnt with, or what `adapt` wrote.
        games: Number of games between each two programs; with `sprt`, the most.
        key: Draws the arms of all games.
        sprt: Stop when a sequential test has decided between two differences in Elo (default: play
            all games).
        alpha: Probability that the test accepts the higher difference where the lower is true.
        beta: Probability that it accepts the lower one where the higher is true.
        model: What the differences of the test are: logistic or normalized Elo.
        gauntlet: Let only the first program meet the others.
        openings: File of openings, each played with both colours: PGN or EPD for chess, SGF for Go,
            or the moves of an opening in each line (default: none).
        plies: Most moves taken from each game of `openings`.
        resign: Score and number: a program loses that is so far behind, in centipawns, in so many
            of its moves in a row: 600,3 (default: never).
        draw: Score, number and first move: a game is drawn if both are so close in so many moves in
            a row, from then on: 10,8,60 (default: never).
        time: Clocks, in seconds: 60, 2+0.02 with an increment, 40/60+0.6 for 40 moves each, or
            0.1/move (default: none).
        margin: Milliseconds that a program may be late with `time`.
        record: File that keeps every game; the same command continues it.
        sgf: File that ends in .sgf, or a folder, for all games with Go stones (default: none).
        pgn: File for all games of chess (default: none).
        arena: Where games run: auto (GPU if present, for many games), threads, cuda, or ray (a
            cluster).
        threads: Number of threads (default: all).
        address: As in `boost`.
        progress: As in `boost`.
        note: Receives lines for people.

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
    control = None if time is None else TimeControl.parse(time)
    if margin < 0 or (margin and control is None):
        raise SpecificationError(f"`margin` is 0 or more, and only with `time`, not {margin}")
    if not 2 <= games <= MOST_GAMES or games % 2:
        raise SpecificationError(
            f"`games` must be an even number of 2 or more, as each colour has half, not {games}"
        )
    if not 1 <= plies <= MOST_GAMES:
        raise SpecificationError(f"`plies` must be 1 or more, not {plies}")
    test = None if sprt is None else _sprt(sprt, alpha, beta, model)
    if test is not None and len(programs) != 2:
        raise SpecificationError("`sprt` is for a match of two programs; leave it out")
    run = Run(arena, threads, address, chosen_progress(progress), note)
    check_run(run)
    keeping = Keeping(*(None if path is None else Path(path) for path in (record, sgf, pgn)))
    pairings = replace(
        load_pairings(programs, key),
        control=control,
        margin=margin,
        adjudication=_adjudication(resign, draw),
        gauntlet=gauntlet,
    )
    if openings is not None:
        pairings = replace(pairings, openings=load_lines(openings, plies, pairings))
    return play_match(pairings, games, run, keeping, test)


def check_run(run: Run) -> None:
    """Raise SpecificationError if the arena or the threads of a run are not for a match."""
    if not is_cluster(run):
        find_arena(run.arena if run.arena != AUTO else "threads", run.threads)


@dataclass(frozen=True)
class Keeping:
    """Where the games of a match are kept."""

    record: Path | None = None
    sgf: Path | None = None
    pgn: Path | None = None

    @property
    def moves(self) -> bool:
        """Whether games are kept with their moves."""
        return any(each is not None for each in (self.record, self.sgf, self.pgn))


def play_match(
    pairings: Pairings,
    games: int,
    run: Run,
    keeping: Keeping,
    sprt: Sprt | None = None,
    *,
    task: str = "match",
) -> Match:
    """Play the match, less the games that the record has; progress shows it as `task`."""
    played = {pair: _Played(*pair, pairings.has_repeats(*pair)) for pair in pairings.pairs}
    forfeits: list[GameRecord] = []
    late = 0
    total = games * len(pairings.pairs)
    memories = [each.memory for each in pairings.programs if each.memory is not None]
    if len({each.path.resolve() for each in memories}) < len(memories):
        raise SpecificationError(
            f"{pairings.learning[0]} cannot meet itself from one file; name a copy of the file"
        )
    if memories and (sprt is not None or keeping.record is not None):
        raise SpecificationError(
            f"{pairings.learning[0]} keeps its games itself, and they depend on each other; leave "
            "out `record` and `sprt`"
        )
    host = _make_host(pairings, run, keeping)
    host.check_openings(games // 2)
    with ExitStack() as stack:
        for memory in memories:
            stack.callback(memory.close)
            memory.open()
        # So the next match meets other arms.
        begin = sum(len(each.file.games) for each in memories) * len(pairings.pairs)
        kept = None
        written: list[GameFiles] = []
        if keeping.sgf is not None:
            written.append(sgf_files(keeping.sgf, pairings))
        if keeping.pgn is not None:
            written.append(pgn_file(keeping.pgn, pairings))
        if keeping.record is not None:
            arms_of = pairings.names_and_arms
            kept = MatchRecord(keeping.record, pairings.identity(), arms_of)
            stack.enter_context(kept)
        for file in written:
            stack.enter_context(file)
        old = kept.games[:total] if kept else []
        run.progress.begin(task, total)
        stack.callback(run.progress.end)
        rest = range(begin + len(old), begin + total)
        new = stack.enter_context(closing(_played(host, rest, run, keeping)))
        for game in chain(old, new):
            if kept and game.number >= len(old):
                kept.add(game)
            for file in written:
                file.add(game)
            run.progress.advance(1)
            first, second = pairings.colours(game.number)
            opening = pairings.opening(game.number)
            pair = played[min(first, second), max(first, second)]
            pair.add(game, first < second, None if opening is None else opening[0])
            if memories:
                one, other = (pairings.programs[place] for place in (first, second))
                one.learn(0, game.arms[0], game.points)
                other.learn(1, game.arms[1], 2 - game.points)
            late += bool(game.late)
            if game.forfeited:
                forfeits.append(game)
            if sprt is not None and game.number % 2:
                ratio = played[0, 1].pairing().ratio(sprt)
                if sprt.decision(ratio) is not None:
                    break
    found = tuple(each.pairing() for each in played.values())
    lost = Forfeits.of(forfeits)
    about = pairings.title, pairings.names, found, pairings.key
    timed, learning = pairings.clock is not None, pairings.learning
    return Match(*about, sprt, keeping.record, lost, late, timed, learning)


def _make_host(pairings: Pairings, run: Run, keeping: Keeping) -> Host:
    """Return who plays the games; SpecificationError if the arena cannot."""
    host = Host(pairings, noted=keeping.pgn is not None)
    given = run.arena not in (AUTO, "threads") and not _on_cluster(run)
    if given and any(each.is_engine for each in pairings.programs):
        raise SpecificationError(
            "external engines run in processes; leave out `arena`, or choose ray"
        )
    if given and keeping.moves:
        raise SpecificationError(
            "an arena keeps no moves: leave out `arena`, or `record`, `sgf` and `pgn`"
        )
    if given and not host.takes_arena:
        raise SpecificationError("no arena plays these programs together; leave out `arena`")
    return host


def _on_cluster(run: Run) -> bool:
    return is_cluster(run) or isinstance(run.arena, RayArena)


def _played(
    host: Host, numbers: Sequence[int], run: Run, keeping: Keeping
) -> Generator[GameRecord, None, None]:
    """Yield games in the order of their numbers."""
    if not numbers:
        return
    if host.pairings.learning:  # each game depends on those before it
        yield from _threaded(host, numbers, 1, ahead=0)
        return
    if _on_cluster(run):
        with open_arena(run) as arena:
            assert isinstance(arena, RayArena)
            noted = keeping.pgn is not None
            yield from cluster_games(arena, host.pairings, numbers, noted=noted)
        return
    if run.arena != "threads":
        few = keeping.moves or len(numbers) < _FEWEST_FOR_GPU or not host.takes_arena
        if run.arena != AUTO or not few:
            arena = find_arena(run.arena, run.threads, run.note)
            # Our own threads play as fast as an arena's, and keep moves.
            if run.arena != AUTO or not isinstance(arena, ThreadArena):
                yield from host.results(arena, numbers)
                return
    threads = run.threads or available_cores()
    yield from _threaded(host, numbers, threads, ahead=threads * _AHEAD)


def _threaded(
    host: Host, numbers: Sequence[int], threads: int, *, ahead: int
) -> Generator[GameRecord, None, None]:
    """Yield games in the order of their numbers; threads play ahead."""
    host.prepare(threads)
    stop = Event()
    waiting: deque[Future[GameRecord | None]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for number in numbers:
                waiting.append(pool.submit(host.play, number, stop))
                if len(waiting) > ahead:
                    yield _result(waiting)
            while waiting:
                yield _result(waiting)
        finally:
            stop.set()
            host.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            host.close()


def _result(waiting: deque[Future[GameRecord | None]]) -> GameRecord:
    game = waiting.popleft().result()
    assert game is not None, "nobody reads games after a stop"
    return game


class _Played:
    """The games of two programs so far."""

    def __init__(self, first: int, second: int, has_repeats: bool) -> None:
        self._places = first, second
        self._points: list[int] = []
        self._kinds: list[int] = []
        self._numbers: dict[Hashable, int] | None = {} if has_repeats else None
        self._openings: list[int] = []

    def add(self, game: GameRecord, begins: bool, opening: int | None) -> None:
        """Count a game; `begins` says whether the first program has the first move."""
        if opening is not None and begins:
            self._openings.append(opening)
        self._points.append(game.points if begins else 2 - game.points)
        if self._numbers is not None:
            kind = game.moves or game.arms
            self._kinds.append(self._numbers.setdefault(kind, len(self._numbers)))

    def pairing(self) -> Pairing:
        """Return the games."""
        about = tuple(self._points), tuple(self._kinds), tuple(self._openings)
        return Pairing(*self._places, *about)


def _sprt(given: tuple[float, float], alpha: float, beta: float, model: str) -> Sprt:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise SpecificationError(
            f"`sprt` must be two differences in Elo such as (0, 30), not {given!r}"
        )
    return Sprt(*given, alpha, beta, model)


def _adjudication(resign: str | None, draw: str | None) -> AdjudicationTable | None:
    """Return the rules of adjudication of texts such as 600,3 and 10,8,60."""
    tables: dict[str, dict[str, float]] = {}
    for name, text, keys in (
        ("resign", resign, ("score", "moves")),
        ("draw", draw, ("score", "moves", "after")),
    ):
        if text is not None:
            parts = [each.strip() for each in text.split(",")]
            if len(parts) != len(keys) or not all(re.fullmatch(r"[0-9]{1,7}", p) for p in parts):
                raise SpecificationError(
                    f"`{name}` must be whole numbers, {', '.join(keys)}, such as "
                    f"{_SHOWN[name]}, not {text!r}"
                )
            tables[name] = dict(zip(keys, map(int, parts), strict=True))
    if not tables:
        return None
    try:
        return AdjudicationTable.model_validate(tables)
    except ValidationError as error:
        (first, *_) = error.errors()
        place = " of ".join(f"`{each}`" for each in reversed(first["loc"]))
        raise SpecificationError(f"{place}: {first['msg'].lower()}") from None
