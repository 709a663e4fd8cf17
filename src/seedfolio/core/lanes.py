"""Threads that play one game together: on a GPU some players share their work among lanes.

On a CPU a game has one thread, and these do nothing. `core.cuda_twins` gives them their
meaning on a GPU. What is shared must be independent pieces whose integer results are added
up, so that the sum is the same however many lanes there are.
"""

from __future__ import annotations

from typing import Any

from numba import int64
from numba.extending import overload


def lane(lanes: Any) -> Any:
    """Return this thread's number among the `lanes` that play its game."""
    return 0


def together(value: Any, lanes: Any) -> Any:
    """Return the sum of `value` over the lanes that play this game; all of them must call it."""
    return value


def deal(wants: Any, number: Any, lanes: Any) -> Any:
    """Deal out pieces of work, of which `number` is the next; all lanes must call it together.

    Return the piece of this lane, if it wants one, and the next number.
    """
    return number, number + wants


def any_lane(value: Any, lanes: Any) -> Any:
    """Return whether `value` is true for any lane of this game; all of them must call it."""
    return value


@overload(lane)
def _lane_on_cpu(lanes: Any) -> Any:
    def alone(lanes: Any) -> Any:
        return int64(0)

    return alone


@overload(deal)
def _deal_on_cpu(wants: Any, number: Any, lanes: Any) -> Any:
    def alone(wants: Any, number: Any, lanes: Any) -> Any:
        return int64(number), int64(number) + int64(wants)

    return alone


@overload(any_lane)
def _any_lane_on_cpu(value: Any, lanes: Any) -> Any:
    def alone(value: Any, lanes: Any) -> Any:
        return value

    return alone


@overload(together)
def _together_on_cpu(value: Any, lanes: Any) -> Any:
    def alone(value: Any, lanes: Any) -> Any:
        return value

    return alone
