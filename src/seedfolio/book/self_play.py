"""Learning a book by self-play, round after round.

In each round both colours play many games of (the book so far, then the program with a fresh seed)
against (the original with a fresh seed). All results are kept, summed up by state and move, and
decide everything again after each round; so learning may stop after any round and continue there
later. What a round plays, and how much, depends only on the games before it; only the last round of
a budget may be cut short.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from seedfolio.book.decisions import Caution, Decisions, decide, studied
from seedfolio.book.entries import book_of, entered
from seedfolio.book.pace import Pace, pace_of
from seedfolio.book.proposals import rows_of_proposals
from seedfolio.book.statistics import Rows, rows_of
from seedfolio.book.tree import Tree, tree_of
from seedfolio.core.seeds import BOOK_HELD_BACK_SEEDS
from seedfolio.errors import SpecificationError
from seedfolio.players.book_table import Instructions, pack
from seedfolio.portfolios.book import Book, Words
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session


@dataclass(frozen=True)
class ColourExperience:
    """What the games of one colour have shown so far, and what follows from it."""

    rows: Rows
    tree: Tree
    decided: Decisions

    @classmethod
    def of(cls, rows: Rows, caution: Caution) -> ColourExperience:
        """Decide from the games so far."""
        tree = tree_of(rows)
        return cls(rows, tree, decide(tree, caution))


@dataclass(frozen=True)
class Experience:
    """All data that a book is made from, between two rounds."""

    caution: Caution
    colours: tuple[ColourExperience, ColourExperience]
    games: int = 0
    """Games played so far, of both colours together."""
    first_seed: int = 0
    """The games use this training seed and those that follow."""

    @classmethod
    def of(
        cls,
        rows: tuple[Rows, Rows],
        games: int = 0,
        first_seed: int = 0,
        caution: Caution | None = None,
    ) -> Experience:
        """Decide from what both colours have seen in `games` games."""
        chosen = caution or Caution()
        first, second = (ColourExperience.of(each, chosen) for each in rows)
        return cls(chosen, (first, second), games, first_seed)

    @classmethod
    def none(cls, first_seed: int = 0, caution: Caution | None = None) -> Experience:
        """Return the experience before the first round."""
        return cls.of((Rows.none(), Rows.none()), 0, first_seed, caution)


@dataclass(frozen=True)
class SelfPlay:
    """Plays the games that a book is learnt from."""

    session: Session
    symmetric: bool = True
    opponents: tuple[Words, Words] | None = None
    """Seeds that each colour meets again and again; None: a fresh one each game."""
    behind: Portfolio | None = None
    """The arms that play on where a book ends; None: a fresh one each game."""

    @property
    def program(self) -> Playable:
        """The program, able to play books."""
        return self.session.program.for_books

    @property
    def pace(self) -> Pace:
        """How large rounds are, and how sure to be."""
        return pace_of(self.session.program)

    def rounds(self, experience: Experience, budget: int) -> Generator[Experience, None, None]:
        """Play rounds until `budget` games are spent; yield the experience after each."""
        if experience.games >= budget:
            return
        with self.session.task("book", budget - experience.games):
            while experience.games < budget:
                games = min(self.pace.round_after(experience.games), budget - experience.games)
                experience = self.round(experience, games)
                yield experience

    def round(self, experience: Experience, games: int) -> Experience:
        """Play a round of `games` games, half of them for each colour, and decide again."""
        half = max(1, games // 2)
        if experience.first_seed + experience.games + 2 * half > BOOK_HELD_BACK_SEEDS.start:
            raise SpecificationError("a book can learn from at most 2**31 games")
        first, second = (self._seen(experience, colour, half) for colour in (0, 1))
        return replace(experience, colours=(first, second), games=experience.games + 2 * half)

    def books(self, experience: Experience, *, varied: bool = False) -> tuple[Book, Book]:
        """Return the books of both colours as they are now; see `entered`."""
        first, second = (
            book_of(
                each.tree,
                entered(each.tree, each.decided, experience.caution, varied=varied),
                each.decided,
                partial(self.opponents_of, colour=colour),
            )
            for colour, each in enumerate(experience.colours)
        )
        return first, second

    def opponents_of(self, arms: Words, colour: int) -> Words:
        """Return the arm that each of our arms of `colour` meets in learning."""
        if self.opponents is None:
            return self.session.program.book_arms(arms)[1]
        pool = self.opponents[colour]
        return pool[(arms % np.uint64(len(pool))).astype(np.intp)]

    def _seen(self, experience: Experience, colour: int, games: int) -> ColourExperience:
        """Return the experience of a colour after `games` more games."""
        before = experience.colours[colour]
        looking = studied(before.tree, before.decided) if len(before.tree) else Instructions.none()
        books = [[(1.0, looking)], []] if colour == 0 else [[], [(1.0, looking)]]
        program = self.program.studying(pack(books, symmetric=self.symmetric))
        first = experience.first_seed + experience.games + colour * games
        numbers = np.arange(first, first + games, dtype=np.uint64)
        own, theirs = program.book_arms(numbers)
        if self.behind is not None:
            own = np.full(games, self.behind[colour].arms[0], np.uint64)
        if self.opponents is not None:
            theirs = self.opponents_of(own, colour)
        seen = []
        with closing(self.session.play_as(colour, own, theirs, program)) as blocks:
            for block in blocks:
                assert block.left is not None
                points = block.results if colour == 0 else 2 - block.results
                arms = block.rows if colour == 0 else block.columns
                seen.append(rows_of(arms, points, block.left[:, colour]))
                if block.proposed is not None:
                    seen.append(rows_of_proposals(block.proposed))
                self.session.progress.advance(len(block.rows))
        return ColourExperience.of(before.rows.and_more(*seen), experience.caution)
