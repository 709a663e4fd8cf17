"""Unseen means unseen: every arm that reaches an arena, and which package asked for it."""

import itertools
import sys
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np
import pytest
from external import seeded_text
from numpy.typing import NDArray

import seedfolio
from seedfolio import ProcessArena, Study, ThreadArena, load_program
from seedfolio.arena import Run
from seedfolio.boosting import repetitions
from seedfolio.boosting.repetitions import MOST_REPETITIONS, repeated_trials
from seedfolio.boosting.request import Request
from seedfolio.core.seeds import (
    BOOK_HELD_BACK_SEEDS,
    FIRST_PLAY_SEED,
    HELD_BACK_SEEDS,
    SYMMETRY_SHIFT,
    TRAINING_SEEDS,
    UNSEEN_SEEDS,
)
from seedfolio.evaluation.books import OWN_SEEDS
from seedfolio.learning.registry import LEARNERS

GAME, PLAYER = "domineering:4x4", "uct:simulations=5"
SIZES = {"k": 12, "kt": 8, "opponents": 20}
_SEED = np.uint64((1 << SYMMETRY_SHIFT) - 1)
Seeds = NDArray[np.uint64]
OF_A_MATRIX = [name for name, entry in LEARNERS.items() if entry.takes_matrix]
CHOOSING = [name for name in LEARNERS if name not in OF_A_MATRIX]


@dataclass(frozen=True)
class Asked:
    """Cells that reached the arena: the packages that asked, innermost first, and the seeds."""

    packages: tuple[str, ...]
    functions: tuple[str, ...]
    rows: Seeds
    columns: Seeds

    @property
    def seeds(self):
        return np.concatenate([self.rows, self.columns])

    def by(self, package):
        return package in self.packages


@dataclass
class RecordingArena:
    asked: list[Asked] = field(default_factory=list)

    def play(self, program, rows, columns):
        packages, functions = _callers()
        self.asked.append(Asked(packages, functions, rows & _SEED, columns & _SEED))
        with closing(ThreadArena(2).play(program, rows, columns)) as blocks:
            yield from blocks

    def by(self, package):
        return [each for each in self.asked if each.by(package)]


def _callers():
    frame, packages, functions = sys._getframe(2), [], []
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("seedfolio."):
            packages.append(name.split(".")[1])
            functions.append(f"{name}.{frame.f_code.co_name}")
        frame = frame.f_back
    return tuple(packages), tuple(functions)


def all_in(seeds, allowed):
    return bool(((seeds >= allowed.start) & (seeds < allowed.stop)).all())


def some_in(seeds, some):
    return bool(((seeds >= some.start) & (seeds < some.stop)).any())


def check(asked):
    """Fail if a learner got an unseen arm, or an evaluation opponents that are not unseen."""
    learnt = set()
    measured = set()
    for each in asked:
        books = any(name.startswith("seedfolio.evaluation.books.") for name in each.functions)
        if books:
            assert not set(each.rows.tolist()) & set(each.columns.tolist()), each
        if books and each.by("learning"):
            assert all_in(each.seeds, BOOK_HELD_BACK_SEEDS), each
            measured.update(each.seeds.tolist())
        elif each.by("evaluation"):
            assert all_in(each.rows, UNSEEN_SEEDS) or all_in(each.columns, UNSEEN_SEEDS), each
            assert not books or all_in(each.seeds, UNSEEN_SEEDS), each
        else:
            assert all_in(each.seeds, TRAINING_SEEDS), each
            held = some_in(each.seeds, HELD_BACK_SEEDS) or some_in(each.seeds, BOOK_HELD_BACK_SEEDS)
            (measured if held else learnt).update(each.seeds.tolist())
    held_back = (HELD_BACK_SEEDS, BOOK_HELD_BACK_SEEDS)
    assert not any(seed in each for seed in learnt & measured for each in held_back)
    # Learners of arms begin with seed 0 and may open some 100 million: none of these is held back.
    assert 10**8 < HELD_BACK_SEEDS.start < HELD_BACK_SEEDS.stop <= BOOK_HELD_BACK_SEEDS.start


WEIGHED = "book:books=2"
"""Books that are weighed meet seeds held back."""


@pytest.mark.parametrize(
    ("learners", "sizes"),
    [
        *((each, SIZES) for each in (OF_A_MATRIX, *CHOOSING)),
        (["book", "best-half"], SIZES | {"symmetries": True}),
        (WEIGHED, {"k": 4, "budget": 31_000, "opponents": 17}),
    ],
    ids=str,
)
def test_learners_never_play_unseen_arms_and_evaluations_meet_no_others(learners, sizes, tmp_path):
    arena = RecordingArena()
    study = tmp_path / "traced.study"
    seedfolio.boost(GAME, PLAYER, **sizes, learners=learners, study=study, arena=arena)
    held_back = any(some_in(each.seeds, BOOK_HELD_BACK_SEEDS) for each in arena.asked)
    assert held_back or learners != WEIGHED
    assert arena.by("evaluation")
    assert [each for each in arena.asked if not each.by("evaluation")]
    check(arena.asked)


