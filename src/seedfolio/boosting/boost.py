"""The main job: play seeds against each other, learn which to draw, prove it on unseen ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial, singledispatch
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

from seedfolio.arena import Arena, Progress, Run, no_note
from seedfolio.boosting.budget import (
    announce,
    expected_games,
    in_proportion,
    with_budget,
)
from seedfolio.boosting.request import Request, check_numbers, learner_names
from seedfolio.boosting.results import Boost, save_boost
from seedfolio.boosting.session import known_check, open_session
from seedfolio.boosting.trials import (
    Trial,
    Trials,
    measure_again,
    measure_on_fresh,
    run_trials,
)
from seedfolio.boosting.tune import FEWEST_GAMES, USUAL_GAMES
from seedfolio.boosting.tune import tune as tune_program
from seedfolio.boosting.verdict import verdict_of
from seedfolio.core.files import file_name
from seedfolio.engines.play.samples import pick_samples
from seedfolio.engines.program import EngineProgram
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.best_response import BestResponse
from seedfolio.evaluation.estimate import Evaluation
from seedfolio.evaluation.intervals import SuccessInterval, student
from seedfolio.evaluation.learning_opponents import Learns, kinds_for
from seedfolio.learning.learner import Certificate, Learner
from seedfolio.opponents.known import with_opponent
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.book.engine import written_engine_books
from seedfolio.portfolios.book.file import WrittenBooks, written_books
from seedfolio.portfolios.file import PortfolioFile
from seedfolio.portfolios.portfolio import CRITERIA, Portfolio
from seedfolio.portfolios.written import (
    Provenance,
    Success,
    UnseenEvaluation,
    WrittenBestResponse,
    WrittenBounds,
    WrittenCertificates,
    WrittenLearns,
)
from seedfolio.programs.interface import Playable
from seedfolio.programs.load import Learnable, load_program
from seedfolio.report.progress import chosen_progress
from seedfolio.study.arms import training_cells
from seedfolio.study.session import Session
from seedfolio.study.store import Study
from seedfolio.tuning.changed import advice, declared, varied
from seedfolio.tuning.parameter import parse_parameters
from seedfolio.version import __version__

_ANSWERS = 3
"""Sample answers in the file of an external engine."""


def portfolio_file(
    session: Session,
    trial: Trial,
    fresh: Evaluation | None = None,
    learns: Learns | None = None,
) -> PortfolioFile:
    """Return the file of what a learner has learnt; `fresh` is its success on fresh seeds.

    `learns` has what is left of a portfolio, perhaps this one.
    """
    program, learnt = session.program, trial.learnt
    k, kt = learnt.matrix or (None, None)
    described = program.description(learnt.plays.arms)
    if isinstance(program, EngineProgram):
        described["engine"]["answers"] = _answers(program, session.study, learnt.plays.arms)
    return PortfolioFile.model_validate(
        {
            **described,
            **_written(learnt.plays, program),
            "learner": trial.name,
            "certificate": _certificates(learnt.value),
            "confidence": _certificates(learnt.confidence),
            "provenance": Provenance(
                seedfolio=__version__, k=k, kt=kt, repeats=program.repeats, games=learnt.games
            ),
            "evaluation": _unseen(trial.evaluation),
            "fresh": None if fresh is None else _unseen(fresh),
            "learns": None if learns is None else _left_of(trial, learns),
            "against": _known(program),
            "best_response": _exact(trial.exact),
        }
    )


def _answers(program: EngineProgram, study: Study, arms: Sequence[int]) -> list[dict[str, Any]]:
    """Return sample answers of a portfolio's arms, by which a rebuilt engine is noticed."""
    check = known_check(study, program)
    if check is None or not check.passed or program.repeats > 1:
        return []
    games = study.engine_games().games()
    wanted = list(arms) or None  # a book has none: then any arm will do
    picked = pick_samples(program, games, _ANSWERS, by_moves=check.by_moves, arms=wanted)
    return [{"arm": each.arm, "moves": list(each.moves), "move": each.move} for each in picked]


def _known(program: Playable) -> str | None:
    """Return the known opponent of a built-in program; engines have theirs elsewhere."""
    if isinstance(program, EngineProgram) or not program.opponents:
        return None
    return program.opponents[0]


