"""States of any game kept in a workspace of 32-bit numbers, for compiled code.

A state is a tuple of numbers and of such tuples. Each number takes two entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from numba import int64, uint64
from numba import types as numba_types

from seedfolio.core.compiler import INLINED, overloaded

types: Any = numba_types  # it has no annotations
_HALF = 32


def keep_state(state: Any, room: Any, at: Any) -> None:
    """Write a state to room[at], room[at + 1], ..."""
    raise NotImplementedError("for compiled code only")


def kept_state(like: Any, room: Any, at: Any) -> Any:
    """Return the state that was written there; `like` is any state of the same game."""
    raise NotImplementedError("for compiled code only")


def state_size(state: Any) -> int:
    """Return how many entries a state takes."""
    return sum(map(state_size, state)) if isinstance(state, tuple) else 2


@overloaded(keep_state, jit_options=INLINED)
def keep_state_of(state: Any, room: Any, at: Any) -> Callable[..., Any]:
    """Return the code for this type of state."""
    lines = []
    for number, (place, _) in enumerate(_numbers(state)):
        lines.append(f"    word = uint64(state{place})")
        lines.append(
            f"    room[uint64(at + {2 * number})] = int64(word << uint64({_HALF})) >> {_HALF}"
        )
        lines.append(f"    room[uint64(at + {2 * number + 1})] = int64(word) >> {_HALF}")
    return _function("state", lines, {})


@overloaded(kept_state, jit_options=INLINED)
def kept_state_of(like: Any, room: Any, at: Any) -> Callable[..., Any]:
    """Return the code for this type of state."""
    lines: list[str] = []
    names: dict[str, Any] = {}
    numbers: dict[str, str] = {}
    for number, (place, kind) in enumerate(_numbers(like)):
        low, high = (f"uint64(int64(room[uint64(at + {2 * number + k})]))" for k in (0, 1))
        lines.append(f"    word = ({high} << uint64({_HALF})) | ({low} & uint64({2**_HALF - 1}))")
        numbers[place] = f"number{number}"
        if isinstance(kind, types.Boolean):
            lines.append(f"    number{number} = word != uint64(0)")
        else:
            names[f"kind{number}"] = types.unliteral(kind)
            lines.append(f"    number{number} = kind{number}(word)")
    lines.append(f"    return {_tuple(like, '', numbers, names)}")
    return _function("like", lines, names)


def _numbers(kind: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Return where the numbers of a state are, such as [1][0], and their types."""
    if not isinstance(kind, types.BaseTuple):
        yield place, kind
        return
    for index, part in enumerate(kind):
        yield from _numbers(part, f"{place}[{index}]")


def _tuple(kind: Any, place: str, numbers: dict[str, str], names: dict[str, Any]) -> str:
    """Return the expression for a state; `names` gets the classes that it needs."""
    if not isinstance(kind, types.BaseTuple):
        return numbers[place]
    parts = ", ".join(_tuple(each, f"{place}[{k}]", numbers, names) for k, each in enumerate(kind))
    if not isinstance(kind, types.BaseNamedTuple):
        return f"({parts},)"
    names[kind.instance_class.__name__] = kind.instance_class
    return f"{kind.instance_class.__name__}({parts})"


def _function(first: str, lines: list[str], names: dict[str, Any]) -> Callable[..., Any]:
    """Return a function of (`first`, room, at) with this body."""
    made: dict[str, Any] = {"uint64": uint64, "int64": int64, **names}
    # Numba wants the same arguments with the same annotations as above.
    arguments = ", ".join(f"{name}: Any" for name in (first, "room", "at"))
    exec(f"def on_state({arguments}):\n" + "\n".join(lines), made)
    function: Callable[..., Any] = made["on_state"]
    return function