@pytest.mark.parametrize(
    ("learner", "apart"), [("nash", 2**20), ("nash", 1), ("auto:exploiters=16", 1), ("book", 1)]
)
def test_repetitions_have_seeds_of_the_same_ranges_and_no_two_the_same(
    learner, apart, tmp_path, monkeypatch
):
    monkeypatch.setattr(repetitions, "_APART", apart)
    program, request = load_program(GAME, PLAYER), Request(**SIZES, learners=(learner,))
    met = []
    for number in (1, 2, MOST_REPETITIONS - 1):
        arena = RecordingArena()
        run, file = Run(arena=arena), tmp_path / "traced.study"
        list(repeated_trials(program, [request], file, range(number, number + 1), run))
        check(arena.asked)
        met.append({seed for each in arena.asked for seed in each.seeds.tolist()})
    for one, other in itertools.combinations(met, 2):
        assert not one & other


def test_compare(tmp_path):
    arena = RecordingArena()
    study = tmp_path / "traced.study"
    seedfolio.compare(
        GAME, PLAYER, budget=300, opponents=20, study=study, arena=arena, progress=False
    )
    check(arena.asked)
    assert arena.by("evaluation")
    assert arena.by("learning")


def test_a_plan_measures_speed_on_training_arms():
    arena = RecordingArena()
    seedfolio.plan(GAME, PLAYER, epsilon=0.4, arena=arena)
    check(arena.asked)
    assert arena.asked


def test_online_play_is_among_training_arms(made_copy):
    arena = RecordingArena()
    seedfolio.online(
        made_copy.study, games=200, arms=30, repetitions=2, arena=arena, progress=False
    )
    by_book = [each for each in arena.asked if not all_in(each.seeds, TRAINING_SEEDS)]
    assert 0 < len(by_book) < len(arena.asked)
    # What plays on where a book ends was never learnt from.
    own = range(UNSEEN_SEEDS.stop - OWN_SEEDS, UNSEEN_SEEDS.stop)
    for each in by_book:
        sides = each.rows, each.columns
        assert sorted((all_in(side, TRAINING_SEEDS), all_in(side, own)) for side in sides) == [
            (False, True),
            (True, False),
        ]


def test_cross_validation_reads_training_arms(made, monkeypatch):
    asked = []
    results = Study.results

    def recorded(study, rows, columns):
        asked.extend((rows, columns))
        return results(study, rows, columns)

    monkeypatch.setattr(Study, "results", recorded)
    seedfolio.cross_validate(made.study, redraws=2, progress=False)
    assert asked
    assert all_in(np.concatenate(asked), TRAINING_SEEDS)


@pytest.mark.parametrize("job", ["match", "worth"])
def test_matches_draw_opponents_that_nobody_has_met(made, job):
    arena = RecordingArena()
    own, boosted = set(range(20)), made.portfolio("nash")
    if job == "match":
        opponent = f"{GAME}@{PLAYER}"
        seedfolio.match(boosted, opponent, games=20, arena=arena, progress=False)
    else:
        seedfolio.worth(boosted, games=20, steps=1, most=2, arena=arena, progress=False)
    assert arena.asked
    for each in arena.asked:
        ours, theirs = (each.rows, each.columns)
        if not set(ours.tolist()) <= own:
            ours, theirs = theirs, ours
        assert set(ours.tolist()) <= own
        assert (theirs >= FIRST_PLAY_SEED).all()


@pytest.mark.parametrize("learner", ["nash", pytest.param("book", marks=pytest.mark.slow)])
def test_engines(learner, tmp_path, monkeypatch):
    traced = RecordingArena()
    play = ProcessArena.play

    def recorded(arena, program, rows, columns):
        packages, functions = _callers()
        traced.asked.append(Asked(packages, functions, rows, columns))
        with closing(play(arena, program, rows, columns)) as blocks:
            yield from blocks

    monkeypatch.setattr(ProcessArena, "play", recorded)
    file = tmp_path / "engine.toml"
    file.write_text(seeded_text(tmp_path))
    sizes = {"budget": 40} if learner == "book" else {"k": 6, "kt": 4}
    study = tmp_path / "traced.study"
    given = {"opponents": 17, "learners": learner, "study": study, "despite_check": True}
    seedfolio.boost(file, **sizes, **given, progress=False)
    assert traced.by("evaluation")
    check(each for each in traced.asked if not each.by("play"))
