"""A program with a known opponent: it is learnt and evaluated against that, not against itself."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any

from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.opponents import Guest, as_guest
from seedfolio.errors import SpecificationError
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.against import Drawing, KnownOpponent, Weights
from seedfolio.players.books.table import Books
from seedfolio.players.program import DEFAULT_REPEATS, Program
from seedfolio.portfolios.book.book import BookPortfolio


def with_opponent(program: Program | EngineProgram, opponent: Opponent) -> Program | EngineProgram:
    """Return a program with this known opponent; SpecificationError if the two cannot meet."""
    found: Program | EngineProgram = _meeting(program, opponent)
    return found


@singledispatch
def _meeting(program: Any, opponent: Opponent) -> Any:
    raise TypeError(f"{program!r} is not a program")


@_meeting.register
def _(program: Program, opponent: Opponent) -> Program:
    other = opponent.program
    if not isinstance(other, Program):
        raise SpecificationError(
            f"{opponent.name} is an external engine, and {program.title} is built in: only engines "
            "learn against engines; name an engine.toml that learns"
        )
    if other.game.identity() != program.game.identity():
        raise _other_game(opponent.title, program.game.title)
    books = other.books
    if isinstance(opponent.plays, BookPortfolio):
        books = Books(opponent.plays.words())
    drawn = _drawn(opponent)
    fresh = drawn is None
    known = KnownOpponent(
        name=opponent.name,
        player=other.player if drawn is None else Drawing(other.player, drawn),
        digest=opponent.digest(),
        books=books,
        symmetric=opponent.plays.symmetric if isinstance(opponent.plays, BookPortfolio) else fresh,
    )
    lucky = program.has_luck or not other.has_luck
    repeats = program.repeats if lucky else DEFAULT_REPEATS
    return replace(program, known=known, repeats=repeats)


@_meeting.register
def _(program: EngineProgram, opponent: Opponent) -> EngineProgram:
    other = opponent.program
    if not isinstance(other, EngineProgram):
        raise SpecificationError(
            f"{opponent.name} is built in, and {program.file} is an external engine: only engines "
            "learn against engines; name the game and its player"
        )
    own, theirs = program.specification, other.specification
    if own.game.model_dump(exclude={"moves"}) != theirs.game.model_dump(exclude={"moves"}):
        raise _other_game(other.title, program.title)
    if program.traits.begins_elsewhere or other.traits.begins_elsewhere:
        raise SpecificationError(
            "a known opponent is met from the start of the game; leave out [openings]"
        )
    plain = as_guest(own, theirs, other.name)
    books = None
    if isinstance(opponent.plays, BookPortfolio):
        books = Books(opponent.plays.words())
    known = Guest(other.name, 1, plain, other.folder, other.claim, _drawn(opponent), books)
    return replace(program, known=known)


def _drawn(opponent: Opponent) -> tuple[Weights, Weights] | None:
    """Return the weights of the arms that it draws as each colour; None: a fresh arm each game."""
    if opponent.arm is not None:
        every = [{opponent.arm: 1.0}] * 2
    else:
        found = None if opponent.plays is None else opponent.plays.distributions
        if found is None:
            return None
        every = [found[k].by_arm for k in (0, 1)]
    if any(arm >> SYMMETRY_SHIFT for weights in every for arm in weights):
        raise SpecificationError(
            f"{opponent.name} has arms under symmetries of the board, which no book can meet; name "
            "a portfolio that was learnt without `symmetries`"
        )
    return every[0], every[1]


def _other_game(theirs: str, ours: str) -> SpecificationError:
    return SpecificationError(f"the opponent plays {theirs}, and the program that learns {ours}")