@singledispatch
def _written(plays: Portfolio | BookPortfolio, program: Playable) -> dict[str, Any]:
    raise TypeError(f"{plays!r} cannot be written")


@_written.register
def _(plays: Portfolio, program: Playable) -> dict[str, Any]:
    return _weights(plays)


@_written.register
def _(plays: BookPortfolio, program: Playable) -> dict[str, Any]:
    return {**_weights(plays.behind), "book": _books(program, plays)}


def _weights(drawn: Portfolio | None) -> dict[str, Any]:
    if drawn is None:
        return {"first": {}, "second": {}}
    sides = ("first", drawn.first), ("second", drawn.second)
    return {name: side.by_arm for name, side in sides}


@singledispatch
def _books(program: Playable, plays: BookPortfolio) -> WrittenBooks:
    return written_books(program.compiled().single(), plays)


_books.register(EngineProgram, written_engine_books)


def _certificates(both: tuple[Certificate, Certificate] | None) -> WrittenCertificates | None:
    if both is None:
        return None
    first, second = both
    return WrittenCertificates(
        first=WrittenBounds(lower=first.lower, upper=first.upper),
        second=WrittenBounds(lower=second.lower, upper=second.upper),
    )


def _exact(found: BestResponse | None) -> WrittenBestResponse | None:
    return None if found is None else WrittenBestResponse(first=found.first, second=found.second)


def _left_of(trial: Trial, learns: Learns) -> WrittenLearns | None:
    found = learns.portfolio
    if found is None or learns.name != trial.name:
        return None
    return WrittenLearns(games=learns.games, success=found.mean, low=found.low, high=found.high)


def _unseen(evaluation: Evaluation) -> UnseenEvaluation:
    shown = CRITERIA[: len(evaluation.success)]
    columns = zip(shown, evaluation.success, evaluation.first, evaluation.second, strict=True)
    return UnseenEvaluation(
        unseen_arms=evaluation.opponents,
        success=[
            Success(
                exploiter=opponents,
                success=both.mean,
                error=None if isnan(both.error) else both.error,
                first=first.mean,
                second=second.mean,
            )
            for opponents, both, first, second in columns
        ],
    )


DEFAULT_LEARNERS = ("book", "best-seed", "best-half", "nash", "sparse-nash")
"""A book, and the papers' learners."""
DEFAULT_CHOOSING = ("auto",)
"""Where there is a number of games to choose."""
DEFAULT_AGAINST = ("best-seed", "book")
"""The same against a known opponent, or other programs."""
_TUNED = 0.2
"""The share of the games for tuning, where that comes first."""


