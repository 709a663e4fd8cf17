"""Small programs with books, learnt once and used by several tests."""

from functools import lru_cache

import numpy as np

from seedfolio.arena.threads import ThreadArena
from seedfolio.book.self_play import Learning, Teacher
from seedfolio.portfolios.book import ORIGINAL, packed
from seedfolio.programs.load import load_program

PERFECT = ("domineering:4x4", "uct:simulations=20")
HIDDEN = ("phantom-tic-tac-toe", "table")


@lru_cache
def teacher_of(game, player):
    """Return a teacher of a program, on one thread."""
    program = load_program(game, player, 1).with_books(packed([ORIGINAL, ORIGINAL]))
    return Teacher(program, ThreadArena(1))


@lru_cache
def learnt(game, player, rounds=5, games=3000):
    """Return what some rounds have taught."""
    teacher, learning = teacher_of(game, player), Learning.begin()
    for _ in range(rounds):
        learning = teacher.round(learning, games)
    return learning


def same(one, other):
    """Tell whether two values of a class of arrays are equal."""
    names = type(one).__dataclass_fields__
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)
