"""GPU versions of functions that pick bits, keep states and share work, with the CPU's results.

Importing this module registers them with numba-cuda, and needs the extra `gpu`. All other
functions are the same source on CPU and GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba.core.config
from numba import cuda, int32, int64, types, uint32, uint64

from seedfolio.core.compiler import compiled
from seedfolio.core.kept_states import keep_state, keep_state_of, kept_state, kept_state_of
from seedfolio.core.lanes import any_lane, deal, lane, meet, together
from seedfolio.core.words import select

WARP = 32
SIMULATED = bool(getattr(numba.core.config, "ENABLE_CUDASIM", 0))
"""Whether kernels run in numba's CUDA simulator (plain Python). There a game has one lane."""

_ALL = uint32(0xFFFFFFFF)


@compiled
def lanes_of_game(lanes: Any) -> Any:
    """Return the mask of the lanes that play this thread's game."""
    first = (cuda.laneid // lanes) * lanes
    return (_ALL >> uint32(WARP - lanes)) << uint32(first)


def _lane_on_gpu(lanes: Any) -> Any:
    def among(lanes: Any) -> Any:
        return int64(cuda.laneid) % lanes

    return among


def _together_on_gpu(value: Any, lanes: Any) -> Any:
    def summed(value: Any, lanes: Any) -> Any:
        total = int32(value)
        mask = lanes_of_game(lanes)
        distance = 1
        while distance < lanes:
            total += cuda.shfl_xor_sync(mask, total, distance)
            distance *= 2
        return int64(total)

    return summed


def _deal_on_gpu(wants: Any, number: Any, lanes: Any) -> Any:
    def in_order_of_lanes(wants: Any, number: Any, lanes: Any) -> Any:
        wanting = uint32(cuda.ballot_sync(lanes_of_game(lanes), wants))
        before = wanting & ((uint32(1) << uint32(cuda.laneid)) - uint32(1))
        return int64(number) + int64(cuda.popc(before)), int64(number) + int64(cuda.popc(wanting))

    return in_order_of_lanes


def _any_lane_on_gpu(value: Any, lanes: Any) -> Any:
    def voted(value: Any, lanes: Any) -> Any:
        return uint32(cuda.ballot_sync(lanes_of_game(lanes), value)) != uint32(0)

    return voted


def _meet_on_gpu() -> Any:
    # Threads that have ended do not count; the others need not be in the same game or at the same
    # move.
    def warp() -> None:
        cuda.syncwarp()

    return warp


def _select_on_gpu(word: Any, rank: Any) -> Any:
    # By halving: lookups in a table would be served to the lanes of a warp one after the other.
    # All in 32 bits, each step: numba computes sums of 32-bit numbers in 64.
    def by_halves(word: Any, rank: Any) -> Any:
        left, place = int32(rank), int32(0)
        half = uint32(word)
        below = int32(cuda.popc(half))
        if left >= below:
            left, place = int32(left - below), int32(32)
            half = uint32(uint64(word) >> uint64(32))
        for width in (16, 8, 4, 2, 1):
            below = int32(cuda.popc(uint32(half & uint32((1 << width) - 1))))
            if left >= below:
                left, place = int32(left - below), int32(place + width)
                half = uint32(half >> uint32(width))
        return int64(place)

    return by_halves


def _scratch_in_simulator(work: Any, number: Any) -> Any:
    return work[number] if work.ndim == 2 else work[number // WARP, :, number % WARP]


scratch: Any = _scratch_in_simulator
"""scratch(work, number): the scratch space of one of the threads that play: a row of `work`, or a
column where it has blocks of WARP columns."""

TWINS: dict[Callable[..., Any], Callable[..., Any]] = {
    lane: _lane_on_gpu,
    together: _together_on_gpu,
    deal: _deal_on_gpu,
    any_lane: _any_lane_on_gpu,
    meet: _meet_on_gpu,
    select: _select_on_gpu,
    keep_state: keep_state_of,
    kept_state: kept_state_of,
}

if not SIMULATED:
    from numba.cuda.extending import intrinsic, overload
    from numba.cuda.np import arrayobj

    def _scratch_on_gpu(typing_context: Any, work: Any, number: Any) -> Any:
        """A view whose step is a constant, so that addresses need no multiplication."""
        columns = 1 if work.ndim == 2 else WARP

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            source = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
            found = arrayobj.make_array(signature.return_type)(context, builder)
            size = builder.extract_value(source.shape, 1)
            step = context.get_constant(types.intp, columns)
            block, place = builder.udiv(arguments[1], step), builder.urem(arguments[1], step)
            rows = builder.mul(builder.mul(block, size), step)
            bytes_each = context.get_constant(types.intp, signature.args[0].dtype.bitwidth // 8)
            arrayobj.populate_array(
                found,
                data=builder.gep(source.data, [builder.add(rows, place)]),
                shape=[size],
                strides=[builder.mul(bytes_each, step)],
                itemsize=bytes_each,
                meminfo=None,
            )
            return found._getvalue()

        view = types.Array(work.dtype, 1, "A")
        return view(work, types.intp), generate

    scratch = intrinsic(_scratch_on_gpu)

    for function, twin in TWINS.items():
        overload(function)(twin)
