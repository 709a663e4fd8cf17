"""The other programs that an engine is learnt against: whose each opposing arm is, and its values.

An opposing arm has the number of an arm, training or unseen, and from `GUEST_SHIFT` on its colour
plus 1. The programs take turns by their weights, so that any number of arms is an even mixture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError
from pydantic import Field as Bounds

from seedfolio.core.program_files import engine_file, read_portfolio_bytes
from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import GUEST_SHIFT, UNSEEN_SEEDS
from seedfolio.core.trust import Claim, Permit
from seedfolio.engines.interface import Arm
from seedfolio.engines.specification.arms import Arms, parse_seeds
from seedfolio.engines.specification.placeholders import places
from seedfolio.engines.specification.specification import (
    Specification,
    check_castling,
    check_scores,
    check_times,
    first_problem,
    parse_specification,
    read_specification,
)
from seedfolio.engines.specification.tables import ArmsTable, OpponentTable, PlayerTable
from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.players.books.table import Books

_UNSEEN = UNSEEN_SEEDS.start
_OWN = (1 << GUEST_SHIFT) - 1
Weights = Mapping[int, float]


@dataclass(frozen=True)
class Guest:
    """One of the other programs."""

    name: str
    weight: int
    specification: Specification
    folder: Path
    claim: Claim
    """Who has named it."""
    drawn: tuple[Weights, Weights] | None = None
    """What a portfolio draws as each colour."""
    books: Books | None = None
    """What it plays before its arms."""

    @cached_property
    def arms(self) -> Arms | None:
        """Its arms; None if it has one only."""
        found = self.specification
        seeded = "seed" in places(found.player.texts) or found.player.protocol == "open_spiel"
        return found.own_arms if seeded or found.arms.grid else None

    @property
    def always_alike(self) -> bool:
        """Whether it has no other arms to be judged by than those to learn from."""
        return self.arms is None or self.drawn is not None

    @cached_property
    def _judging(self) -> Sequence[int]:
        """Its arms in the order in which they judge.

        All arms of a finite list may be learnt from. In an order of their own those that judge are
        a fair sample of the list, whatever was learnt from.
        """
        assert self.arms is not None, "it has several"
        numbers = range(self.arms.unseen)
        return numbers if self.arms.endless else sorted(numbers, key=lambda each: mix_int(~each))

    def arm(self, number: int, index: int, unseen: bool, colour: int) -> Arm:
        """Return its arm for an opposing arm: the `index`th of those to learn from, or unseen."""
        if self.arms is None:
            return Arm(number, {}, self.name)
        if self.drawn is not None:
            own = _draw(self.drawn[colour], mix_int(number))
        elif unseen:
            own = _UNSEEN + self._judging[index % len(self._judging)]
        else:
            own = index % self.arms.training
        return Arm(number, self.arms.arm(own).values, self.name)

    def identity(self) -> dict[str, Any]:
        """Return all that results depend on."""
        found = {"name": self.name, "weight": self.weight}
        drawn = {} if self.drawn is None else {"drawn": [dict(each) for each in self.drawn]}
        books = {} if self.books is None else {"books": f"{self.books.digest:x}"}
        # Before, the arms of a finite list judged in the order in which they were learnt from.
        listed = self.drawn is None and self.arms is not None and not self.arms.endless
        order = {"unseen": "shuffled"} if listed else {}
        return {**found, "specification": self.specification.behaviour(), **order, **drawn, **books}


def _draw(weights: Weights, key: int) -> int:
    arms = sorted(weights)
    bounds = list(accumulate(weights[arm] for arm in arms))
    place = (key >> 11) / 2**53 * bounds[-1]
    return next((arm for arm, bound in zip(arms, bounds, strict=True) if place < bound), arms[-1])


@dataclass(frozen=True)
class Field:
    """All other programs, as one list of opposing arms."""

    guests: tuple[Guest, ...]

    @cached_property
    def _turns(self) -> list[tuple[int, int]]:
        """One round of the mixture: the guest of each turn, and how often it came before."""
        ends = [
            ((turn + 0.5) / guest.weight, place, turn)
            for place, guest in enumerate(self.guests)
            for turn in range(guest.weight)
        ]
        return [(place, turn) for _, place, turn in sorted(ends)]

    def whose(self, number: int) -> int:
        """Return the guest, from 0 on, that has an opposing arm."""
        return self._place(number)[0]

    def arm(self, number: int) -> Arm:
        """Return an opposing arm."""
        guest, index, unseen = self._place(number)
        return self.guests[guest].arm(number, index, unseen, (number >> GUEST_SHIFT) - 1)

    def of_first(self, count: int) -> NDArray[np.intp]:
        """Return the guests of the first `count` opposing arms."""
        return np.array([self.whose(number) for number in range(count)], np.intp)

    def _place(self, number: int) -> tuple[int, int, bool]:
        own = number & _OWN
        unseen = own >= _UNSEEN
        lap, step = divmod(own - _UNSEEN * unseen, len(self._turns))
        guest, turn = self._turns[step]
        return guest, lap * self.guests[guest].weight + turn, unseen


def load_field(own: Specification, folder: Path, claim: Claim) -> Field:
    """Return the other programs of a specification; SpecificationError if one is invalid."""
    return Field(tuple(_guest(own, folder, claim, table) for table in own.opponents))


class _KnownEngine(BaseModel):
    """What is of interest in the specification of an opponent."""

    player: PlayerTable
    arms: ArmsTable


_Drawn = Annotated[dict[int, float], Bounds(min_length=1)]


class _Known(BaseModel):
    """What `Guest.identity` returns."""

    name: str
    weight: int = Bounds(ge=1, le=1000)
    specification: _KnownEngine
    drawn: tuple[_Drawn, _Drawn] | None = None


def field_of_identity(own: Specification, parts: Sequence[Mapping[str, Any]]) -> Field:
    """Return the other programs that a study has met, from what `Guest.identity` returned.

    ValueError if it is something else: a study may be from elsewhere.
    """
    if not parts:
        raise ValueError("there is no opponent")
    return Field(tuple(_known_guest(own, part) for part in parts))


def _known_guest(own: Specification, part: Mapping[str, Any]) -> Guest:
    said = _Known.model_validate(part)
    player, arms = said.specification.player, said.specification.arms
    found = own.changed(player=player, arms=arms, opponents=[], joint=None)
    return Guest(said.name, said.weight, found, Path(), Claim(), said.drawn)


def _guest(own: Specification, folder: Path, claim: Claim, table: OpponentTable) -> Guest:
    if table.file is not None:
        return _from_file(own, folder / table.file, claim.permit, table)
    base = {} if table.protocol is not None else own.player.model_dump(exclude_unset=True)
    where = f"opponent {table.title}"
    player = parse_player({**base, **table.player}, where)
    _check_like(own, player, where)
    arms: dict[str, Any] = {"numbering": table.numbering or own.arms.numbering}
    if table.seeds is not None:
        arms["seeds"] = table.seeds
    if strange := sorted(places(player.texts) - {"seed"}):
        raise SpecificationError(
            f"{where}: {{{strange[0]}}} has no value; an opponent has {{seed}} only, or a file"
        )
    if table.seeds is not None:
        _check_seeds(table.seeds, where)
    # An opponent may have a single arm, which a whole file must not have.
    found = own.changed(player=player, arms=ArmsTable(**arms), opponents=[])
    return Guest(table.title, table.weight, found, folder, found.claim(claim.permit, claim.place))


def _check_like(own: Specification, player: PlayerTable, where: str) -> None:
    """Refuse an opponent without what all games of the engine need, such as a clock."""
    try:
        check_times(player, own.clock)
        check_castling(player, own.game)
        if own.adjudication is not None:
            check_scores(player)
    except ValueError as error:
        raise SpecificationError(f"{where}: {error}") from None


def as_guest(own: Specification, theirs: Specification, where: str) -> Specification:
    """Return the specification of a program in games of another, whose clock and rules hold."""
    player = theirs.player
    if theirs.joint is not None:
        raise SpecificationError(f"{where} is several engines; name one of them as the opponent")
    if own.clock is not None:  # which is in place of its own limits
        player = player.model_copy(update={"go": None})
    _check_like(own, player, where)
    rules = {"adjudication": own.adjudication, "clock": own.clock}
    return theirs.changed(opponents=[], player=player, **rules)


def _check_seeds(seeds: str, where: str) -> None:
    try:
        parse_seeds(seeds, hashed=True)
    except ValueError as error:
        raise SpecificationError(f"{where}: {error}") from None


def parse_player(content: dict[str, Any], where: str) -> PlayerTable:
    """Return the player of an opponent; SpecificationError says what is wrong."""
    try:
        return PlayerTable.model_validate(content)
    except ValidationError as error:
        raise SpecificationError(f"{where}: {first_problem(error.errors())}") from None


def _from_file(own: Specification, path: Path, permit: Permit, table: OpponentTable) -> Guest:
    if path.suffix == ".toml":
        found, place, drawn = read_specification(path), path.resolve(), None
    else:
        found, file, drawn = _read_portfolio(path)
        # The user has named his own file, but this one may be from elsewhere.
        place = engine_file(file, path.parent)
        permit = permit.inside
    if found.game.model_dump(exclude={"moves"}) != own.game.model_dump(exclude={"moves"}):
        raise SpecificationError(f"opponent {table.title}: {path} plays another game")
    plain = as_guest(own, found, f"opponent {table.title}")
    return Guest(table.title, table.weight, plain, place.parent, found.claim(permit, place), drawn)


class _Engine(BaseModel):
    """What is of interest in a portfolio's part about its engine."""

    file: str
    specification: dict[str, Any]


class _Portfolio(BaseModel):
    """What is of interest in a portfolio of an engine."""

    engine: _Engine
    first: dict[int, float]
    second: dict[int, float]


def _read_portfolio(path: Path) -> tuple[Specification, str, tuple[Weights, Weights]]:
    """Return the engine of a portfolio file, its specification's file, and what it draws."""
    try:
        read = _Portfolio.model_validate_json(read_portfolio_bytes(path))
    except PortfolioError as error:
        raise SpecificationError(str(error)) from error
    except ValidationError:
        raise SpecificationError(
            f"{path} is neither the specification nor the portfolio of an external engine"
        ) from None
    found = parse_specification(read.engine.specification, str(path))
    if not read.first or not read.second:
        raise SpecificationError(f"{path} has a book; only portfolios of arms can be opponents")
    return found, read.engine.file, (read.first, read.second)
