"""Operations on the bits of a 64-bit word, for compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import int64, types, uint64
from numba.core import config
from numba.extending import intrinsic
from numpy.typing import NDArray

from seedfolio.core.compiler import INLINED, compiled, overloaded

_U = np.uint64
ZERO, ONE, WORD = _U(0), _U(1), _U(64)
_PAIRS, _NIBBLES, _BYTES = (
    _U(0x5555555555555555),
    _U(0x3333333333333333),
    _U(0x0F0F0F0F0F0F0F0F),
)
_LOW_BITS, _HIGH_BITS = _U(0x0101010101010101), _U(0x8080808080808080)
_TWO, _THREE, _FOUR, _SEVEN, _EIGHT, _BYTE = _U(2), _U(3), _U(4), _U(7), _U(8), _U(255)


@intrinsic
def _popcount(typing_context: Any, word: Any) -> Any:
    """Return the number of bits set in a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _lowest(typing_context: Any, word: Any) -> Any:
    """Return the index of the lowest bit set in a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic
def _deposit(typing_context: Any, bits: Any, word: Any) -> Any:
    """Return the low bits of `bits`, moved to where a word has bits set (PDEP)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name = "llvm.x86.bmi.pdep.64"
        wide = ir.IntType(64)
        found = builder.module.globals.get(name)
        if found is None:
            found = ir.Function(builder.module, ir.FunctionType(wide, [wide, wide]), name)
        return builder.call(found, arguments)

    return types.uint64(types.uint64, types.uint64), generate


# Called with the words alone: numba supplies the typing context.
popcount: Any = _popcount
lowest: Any = _lowest
_deposit_bits: Any = _deposit


def _deposits_fast() -> bool:
    """Return whether code that numba compiles here may use PDEP, and gains by it."""
    name, features = getattr(config, "CPU_NAME", None), getattr(config, "CPU_FEATURES", None)
    if (name or binding.get_host_cpu_name()) in ("znver1", "znver2"):
        return False  # these take 18 cycles or more for each bit
    if features is not None:
        return "+bmi2" in features.split(",")
    return bool(name is None and binding.get_host_cpu_features().get("bmi2"))


_DEPOSITS_FAST = _deposits_fast()


def _select_in_byte() -> NDArray[np.uint8]:
    """Return the table of the index of the set bit of rank k in byte b, at 8 * b + k."""
    table = np.zeros(8 * 256, np.uint8)
    for byte in range(256):
        for rank, index in enumerate(i for i in range(8) if byte >> i & 1):
            table[8 * byte + rank] = index
    return table


_SELECT_IN_BYTE = _select_in_byte()


@compiled
def _select_by_table(word: Any, rank: Any) -> Any:
    """Find the byte by Vigna's broadword search, then the bit by a table. Works on any CPU."""
    counts = word - ((word >> ONE) & _PAIRS)
    counts = (counts & _NIBBLES) + ((counts >> _TWO) & _NIBBLES)
    # Byte b of `sums` holds the number of bits in bytes 0..b.
    sums = ((counts + (counts >> _FOUR)) & _BYTES) * _LOW_BITS
    k = uint64(rank)
    # The lowest bit of every byte b for which bytes 0..b hold more than k bits.
    enough = (((sums | _HIGH_BITS) - (k + ONE) * _LOW_BITS) >> _SEVEN) & _LOW_BITS
    place = uint64(lowest(enough))
    row = ((word >> place) & _BYTE) << _THREE
    k -= ((sums << _EIGHT) >> place) & _BYTE
    # An unsigned index spares numba's check for a negative one.
    return int64(place + uint64(_SELECT_IN_BYTE[row + k]))


def select(word: Any, rank: Any) -> Any:
    """Return the index of the set bit that has `rank` set bits below it.

    For compiled code. A GPU uses another method (core.cuda_twins) with the same result.

    >>> import numpy as np
    >>> from seedfolio import select
    >>> select(np.uint64(0b10110), 1)
    2
    """
    return _select_by_table(word, rank)


@overloaded(select, jit_options=INLINED)
def _select_on_cpu(word: Any, rank: Any) -> Any:
    def by_deposit(word: Any, rank: Any) -> Any:
        return lowest(_deposit_bits(ONE << uint64(rank), uint64(word)))

    def by_table(word: Any, rank: Any) -> Any:
        return _select_by_table(word, rank)

    return by_deposit if _DEPOSITS_FAST else by_table


@compiled
def write_word(word: Any, plus: Any, out: Any, at: Any) -> Any:
    """Write index + plus of each bit set, in order, to out[at], ...; return how many there are."""
    end = at
    while word != ZERO:
        out[uint64(end)] = lowest(word) + plus
        word &= word - ONE
        end += 1
    return end - at
