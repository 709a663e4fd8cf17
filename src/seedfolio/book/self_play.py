"""Learning a book by self-play, round after round.

In each round both colours play many games of (the book so far, then the program with a fresh seed)
against (the original with a fresh seed). All games are kept, summed up by state and move, and
after each round all is decided anew from them; so learning may stop after any round, and goes on
where it stopped. What a round plays, and how much, follows from the games before it alone; only
the last round of a budget is cut short by it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from seedfolio.arena import Arena, Progress, Silent
from seedfolio.book.decisions import Caution, Decisions, decide, studied
from seedfolio.book.entries import entered
from seedfolio.book.statistics import Rows, Words, rows_of
from seedfolio.book.tree import Tree, tree_of
from seedfolio.errors import SpecificationError
from seedfolio.players.book_table import Instructions, pack
from seedfolio.players.program import Program
from seedfolio.portfolios.book import Book

MEASURING_SEEDS = 2**31
"""Training seeds from here on are for measuring: those that learning meets lie below."""
_FIRST_ROUNDS = 1_000
_GROWTH = 16
"""A round has this part of all games before it, once that is more than the first ones had."""


@dataclass(frozen=True)
class ColourLearnt:
    """What one colour has learnt so far."""

    rows: Rows
    tree: Tree
    decided: Decisions

    @classmethod
    def of(cls, rows: Rows, caution: Caution) -> ColourLearnt:
        """Decide on what was seen."""
        tree = tree_of(rows)
        return cls(rows, tree, decide(tree, caution))


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
    def of(
        cls,
        rows: tuple[Rows, Rows],
        games: int = 0,
        first_seed: int = 0,
        caution: Caution | None = None,
    ) -> Learning:
        """Decide on what both colours have seen in so many games."""
        chosen = caution or Caution()
        first, second = (ColourLearnt.of(each, chosen) for each in rows)
        return cls(chosen, (first, second), games, first_seed)

    @classmethod
    def begin(cls, first_seed: int = 0) -> Learning:
        """Return the state before the first round."""
        return cls.of((Rows.none(), Rows.none()), first_seed=first_seed)


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

    def rounds(self, learning: Learning, budget: int) -> Generator[Learning, None, None]:
        """Play rounds until `budget` games are spent; yield what is learnt after each."""
        if learning.games >= budget:
            return
        self.progress.begin("book", budget - learning.games)
        try:
            while learning.games < budget:
                games = min(round_after(learning.games), budget - learning.games)
                learning = self.round(learning, games)
                yield learning
        finally:
            self.progress.end()

    def round(self, learning: Learning, games: int) -> Learning:
        """Play a round of `games` games, half of them for each colour, and decide anew."""
        half = max(1, games // 2)
        if learning.first_seed + learning.games + 2 * half > MEASURING_SEEDS:
            raise SpecificationError("a book cannot be learnt from more than 2**31 games")
        first, second = (self._seen(learning, colour, half) for colour in (0, 1))
        return replace(learning, colours=(first, second), games=learning.games + 2 * half)

    def books(self, learning: Learning, *, varied: bool = False) -> tuple[Book, Book]:
        """Return the books of both colours as they are now; see `entered`."""
        first, second = (
            Book.of(
                each.tree,
                entered(each.tree, each.decided, learning.caution, varied=varied),
                each.decided,
                partial(self.opponents_of, colour=colour),
            )
            for colour, each in enumerate(learning.colours)
        )
        return first, second

    def opponents_of(self, arms: Words, colour: int) -> Words:
        """Return the arm that each of our arms of `colour` meets in learning."""
        if self.opponents is None:
            return arms
        pool = self.opponents[colour]
        return pool[(arms % np.uint64(len(pool))).astype(np.intp)]

    def _seen(self, learning: Learning, colour: int, games: int) -> ColourLearnt:
        """Return what a colour has learnt after `games` more games."""
        learnt = learning.colours[colour]
        looking = studied(learnt.tree, learnt.decided) if len(learnt.tree) else Instructions.none()
        books = [[(1.0, looking)], []] if colour == 0 else [[], [(1.0, looking)]]
        program = self.program.with_books(pack(books, symmetric=self.symmetric))
        first = learning.first_seed + learning.games + colour * games
        own = np.arange(first, first + games, dtype=np.uint64)
        cells = own, self.opponents_of(own, colour)
        seen = []
        with closing(self.arena.play(program, *cells[:: 1 if colour == 0 else -1])) as blocks:
            for block in blocks:
                assert block.left is not None
                points = block.results if colour == 0 else 2 - block.results
                arms = block.rows if colour == 0 else block.columns
                seen.append(rows_of(arms, points, block.left[:, colour]))
                self.progress.advance(len(block.rows))
        return ColourLearnt.of(learnt.rows.and_more(*seen), learning.caution)


def round_after(games: int) -> int:
    """Return how many games a whole round has after so many."""
    return max(_FIRST_ROUNDS, games // _GROWTH) // 2 * 2
