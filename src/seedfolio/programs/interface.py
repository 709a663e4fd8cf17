"""The interface of every program, whether it is built in or an external engine.

Higher packages do not ask which of the two a program is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.players.interface import ArmSupply, BookTraits, Traits
from seedfolio.players.program import Program


class Playable(Protocol):
    """A program whose arms play each other."""

    @property
    def title(self) -> str:
        """The game and the player, as shown to people."""
        ...

    @property
    def study_name(self) -> str:
        """The name of its study's file, without the ending, unless the user gives one."""
        ...

    @property
    def repeats(self) -> int:
        """How many games make a cell."""
        ...

    @property
    def full(self) -> int:
        """The half points of a cell with all games won."""
        ...

    @property
    def traits(self) -> Traits:
        """What learning and evaluation must know of it."""
        ...

    @property
    def arms(self) -> ArmSupply:
        """How many arms it has."""
        ...

    @property
    def kinds(self) -> tuple[str, ...]:
        """What arms can be besides seeds: its players, or an engine's settings; mostly one."""
        ...

    def kind_of(self, arms: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Return which of `kinds` each of these arms is."""
        ...

    @property
    def book(self) -> BookTraits:
        """Whether and how it plays a book."""
        ...

    @property
    def behaviour(self) -> str:
        """A digest that is different where arms play differently."""
        ...

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of other programs that it is learnt and evaluated against; empty: itself."""
        ...

    def opposing(self, arms: NDArray[np.uint64], colour: int) -> NDArray[np.uint64]:
        """Return the opponent's arms with these numbers as `colour`: its own if it meets itself."""
        ...

    def facing(self, colour: int) -> Playable:
        """Return the program that plays games of this one as `colour`, with its books.

        It is another one where the opponent has books, or another player.
        """
        ...

    def opponent_of(self, count: int) -> NDArray[np.intp]:
        """Return which of `opponents` each of the first `count` opposing arms belongs to."""
        ...

    def identity(self) -> dict[str, Any]:
        """Return all on which results depend."""
        ...

    def identity_of_parts(self) -> dict[str, Any]:
        """Return the identity without what takes compiling or starting an engine."""
        ...

    def description(self, arms: Sequence[int]) -> dict[str, Any]:
        """Return the description of the program for a portfolio file with these arms."""
        ...

    def single(self) -> Playable:
        """Return the program with one game a cell."""
        ...

    def with_symmetries(self) -> Playable:
        """Return the program able to play arms under symmetries; SpecificationError if it has none.

        Arms without a symmetry play as before.
        """
        ...

    def for_arms(self, *arms: NDArray[np.uint64]) -> Playable:
        """Return the program that can play these arms: with symmetries if an arm has one."""
        ...

    @property
    def for_books(self) -> Playable:
        """The program with one game a cell and empty books."""
        ...

    def with_books(self, words: NDArray[np.uint64]) -> Playable:
        """Return the program with these books (see `players.books.table`) for its arms to play."""
        ...

    def studying(self, words: NDArray[np.uint64]) -> Playable:
        """Return the same for learning: arms may also tell what they would play instead."""
        ...

    def book_arms(self, games: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return our arms and the opponent's in learning games with these numbers."""
        ...

    def compiled(self) -> Program:
        """Return the compiled program of a built-in player; SpecificationError for an engine.

        For what only compiled code can do: see `Traits.searchable`.
        """
        ...
