"""Seeds and arms: every range of numbers in one place.

A seed is a number below 2**48. An arm is a seed, perhaps under a symmetry of the board: the number
of the symmetry lies in the bits from 2**48 on. The seeds have three ranges that never meet:

* ``TRAINING_SEEDS``, [0, 2**32): learners play these;
* ``UNSEEN_SEEDS``, [2**32, 2**33): evaluation plays these, and learning never does; external
  engines, which have no seeds beyond, also draw them against people and other programs;
* from ``FIRST_PLAY_SEED`` = 2**33 on: play against people and other programs.

Some learners hold training seeds back to measure what they have learnt: ``HELD_BACK_SEEDS`` where
arms are learnt, ``BOOK_HELD_BACK_SEEDS`` where books are.
"""

import numpy as np
from numpy.typing import NDArray

TRAINING_SEEDS = range(2**32)
"""Seeds that learners may play."""

HELD_BACK_SEEDS = range(2**28, 2**29)
"""Training seeds for learners of arms to measure with: no arm is learnt from them. External
engines have no seeds beyond these."""

BOOK_HELD_BACK_SEEDS = range(2**31, 2**32)
"""Training seeds for learners of books to measure with: no book is learnt from them."""

EXTERNAL_UNSEEN = 2**29
"""In the endless list of an external engine's arms, the unseen ones begin here."""

UNSEEN_SEEDS = range(2**32, 2**33)
"""Seeds that learning never plays."""

FIRST_PLAY_SEED = 2**33
"""Seeds from here on are for play against people and other programs."""

PLAY_SEEDS = 2**47
"""How many of them there are: the bits above hold a symmetry."""

SYMMETRY_SHIFT = 48
"""An arm has the number of its symmetry from this bit on."""


GUEST_SHIFT = 40
"""Where a program meets others: the colour of an arm of theirs plus 1, from this bit on; 0 is an
arm of the program itself."""

# External engines have no symmetries. Two experiments of the papers use the upper bits of their
# arms in other ways.
LINE_SHIFT = 32
"""Where arms begin with given lines of moves: a hash of the line, from this bit on."""


def turned_arm(seed: int, symmetry: int) -> int:
    """Return the arm that plays a seed under a symmetry of the board; 0 is the identity."""
    return seed + (symmetry << SYMMETRY_SHIFT)


def name_of_arm(arm: int) -> str:
    """Return the name of an arm for people: `seed 7, symmetry 2`."""
    symmetry, seed = divmod(arm, 1 << SYMMETRY_SHIFT)
    return f"seed {seed}, symmetry {symmetry}" if symmetry else f"seed {seed}"


def opposing(arms: NDArray[np.uint64], colour: int) -> NDArray[np.uint64]:
    """Return the numbers of opposing arms that play as `colour`."""
    return arms | np.uint64((colour + 1) << GUEST_SHIFT)


def is_opposing(number: int) -> bool:
    """Tell whether a number is that of an opposing arm."""
    return number >> GUEST_SHIFT in (1, 2)
