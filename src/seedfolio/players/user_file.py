"""A player of a user's own, in one Python file: `path/to/my_player.py:games=4`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from seedfolio.core.display import Brief
from seedfolio.core.trust import Permit
from seedfolio.core.user_file import load_file
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound


@dataclass(frozen=True, repr=False)
class OwnPlayer(Brief):
    """The player that a file defines, which remembers its file."""

    file: str
    player: Any
    """The object that the file's class has made; it has at least name, version and bind."""
    settings: Mapping[str, Any]
    """The values of its fields."""

    @property
    def name(self) -> str:
        """The name that the file gives it."""
        return str(self.player.name)

    @property
    def version(self) -> int:
        """The version that the file gives it."""
        return int(self.player.version)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values: text where a number has decimals."""
        return {
            key: value if isinstance(value, int) else str(value)
            for key, value in self.settings.items()
        }

    @property
    def text(self) -> str:
        """The short form that `load_player` takes: its file, and all parameters."""
        options = ",".join(f"{key}={value}" for key, value in self.settings.items())
        return f"{self.file}:{options}" if options else self.file

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seed is fixed."""
        return bool(getattr(self.player, "stochastic", False))

    @property
    def thinking(self) -> str | None:
        """The parameter that says how long it thinks; None if the file names none."""
        return getattr(self.player, "thinking", None)

    @property
    def ranges(self) -> tuple[str, ...]:
        """Where to search for better parameters, such as `weight=0.1..2`; none if it names none."""
        return tuple(getattr(self.player, "ranges", ()))

    def with_parameters(self, values: Mapping[str, Any]) -> OwnPlayer:
        """Return the player with other values; SpecificationError if the file refuses one."""
        return make_own(type(self.player), self.file, {**self.settings, **values})

    def bind(self, game: Game) -> Bound:
        """Return this player for one game; SpecificationError if the file cannot do that."""
        try:
            bound = self.player.bind(game)
        except SpecificationError:
            raise
        except Exception as error:
            raise SpecificationError(
                f"player file {self.file}: bind raises {type(error).__name__}: {error}"
            ) from error
        if not isinstance(bound, Bound):
            found = "nothing" if bound is None else f"a {type(bound).__name__}"
            raise SpecificationError(
                f"player file {self.file}: bind returns {found}; end it with return Bound(...)"
            )
        return bound

    def _summary(self) -> str:
        return self.text


def load_class(file: str, permit: Permit) -> type[Any]:
    """Return the one player class of a file; SpecificationError if there is not exactly one."""
    module = load_file(Path(file), "player", permit)
    found = [
        value
        for value in vars(module).values()
        # One that was imported to build upon is not this file's player.
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and callable(getattr(value, "bind", None))
    ]
    if len(found) != 1:
        raise SpecificationError(
            f"player file {file} has {len(found)} classes with a bind method; it needs exactly one"
        )
    (kind,) = found
    for name, wanted in (("name", str), ("version", int)):
        if not isinstance(getattr(kind, name, None), wanted):
            raise SpecificationError(
                f"player file {file}: class {kind.__name__} needs a {name}, such as "
                f"{name}: ClassVar[{wanted.__name__}] = {'my-player' if wanted is str else 1!r}"
            )
    if not is_dataclass(kind):
        raise SpecificationError(
            f"player file {file}: mark class {kind.__name__} with @dataclass(frozen=True); its "
            "fields are its parameters"
        )
    thinking, known = getattr(kind, "thinking", None), [field.name for field in fields(kind)]
    if thinking is not None and thinking not in known:
        raise SpecificationError(
            f"player file {file}: thinking names {thinking!r}, which is no parameter of class "
            f"{kind.__name__}; name one of {', '.join(known) or 'its fields (it has none)'}"
        )
    return kind


def make_own(kind: type[Any], file: str, values: dict[str, Any]) -> OwnPlayer:
    """Return the player of a file's class with these parameters; the others are as usual."""
    for key, value in values.items():
        if isinstance(value, Decimal):
            if not value.is_finite():
                raise SpecificationError(f"{file}: {key} must be a number, not {value}")
            values[key] = Decimal(f"{value.normalize() + 0:f}")  # one spelling: 1.40 is 1.4
    try:
        player = kind(**values)
    except SpecificationError:
        raise
    except ValueError as error:
        raise SpecificationError(f"{file}: {error}") from None
    except Exception as error:
        raise SpecificationError(
            f"player file {file}: making {kind.__name__} raises {type(error).__name__}: {error}"
        ) from error
    settings = {field.name: getattr(player, field.name) for field in fields(kind)}
    return OwnPlayer(file, player, settings)
