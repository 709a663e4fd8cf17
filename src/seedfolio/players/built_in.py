"""How a built-in player on a game answers what `programs.interface` asks of every program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.python_file import split_source
from seedfolio.core.seeds import SYMMETRY_SHIFT, TRAINING_SEEDS, UNSEEN_SEEDS
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.cell_points import full_cell
from seedfolio.players.interface import Player, identity


class BuiltIn:
    """The answers; `players.program.Program` is the one class that gives them."""

    game: Game
    player: Player
    repeats: int
    turned: bool
    behaviour: Any

    slow = False
    keeps_games = False
    arenas = ("threads", "cuda", "ray")
    training_arms = len(TRAINING_SEEDS)
    unseen_arms = len(UNSEEN_SEEDS)
    finite = False
    takes_book = True
    book_pays_from = 5_000
    turns_books = True
    served_by = "play"

    @property
    def title(self) -> str:
        """The game and the player, as shown to people."""
        return f"{self.game.title}, {self.player.text}"

    @property
    def study_name(self) -> str:
        """The name of its study's file, unless the user gives one."""
        # Of a player's file the name is enough: the folders are no part of a study's name.
        file, options = split_source(self.player.text)
        player = f"{Path(file).stem}:{options}" if file.endswith(".py") else self.player.text
        return f"{self.game.text}-{player}"

    @property
    def usual_sizes(self) -> tuple[int, int, int]:
        """K, Kt and the number of opponents, unless the user gives others."""
        return self.game.rules.usual_sizes

    @property
    def has_luck(self) -> bool:
        """Whether two seeds may play different games: by chance in the rules or in the player."""
        return self.game.rules.chance or self.player.stochastic

    @property
    def full(self) -> int:
        """The points of a cell that is won throughout: 2 for each game without payoffs."""
        return full_cell(self.game.rules.scale, self.repeats)

    @property
    def scale(self) -> int:
        """The most points of one game."""
        return self.game.rules.scale

    @property
    def one_sided(self) -> bool:
        """Whether it is judged as first player only: as a seat against the others."""
        return self.game.seat is not None

    @property
    def symmetries(self) -> int:
        """How many symmetries its board has, the identity aside."""
        return len(self.game.rules.symmetries)

    @property
    def hides(self) -> bool:
        """Whether its game has hidden information."""
        return self.game.rules.hides

    @property
    def opponents(self) -> tuple[str, ...]:
        """Other programs to learn against: none."""
        return ()

    def opposing(self, arms: NDArray[np.uint64], colour: int) -> NDArray[np.uint64]:
        """Return the opponent's arms with these numbers: its own."""
        return arms

    def opponent_of(self, count: int) -> NDArray[np.intp]:
        """Return whose each opposing arm is: its own."""
        return np.zeros(count, np.intp)

    @property
    def begins_elsewhere(self) -> bool:
        """Whether its games begin with given openings: never."""
        return False

    @property
    def designed(self) -> bool:
        """Whether arms are options that somebody has chosen: they are seeds."""
        return False

    @property
    def searchable(self) -> bool:
        """Whether a best response to its arms can be computed exactly."""
        return self.game.rules.small and not self.player.stochastic

    def identity(self) -> dict[str, Any]:
        """Return what results are tied to: game, player, and a digest of what they really play."""
        return {**self.identity_of_parts(), "sample games": self.behaviour}

    def identity_of_parts(self) -> dict[str, Any]:
        """Return the identity without the digest, which takes compiling."""
        parts: dict[str, Any] = {"game": self.game.identity(), "player": identity(self.player)}
        if self.scale != 2:  # studies without payoffs do not name it
            parts["scale"] = self.scale
        return {**parts, "repeats": self.repeats} if self.has_luck else parts

    def description(self, arms: Sequence[int]) -> dict[str, Any]:
        """Return what a portfolio file says of the program."""
        parts = self.identity_of_parts()
        return {
            "game": {"source": self.game.source, **parts["game"]},
            "player": {"source": self.player.text, **parts["player"]},
            "behaviour": self.behaviour,
        }

    def single(self) -> Self:
        """Return the program with one game a cell."""
        return self if self.repeats == 1 else replace(self, repeats=1)  # type: ignore[type-var]

    def with_symmetries(self) -> Self:
        """Return the program able to play arms under symmetries of the board."""
        if not self.symmetries:
            raise SpecificationError(f"{self.game.title} has no symmetries; leave out `symmetries`")
        return self if self.turned else replace(self, turned=True)  # type: ignore[type-var]

    def for_arms(self, *arms: NDArray[np.uint64]) -> Self:
        """Return the program as it plays these arms: under symmetries of the board, if any is."""
        turned = any((each >> np.uint64(SYMMETRY_SHIFT)).any() for each in arms)
        return self.with_symmetries() if turned else self

    def compiled(self) -> Self:
        """Return the compiled program: this one."""
        return self

    def with_books(self, words: NDArray[np.uint64]) -> Self:
        """Return the program with books: see `players.program.Program`."""
        raise NotImplementedError

    def studying(self, words: NDArray[np.uint64]) -> Self:
        """Return the program with books to learn from: its games tell enough of moves."""
        return self.with_books(words)

    def book_arms(self, games: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return our arms and the opponent's in learning games with these numbers.

        A seed plays unrelated moves as either colour, so both have the same.
        """
        return games, games
