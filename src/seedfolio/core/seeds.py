"""The number of an arm: a seed, and optionally a symmetry of the board."""

SYMMETRY_SHIFT = 48
"""An arm is a seed below 2**48, with the number of a symmetry in the bits from this one up."""


def turned_arm(seed: int, symmetry: int) -> int:
    """Return the arm that plays a seed under a symmetry of the board; 0 is the identity."""
    return seed + (symmetry << SYMMETRY_SHIFT)


def name_of_arm(arm: int) -> str:
    """Return the name of an arm for people: `seed 7, symmetry 2`."""
    symmetry, seed = divmod(arm, 1 << SYMMETRY_SHIFT)
    return f"seed {seed}, symmetry {symmetry}" if symmetry else f"seed {seed}"