def boost(
    game: Learnable,
    player: str | Player | Sequence[str] | None = None,
    *,
    tune: bool = False,
    vary: str | Sequence[str] | None = None,
    k: int | None = None,
    kt: int | None = None,
    opponents: int | None = None,
    learners: str | Callable[..., Any] | Sequence[str] | None = None,
    budget: int | None = None,
    minutes: float | None = None,
    against: AnyProgram | None = None,
    symmetries: bool = False,
    learns: bool = False,
    repeats: int | None = None,
    study: str | Path | Study | None = None,
    arena: str | Arena = "auto",
    threads: int | None = None,
    address: str | None = None,
    despite_check: bool = False,
    progress: Progress | bool | None = None,
    note: Callable[[str], None] = no_note,
) -> Boost:
    """Boost a program: play `k` arms of each colour against `kt` of the other, and learn.

    The program is a game with a player (`GAME@PLAYER` names both), an external engine, by the path
    of its .toml file, or what `load_program` returned. An engine is checked first, once for each
    study: EngineError if its arms are not deterministic.

    Some learners choose their games; without a budget these are as many as fill the matrices. The
    default learners are book (of an engine with 1,000 games or more), best-seed, best-half, nash
    and sparse-nash; with a budget or minutes `auto`. Symmetries make the portfolio harder to
    exploit.

    Everything is kept in the study file: call it again to go on after an interruption, or with
    larger numbers to play only what is missing. `study` may also be ":memory:", to keep nothing on
    disk, or a Study.

    Args:
        game: A game such as domineering:7x7, a game file of yours such as my_game.py:size=4, or an
            external engine: engine.toml.
        player: A player such as uct:simulations=400, or a file of yours: my_player.py, or several,
            whose seeds are then arms of one program (default: the game's own, see seedfolio games).
        tune: First spend a fifth of the games, at most 20,000, on better values of the parameters
            that the game or the player declares, and boost the player with them; see `seedfolio
            tune`.
        vary: Values of a parameter, such as exploration=0.2,0.4, or several: arms are then a seed
            and a value of each.
        k: Number of seeds of each colour to learn about (default: 500, or what the game or
            engine.toml says).
        kt: Number of opponent seeds that each of them plays (default: 100, at most k, or what the
            game or engine.toml says).
        opponents: Smallest number of unseen seeds of each colour to evaluate with (default: 100, or
            what the game or engine.toml says).
        learners: A learner, such as nash, a file of yours, my_learner.py, or several. From Python
            also a function or a class.
        budget: Number of games that each learner chooses for itself, instead of `kt`; `k` is then
            the number of seeds that represent the original, and fewer games are for judging, too
            (default: none: as many as fill the matrix).
        minutes: The budget as a time: the games that this machine plays in it.
        against: A known opponent to prepare for, in place of the program itself: a portfolio file,
            a program of the same game, engine.toml (default: none).
        symmetries: Draw every seed under a random symmetry of the board.
        learns: Also measure what is recommended, and the original, against an opponent who learns
            from as many games as it had. Each of the two takes several times these games.
        repeats: Games between two seeds, in games with luck (default: 16, else 1).
        study: File that keeps everything (default: studies/GAME-PLAYER.study).
        arena: Where games run: auto (GPU if present), threads, cuda, or ray (a Ray cluster).
        threads: Number of threads (default: all).
        address: HOST:PORT of the Ray cluster, with `arena` ray (default: the one on this machine).
        despite_check: Go on with an external engine that failed its check.
        progress: Show it everywhere or nowhere (default: in a terminal and in a notebook).
        note: Receives lines for people, such as the number of games that `minutes` allow.

    >>> from seedfolio import boost
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> [row.name for row in boosted.rows[2:]]
    ['book', 'best-seed', 'best-half', 'nash', 'sparse-nash']
    >>> boosted.rows[-2].estimates[0].mean > 0.5  # against one unseen seed of the original
    True
    >>> files = boosted.save_portfolios()
    >>> files["nash"].name
    'a-nash.json'
    """
    check_numbers(k=k, kt=kt, opponents=opponents, budget=budget, repeats=repeats, threads=threads)
    if minutes is not None and not isinstance(minutes, int | float):
        raise SpecificationError(f"`minutes` must be a number, not {minutes!r}")
    if budget is not None and minutes is not None:
        raise SpecificationError("give `budget` or `minutes`, not both")
    chooses = budget is not None or minutes is not None
    if kt is not None and chooses:
        raise SpecificationError(
            "leave out `kt`: with `budget` or `minutes` learners choose their games"
        )
    program = load_program(game, player, repeats)
    if vary:
        program = varied(program, parse_parameters([vary] if isinstance(vary, str) else vary))
    if tune and not declared(program):
        raise SpecificationError(
            f"{program.title} declares nothing to tune; leave out `tune`, or find better values "
            "first, with seedfolio tune"
        )
    if against is not None:
        if tune:
            raise SpecificationError(
                "tuning plays a program against itself: tune it first, with seedfolio tune, and "
                "then boost what it names; leave out `tune` or `against`"
            )
        program = with_opponent(program, load_opponent(against))
    if learns:
        _check_learns(program, symmetries)
    free = [name for name, size in (("k", k), ("opponents", opponents)) if size is None]
    usual_k, usual_kt, usual_opponents = program.arms.usual_sizes
    k = usual_k if k is None else k
    most = usual_kt if program.opponents else k
    kt = max(1, min(usual_kt, most)) if kt is None else kt
    if learners is None:
        usual = DEFAULT_AGAINST if program.opponents else DEFAULT_CHOOSING
        learners = usual if chooses else default_learners(program, k, kt)
    said = ""
    hint = "" if tune else advice(program)
    if tune:
        learning = budget or training_cells(k, kt, itself=not program.opponents) * program.repeats
        tuning = partial(
            tune_program,
            program,
            arena=arena,
            threads=threads,
            address=address,
            progress=progress,
        )
        if minutes is None:
            tuned = tuning(budget=_tuning_games(learning))
            budget = None if budget is None else max(1, budget - tuned.games)
        else:
            tuned = tuning(minutes=minutes * _TUNED)
            minutes *= 1 - _TUNED
        said = f"Tuned first, with {tuned.games:,} games. {tuned.text}"
        note(said)
        program = replace(tuned.program, repeats=program.repeats)
    request = Request(
        k=k,
        kt=kt,
        opponents=usual_opponents if opponents is None else opponents,
        learners=learner_names(learners),
        budget=budget,
        symmetries=symmetries,
        minutes=minutes,
    )
    asked = request.check(program)
    run = Run(arena, threads, address, chosen_progress(progress), note)
    with open_session(program, study, run, repeats=repeats, despite_check=despite_check) as (
        session,
        path,
    ):
        request = with_budget(request, asked, session, note, free=free)
        extra = _games_of_learners(session, request) if learns else 0
        announce(session, [request], asked, note, extra=extra)
        found = complete(session, path, request, asked, said, learns=learns)
    return replace(found, hint=hint)


