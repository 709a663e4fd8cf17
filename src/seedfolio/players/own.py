"""A player of a user's own, in one Python file: `path/to/my_player.py:games=4`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any

from seedfolio.core.python_file import load_file
from seedfolio.core.trust import Permit
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound


@dataclass(frozen=True)
class OwnPlayer:
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
    return kind
