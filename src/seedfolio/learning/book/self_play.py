"""Learning books by self-play, round after round.

In each round both colours play many games of (a book so far, then the program with a fresh seed)
against (the original with a fresh seed). All results are kept, summed up by state and move, and
decide everything again after each round; so learning may stop after any round and continue there
later. What a round plays, and how much, depends only on the games before it; only the last round of
a budget may be cut short.

Books that should hold against an opponent who learns meet, in a share of the games, the other
colour's book so far.

Several books are learnt side by side. They share nothing but the numbers of the games: the arm of a
game draws the book that learns from it, as it does when the mixture of the books plays. While one
colour plays, the games of the other are summed up, each book in a thread.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seedfolio.arena.threads import available_cores
from seedfolio.core.seeds import BOOK_HELD_BACK_SEEDS
from seedfolio.errors import SpecificationError
from seedfolio.learning.book.decisions import Caution, Decisions, decide, studied
from seedfolio.learning.book.several_moves import ONE_MOVE, MoveVariety
from seedfolio.learning.book.statistics import Rows, rows_of
from seedfolio.learning.book.tree import Tree, tree_of
from seedfolio.players.books.table import Instructions, books_of_arms, pack
from seedfolio.players.cell_points import half_points
from seedfolio.portfolios.book.book import Words
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.programs.interface import Playable
from seedfolio.study.session import Session


def rows_of_proposals(proposed: Words) -> Rows:
    """Return rows without games, one for each proposal, in the form of `arena.Block.proposed`."""
    nothing = np.zeros(len(proposed), np.int32)
    return Rows(
        states=proposed[:, 1],
        moves=proposed[:, 2].astype(np.int32) - 1,
        last=proposed[:, 3],
        last_moves=proposed[:, 4].astype(np.int32) - 1,
        games=nothing,
        points=nothing,
        natural_games=nothing,
        natural_points=nothing,
        arms=proposed[:, 5],
    ).in_order()


@dataclass(frozen=True)
class BookPace:
    """The sizes of rounds, and the caution of decisions."""

    first_rounds: int
    growth: int
    """A round has one game for every `growth` before it, but at least `first_rounds` a book."""
    caution: Caution

    def round_after(self, games: int, books: int = 1) -> int:
        """Return how many games the whole round after the first `games` games has."""
        return max(self.first_rounds * books, games // self.growth) // 2 * 2


_FAST = BookPace(1_000, 16, Caution())
_VARIED_GROWTH = 6
"""One book that varies its moves has many states: with fewer rounds a GPU waits less for summing
up (docs/notes/books.md)."""
_SLOW = BookPace(
    16,
    32,
    Caution(natural=4, visits=8, candidate=3, alike=0.0, prior=2.0, most_prior=8.0, patience=0.03),
)


def pace_of(program: Playable, variety: MoveVariety = ONE_MOVE) -> BookPace:
    """Return the pace for a program, and for books that draw between moves while they learn."""
    usual = _SLOW if program.traits.slow else _FAST
    if variety == ONE_MOVE:
        return usual
    caution = replace(usual.caution, variety=variety)
    growth = usual.growth if variety.tilt > 0 else _VARIED_GROWTH
    return replace(usual, growth=growth, caution=caution)


@dataclass(frozen=True)
class ColourExperience:
    """What the games of one book of a colour have shown so far, and what follows from it."""

    rows: Rows
    tree: Tree
    decided: Decisions
    next: Instructions
    """What its next games play: the book so far, and sometimes other moves to explore."""

    @classmethod
    def of(cls, rows: Rows, caution: Caution) -> ColourExperience:
        """Decide from the games so far."""
        tree = tree_of(rows)
        decided = decide(tree, caution)
        return cls(rows, tree, decided, studied(tree, decided))


Side = tuple[ColourExperience, ...]
"""All books of a colour."""


@dataclass(frozen=True)
class Experience:
    """All data that books are made from, between two rounds."""

    caution: Caution
    colours: tuple[Side, Side]
    games: int = 0
    """Games played so far, of both colours and all books together."""

    @classmethod
    def of(
        cls, rows: Sequence[Sequence[Rows]], games: int = 0, caution: Caution | None = None
    ) -> Experience:
        """Decide from what the books of both colours have seen in `games` games."""
        chosen = caution or Caution()
        first, second = (tuple(ColourExperience.of(each, chosen) for each in side) for side in rows)
        return cls(chosen, (first, second), games)

    @classmethod
    def none(cls, books: int = 1, caution: Caution | None = None) -> Experience:
        """Return the experience before the first round."""
        return cls.of([[Rows.none()] * books] * 2, caution=caution)


@dataclass(frozen=True)
class Round:
    """A round that has been played; its games may still be summed up."""

    caution: Caution
    games: int
    """Games played so far."""
    sums: tuple[list[Future[ColourExperience]], list[Future[ColourExperience]]]

    def experience(self) -> Experience:
        """Return what is known after this round."""
        first, second = (tuple(each.result() for each in side) for side in self.sums)
        return Experience(self.caution, (first, second), self.games)


@dataclass(frozen=True)
class SelfPlay:
    """Plays the games that books are learnt from."""

    session: Session
    symmetric: bool = True
    behind: Portfolio | None = None
    """The arms that play on where a book ends; None: a fresh one each game."""
    first: int = 0
    """The number of the first game."""
    variety: MoveVariety = ONE_MOVE
    """Between which moves the games draw."""
    met: float = 0.0
    """In which share of the games the opponent has the other colour's book so far."""

    @property
    def program(self) -> Playable:
        """The program, able to play books."""
        return self.session.program.for_books

    @property
    def pace(self) -> BookPace:
        """How large rounds are, and how sure to be."""
        return pace_of(self.session.program, self.variety)

    def rounds(self, experience: Experience, budget: int) -> Generator[Round, None, None]:
        """Play rounds until `budget` games are spent; yield each."""
        if experience.games >= budget:
            return
        caution, games = experience.caution, experience.games
        sums = _known(experience.colours[0]), _known(experience.colours[1])
        with (
            self.session.task("book", budget - games),
            ThreadPoolExecutor(available_cores()) as pool,
        ):
            while games < budget:
                whole = self.pace.round_after(games, len(sums[0]))
                half = max(1, min(whole, budget - games) // 2)
                if self.first + games + 2 * half > BOOK_HELD_BACK_SEEDS.start:
                    raise SpecificationError("books can learn from at most 2**31 games")
                sides = []
                rivals = [sums[1 - c][0].result() if self.met else None for c in (0, 1)]
                for colour in (0, 1):
                    before = [each.result() for each in sums[colour]]
                    first = self.first + games + colour * half
                    numbers = np.arange(first, first + half, dtype=np.uint64)
                    seen = self._seen(before, colour, numbers, rivals[colour])
                    pairs = zip(before, seen, strict=True)
                    sides.append([pool.submit(_after, *each, caution) for each in pairs])
                sums, games = (sides[0], sides[1]), games + 2 * half
                yield Round(caution, games, sums)

    def _seen(
        self,
        before: Sequence[ColourExperience],
        colour: int,
        numbers: Words,
        rival: ColourExperience | None,
    ) -> list[_Games]:
        """Play the games of these numbers, whose arms draw the books; return those of each book."""
        looking = [(1.0, each.next) for each in before]
        met = []
        if rival is not None:
            met = [(self.met, rival.next), (1 - self.met, Instructions.none())]
        words = pack([looking, met] if colour == 0 else [met, looking], symmetric=self.symmetric)
        program = self.program.studying(words)
        own, theirs = program.book_arms(numbers)
        theirs = program.opposing(theirs, 1 - colour)
        if self.behind is not None:
            own = np.full(len(numbers), self.behind[colour].arms[0], np.uint64)
        blocks = []
        with closing(self.session.play_as(colour, own, theirs, program)) as played:
            for block in played:
                blocks.append(block)
                self.session.progress.advance(len(block.rows))
        arms = np.concatenate([each.rows if colour == 0 else each.columns for each in blocks])
        results = np.concatenate(
            [half_points(each.results, each.rows, each.columns, program.full) for each in blocks]
        )
        points = results if colour == 0 else 2 - results
        left = np.concatenate([each.left[:, colour] for each in blocks if each.left is not None])
        proposed = [each.proposed for each in blocks if each.proposed is not None]
        drawn = books_of_arms(arms, colour, words)
        every = (np.flatnonzero(drawn == book) for book in range(len(before)))
        return [_Games(arms[each], points[each], left[each], proposed) for each in every]


@dataclass(frozen=True)
class _Games:
    """Games of one book of a colour, see `rows_of`."""

    arms: Words
    points: NDArray[np.uint8]
    left: Words
    proposed: Sequence[Words]
    """Moves that arms have proposed, see `rows_of_proposals`."""


def _after(before: ColourExperience, seen: _Games, caution: Caution) -> ColourExperience:
    """Return the experience of a book after more games."""
    more = [rows_of(seen.arms, seen.points, seen.left), *map(rows_of_proposals, seen.proposed)]
    after = ColourExperience.of(before.rows.and_more(*more), caution)
    after.next.table  # noqa: B018 - here, so that the next round need not wait for it
    return after


def _known(side: Side) -> list[Future[ColourExperience]]:
    """Return the experience of a colour as if it had just been summed up."""
    futures = []
    for each in side:
        future: Future[ColourExperience] = Future()
        future.set_result(each)
        futures.append(future)
    return futures
