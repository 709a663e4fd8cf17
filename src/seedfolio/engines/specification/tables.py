"""The tables of the specification of an external engine."""

from __future__ import annotations

import shlex
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from seedfolio.engines.clock import TimeControl
from seedfolio.engines.interface import Value
from seedfolio.engines.specification.arms import parse_seeds
from seedfolio.errors import SpecificationError

_MOST_VALUES = 10_000


class SpecificationTable(BaseModel):
    """A table of the file: unknown keys are refused."""

    # Built when first used: most commands read no such file, and a start should not wait for it.
    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, defer_build=True
    )


def _words(command: Any) -> Any:
    """Return a command as a list; a text is split as a shell does."""
    return shlex.split(command) if isinstance(command, str) else command


Command = Annotated[list[str], BeforeValidator(_words), Field(min_length=1)]


class GameTable(SpecificationTable):
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


CHESS960_OPTION = "uci_chess960"
_CLOCKS = frozenset({"wtime", "btime", "winc", "binc", "movestogo", "infinite", "ponder"})
"""Words of `go` that only mean something in the middle of a game, or without an end."""


class PlayerTable(SpecificationTable):
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
    score: str | None = None
    """A command of a GTP engine that tells the score, for adjudication."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        wanted = {"gtp": ["command"], "uci": ["command"], "open_spiel": ["bot"]}
        taken = {
            "gtp": {"command", "cwd", "environ", "setup", "reuse", "score"},
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
        if clock := next((word for word in (self.go or "").split() if word in _CLOCKS), None):
            raise ValueError(
                f"go has {clock}, which would be the same before each move; use nodes, depth or "
                "movetime, or a [clock]"
            )
        return self

    @property
    def is_chess960(self) -> bool:
        """Whether the engine's castling is that of Chess960: the king on its rook."""
        return any(self.options[name] for name in self.options if name.lower() == CHESS960_OPTION)

    @property
    def texts(self) -> list[str]:
        """All texts that may have placeholders for the values of an arm."""
        options = [value for value in self.options.values() if isinstance(value, str)]
        environ = list(self.environ.values())
        return [*(self.command or []), *environ, *self.setup, *options, self.go or ""]


class RefereeTable(SpecificationTable):
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


class ArmsTable(SpecificationTable):
    """The seeds and options that make the arms."""

    seeds: str | None = None
    numbering: Literal["hashed", "plain"] = "hashed"
    grid: dict[str, Annotated[list[Value], BeforeValidator(_range), Field(min_length=1)]] = {}


class LimitsTable(SpecificationTable):
    """How many seconds an engine may take, and how much memory."""

    start: float = Field(default=30.0, gt=0)
    command: float = Field(default=10.0, gt=0)
    move: float = Field(default=60.0, gt=0)
    memory: int | None = Field(default=None, ge=1)
    """MiB that each process of an engine may use."""


class ResignTable(SpecificationTable):
    """When a game counts as lost: by the score of the one that loses it."""

    score: float = Field(gt=0)
    """The engine is at least this much behind, in its own units (UCI: centipawns)."""
    moves: int = Field(ge=1, le=1000)
    """For this many of its moves in a row."""


class DrawTable(SpecificationTable):
    """When a game counts as drawn: by the scores of both."""

    score: float = Field(ge=0)
    """Nobody is ahead by more than this."""
    moves: int = Field(ge=1, le=1000)
    """For this many moves in a row, those of both together."""
    after: int = Field(default=0, ge=0)
    """Never before this many moves."""


class AdjudicationTable(SpecificationTable):
    """Games that end by the scores of the engines."""

    resign: ResignTable | None = None
    draw: DrawTable | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.resign is None and self.draw is None:
            raise ValueError("adjudication needs resign or draw")
        return self


class ClockTable(SpecificationTable):
    """The clocks of all games, as in a match."""

    time: str
    """Such as `2+0.02`."""
    margin: int = Field(default=0, ge=0, le=60_000)
    """Milliseconds that an engine may be late."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        try:
            self.control  # noqa: B018 - refuses another text
        except SpecificationError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def control(self) -> TimeControl:
        """The time control."""
        return TimeControl.parse(self.time)


class LogTable(SpecificationTable):
    """A log of the protocol."""

    folder: str
    """Where each process gets a file, from the folder of the specification."""


class SizesTable(SpecificationTable):
    """Defaults for the sizes of the study."""

    k: int | None = Field(default=None, ge=1)
    kt: int | None = Field(default=None, ge=1)
    opponents: int | None = Field(default=None, ge=1)
    repeats: int | None = Field(default=None, ge=2, le=127)
    """Games a cell, for an engine whose arms do not repeat their games; None: by their noise."""


class OpeningsTable(SpecificationTable):
    """The positions from which games begin."""

    file: str | None = None
    """SGF or PGN, a folder of SGF files, or a text with the moves of an opening in each line."""
    moves: list[str] = []
    """Openings, each as its moves."""
    plies: int = Field(default=8, ge=1, le=1000)
    """The most moves that are taken from a game of a file."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.file is None and not self.moves:
            raise ValueError("openings need file or moves")
        return self


class OpponentTable(SpecificationTable):
    """Another program to learn against: another engine, or other settings of the same."""

    name: str | None = Field(default=None, min_length=1)
    weight: int = Field(default=1, ge=1, le=1000)
    """Its share of the mixture, beside those of the others."""
    file: str | None = None
    """The specification (.toml) or the portfolio (.json) of an external engine."""
    seeds: str | None = None
    numbering: Literal["hashed", "plain"] | None = None
    """As under arms unless given."""
    protocol: Literal["gtp", "uci", "open_spiel"] | None = None
    command: Command | None = None
    cwd: str | None = None
    environ: dict[str, str] | None = None
    setup: list[str] | None = None
    options: dict[str, Value] | None = None
    go: str | None = None
    forget: bool | None = None
    reuse: bool | None = None
    bot: str | None = None
    score: str | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        own = {"name", "weight"}
        given = self.model_fields_set - own
        if self.file is not None and given != {"file"}:
            other = min(given - {"file"})
            raise ValueError(f"file names the whole engine; leave out {other}")
        if not given:
            raise ValueError("an opponent needs file, or a key of player that differs")
        return self

    @property
    def player(self) -> dict[str, Any]:
        """The keys of a player that differ."""
        own = {"name", "weight", "file", "seeds", "numbering"}
        return self.model_dump(mode="json", exclude_unset=True, exclude=own)

    @property
    def title(self) -> str:
        """The name for users, unless one is given."""
        if self.name is not None:
            return self.name
        if self.file is not None:
            return self.file.rpartition("/")[2].partition(".")[0]
        return " ".join(self.command or [self.bot or self.go or "another setting"])
