"""Which of several books to play, and how often: measured in games.

An opponent who beats one book does not beat the others, if they were learnt apart. So a mixture is
harder to exploit than any of its books, the more so the more there are; and the books of larger
pools are stronger (see `pools`). All of them play training arms that learning has not met, and the
weights are those that do best against an exploiter who picks among some of these arms, see
`learning.exploiter_objective`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled_entry
from seedfolio.core.seeds import BOOK_HELD_BACK_SEEDS
from seedfolio.evaluation.books import book_success
from seedfolio.learning.book.decisions import Caution, Decisions
from seedfolio.learning.book.self_play import ColourExperience, Experience, SelfPlay, Side
from seedfolio.learning.book.several_moves import DRAWS, ONE_MOVE, MoveVariety, drawn_edges
from seedfolio.learning.book.tree import Tree
from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.players.books.table import NO_STATE
from seedfolio.portfolios.book.book import (
    ORIGINAL,
    Book,
    BookPortfolio,
    MixedBook,
    Numbers,
    equal_mixture,
    one_book,
)

_NO_STATE = np.uint64(NO_STATE)


def entered(tree: Tree, decided: Decisions, variety: MoveVariety) -> Numbers:
    """Return the edges that a book of this variety plays, see `reached`."""
    return reached(tree, drawn_by(tree, decided, variety))


def drawn_by(tree: Tree, decided: Decisions, variety: MoveVariety) -> NDArray[np.bool_]:
    """Return between which edges a book of this variety draws, also where it does not come."""
    return drawn_edges(tree.first, tree.depths, decided.best, decided.bounds, variety)


def reached(tree: Tree, played: NDArray[np.bool_]) -> Numbers:
    """Return those of the played edges to which others lead, roots first."""
    nodes = np.zeros(len(tree), np.bool_)
    _reach(tree.order, tree.parents, tree.nodes, played, nodes)
    place = np.empty(len(tree), np.int64)
    place[tree.order] = np.arange(len(tree))[::-1]
    edges = np.flatnonzero(played & nodes[tree.nodes])
    in_order: Numbers = edges[np.argsort(place[tree.nodes[edges]], kind="stable")]
    return in_order


def holding_book(seen: ColourExperience, caution: Caution, *, average: bool) -> Book:
    """Return the tilted book, or the average of all that games have played.

    Against a rival who learns, too, the last book is the answer to the rival's last one, and may
    lose to the next; the average of both sides comes near an equilibrium (fictitious play). The
    games at each state show it. As many as explored do not count.
    """
    tree, decided = seen.tree, seen.decided
    draws = decided.draws
    if average:
        games, nodes = decided.games, tree.nodes
        explored = caution.curiosity * np.sqrt(games)[nodes]
        often = np.maximum(0.0, decided.edge_games - explored) * (decided.best >= 0)[nodes]
        total = np.bincount(nodes, often, len(tree))[nodes]
        averaged = np.rint(DRAWS * often / np.maximum(total, 1e-9)).astype(np.int64)
        draws = np.where((total > 0) & (tree.arms != _NO_STATE), averaged, draws)
    edges = reached(tree, draws > 0)
    return replace(book_of(tree, edges, decided), times=draws[edges])


def book_of(tree: Tree, edges: Numbers, decided: Decisions) -> Book:
    """Return the book that plays these edges, see `entered`."""
    nodes = tree.nodes[edges]
    place = np.full(len(tree.moves) + 1, -1, np.int64)
    place[edges] = np.arange(len(edges))
    return Book(
        states=tree.states[nodes],
        moves=tree.moves[edges],
        parents=place[tree.parents[nodes]],  # the root has edge -1, the last place
        games=decided.games[nodes],
        values=decided.edge_values[edges],
        natural=decided.natural[nodes],
        arms=tree.arms[edges],
    )


def _reach_template(order: Any, parents: Any, nodes: Any, played: Any, found: Any) -> None:
    """Mark the nodes to which played edges lead."""
    for k in range(len(order)):
        node = order[len(order) - 1 - k]
        edge = parents[node]
        found[node] = edge < 0 or (found[nodes[edge]] and played[edge])


_reach = compiled_entry(_reach_template, {})


Marks = NDArray[np.bool_]
"""Which edges of a tree a book plays."""


def count_pools(books: int) -> int:
    """Return how many books there are with those of all pools."""
    return 2 * books - 1


def pooled_books(side: Side, caution: Caution, variety: MoveVariety) -> list[Book]:
    """Return the books of a colour, then those of larger and larger pools."""
    every = _pools(side, caution)
    whole = every[-1]
    usual = drawn_by(whole.tree, whole.decided, variety)
    books = []
    for each in every:
        played = usual if each is whole else _completed(each, whole, usual, variety)
        books.append(book_of(whole.tree, reached(whole.tree, played), whole.decided))
    return books


def _pools(side: Side, caution: Caution) -> list[ColourExperience]:
    """Return the experience of each book, then of pools of two, of four and so on up to all."""
    found, level = list(side), list(side)
    while len(level) > 1:
        pairs = [level[k : k + 2] for k in range(0, len(level), 2)]
        level = [_together(pair, caution) for pair in pairs]
        found += [each for each, pair in zip(level, pairs, strict=True) if len(pair) > 1]
    return found


def _together(pair: Sequence[ColourExperience], caution: Caution) -> ColourExperience:
    if len(pair) == 1:
        return pair[0]
    return ColourExperience.of(pair[0].rows.and_more(pair[1].rows), caution)


def _completed(
    each: ColourExperience, whole: ColourExperience, usual: Marks, variety: MoveVariety
) -> Marks:
    """Return the edges of a book in the tree of all books, which decide where it has not."""
    played = usual.copy()
    few = np.sqrt(each.rows.games.sum(dtype=np.int64))
    sure = np.flatnonzero((each.decided.best >= 0) & (each.decided.games >= few))
    nodes = np.searchsorted(whole.tree.states, each.tree.states[sure])
    own = drawn_by(each.tree, each.decided, variety)
    there = each.tree.first, each.tree.moves, own
    _enter(whole.tree.first, whole.tree.moves, nodes, sure, *there, played)
    return played


def _enter_template(
    first: Any,
    moves: Any,
    nodes: Any,
    own_nodes: Any,
    own_first: Any,
    own_moves: Any,
    own_drawn: Any,
    played: Any,
) -> None:
    """Mark, at each of some nodes, the moves that a book draws between at its own nodes."""
    for k in range(len(nodes)):
        begin, end = own_first[own_nodes[k]], own_first[own_nodes[k] + 1]
        for edge in range(first[nodes[k]], first[nodes[k] + 1]):
            played[edge] = False
            for own in range(begin, end):
                if own_drawn[own] and own_moves[own] == moves[edge]:
                    played[edge] = True


_enter = compiled_entry(_enter_template, {})


_SHARE = 10
"""At most one game in 10 is for measuring."""
_FEWEST_OWN, _MOST_OWN = 8, 64
"""Our arms that each opponent meets; with fewer the difference would not show."""
_FEWEST_OPPONENTS, _MOST_OPPONENTS = 64, 512


@dataclass(frozen=True)
class Measuring:
    """How books are measured: `own` of our arms meet each of `opponents`; 0 and 0: not at all."""

    own: int
    opponents: int
    books: int
    """How many books of each colour are measured."""

    @classmethod
    def of(cls, budget: int, books: int) -> Measuring:
        """Return how to measure books that are learnt in a budget of games."""
        pools = count_pools(books)
        cells = budget // _SHARE // (2 * pools)
        own = min(_MOST_OWN, cells // _FEWEST_OPPONENTS)
        if books == 1 or own < _FEWEST_OWN:
            return cls(0, 0, pools)
        return cls(own, min(_MOST_OPPONENTS, cells // own), pools)

    @property
    def games(self) -> int:
        """How many games it takes."""
        return 2 * self.books * self.own * self.opponents


def mixed_books(
    play: SelfPlay,
    experience: Experience,
    measuring: Measuring,
    exploiters: int,
    variety: MoveVariety = ONE_MOVE,
) -> BookPortfolio:
    """Return the books of all pools, mixed as does best against an exploiter among `exploiters`.

    With too few games to measure, the books that were learnt are mixed equally.
    """
    sides = [pooled_books(side, experience.caution, variety) for side in experience.colours]
    if measuring.games == 0:
        first, second = (
            equal_mixture(books[: len(side)])
            for books, side in zip(sides, experience.colours, strict=True)
        )
        return BookPortfolio(first, second, play.symmetric, play.behind)
    with play.session.task("books to mix", measuring.games):
        first, second = (
            _weighed(books, _points(play, books, colour, measuring), measuring, exploiters)
            for colour, books in enumerate(sides)
        )
    return BookPortfolio(first, second, play.symmetric, play.behind)


def _points(
    play: SelfPlay, books: list[Book], colour: int, measuring: Measuring
) -> NDArray[np.uint8]:
    """Return the half points of each book against each opponent, all games together."""
    first = BOOK_HELD_BACK_SEEDS.start
    theirs = np.arange(first, first + measuring.opponents, dtype=np.uint64)
    ours = theirs[-1] + np.arange(1, measuring.own + 1, dtype=np.uint64)
    points = []
    for book in books:
        sides = (one_book(book), ORIGINAL)[:: 1 if colour == 0 else -1]
        plays = BookPortfolio(sides[0], sides[1], play.symmetric)
        success = book_success(play.session, plays, colour, ours, theirs)
        points.append(np.rint(2 * success.sum(axis=0)).astype(np.uint8))
    return np.array(points)


def _weighed(
    books: list[Book], points: NDArray[np.uint8], measuring: Measuring, exploiters: int
) -> MixedBook:
    weights = ExploiterObjective(exploiters).weigh(points, 2 * measuring.own, key=0).weights
    kept = np.flatnonzero(weights > 0)
    chosen = weights[kept] / weights[kept].sum()
    return MixedBook(tuple(books[k] for k in kept), tuple(float(each) for each in chosen))
