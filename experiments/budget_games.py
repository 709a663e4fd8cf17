"""The games of the budget study: played once, kept in small files, read by all that learn.

For each game and repetition r there are K training arms of each colour, the same seeds for both
colours, and a number of unseen arms of each colour. A file holds three tables of half points of the
first player: training against training, training against unseen, unseen against training. The
repetitions have different arms, training and unseen. Cells may be left open until a learner asks
for them: then they are played, and kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Progress
from seedfolio.core.files import atomic_write
from seedfolio.errors import StudyError
from seedfolio.players.program import Program
from seedfolio.programs.built_in import load_built_in
from seedfolio.study.arms import TrainingArms, UnseenArms

GAMES = {
    "phantom-go:5x5": "flat:playouts=100",
    "domineering:7x7": "uct:simulations=100",
    "breakthrough:6x6": "uct:simulations=100",
}
"""The games of the study, with their players."""
ARMS = 1024
UNSEEN = 400
REPETITIONS = 5

_UNPLAYED = 255

Points = NDArray[np.uint8]
Places = NDArray[np.intp]
Fill = Callable[[str, Places, Places], None]
"""Plays those cells of a table, `training`, `first` or `second`, that have not been played yet."""


@dataclass(frozen=True)
class Games:
    """All games of one repetition: half points of the first player, in rows."""

    title: str
    full: int
    """Half points of a cell that is won throughout."""
    training: Points
    """Training arms against training arms."""
    first: Points
    """Training arms against unseen arms."""
    second: Points
    """Unseen arms against training arms."""


def file_of(folder: Path, game: str, repetition: int) -> Path:
    """Return where the games of a repetition are kept."""
    return folder / game.replace(":", "-") / f"{repetition}.npz"


def repetitions_of(folder: Path, game: str) -> list[int]:
    """Return the repetitions of a game that have been played."""
    files = file_of(folder, game, 0).parent.glob("*.npz")
    return sorted(int(path.stem) for path in files)


def program_of(game: str) -> Program:
    """Return a game with its player in the study, another game with its own."""
    return load_built_in(game, GAMES.get(game))


def unplayed(program: Program, arms: int, unseen: int) -> Games:
    """Return the tables of one repetition without a single game."""
    sizes = (arms, arms), (arms, unseen), (unseen, arms)
    return Games(
        program.title, program.full, *(np.full(size, _UNPLAYED, np.uint8) for size in sizes)
    )


def play_repetition(
    program: Program, repetition: int, arms: int, unseen: int, arena: Arena, progress: Progress
) -> Games:
    """Play the games of one repetition."""
    games = unplayed(program, arms, unseen)
    fill = Filling(games, repetition, program, arena, progress)
    total = games.training.size + games.first.size + games.second.size
    progress.begin(f"{program.game.title}, repetition {repetition}", total * program.repeats)
    try:
        for table in ("training", "first", "second"):
            rows, columns = np.indices(getattr(games, table).shape)
            fill(table, rows.ravel(), columns.ravel())
    finally:
        progress.end()
    return games


class Filling:
    """Plays cells of one repetition, each once, into its tables."""

    def __init__(
        self, games: Games, repetition: int, program: Program, arena: Arena, progress: Progress
    ) -> None:
        self._games, self._program, self._arena, self._progress = games, program, arena, progress
        arms, unseen = games.first.shape
        ours = TrainingArms(repetition * arms, arms).seeds()
        theirs = UnseenArms(repetition * unseen, unseen).seeds()
        self._seeds = {"training": (ours, ours), "first": (ours, theirs), "second": (theirs, ours)}
        self.played = 0
        """Cells so far."""

    def __call__(self, table: str, rows: Places, columns: Places) -> None:
        """Play those of the cells that have not been played."""
        points: Points = getattr(self._games, table)
        keys = np.unique(rows * points.shape[1] + columns)
        keys = keys[points.ravel()[keys] == _UNPLAYED]
        if len(keys) == 0:
            return
        ours, theirs = self._seeds[table]
        cells = ours[keys // points.shape[1]], theirs[keys % points.shape[1]]
        with closing(self._arena.play(self._program, *cells)) as blocks:
            for block in blocks:
                at = (
                    (block.rows - ours[0]).astype(np.intp),
                    (block.columns - theirs[0]).astype(np.intp),
                )
                points[at] = block.results
                self._progress.advance(len(block.rows) * self._program.repeats)
        self.played += len(keys)


def save(games: Games, path: Path) -> None:
    """Write the games of a repetition; the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = np.frombuffer(json.dumps({"title": games.title, "full": games.full}).encode(), np.uint8)
    training, first, second = games.training, games.first, games.second
    atomic_write(
        path,
        lambda file: np.savez_compressed(
            file, head=head, training=training, first=first, second=second
        ),
    )


def load(path: Path) -> Games:
    """Read the games of a repetition."""
    if not path.exists():
        raise StudyError(f"{path} does not exist; play first: python -m experiments.budget play")
    with np.load(path) as found:
        head = json.loads(found["head"].tobytes())
        return Games(
            head["title"], head["full"], found["training"], found["first"], found["second"]
        )
