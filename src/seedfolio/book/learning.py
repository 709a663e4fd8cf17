"""Learning a book by self-play, round after round.

In each round both colours play many games of (the book so far, then the program with a fresh seed)
against (the original with a fresh seed). All games are kept, summed up by state and move, and
after each round all is decided anew from them; so learning may stop after any round, and goes on
where it stopped. What a round plays follows from the games before it and its number alone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from seedfolio.arena import Arena, Progress, Silent
from seedfolio.book.book import Book
from seedfolio.book.deciding import Caution, Decisions, decide, studied
from seedfolio.book.statistics import Rows, Words, rows_of
from seedfolio.book.tree import Tree, tree_of
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.players.book_table import Instructions, pack
from seedfolio.players.program import Program
from seedfolio.study.arms import TRAINING_SEEDS
from seedfolio.study.files import atomic_write

_GROWTH = 16
"""A round has this part of all games before it, once that is more than the first one had."""


@dataclass(frozen=True)
class ColourLearnt:
    """What one colour has learnt so far."""

    rows: Rows
    tree: Tree
    decided: Decisions
    success: float | None = None
    """In the games of the last round, a look at other moves included."""

    @classmethod
    def of(cls, rows: Rows, caution: Caution, success: float | None = None) -> ColourLearnt:
        """Decide on what was seen."""
        tree = tree_of(rows)
        return cls(rows, tree, decide(tree, caution), success)


@dataclass(frozen=True)
class Learning:
    """The state of learning between two rounds."""

    caution: Caution
    colours: tuple[ColourLearnt, ColourLearnt]
    games: int = 0
    """Games played so far, of both colours together."""
    first_seed: int = 0
    """The training seeds of the games are this and those that follow."""

    @classmethod
    def begin(cls, caution: Caution | None = None, first_seed: int = 0) -> Learning:
        """Return the state before the first round."""
        chosen = caution or Caution()
        nothing = ColourLearnt.of(Rows.none(), chosen)
        return cls(chosen, (nothing, nothing), first_seed=first_seed)


@dataclass(frozen=True)
class Teacher:
    """Plays the games that a book is learnt from."""

    program: Program
    """With books, whichever; see `Program.with_books`."""
    arena: Arena
    progress: Progress = field(default_factory=Silent)
    symmetric: bool = True
    opponents: tuple[Words, Words] | None = None
    """Seeds that each colour meets again and again; None: a fresh one each game."""

    def round(self, learning: Learning, games: int) -> Learning:
        """Play a round of `games` games, half of them for each colour, and decide anew."""
        half = max(1, games // 2)
        if learning.first_seed + learning.games + 2 * half > len(TRAINING_SEEDS):
            raise SpecificationError("a book cannot be learnt from more than 2**32 games")
        self.progress.begin("book", 2 * half)
        try:
            first = self._colour(learning, 0, half)
            second = self._colour(learning, 1, half)
        finally:
            self.progress.end()
        return replace(learning, colours=(first, second), games=learning.games + 2 * half)

    def books(self, learning: Learning) -> tuple[Book, Book]:
        """Return the books of both colours as they are now."""
        first, second = (
            Book.of(each.tree, each.decided, partial(self.opponents_of, colour=colour))
            for colour, each in enumerate(learning.colours)
        )
        return first, second

    def opponents_of(self, arms: Words, colour: int) -> Words:
        """Return the arm that each of our arms of `colour` meets in learning."""
        if self.opponents is None:
            return arms
        pool = self.opponents[colour]
        return pool[(arms % np.uint64(len(pool))).astype(np.intp)]

    def _colour(self, learning: Learning, colour: int, games: int) -> ColourLearnt:
        learnt = learning.colours[colour]
        looking = studied(learnt.tree, learnt.decided) if len(learnt.tree) else Instructions.none()
        books = [[(1.0, looking)], []] if colour == 0 else [[], [(1.0, looking)]]
        program = self.program.with_books(pack(books, symmetric=self.symmetric))
        first = learning.first_seed + learning.games + colour * games
        own = np.arange(first, first + games, dtype=np.uint64)
        cells = own, self.opponents_of(own, colour)
        seen, scored = Rows.none(), 0
        with closing(self.arena.play(program, *cells[:: 1 if colour == 0 else -1])) as blocks:
            for block in blocks:
                assert block.left is not None
                points = block.results if colour == 0 else 2 - block.results
                arms = block.rows if colour == 0 else block.columns
                seen = seen.and_more(rows_of(arms, points, block.left[:, colour]))
                scored += int(points.sum(dtype=np.int64))
                self.progress.advance(len(block.rows))
        rows = learnt.rows.and_more(seen)
        return ColourLearnt.of(rows, learning.caution, scored / (2 * games))


def next_round(learning: Learning, smallest: int, budget: int) -> int:
    """Return how many games the next round has, so that all rounds together keep to a budget."""
    wanted = max(smallest, learning.games // _GROWTH)
    left = budget - learning.games
    return left if left < 2 * wanted else wanted


def learn(
    teacher: Teacher,
    learning: Learning,
    budget: int,
    smallest: int,
    after: Callable[[Learning], bool],
) -> Learning:
    """Play rounds until `budget` games are spent, or `after`, told of each round, returns False."""
    while learning.games < budget:
        learning = teacher.round(learning, next_round(learning, smallest, budget))
        if not after(learning):
            break
    return learning


def save_learning(learning: Learning, path: Path, mark: str, least: int = 1) -> None:
    """Write what learning needs to go on: all that was seen in `least` games or more.

    `mark` says of what program it is.
    """
    arrays: dict[str, Any] = {
        f"{name}{colour}": getattr(each.rows.seen_often(least), name)
        for colour, each in enumerate(learning.colours)
        for name in Rows.__dataclass_fields__
    }
    arrays |= {"games": np.int64(learning.games), "mark": np.array(mark)}
    atomic_write(path, lambda file: np.savez_compressed(file, **arrays))


def load_learning(path: Path, mark: str, caution: Caution | None = None) -> Learning:
    """Read what `save_learning` wrote; StudyError if it cannot be read or has another mark."""
    chosen = caution or Caution()
    try:
        with np.load(path, allow_pickle=False) as file:
            rows = [
                Rows(*(file[f"{name}{colour}"] for name in Rows.__dataclass_fields__))
                for colour in (0, 1)
            ]
            games, found = int(file["games"]), str(file["mark"])
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise StudyError(
            f"{path} does not hold what a book has learnt ({error}); delete it to learn anew"
        ) from error
    if found != mark:
        raise StudyError(f"{path} is of another program; delete it to learn anew")
    first, second = (ColourLearnt.of(each, chosen) for each in rows)
    return Learning(chosen, (first, second), games)
