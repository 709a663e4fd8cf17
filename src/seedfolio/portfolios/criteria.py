"""The criteria of evaluation."""

CRITERIA = (1, 2, 4, 8, 16)
"""The numbers of opponents K' that tables show and portfolio files keep."""


def criteria_for(opponents: int) -> tuple[int, ...]:
    """Return those that a number of unseen opponents can show: one of them must be left over."""
    return tuple(each for each in CRITERIA if each < opponents)
