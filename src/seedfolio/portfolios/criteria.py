"""The criteria of evaluation."""

CRITERIA = (1, 2, 4, 8, 16)
"""The numbers of opponents K' that tables show and portfolio files keep."""
