"""The specification of a study of an external engine: a TOML file."""

from __future__ import annotations

import hashlib
import json
import shlex
import tomllib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator

from seedfolio.core.files import MEBIBYTE, read_regular
from seedfolio.core.trust import Claim, Permit
from seedfolio.engines.interface import Limits
from seedfolio.engines.specification.arms import Arms, JointArms, parse_seeds
from seedfolio.engines.specification.placeholders import places
from seedfolio.engines.specification.positions import begins_in_chess960
from seedfolio.engines.specification.tables import (
    AdjudicationTable,
    ArmsTable,
    ClockTable,
    GameTable,
    LimitsTable,
    LogTable,
    OpeningsTable,
    OpponentTable,
    PlayerTable,
    RefereeTable,
    SizesTable,
    SpecificationTable,
)
from seedfolio.errors import SpecificationError

OPEN_SPIEL = "open_spiel:"
_MOST_BYTES = 16 * MEBIBYTE
_SEED = "seed"
_LATER = ("opponents", "openings", "adjudication", "clock", "joint")
"""Tables that earlier versions did not have: left out where they are empty, so that digests of
older files stay as they were. So is the key `score`."""


_SHARED = ("game", "referee", "openings", "adjudication", "clock")
"""Tables on which engines of one program must agree."""


class JointTable(SpecificationTable):
    """Other engines whose arms belong to the same program; no file has it."""

    names: list[str]
    """Of all engines, the one with this table first."""
    files: list[str]
    """The files of the others, from the folder of the first."""
    others: list[Specification]


