"""An external engine and the other programs that it is learnt and evaluated against."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.python_file import split_source
from seedfolio.core.regular_file import read_regular
from seedfolio.core.trust import Claim
from seedfolio.engines.field import Field, is_opposing, load_field, opposing
from seedfolio.engines.interface import Arm
from seedfolio.engines.launch import Launch
from seedfolio.engines.openings import Openings, load_openings
from seedfolio.engines.pgn_openings import Line
from seedfolio.engines.specification import Specification
from seedfolio.errors import SpecificationError

Words = NDArray[np.uint64]


class Opposed:
    """Whom it meets; `engines.program.EngineProgram` has it."""

    specification: Specification
    folder: Path
    claim: Claim

    @property
    def begins_elsewhere(self) -> bool:
        """Whether its games begin with given openings."""
        return self.specification.openings is not None

    @property
    def designed(self) -> bool:
        """Whether arms are options that somebody has chosen, not draws of a seed.

        So is a mixture with an opponent that always plays alike.
        """
        fixed = self.opponents and any(each.always_alike for each in self.field.guests)
        return bool(self.specification.arms.grid) or bool(fixed)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of other programs that it is learnt and evaluated against; empty: itself."""
        return tuple(each.title for each in self.specification.opponents)

    @cached_property
    def field(self) -> Field:
        """These programs."""
        return load_field(self.specification, self.folder, self.claim)

    def opposing(self, arms: Words, colour: int) -> Words:
        """Return the opponent's arms with these numbers as `colour`."""
        return opposing(arms, colour) if self.opponents else arms

    def opponent_of(self, count: int) -> NDArray[np.intp]:
        """Return which of `opponents` each of the first `count` opposing arms belongs to."""
        return self.field.of_first(count)

    @property
    def bot(self) -> str:
        """The bot of OpenSpiel, a user's own with the whole path of its file."""
        name = self.specification.player.bot or ""
        file, kind = split_source(name)
        return f"{self.folder / file}:{kind}" if file.endswith(".py") else name

    def bot_digest(self) -> dict[str, str]:
        """Return a hash of the file of a user's own bot, as a part of the identity."""
        file, _ = split_source(self.bot)
        if not file.endswith(".py") or not Path(file).is_file():
            return {}
        try:
            content = read_regular(file)
        except OSError as error:
            raise SpecificationError(f"cannot read {file}: {error.strerror}") from error
        return {"bot file": hashlib.sha256(content).hexdigest()[:32]}

    def opened(self, first: int, second: int) -> int:
        """Return how many moves of a game between two arms are those of an opening."""
        return len(self.opening(first, second))

    def opening(self, first: int, second: int) -> Line:
        """Return the moves with which a game between two arms begins."""
        return () if self.openings is None else self.openings.line(first, second)

    @cached_property
    def openings(self) -> Openings | None:
        """All openings; None if games begin at the start."""
        found = self.specification
        if found.openings is None:
            return None
        return load_openings(found.openings, found.game, self.folder)

    def check_openings(self) -> None:
        """Raise SpecificationError if openings cannot be read, or an engine cannot begin there."""
        if self.openings is None or not self.openings.positions:
            return
        guests = [each.specification for each in self.field.guests] if self.opponents else []
        if any(each.player.protocol == "gtp" for each in (self.specification, *guests)):
            raise SpecificationError(
                "openings: positions (FEN) are for engines of UCI and bots of OpenSpiel, and GTP "
                "has no command for them"
            )

    def openings_digest(self) -> dict[str, str]:
        """Return a hash of all openings, as a part of the identity."""
        return {} if self.openings is None else {"openings": self.openings.digest}

    def owner(self, arm: Arm) -> Self:
        """Return the program that plays an arm: itself, or an opponent."""
        if self.opponents and is_opposing(arm.number):
            return self.others[self.field.whose(arm.number)]
        return self

    @cached_property
    def others(self) -> tuple[Self, ...]:
        """Return these programs, each as one that plays."""
        # As plain programs, whatever this one is doing at the moment.
        plain: dict[str, Any] = {"repeats": 1, "books": None, "proposing": False}
        return tuple(
            replace(  # type: ignore[type-var]
                self,
                specification=each.specification,
                folder=each.folder,
                claim=each.claim,
                **plain,
            )
            for each in self.field.guests
        )

    def launch_key(self, arm: Arm) -> tuple[str, Launch]:
        """Return what tells which arms can share an engine: its program, and its process."""
        return arm.whose, self.launch(arm)

    def launch(self, arm: Arm) -> Launch:
        """Return how to start the process of an arm."""
        raise NotImplementedError
