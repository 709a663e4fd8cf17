"""What can be done with a set of bit indices, whatever the number of its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class BitSets:
    """Operations on sets of bit indices. All but `make` are compiled."""

    make: Callable[[Iterable[int]], Any]
    """make(indices): a constant set. Plain Python, used when the rules are built."""
    single: Any
    """single(index): the set of one index."""
    both: Any
    """both(a, b): the intersection."""
    either: Any
    """either(a, b): the union."""
    without: Any
    """without(a, b): the indices that are in a but not in b."""
    is_empty: Any
    several: Any
    """several(a): whether the set has at least two members."""
    same: Any
    count: Any
    pick: Any
    """pick(a, rank): the index with `rank` smaller ones in the set."""
    first: Any
    """first(a): the smallest index in a set that is not empty."""
    has: Any
    """has(a, index): whether the index is in the set."""
    up: Any
    """up(a, n): every index raised by n, 0 < n < 64."""
    down: Any
    """down(a, n): every index lowered by n, 0 < n < 64."""
    write: Any
    """write(a, out, at): write the indices, in order, to out[at], out[at + 1], ...; return how many
    there are."""
    window: Any
    """window(a, n): the indices n to n + 63, each lowered by n, as one word; n may be any index."""
    half: Any
    """half(a, key, step): (a random subset of a, the next step). Each index is in the subset with
    probability 1/2."""