class Specification(SpecificationTable):
    """A whole file."""

    game: GameTable
    player: PlayerTable
    arms: ArmsTable = ArmsTable()
    referee: RefereeTable | None = None
    limits: LimitsTable = LimitsTable()
    study: SizesTable = SizesTable()
    log: LogTable | None = None
    openings: OpeningsTable | None = None
    """Where games begin; None: at the start."""
    adjudication: AdjudicationTable | None = None
    """Games that end by the scores of the engines; None: none."""
    clock: ClockTable | None = None
    """The clocks of all games; None: engines have limits of their own."""
    opponents: Annotated[list[OpponentTable], Field(default_factory=list)]
    """Other programs to learn against; empty: itself."""
    joint: JointTable | None = None
    """Other engines of the same program; None: it is one engine."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.referee is not None and not self.game.is_go:
            raise ValueError("a referee is for go; other games have built-in rules")
        if self.player.protocol == "open_spiel" and not self.game.name.startswith(OPEN_SPIEL):
            raise ValueError(f"an OpenSpiel bot needs a game named {OPEN_SPIEL}NAME")
        self._check_lines()
        check_times(self.player, self.clock)
        check_castling(self.player, self.game)
        if self.adjudication is not None:
            check_scores(self.player)
        elif self.player.score is not None:
            raise ValueError("score in player is for [adjudication], which is not there")
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
        self.own_arms  # noqa: B018 - raises an error if there are too few
        names = [each.title for each in self.opponents]
        if twice := sorted(name for name in set(names) if names.count(name) > 1):
            raise ValueError(f"two opponents are called {twice[0]!r}; give each a name")
        if self.joint is not None:
            self._check_joint(self.joint)
        return self

    def _check_lines(self) -> None:
        """Refuse texts with several lines, and empty commands."""
        player, referee = self.player, self.referee or RefereeTable()
        setup = [*player.setup, *referee.setup]
        values = (value for values in self.arms.grid.values() for value in values)
        texts = [*setup, *player.options, *player.options.values(), player.go, *values]
        texts.append(player.score)
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

    def _check_joint(self, joint: JointTable) -> None:
        if twice := {name for name in joint.names if joint.names.count(name) > 1}:
            raise ValueError(f"the engine {min(twice)} is named twice; leave one out")
        if not len(joint.names) - 1 == len(joint.files) == len(joint.others) > 0:
            raise ValueError("joint needs a name and a file for each engine")
        if self.opponents:
            raise ValueError("engines of one program meet each other; leave out [[opponents]]")
        for file, other in zip(joint.files, joint.others, strict=True):
            if other.opponents or other.joint is not None:
                raise ValueError(f"{file} has opponents; engines of one program meet each other")
            if other.player.protocol != self.player.protocol:
                raise ValueError(
                    f"{file} has protocol {other.player.protocol}, and the first file "
                    f"{self.player.protocol}; engines of one program speak the same"
                )
            for name in _SHARED:
                if getattr(other, name) != getattr(self, name):
                    raise ValueError(
                        f"{file} has another [{name}]; engines of one program need the same"
                    )
        self.all_arms  # noqa: B018 - refuses lists of arms that do not go together

    @cached_property
    def all_arms(self) -> Arms | JointArms:
        """All arms."""
        if self.joint is None:
            return self.own_arms
        others = (each.own_arms for each in self.joint.others)
        return JointArms(tuple(self.joint.names), (self.own_arms, *others))

    def changed(self, **tables: Any) -> Self:
        """Return the specification with other tables, which are not checked again."""
        found = self.model_copy(update=tables)
        for known in ("all_arms", "own_arms"):
            found.__dict__.pop(known, None)
        return found

    def engine_of(self, number: int) -> Specification:
        """Return the specification of the engine that an arm belongs to."""
        if self.joint is None or not isinstance(self.all_arms, JointArms):
            return self
        which, _ = self.all_arms.place(number)
        return self if which == 0 else self.joint.others[which - 1]

    @cached_property
    def own_arms(self) -> Arms:
        """Its arms without those of other engines."""
        seeds = None
        if self._seeded:
            seeds = parse_seeds(self.arms.seeds or "0..", self.arms.numbering == "hashed")
        return Arms(seeds, self.arms.grid)

    @property
    def seconds(self) -> Limits:
        """The time limits."""
        return Limits(self.limits.start, self.limits.command, self.limits.move)

    def content(self) -> dict[str, Any]:
        """Return what the file has, as plain data for a portfolio."""
        return self.model_dump(mode="json", exclude_unset=True)

    def behaviour(self) -> dict[str, Any]:
        """Return all that results depend on: not the time limits and sizes."""
        found = self.model_dump(mode="json", exclude={"limits", "study", "log"})
        for player in (found["player"], *found["opponents"]):
            if player["score"] is None:
                del player["score"]
        if self.joint is not None:
            found["joint"]["others"] = [each.behaviour() for each in self.joint.others]
        return {name: part for name, part in found.items() if part or name not in _LATER}

    def claim(self, permit: Permit, file: Path) -> Claim:
        """Return its claim to run; `permit` says who has named it, or the file that has it.

        Its Python files have claims of their own.
        """
        content = {**self.behaviour(), "log": None if self.log is None else self.log.folder}
        content.pop("joint", None)
        # No Python file has a zero byte.
        return Claim(permit, file, b"engine\0" + json.dumps(content, sort_keys=True).encode())

    @property
    def runs(self) -> str:
        """All that runs, in words; its opponents are programs of their own."""
        player, referee = self.player, self.referee if self.game.is_go else None
        if player.protocol == "open_spiel":
            own = f"OpenSpiel's {self.game.name.removeprefix(OPEN_SPIEL)} with bot {player.bot}"
        else:
            added = [f"{name}={value}" for name, value in player.environ.items()]
            flags = [name for name in self.arms.grid if name.startswith("-")]
            words = shlex.join([*added, *(player.command or []), *flags])
            own = f"the command {words}" + (f" in {player.cwd}" if player.cwd else "")
        own += f" with {player.options}" if player.options else ""
        return own if referee is None else f"{own} and {shlex.join(referee.command)}"

    @property
    def digest(self) -> str:
        """A hash of all that results depend on."""
        text = json.dumps(self.behaviour(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def check_scores(player: PlayerTable) -> None:
    """Raise ValueError if an engine tells no scores, which adjudication needs."""
    if player.protocol == "open_spiel":
        raise ValueError("adjudication needs scores, and bots of OpenSpiel tell none")
    if player.protocol == "gtp" and player.score is None:
        raise ValueError(
            "adjudication needs scores, and GTP has none: name a command of the engine that tells "
            'one under player, such as score = "estimate_score" of GNU Go'
        )


def check_times(player: PlayerTable, clock: ClockTable | None) -> None:
    """Raise ValueError unless exactly one thing says how long an engine thinks over a move."""
    if clock is not None and player.protocol == "open_spiel":
        raise ValueError("bots of OpenSpiel have no clock")
    if clock is not None and player.go is not None:
        raise ValueError("go and [clock] both say how long a move takes; leave one out")
    if clock is None and player.protocol == "uci" and player.go is None:
        raise ValueError("protocol uci needs go, or a [clock]")


def check_castling(player: PlayerTable, game: GameTable) -> None:
    """Raise ValueError if a UCI engine would write castling in another way than its game."""
    if player.is_chess960 and not begins_in_chess960(game.name):
        raise ValueError(
            "option UCI_Chess960 is for Chess960: name one of its 960 starts as the game, "
            "such as chess:fen=518"
        )
    if player.protocol == "uci" and begins_in_chess960(game.name) and not player.is_chess960:
        raise ValueError(f"{game.name} is Chess960, for which UCI has options UCI_Chess960 = true")


def serving_command(protocol: object) -> str:
    """Return the command of Seedfolio that serves boosted engines of a protocol."""
    return "gtp" if protocol == "gtp" else "uci"


def read_specification(path: Path) -> Specification:
    """Read a TOML file; SpecificationError says where it is wrong."""
    try:
        content = tomllib.loads(read_regular(path, _MOST_BYTES).decode())
    except FileNotFoundError:
        raise SpecificationError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise SpecificationError(
            f"{path} is a folder; name the .toml file of an external engine"
        ) from None
    except UnicodeDecodeError:
        raise SpecificationError(f"{path} is not TOML: it is not UTF-8 text") from None
    except OSError as error:
        raise SpecificationError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # such as a number with thousands of digits
        raise SpecificationError(f"{path} is not TOML: {error}") from None
    return parse_specification(content, str(path))


def parse_specification(content: Any, where: str) -> Specification:
    """Return the specification in plain data; errors begin with `where`."""
    try:
        return Specification.model_validate(content)
    except ValidationError as error:
        raise SpecificationError(f"{where}: {first_problem(error.errors())}") from None


def first_problem(problems: Iterable[Any]) -> str:
    """Return the first problem that pydantic found, in plain words."""
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