def default_learners(program: Playable, k: int, kt: int) -> tuple[str, ...]:
    """Return the learners that `boost` takes for a program where none is named.

    A book is left out where games are slow and too few for it to pay.
    """
    few = program.traits.slow and training_cells(k, kt) < program.book.pays_from
    without = few or not program.book.possible
    without = without or program.traits.begins_elsewhere
    return tuple(name for name in DEFAULT_LEARNERS if name != "book" or not without)


def _tuning_games(learning: int) -> int:
    """Return how many games to tune with, where learning has this many."""
    games: int = min(USUAL_GAMES, int(learning * _TUNED))
    return max(FEWEST_GAMES, games)


def _check_learns(program: Playable, symmetries: bool) -> None:
    """Raise SpecificationError if nobody can learn against what is learnt about a program."""
    if isinstance(program, EngineProgram):
        raise SpecificationError(
            f"`learns` is for built-in programs, and {program.title} is an external engine; leave "
            "it out, and learn against its portfolio with seedfolio exploit"
        )
    if symmetries:
        raise SpecificationError(
            "leave out `learns` or `symmetries`: no book can meet an arm under a symmetry of the "
            "board"
        )
    if program.opponents:
        raise SpecificationError(
            "leave out `learns` or `against`: who learns is compared with the program itself; "
            "learn against the portfolio with seedfolio exploit"
        )
    _learner_against(program)


def _learner_against(program: Playable, trial: Trial | None = None) -> Program:
    """Return a built-in program that learns against its portfolio, or else against itself."""
    original = program.compiled()
    met = Opponent(original)
    if trial is not None:
        met = Opponent(original, trial.learnt.plays, trial.name)
    learner = with_opponent(original, met)
    assert isinstance(learner, Program), "it is built in, as its opponent"
    return learner


def _games_of_learners(session: Session, request: Request) -> int:
    """Return about how many games `learns` takes: two programs are learnt against."""
    learner = _learner_against(session.program)
    games = request.games(session.program.repeats)
    against, free = request_against(learner, games, request.opponents)
    asked = against.check(learner)
    return 2 * sum(
        expected_games(in_proportion(against, learner, len(asked), free), learner, asked)
    )


def complete(
    session: Session,
    path: Path,
    request: Request,
    learners: Sequence[Learner],
    tuned: str = "",
    *,
    learns: bool = False,
) -> Boost:
    """Do all that is asked of a study and not done yet; keep the result in it.

    `tuned` says what tuning has found before. `learns` also measures what is recommended against
    an opponent who learns.
    """
    session.study.log_request(request.model_dump_json())
    trials = measure_again(session, request, run_trials(session, request, learners))
    found = _left(session, path, request, trials) if learns else None
    return keep(session, path, request, trials, tuned, learns=found)


