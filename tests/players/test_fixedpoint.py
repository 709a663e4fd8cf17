"""The integer tables of UCB1 against exact arithmetic."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from seedfolio.players.fixedpoint import ucb_tables

VISITS = 2000
EXPLORATION = Decimal("1.4")
RECIPROCAL, INVERSE_ROOT, ROOT_LOG = ucb_tables(VISITS, EXPLORATION).reshape(3, VISITS + 1)


def test_reciprocals_are_rounded_down():
    for n in range(1, VISITS + 1):
        assert 0 <= Fraction(2**31, n) - int(RECIPROCAL[n]) < 1


def test_inverse_roots_are_rounded_down():
    for n in range(1, VISITS + 1):
        # r <= 2**16 / sqrt(n) < r + 1, squared to stay in integers.
        assert int(INVERSE_ROOT[n]) ** 2 * n <= 2**32 < (int(INVERSE_ROOT[n]) + 1) ** 2 * n


@pytest.mark.parametrize("exploration", ["0", "0.1", "1.4", "100"])
def test_roots_of_logarithms_are_rounded_down(exploration):
    table = ucb_tables(300, Decimal(exploration)).reshape(3, 301)[2]
    with localcontext() as context:
        context.prec = 80
        for n in range(1, 301):
            exact = Decimal(exploration) * Decimal(n).ln().sqrt() * 65536
            assert 0 <= exact - int(table[n]) < 1


def test_together_they_are_ucb1():
    for n in (1, 2, 10, 100, VISITS):
        for v in (1, 2, 7, n):
            for w in (0, v, 2 * v):
                value = w * int(RECIPROCAL[v]) + int(ROOT_LOG[n]) * int(INVERSE_ROOT[v])
                exact = w / (2 * v) + float(EXPLORATION) * sqrt(log(n) / v)
                assert value / 2**32 == pytest.approx(exact, abs=1e-4)


def test_smaller_tables_are_the_beginning_of_larger_ones():
    small = ucb_tables(50, EXPLORATION).reshape(3, 51)
    assert (small == np.stack([RECIPROCAL, INVERSE_ROOT, ROOT_LOG])[:, :51]).all()
