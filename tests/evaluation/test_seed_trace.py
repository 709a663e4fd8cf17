"""Unseen means unseen: every arm that reaches an arena, and who asked for it.

An arena records which arms it plays and which package asked: a learner or an evaluation. Learners
may play training arms only, and must not learn from the arms that they hold back to measure with.
An evaluation meets unseen arms only, and where a book ends no opponent plays our side.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from external import scripted_text
from numpy.typing import NDArray

import seedfolio
from seedfolio.arena import Block
from seedfolio.arena.processes import ProcessArena
from seedfolio.arena.threads import ThreadArena
from seedfolio.core.seeds import (
    BOOK_HELD_BACK_SEEDS,
    FIRST_PLAY_SEED,
    HELD_BACK_SEEDS,
    SYMMETRY_SHIFT,
    TRAINING_SEEDS,
    UNSEEN_SEEDS,
)
from seedfolio.learning.registry import LEARNERS
from seedfolio.study.store import Study

GAME, PLAYER = "domineering:4x4", "uct:simulations=5"
SYMMETRIC = "atari-go:5x5"
_SEED = np.uint64((1 << SYMMETRY_SHIFT) - 1)
Seeds = NDArray[np.uint64]


@dataclass(frozen=True)
class Asked:
    """Cells that reached the arena: the packages that asked, innermost first, and the seeds."""

    packages: tuple[str, ...]
    functions: tuple[str, ...]
    rows: Seeds
    columns: Seeds

    @property
    def seeds(self) -> Seeds:
        return np.concatenate([self.rows, self.columns])

    def by(self, package: str) -> bool:
        return package in self.packages


@dataclass
class RecordingArena:
    """Plays on threads, and notes who asked for which seeds."""

    asked: list[Asked] = field(default_factory=list)

    def play(self, program: Any, rows: Seeds, columns: Seeds) -> Generator[Block, None, None]:
        packages, functions = _callers()
        self.asked.append(Asked(packages, functions, rows & _SEED, columns & _SEED))
        with closing(ThreadArena(2).play(program, rows, columns)) as blocks:
            yield from blocks

    def by(self, package: str) -> list[Asked]:
        return [each for each in self.asked if each.by(package)]


def _callers() -> tuple[tuple[str, ...], tuple[str, ...]]:
    frame, packages, functions = sys._getframe(2), [], []
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("seedfolio."):
            packages.append(name.split(".")[1])
            functions.append(f"{name}.{frame.f_code.co_name}")
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(packages), tuple(functions)


def all_in(seeds: Seeds, allowed: range) -> bool:
    return bool(((seeds >= allowed.start) & (seeds < allowed.stop)).all())


def some_in(seeds: Seeds, some: range) -> bool:
    return bool(((seeds >= some.start) & (seeds < some.stop)).any())


def check(asked: Iterable[Asked]) -> None:
    """Fail if a learner got an unseen arm, or an evaluation opponents that are not unseen."""
    learnt: set[int] = set()
    measured: set[int] = set()
    for each in asked:
        if each.by("evaluation"):
            assert all_in(each.rows, UNSEEN_SEEDS) or all_in(each.columns, UNSEEN_SEEDS), each
            if any(name.startswith("seedfolio.evaluation.books.") for name in each.functions):
                assert all_in(each.seeds, UNSEEN_SEEDS), each
                assert not set(each.rows.tolist()) & set(each.columns.tolist()), each
        else:
            assert all_in(each.seeds, TRAINING_SEEDS), each
            held = some_in(each.seeds, HELD_BACK_SEEDS) or some_in(each.seeds, BOOK_HELD_BACK_SEEDS)
            (measured if held else learnt).update(each.seeds.tolist())
    held_back = {
        seed for seed in measured if seed in HELD_BACK_SEEDS or seed in BOOK_HELD_BACK_SEEDS
    }
    assert not learnt & held_back


def test_ranges_never_meet() -> None:
    assert TRAINING_SEEDS.stop <= UNSEEN_SEEDS.start
    assert UNSEEN_SEEDS.stop <= FIRST_PLAY_SEED
    # Learners of arms begin with seed 0 and may open some 100 million: none of these is held back.
    assert 10**8 < HELD_BACK_SEEDS.start < HELD_BACK_SEEDS.stop <= BOOK_HELD_BACK_SEEDS.start
    assert BOOK_HELD_BACK_SEEDS.stop <= TRAINING_SEEDS.stop


@pytest.mark.parametrize("learner", list(LEARNERS))
def test_learners_never_play_unseen_arms_and_evaluations_meet_no_others(
    learner: str, tmp_path: Path
) -> None:
    arena = RecordingArena()
    seedfolio.boost(
        GAME,
        PLAYER,
        k=12,
        kt=8,
        opponents=20,
        learners=learner,
        study=tmp_path / "traced.study",
        arena=arena,
        progress=False,
    )
    assert arena.by("evaluation")
    assert [each for each in arena.asked if not each.by("evaluation")]
    check(arena.asked)


def test_books_under_symmetries(tmp_path: Path) -> None:
    arena = RecordingArena()
    seedfolio.boost(
        SYMMETRIC,
        PLAYER,
        k=8,
        budget=2_000,
        opponents=20,
        learners="book",
        study=tmp_path / "traced.study",
        arena=arena,
        progress=False,
    )
    check(arena.asked)


@pytest.fixture(scope="module")
def boosted(tmp_path_factory: pytest.TempPathFactory) -> seedfolio.Boost:
    study = tmp_path_factory.mktemp("traced") / "nash.study"
    return seedfolio.boost(
        GAME, PLAYER, k=12, kt=12, opponents=20, learners="nash", study=study, progress=False
    )


def test_compare(tmp_path: Path) -> None:
    arena = RecordingArena()
    study = tmp_path / "traced.study"
    seedfolio.compare(
        GAME, PLAYER, budget=300, opponents=20, study=study, arena=arena, progress=False
    )
    check(arena.asked)
    assert arena.by("evaluation")
    assert arena.by("learning")


def test_a_plan_measures_speed_on_training_arms() -> None:
    arena = RecordingArena()
    seedfolio.plan(GAME, PLAYER, epsilon=0.4, arena=arena)
    check(arena.asked)
    assert arena.asked


def test_online_play_is_among_training_arms(boosted: seedfolio.Boost) -> None:
    arena = RecordingArena()
    seedfolio.online(boosted.study, games=200, arms=30, repetitions=2, arena=arena, progress=False)
    assert arena.asked
    assert all(all_in(each.seeds, TRAINING_SEEDS) for each in arena.asked)


def test_cross_validation_reads_training_arms(
    boosted: seedfolio.Boost, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Seeds] = []
    results = Study.results

    def recorded(study: Study, rows: Seeds, columns: Seeds) -> NDArray[np.uint8]:
        asked.extend((rows, columns))
        return results(study, rows, columns)

    monkeypatch.setattr(Study, "results", recorded)
    seedfolio.cross_validate(boosted.study, redraws=2, progress=False)
    assert asked
    assert all_in(np.concatenate(asked), TRAINING_SEEDS)


@pytest.mark.parametrize("job", ["match", "worth"])
def test_matches_draw_opponents_that_nobody_has_met(boosted: seedfolio.Boost, job: str) -> None:
    arena = RecordingArena()
    own = set(range(12))
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


@pytest.mark.parametrize("learner", ["nash", "book"])
def test_engines(learner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traced = RecordingArena()
    play = ProcessArena.play

    def recorded(
        arena: ProcessArena, program: Any, rows: Seeds, columns: Seeds
    ) -> Generator[Block, None, None]:
        packages, functions = _callers()
        traced.asked.append(Asked(packages, functions, rows, columns))
        with closing(play(arena, program, rows, columns)) as blocks:
            yield from blocks

    monkeypatch.setattr(ProcessArena, "play", recorded)
    file = tmp_path / "engine.toml"
    file.write_text(scripted_text(tmp_path, "well", seed="0", more='setup = ["seed {seed}"]'))
    sizes = {"budget": 40} if learner == "book" else {"k": 6, "kt": 4}
    study = tmp_path / "traced.study"
    seedfolio.boost(
        file,
        **sizes,
        opponents=17,
        learners=learner,
        study=study,
        progress=False,
        despite_check=True,
    )
    assert traced.by("evaluation")
    check(each for each in traced.asked if not each.by("play"))
