"""Lanes: threads that play one game together. On a GPU some players share work among them.

On a CPU a game has one thread, and these functions do nothing. `core.cuda_twins` has the GPU
versions. The shared pieces of work must be independent, and their integer results are added up.
So the sum does not depend on the number of lanes.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from seedfolio.core.compiler import overloaded


def lane(lanes: Any) -> Any:
    """Return this thread's number among the `lanes` that play its game."""
    return 0


def together(value: Any, lanes: Any) -> Any:
    """Return the sum of `value` over the lanes that play this game; all of them must call it."""
    return value


def deal(wants: Any, number: Any, lanes: Any) -> Any:
    """Give each lane that wants one a piece of work; all lanes must call this together.

    `number` is the next piece. Return (this lane's piece, the next number); the piece has no
    meaning for a lane that does not want one.
    """
    return number, number + wants


def any_lane(value: Any, lanes: Any) -> Any:
    """Return whether `value` is true for any lane of this game; all of them must call it."""
    return value


def meet() -> None:
    """Wait until the other threads of the warp call this, too, so that all go on together.

    They may play other games. It must not be called where lanes share a game.
    """


@overloaded(lane)
def _lane_on_cpu(lanes: Any) -> Any:
    def alone(lanes: Any) -> Any:
        return int64(0)

    return alone


@overloaded(deal)
def _deal_on_cpu(wants: Any, number: Any, lanes: Any) -> Any:
    def alone(wants: Any, number: Any, lanes: Any) -> Any:
        return int64(number), int64(number) + int64(wants)

    return alone


@overloaded(any_lane)
def _any_lane_on_cpu(value: Any, lanes: Any) -> Any:
    def alone(value: Any, lanes: Any) -> Any:
        return value

    return alone


@overloaded(together)
def _together_on_cpu(value: Any, lanes: Any) -> Any:
    def alone(value: Any, lanes: Any) -> Any:
        return value

    return alone


@overloaded(meet)
def _meet_on_cpu() -> Any:
    def alone() -> None:
        pass

    return alone
