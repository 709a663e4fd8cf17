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
from pathlib import Path

import numpy as np

from seedfolio.arena import Arena, Progress, Silent
from seedfolio.book.book import ORIGINAL, Book, MixedBook
from seedfolio.book.deciding import Caution, Decisions, decide, studied
from seedfolio.book.statistics import Rows, rows_of
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

    def book(self) -> Book:
        """Return the book as it is now."""
        return Book.of(self.tree, self.decided)


@dataclass(frozen=True)
class Learning:
    """The state of learning between two rounds."""

    caution: Caution
    colours: tuple[ColourLearnt, ColourLearnt]
    games: int = 0
    """Games played so far, of both colours together; also the next unused training seed."""

    @classmethod
    def begin(cls, caution: Caution | None = None, first_seed: int = 0) -> Learning:
        """Return the state before the first round, whose games have seeds from `first_seed` on."""
        chosen = caution or Caution()
        nothing = ColourLearnt.of(Rows.none(), chosen)
        return cls(chosen, (nothing, nothing), first_seed)

    def books(self) -> tuple[Book, Book]:
        """Return the books of both colours."""
        return self.colours[0].book(), self.colours[1].book()


@dataclass(frozen=True)
class Teacher:
    """Plays the games that a book is learnt from."""

    program: Program
    """With books, whichever; see `Program.with_books`."""
    arena: Arena
    progress: Progress = field(default_factory=Silent)
    symmetric: bool = True
    against: tuple[MixedBook, MixedBook] = (ORIGINAL, ORIGINAL)
    """What the opponents play: by colour, that of the books."""

    def round(self, learning: Learning, games: int) -> Learning:
        """Play a round of `games` games, half of them for each colour, and decide anew."""
        half = max(1, games // 2)
        if learning.games + 2 * half > len(TRAINING_SEEDS):
            raise SpecificationError("a book cannot be learnt from more than 2**32 games")
        self.progress.begin("book", 2 * half)
        try:
            first = self._colour(learning, 0, half)
            second = self._colour(learning, 1, half)
        finally:
            self.progress.end()
        return replace(learning, colours=(first, second), games=learning.games + 2 * half)

    def _colour(self, learning: Learning, colour: int, games: int) -> ColourLearnt:
        learnt = learning.colours[colour]
        looking = studied(learnt.tree, learnt.decided) if len(learnt.tree) else Instructions.none()
        books = [side.weighted() for side in self.against]
        books[colour] = [(1.0, looking)]
        program = self.program.with_books(pack(books, symmetric=self.symmetric))
        first = learning.games + colour * games
        seeds = np.arange(first, first + games, dtype=np.uint64)
        seen, scored = Rows.none(), 0
        with closing(self.arena.play(program, seeds, seeds)) as blocks:
            for block in blocks:
                assert block.left is not None
                points = block.results if colour == 0 else 2 - block.results
                seen = seen.and_more(rows_of(block.rows, points, block.left[:, colour]))
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


def save_learning(learning: Learning, path: Path, least: int = 1) -> None:
    """Write what learning needs to go on: all that was seen in `least` games or more."""
    arrays = {
        f"{name}{colour}": getattr(each.rows.seen_often(least), name)
        for colour, each in enumerate(learning.colours)
        for name in Rows.__dataclass_fields__
    }
    atomic_write(
        path, lambda file: np.savez_compressed(file, games=np.int64(learning.games), **arrays)
    )


def load_learning(path: Path, caution: Caution | None = None) -> Learning:
    """Read what `save_learning` wrote; StudyError if it cannot be read."""
    chosen = caution or Caution()
    try:
        with np.load(path, allow_pickle=False) as file:
            rows = [
                Rows(*(file[f"{name}{colour}"] for name in Rows.__dataclass_fields__))
                for colour in (0, 1)
            ]
            games = int(file["games"])
    except (OSError, ValueError, KeyError) as error:
        raise StudyError(f"{path} does not hold what a book has learnt: {error}") from error
    first, second = (ColourLearnt.of(each, chosen) for each in rows)
    return Learning(chosen, (first, second), games)
