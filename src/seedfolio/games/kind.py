"""A kind of game: `@game` makes one from a function that takes parameters and returns `Rules`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seedfolio.core.display import Brief
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.rules import Rules
from seedfolio.games.seats import seated

_SEAT = "seat"
"""The parameter that every game for more than two players has."""
_LATER = {
    "kuhn-poker": ("players", 2),
    "nim": ("players", 2),
    "phantom-go": ("announce", 1),
    "pig": ("players", 2),
    "rolit": ("players", 2),
}
"""Not named among the parameters of these games: it came later, and was always so before."""
_LARGEST = 2**31
"""Parameters must be below this in size, so that the rules can compute with them in 64 bits."""
_RENAMED = {
    "parts": "write rollout=Parts(...) instead of parts=Parts(...)",
    "trace": "leave out trace, or give moves=... to Parts: see docs/add-a-game.md",
}
"""What to do about words of Rules in games of version 0.2.0 that have other names now."""


@dataclass(frozen=True, repr=False)
class GameKind(Brief):
    """A game without its parameters. Call it with parameters to get a `Game`."""

    name: str
    version: int
    summary: str
    build: Callable[..., Rules]

    @property
    def defaults(self) -> dict[str, float | str | None]:
        """The parameters and their default values; None where the rules choose the value."""
        signature = inspect.signature(self.build)
        return {name: item.default for name, item in signature.parameters.items()}

    def __call__(self, *sizes: float | str, **parameters: float | str) -> Game:
        """Return the game with these parameters; SpecificationError if one is wrong.

        `sizes` are the first parameters, in their order.
        """
        defaults = self.defaults
        if len(sizes) > len(defaults):
            raise SpecificationError(
                f"{self.name} takes {len(defaults)} parameters, not {len(sizes)}"
            )
        parameters = {**dict(zip(defaults, sizes, strict=False)), **parameters}
        if _SEAT in parameters and _SEAT not in defaults:
            return self._seated(parameters)
        for name, value in parameters.items():
            if name not in defaults:
                raise SpecificationError(
                    f"{self.name} has no parameter {name!r}; it has {', '.join(defaults)}"
                )
            self._check(name, value)
        chosen = {**defaults, **parameters}
        # Short forms have no spaces.
        chosen |= {k: v.replace(" ", "_") for k, v in chosen.items() if isinstance(v, str)}
        # One spelling for equal numbers: komi=3 and komi=3.0 give the same game.
        chosen |= {
            name: float(value)
            for name, value in chosen.items()
            if value is not None and not isinstance(defaults[name], int | str)
        }
        try:
            rules = self.build(**chosen)
        except ValueError as error:
            raise SpecificationError(f"{self.name}: {error}") from None
        except Exception as error:
            hints = [hint for word, hint in _RENAMED.items() if f"argument '{word}'" in str(error)]
            raise SpecificationError(
                f"{self.name}: building the rules failed: {type(error).__name__}: {error}"
                + "".join(f"; {hint}" for hint in hints)
            ) from error
        if not isinstance(rules, Rules):
            found = "nothing" if rules is None else f"a {type(rules).__name__}"
            raise SpecificationError(
                f"{self.name}: the function marked @game returns {found}; end it with "
                "return Rules(...)"
            )
        text = self._text(chosen)
        source = text if self._is_built_in else self._source(chosen)
        later = _LATER.get(self.name)
        named = {k: v for k, v in chosen.items() if v is not None and (k, v) != later}
        known = {**named, **rules.parameters}
        return Game(self.name, self.version, known, text, rules, source)

    def _seated(self, parameters: Mapping[str, float | str]) -> Game:
        """Return the game of one seat of a game for more than two players."""
        whole = self(**{name: value for name, value in parameters.items() if name != _SEAT})
        seat = parameters[_SEAT]
        if not isinstance(seat, int) or isinstance(seat, bool):
            raise SpecificationError(f"{self.name}: seat must be a whole number, not {seat!r}")
        return seated(whole, seat)

    def _check(self, name: str, value: float | str) -> None:
        """Raise SpecificationError if a value is not of the kind of its default."""
        default = self.defaults[name]
        if isinstance(default, str):
            if not isinstance(value, str):
                raise SpecificationError(f"{self.name}: {name} must be text, not {value!r}")
            return
        whole = isinstance(default, int)
        if not isinstance(value, int if whole else int | float) or isinstance(value, bool):
            kind = "whole number" if whole else "number"
            raise SpecificationError(f"{self.name}: {name} must be a {kind}, not {value!r}")
        if not abs(value) < _LARGEST:  # also refuses nan
            raise SpecificationError(f"{self.name}: {name}={value} is not below 2**31 in size")

    @property
    def _is_built_in(self) -> bool:
        package = __name__.rpartition(".")[0]
        return self.build.__module__.startswith(f"{package}.")

    def _source(self, chosen: Mapping[str, Any]) -> str:
        """Return the file and options of a user's game, as `load_game` takes them."""
        path = Path(inspect.getsourcefile(self.build) or "").absolute()
        # A game typed into an interactive session has no file yet; suggest a name for it.
        file = str(path) if path.suffix == ".py" and path.is_file() else f"{self.name}.py"
        options = ",".join(f"{k}={value}" for k, value in chosen.items() if value is not None)
        return f"{file}:{options}" if options else file

    def _text(self, chosen: Mapping[str, Any]) -> str:
        rest = dict(chosen)
        parts = []
        if "rows" in rest and "columns" in rest:
            parts.append(f"{rest.pop('rows')}x{rest.pop('columns')}")
        elif "size" in rest:
            size = rest.pop("size")
            parts.append(f"{size}x{size}")
        defaults = self.defaults
        parts += [f"{name}={value}" for name, value in rest.items() if value != defaults[name]]
        return f"{self.name}:{','.join(parts)}" if parts else self.name

    def _summary(self) -> str:
        return f"{self.name}: {self.summary}"


def game(name: str, *, version: int, summary: str) -> Callable[[Callable[..., Rules]], GameKind]:
    """Mark a function that returns `Rules` as a game.

    Increase `version` whenever a change of the rules changes what can be played: results,
    portfolios and studies are tied to it. The function raises ValueError for wrong parameters.

    >>> from seedfolio import Panel, Rules, compiled, game
    >>> @game("heap", version=1, summary="take one or two; the last to take wins")
    ... def heap(size: int = 5):
    ...     @compiled
    ...     def start():
    ...         return size, 0
    ...
    ...     @compiled
    ...     def mover(state):
    ...         return state[1]
    ...
    ...     @compiled
    ...     def moves(state, out, at):
    ...         out[at], out[at + 1] = 0, 1
    ...         return min(2, state[0])
    ...
    ...     @compiled
    ...     def play(state, move):
    ...         return state[0] - move - 1, 1 - state[1]
    ...
    ...     @compiled
    ...     def score(state):
    ...         return 2 * state[1]
    ...
    ...     @compiled
    ...     def cells(state, out):
    ...         out[0] = state[0]
    ...
    ...     return Rules(
    ...         start, mover, moves, play, score, cells,
    ...         move_names=["one", "two"], max_moves=2, max_plies=size,
    ...         board=Panel.of_numbers("left", most=size),
    ...     )
    >>> heap(size=3).position([1]).moves
    (0,)
    """

    def mark(build: Callable[..., Rules]) -> GameKind:
        for item in inspect.signature(build).parameters.values():
            if not isinstance(item.default, int | float | str | None):
                raise TypeError(
                    f"game {name}: parameter {item.name} needs a number or text as its default"
                )
        return GameKind(name, version, summary, build)

    return mark
