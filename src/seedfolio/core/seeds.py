"""The number of an arm: a seed, perhaps under a symmetry of the board."""

SYMMETRY_SHIFT = 48
"""An arm is a seed below 2**48, plus the number of a symmetry from this bit on."""


# External engines have no symmetries. Two experiments of the papers use the upper bits of their
# arms in other ways.
GUEST_SHIFT = 40
"""Where an engine meets guests: the number of a guest, from this bit on; 0 is the engine itself."""

LINE_SHIFT = 32
"""Where arms begin with given lines of moves: a hash of the line, from this bit on."""


def turned_arm(seed: int, symmetry: int) -> int:
    """Return the arm that plays a seed under a symmetry of the board, 0 being none."""
    return seed + (symmetry << SYMMETRY_SHIFT)


def name_of_arm(arm: int) -> str:
    """Return what people call an arm."""
    symmetry, seed = divmod(arm, 1 << SYMMETRY_SHIFT)
    return f"seed {seed}, symmetry {symmetry}" if symmetry else f"seed {seed}"
