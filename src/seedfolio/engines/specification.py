"""The specification of a study of an external engine: a TOML file."""

from __future__ import annotations

import hashlib
import json
import shlex
import tomllib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from seedfolio.engines.arms import Arms, parse_seeds
from seedfolio.engines.interface import Limits, Value
from seedfolio.engines.placeholders import places
from seedfolio.errors import SpecificationError

OPEN_SPIEL = "open_spiel:"
_SEED = "seed"
_MOST_VALUES = 10_000


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


def _words(command: Any) -> Any:
    """Return a command as a list; a text is split as a shell does."""
    return shlex.split(command) if isinstance(command, str) else command


Command = Annotated[list[str], BeforeValidator(_words), Field(min_length=1)]


class GameTable(_Table):
    """The game."""

    name: str
    """`go`; a game of Seedfolio such as `breakthrough:5x5`; or `open_spiel:chess`."""
    board: int | None = Field(default=None, ge=2, le=25)
    komi: float | None = Field(default=None, ge=-1000, le=1000)
    moves: int = Field(default=1000, ge=1, le=100_000)
    """A game with more moves is a draw."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.is_go and (self.board is None or self.komi is None):
            raise ValueError("go needs board, the number of lines, and komi")
        if not self.is_go and (self.board is not None or self.komi is not None):
            raise ValueError("board and komi are for go; other games have their size in name")
        return self

    @property
    def is_go(self) -> bool:
        """Whether the game is Go, with a GTP engine as the referee."""
        return self.name == "go"


class PlayerTable(_Table):
    """The engine."""

    protocol: Literal["gtp", "uci", "open_spiel"]
    command: Command | None = None
    cwd: str | None = None
    environ: dict[str, str] = {}
    setup: list[str] = []
    """Commands of the protocol, sent at the start of each game."""
    options: dict[str, Value] = {}
    """Options of a UCI engine or an OpenSpiel bot."""
    go: str | None = None
    """What follows `go` in UCI."""
    forget: bool = False
    """Whether a UCI engine gets `ucinewgame` before each move."""
    reuse: bool = True
    """Whether a process may play more than one game."""
    bot: str | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        wanted = {"gtp": ["command"], "uci": ["command", "go"], "open_spiel": ["bot"]}
        taken = {
            "gtp": {"command", "cwd", "environ", "setup", "reuse"},
            "uci": {"command", "cwd", "environ", "setup", "reuse", "options", "go", "forget"},
            "open_spiel": {"bot", "options"},
        }
        for key in wanted[self.protocol]:
            if getattr(self, key) is None:
                raise ValueError(f"protocol {self.protocol} needs {key}")
        fields = type(self).model_fields
        given = {name for name in fields if getattr(self, name) != fields[name].default}
        if strange := sorted(given - taken[self.protocol] - {"protocol"}):
            raise ValueError(f"{strange[0]} is not for protocol {self.protocol}")
        return self

    @property
    def texts(self) -> list[str]:
        """All texts that may have placeholders for the values of an arm."""
        options = [value for value in self.options.values() if isinstance(value, str)]
        environ = list(self.environ.values())
        return [*(self.command or []), *environ, *self.setup, *options, self.go or ""]


class RefereeTable(_Table):
    """The GTP engine that knows the rules of Go and the score."""

    command: Command = ["gnugo", "--mode", "gtp", "--quiet", "--chinese-rules"]
    cwd: str | None = None
    setup: list[str] = ["set_random_seed 1"]


def _range(values: Any) -> Any:
    """Return the numbers of `10..20` as a list."""
    if not isinstance(values, str):
        return values
    seeds = parse_seeds(values, hashed=False)
    if seeds.last is None or len(seeds) > _MOST_VALUES:
        raise ValueError(f"{values!r} must have an end and at most {_MOST_VALUES} values")
    return list(range(seeds.first, seeds.last + 1))


class ArmsTable(_Table):
    """The seeds and options that make the arms."""

    seeds: str | None = None
    numbering: Literal["hashed", "plain"] = "hashed"
    grid: dict[str, Annotated[list[Value], BeforeValidator(_range), Field(min_length=1)]] = {}


class LimitsTable(_Table):
    """How many seconds an engine may take."""

    start: float = Field(default=30.0, gt=0)
    command: float = Field(default=10.0, gt=0)
    move: float = Field(default=60.0, gt=0)


class SizesTable(_Table):
    """Defaults for the sizes of the study."""

    k: int | None = Field(default=None, ge=1)
    kt: int | None = Field(default=None, ge=1)
    opponents: int | None = Field(default=None, ge=1)
    repeats: int = Field(default=4, ge=2, le=127)
    """Games a cell, for an engine that plays at random despite a fixed seed."""


class Specification(_Table):
    """A whole file."""

    game: GameTable
    player: PlayerTable
    arms: ArmsTable = ArmsTable()
    referee: RefereeTable | None = None
    limits: LimitsTable = LimitsTable()
    study: SizesTable = SizesTable()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.referee is not None and not self.game.is_go:
            raise ValueError("a referee is for go; other games have built-in rules")
        if self.player.protocol == "open_spiel" and not self.game.name.startswith(OPEN_SPIEL):
            raise ValueError(f"an OpenSpiel bot needs a game named {OPEN_SPIEL}NAME")
        self._check_lines()
        known = {_SEED, *self.arms.grid}
        used = places(self.player.texts)
        if strange := sorted(used - known):
            raise ValueError(f"{{{strange[0]}}} in player is neither seed nor in arms.grid")
        for name in self.arms.grid:
            if name == _SEED or not (name.startswith("-") or name in used):
                raise ValueError(f"arms.grid: {name} is not a flag, and player has no {{{name}}}")
        if self.arms.seeds is not None and not self._seeded:
            raise ValueError("arms has seeds, but player has no {seed}")
        if not self._seeded and not self.arms.grid:
            raise ValueError("all arms are equal: use {seed} in player, or arms.grid")
        self.all_arms  # noqa: B018 - raises an error if there are too few
        return self

    def _check_lines(self) -> None:
        """Refuse texts with several lines, and empty commands."""
        player, referee = self.player, self.referee or RefereeTable()
        setup = [*player.setup, *referee.setup]
        values = (value for values in self.arms.grid.values() for value in values)
        texts = [*setup, *player.options, *player.options.values(), player.go, *values]
        for text in texts:
            if isinstance(text, str) and text.splitlines() not in ([], [text]):
                raise ValueError(f"{text!r} has more than one line")
        for command in setup:
            if command.strip()[:1] in ("", "#"):
                raise ValueError(f"setup: {command!r} is not a command")

    @property
    def _seeded(self) -> bool:
        # An OpenSpiel bot gets its seed without a placeholder.
        bot = self.player.protocol == "open_spiel"
        return _SEED in places(self.player.texts) or (bot and not self.arms.grid)

    @cached_property
    def all_arms(self) -> Arms:
        """All arms."""
        seeds = None
        if self._seeded:
            seeds = parse_seeds(self.arms.seeds or "0..", self.arms.numbering == "hashed")
        return Arms(seeds, self.arms.grid)

    @property
    def seconds(self) -> Limits:
        """The time limits."""
        return Limits(**self.limits.model_dump())

    def content(self) -> dict[str, Any]:
        """Return what the file has, as plain data for a portfolio."""
        return self.model_dump(mode="json", exclude_unset=True)

    def behaviour(self) -> dict[str, Any]:
        """Return all that results depend on: not the time limits and sizes."""
        return self.model_dump(mode="json", exclude={"limits", "study"})

    @property
    def digest(self) -> str:
        """A hash of all that results depend on."""
        text = json.dumps(self.behaviour(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def serving_command(protocol: object) -> str:
    """Return the command of Seedfolio that serves boosted engines of a protocol."""
    return "gtp" if protocol == "gtp" else "uci"


def read_specification(path: Path) -> Specification:
    """Read a TOML file; SpecificationError says where it is wrong."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SpecificationError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise SpecificationError(
            f"{path} is a folder; name the .toml file of an external engine"
        ) from None
    except UnicodeDecodeError:
        raise SpecificationError(f"{path} is not TOML: it is not UTF-8 text") from None
    except OSError as error:
        raise SpecificationError(f"cannot read {path}: {error}") from error
    except (ValueError, RecursionError) as error:  # such as a number with thousands of digits
        raise SpecificationError(f"{path} is not TOML: {error}") from None
    return parse_specification(content, str(path))


def parse_specification(content: Any, where: str) -> Specification:
    """Return the specification in plain data; errors begin with `where`."""
    try:
        return Specification.model_validate(content)
    except ValidationError as error:
        raise SpecificationError(f"{where}: {_first_problem(error.errors())}") from None


def _first_problem(problems: Iterable[Any]) -> str:
    problem = next(iter(problems))
    place = ".".join(str(part) for part in problem["loc"])
    message = str(problem["msg"]).removeprefix("Value error, ").splitlines()[0]
    if problem["type"] == "extra_forbidden":
        message = "unknown key"
    elif problem["type"] == "missing":
        message = "is missing"
    elif problem["type"] == "model_type":
        message = "is not a table"
    return f"{place}: {message}" if place else message
