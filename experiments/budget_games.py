"""The games of the budget study: played once, kept in small files, read by all that learn.

For each game and repetition r there are K training arms of each colour, the same seeds for both
colours, and a number of unseen arms of each colour. A file holds three tables of half points of the
first player: training against training, training against unseen, unseen against training. The
repetitions have different arms, training and unseen.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena import Arena, Progress
from seedfolio.errors import StudyError
from seedfolio.loading import load_program
from seedfolio.players.program import Program
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.files import atomic_write

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
    return load_program(game, GAMES.get(game))


def play_repetition(
    program: Program, repetition: int, arms: int, unseen: int, arena: Arena, progress: Progress
) -> Games:
    """Play the games of one repetition."""
    ours = TrainingArms(repetition * arms, arms).seeds()
    theirs = UnseenArms(repetition * unseen, unseen).seeds()
    tables = [(ours, ours), (ours, theirs), (theirs, ours)]
    total = sum(len(rows) * len(columns) for rows, columns in tables)
    progress.begin(f"{program.game.title}, repetition {repetition}", total * program.repeats)
    try:
        played = [_play(program, rows, columns, arena, progress) for rows, columns in tables]
    finally:
        progress.end()
    return Games(program.title, program.full, *played)


def _play(
    program: Program,
    rows: NDArray[np.uint64],
    columns: NDArray[np.uint64],
    arena: Arena,
    progress: Progress,
) -> Points:
    """Return the results of consecutive seeds against consecutive seeds."""
    points = np.full((len(rows), len(columns)), _UNPLAYED, np.uint8)
    cells = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    with closing(arena.play(program, *cells)) as blocks:
        for block in blocks:
            at = (
                (block.rows - rows[0]).astype(np.intp),
                (block.columns - columns[0]).astype(np.intp),
            )
            points[at] = block.results
            progress.advance(len(block.rows) * program.repeats)
    assert not (points == _UNPLAYED).any(), "an arena plays every cell"
    return points


def save(games: Games, path: Path) -> None:
    """Write the games of a repetition; the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = np.frombuffer(json.dumps({"title": games.title, "full": games.full}).encode(), np.uint8)
    tables = {"training": games.training, "first": games.first, "second": games.second}
    atomic_write(path, lambda file: np.savez_compressed(file, head=head, **tables))


def load(path: Path) -> Games:
    """Read the games of a repetition."""
    if not path.exists():
        raise StudyError(f"{path} does not exist; play first: python -m experiments.budget play")
    with np.load(path) as found:
        head = json.loads(found["head"].tobytes())
        return Games(
            head["title"], head["full"], found["training"], found["first"], found["second"]
        )