def keep(
    session: Session,
    path: Path,
    request: Request,
    trials: Trials,
    tuned: str = "",
    *,
    learns: Learns | None = None,
) -> Boost:
    """Return the result of trials, and keep it in the study."""
    files = {
        each.name: portfolio_file(session, each, trials.fresh.get(each.name), learns)
        for each in trials.trials
    }
    keeps = session.program.traits.keeps_games
    engine = session.study.engine_games().summary() if keeps else None
    more = {"portfolios": files, "engine": engine, "tuned": tuned, "learns": learns}
    boost = Boost.of(session, path, request, trials, **more)
    matrices = not request.chooses and any(each.learnt.matrix for each in trials.trials)
    save_boost(session.study, boost, matrices=matrices)
    return boost


def _left(session: Session, path: Path, request: Request, trials: Trials) -> Learns:
    """Measure what is left of the recommended portfolio, and of the original.

    The games of those who learn against the two have studies beside that of the session.
    """
    verdict = verdict_of(trials.rows)
    best = None if verdict is None else verdict.best
    chosen = next((each for each in trials.trials if each.name == best), None)
    games = request.games(session.program.repeats) if chosen is None else chosen.learnt.games
    run = Run(session.arena, progress=session.progress)

    def left(trial: Trial | None) -> SuccessInterval:
        learner = _learner_against(session.program, trial)
        against, free = request_against(learner, games, request.opponents)
        beside = path
        if learner.known is not None and not session.study.in_memory:
            label = file_name(f"against-{learner.known.label}")
            beside = path.with_name(f"{path.stem}-{label}.study")
        return learn_against(learner, against, beside, run, free=free, tell=False).success.turned()

    if chosen is None:
        return Learns(games, left(None))
    return Learns(games, left(None), chosen.name, left(chosen))


class Counter(NamedTuple):
    """What was learnt against a program by several kinds of opponent."""

    boost: Boost
    """The success of every kind, and the portfolios."""
    strongest: str
    """The learner of the strongest kind, on the seeds that choose."""
    success: SuccessInterval
    """What it scores on seeds that neither learnt nor chose."""
    judged: int
    """How many unseen arms of the program it met as each colour for that, at least."""


_SLOW_ARMS = 4
"""How many arms represent the program that does not learn, where games are slow."""


def request_against(
    learner: Playable, budget: int, opponents: int | None = None
) -> tuple[Request, tuple[str, ...]]:
    """Return what is asked of a program that learns against its known opponent.

    And which sizes are free to follow the budget.
    """
    k, _, usual = learner.arms.usual_sizes
    request = Request(
        k=min(k, _SLOW_ARMS) if learner.traits.slow else k,
        kt=1,
        opponents=usual if opponents is None else opponents,
        learners=kinds_for(learner),
        budget=budget,
    )
    sizes = ("k", learner.traits.slow), ("opponents", opponents)
    return request, tuple(name for name, given in sizes if not given)


def learn_against(
    learner: Program | EngineProgram,
    request: Request,
    study: str | Path | Study | None,
    run: Run,
    *,
    free: Collection[str],
    despite_check: bool = False,
    tell: bool = True,
) -> Counter:
    """Learn against the known opponent of a program in several ways, and measure the strongest.

    Without `tell`, progress does not hear how many games it takes.
    """
    asked = request.check(learner)
    with open_session(learner, study, run, despite_check=despite_check) as (session, path):
        request = in_proportion(request, session.program, len(asked), free)
        if tell:
            announce(session, [request], asked, run.note)
        session.study.log_request(request.model_dump_json())
        trials = run_trials(session, request, asked)
        strongest = max(trials.trials, key=lambda each: each.evaluation.success[0].mean).name
        trials = measure_on_fresh(session, request, trials, {strongest})
        found = keep(session, path, request, trials)
    fresh = trials.fresh[strongest]
    judged, score = min(fresh.opponents), fresh.success[0]
    # A finite list of arms has none that learning did not meet, so nothing is estimated there.
    error = nan if learner.arms.finite else score.error
    success = SuccessInterval.of_error(min(1.0, max(0.0, score.mean)), error, student(judged - 1))
    return Counter(found, strongest, success, judged)
