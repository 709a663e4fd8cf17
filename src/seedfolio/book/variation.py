"""Whether a book should vary its moves where two may be equally good: measured in games.

Varying loses if the second move is worse after all, and gains if an exploiter knows the book. Which
one weighs more depends on the game: where moves differ much, a move that looks equally good is
mostly worse; where they hardly differ, nothing is lost. So both kinds of book play training arms
that learning has not met, and the better one is taken: by its mean success against an unprepared
opponent and against an exploiter who picks among 16.
"""

from __future__ import annotations

import numpy as np

from seedfolio.book.self_play import Experience, SelfPlay
from seedfolio.core.seeds import BOOK_HELD_BACK_SEEDS
from seedfolio.evaluation.books import book_success
from seedfolio.evaluation.exploiters import mixture_successes
from seedfolio.portfolios.book import BookPortfolio

_SHARE = 10
"""One game in 10 is for measuring."""
_FEWEST_OWN, _MOST_OWN = 8, 64
"""Our arms that each opponent meets; with fewer the difference would not show."""
_FEWEST_OPPONENTS, _MOST_OPPONENTS = 64, 256
_EXPLOITERS = (1, 16)
_MATCHES = 4
"""Two kinds of books, of two colours each."""


def measuring_size(budget: int) -> tuple[int, int]:
    """Return how many of our arms meet how many opponents; 0 and 0 if games are too few."""
    cells = budget // _SHARE // _MATCHES
    own = min(_MOST_OWN, cells // _FEWEST_OPPONENTS)
    if own < _FEWEST_OWN:
        return 0, 0
    return own, min(_MOST_OPPONENTS, cells // own)


def games_to_vary(budget: int) -> int:
    """Return how many of the games of a budget are for measuring."""
    own, opponents = measuring_size(budget)
    return _MATCHES * own * opponents


def chosen_portfolio(play: SelfPlay, experience: Experience, budget: int) -> BookPortfolio:
    """Return the books that were learnt, varied if that pays; one move a state if games are few."""
    single = play.portfolio(experience)
    own, opponents = measuring_size(budget)
    if own == 0:
        return single
    varied = play.portfolio(experience, varied=True)
    with play.session.task("one move or two", games_to_vary(budget)):
        return max((single, varied), key=lambda plays: _success(play, plays, own, opponents))


def _success(play: SelfPlay, plays: BookPortfolio, own: int, opponents: int) -> float:
    first = BOOK_HELD_BACK_SEEDS.start
    theirs = np.arange(first, first + opponents, dtype=np.uint64)
    ours = theirs[-1] + np.arange(1, own + 1, dtype=np.uint64)
    total = 0.0
    for colour in (0, 1):
        matrix = book_success(play.session, plays, colour, ours, theirs)
        total += sum(each.mean for each in mixture_successes(matrix, _EXPLOITERS))
    return total
