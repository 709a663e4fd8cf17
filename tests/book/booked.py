"""Small programs with books, learnt once and used by several tests."""

from dataclasses import fields, is_dataclass
from functools import lru_cache

import numpy as np
from sessions import session_for

from seedfolio.learning.book.mixture import book_of, entered
from seedfolio.learning.book.self_play import Experience, SelfPlay
from seedfolio.learning.book.several_moves import MoveVariety
from seedfolio.portfolios.book.book import ORIGINAL, one_book, packed
from seedfolio.programs.load import load_program

PERFECT = ("domineering:4x4", "uct:simulations=5")
HIDDEN = ("phantom-tic-tac-toe", "table")


@lru_cache
def self_play_of(game, player):
    return SelfPlay(session_for(load_program(game, player, 1)))


@lru_cache
def learnt(game, player, games=15_000):
    return after(self_play_of(game, player), Experience.none(), games)


def after(play, experience, games):
    *_, last = play.rounds(experience, games)
    return last.experience()


def books_of(experience, number=0):
    sides = (side[number] for side in experience.colours)
    return [
        book_of(each.tree, entered(each.tree, each.decided, MoveVariety()), each.decided)
        for each in sides
    ]


def with_one(program, book, colour):
    sides = [one_book(book) if side == colour else ORIGINAL for side in (0, 1)]
    return program.with_books(packed(sides))


def same(one, other):
    if not is_dataclass(one):
        return np.array_equal(one, other)
    return all(same(getattr(one, each.name), getattr(other, each.name)) for each in fields(one))
