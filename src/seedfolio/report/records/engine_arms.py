"""Names of the arms in a study of an external engine, from what the study says of its programs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from seedfolio.core.seeds import GUEST_SHIFT, LINE_SHIFT, UNSEEN_SEEDS
from seedfolio.engines.specification.opponents import Field, field_of_identity, is_opposing
from seedfolio.engines.specification.specification import Specification, parse_specification
from seedfolio.errors import StudyError

_OWN = (1 << GUEST_SHIFT) - 1


@dataclass(frozen=True)
class Programs:
    """The programs of a study: an engine, and those that it meets."""

    engine: str
    """The name that the engine reports."""
    programs: tuple[Specification, ...]
    """The engine first, then the guests of an experiment of the papers."""
    field: Field | None = None
    """Its opponents, if these are other programs."""

    @classmethod
    def of(cls, identity: Mapping[str, Any], where: str) -> Self:
        """Return the programs of the identity of a study; StudyError if it has none."""
        try:
            parts = [identity, *identity.get("guests", [])]
            programs = tuple(parse_specification(part["specification"], where) for part in parts)
            others = identity.get("opponents")
            field = None if others is None else field_of_identity(programs[0], others)
            return cls(str(identity["engine"]), programs, field)
        except (LookupError, TypeError, ValueError) as error:
            raise StudyError(
                f"{where} is damaged (what it says of its engines is not what boost writes); "
                "restore a copy of it or choose another file"
            ) from error

    def arm(self, number: int) -> tuple[str, str]:
        """Return the name of an arm, and the command that plays it."""
        program = self.programs[0]
        if self.field is not None and is_opposing(number):
            player = self.field.guests[self.field.whose(number)].specification.player
            return self.field.arm(number).name, shlex.join(player.command or [])
        if len(self.programs) > 1:
            guest, number = divmod(number, 1 << GUEST_SHIFT)
            if not 0 <= guest < len(self.programs):
                raise StudyError(f"there is no program {guest} here; restore a copy of the study")
            program = self.programs[guest]
        elif number not in UNSEEN_SEEDS:
            number %= 1 << LINE_SHIFT
        return program.all_arms.arm(number).name, shlex.join(program.player.command or [])

    def player(self, number: int) -> str:
        """Return the name of an arm with that of its engine."""
        opposing = self.field is not None and is_opposing(number)
        name, _ = self.arm(number)
        return name if opposing else f"{self.engine}, {name}"

    def short_name(self, number: int) -> str:
        """Return an arm as a part of the name of a file: `3`, `unseen5`, `opponent-unseen2`."""
        opposing = self.field is not None and is_opposing(number)
        own = number & _OWN if opposing else number
        name = f"unseen{own - UNSEEN_SEEDS[0]}" if own in UNSEEN_SEEDS else f"{own}"
        return f"opponent-{name}" if opposing else name
