"""The interface of a built-in player: a randomized program that a seed makes deterministic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Brief
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game


@dataclass(frozen=True)
class Outlook:
    """What a player thinks of a position, for the mover."""

    centipawns: int = 0
    """400 is ten times as likely to win as to lose, -400 the opposite."""
    mate: int | None = None
    """In how many moves of the mover it wins, or as a negative number loses; None: unknown."""
    depth: int | None = None
    """How deep it has looked."""

    @classmethod
    def of_success(cls, success: float) -> Outlook:
        """Return the outlook for a success from 0 to 1.

        >>> Outlook.of_success(10 / 11).centipawns
        400
        """
        inside = min(max(success, 0.001), 0.999)
        return cls(round(400 * math.log10(inside / (1 - inside))))

    def turned(self) -> Outlook:
        """Return the outlook of the other side."""
        mate = None if self.mate is None else -self.mate
        return Outlook(-self.centipawns, mate, self.depth)


class Thought(NamedTuple):
    """What a player thinks of a move, for the mover."""

    move: int
    visits: int
    """How many simulations tried it."""
    success: float
    """Their mean, from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Traits:
    """What learning and evaluation must know of a program besides its arms and its book."""

    slow: bool = False
    """Whether games take so long that evaluation uses few of them."""
    keeps_games: bool = False
    """Whether the study keeps each game with its moves."""
    one_sided: bool = False
    """Whether it is judged as first player only: as a seat against the others."""
    colours_apart: bool = False
    """Whether an arm as first player has nothing to do with the same arm as second player."""
    symmetries: int = 0
    """How many symmetries its board has, without the identity."""
    hides: bool = False
    """Whether its game has hidden information."""
    begins_elsewhere: bool = False
    """Whether its games begin with given openings."""
    designed: bool = False
    """Whether arms are options that somebody has chosen, not draws of a seed.

    So is a mixture with an opponent that always plays alike."""
    noisy: bool = False
    """Whether the same arms play other games each time, as with a clock or several threads."""
    searchable: bool = False
    """Whether a best response to its arms can be computed exactly."""


@dataclass(frozen=True)
class ArmSupply:
    """How many arms a program has."""

    training: int
    """To learn from."""
    unseen: int
    """To evaluate with."""
    finite: bool
    """Whether they are a finite list: then evaluation meets the same arms again."""
    usual_sizes: tuple[int, int, int]
    """K, Kt and the number of opponents, unless the user gives others."""


@dataclass(frozen=True)
class BookTraits:
    """Whether and how a program plays a book."""

    possible: bool
    """Whether a book can be learnt for it."""
    pays_from: int
    """With how many games or more `auto` learns a book in place of arms."""
    turned: bool
    """Whether books are played under random symmetries of the board."""


@dataclass(frozen=True, repr=False)
class Bound(Brief):
    """A player bound to a game, ready to compile.

    `Player` shows how to make one. That of a built-in player:

    >>> from seedfolio import load_game, load_player
    >>> bound = load_player("uct:simulations=5").bind(load_game("domineering:4x4"))
    >>> int(bound.knobs[0])
    5
    """

    choose: Callable[..., Any]
    """choose(view, seed, moment, knobs, workspace): the move, which depends on nothing else.

    Compiled; all arithmetic is on integers. `view` is what the mover may know. `moment` is
    (colour, turn, history, luck): the mover's colour, the number of events it has noticed, their
    hash, and random bits of this game for stochastic players. The other players take all
    randomness from (seed, colour, turn)."""
    again: Callable[..., Any]
    """again(view, seed, moment, knobs, workspace): the next try after a refusal. It is called right
    after `choose` or `again` of the same turn. The workspace is as they left it, except its first
    `max_moves` entries."""
    knobs: NDArray[np.int64]
    """The parameters as `choose` reads them. Other values need no new compilation."""
    workspace: int
    """The size of the scratch space for one game, in numbers."""
    largest: int = 2**31 - 1
    """No number in the workspace is larger than this or the largest move."""
    lanes_knob: int | None = None
    """The index of the knob with the number of lanes that share a game's work (see core.lanes). It
    is 1 unless an arena changes it. None: one thread plays a game."""
    outlook: Callable[[NDArray[np.int32], int], Outlook] | None = None
    """outlook(workspace, moves): what the last `choose` thought, from the workspace as it left it
    and the number of legal moves. Python, not compiled. None: it does not tell."""
    thoughts: Callable[[NDArray[np.int32]], list[Thought]] | None = None
    """thoughts(workspace): the moves that the last `choose` tried, from the workspace as it left
    it. Python, not compiled. None: it does not tell."""
    stop: int | None = None
    """Another thread ends a search if it writes 1 to this place in the workspace, and again until
    the search has ended: the search may just have begun, and set it to 0. The move is then that of
    a search that thinks less. None: searches do not end early."""

    def _summary(self) -> str:
        return f"{len(self.knobs)} knobs, workspace of {self.workspace:,}"


class Player(Protocol):
    """A player with its parameters chosen.

    >>> import numpy as np
    >>> from seedfolio import Bound, below, compiled, load_program, move_key, replay
    >>> class AnyMove:
    ...     name = text = "any-move"
    ...     version, parameters, stochastic, thinking = 1, {}, False, None
    ...
    ...     def bind(self, game):
    ...         moves = game.functions["moves"]
    ...
    ...         @compiled
    ...         def choose(view, seed, moment, knobs, workspace):
    ...             count = moves(view, workspace, 0)
    ...             return workspace[below(move_key(seed, moment[0], moment[1]), 0, count)]
    ...
    ...         return Bound(choose, choose, np.zeros(1, np.int64), game.rules.max_moves)
    >>> program = load_program("domineering:4x4", AnyMove())
    >>> replay(program, 195, 93).moves
    ['a1a2', 'c2d2', 'd3d4', 'b3c3', 'b1b2', 'b4c4', 'a3a4', 'c1d1']
    """

    @property
    def name(self) -> str:
        """The name of the kind of player: `uct`."""
        ...

    @property
    def version(self) -> int:
        """It increases whenever a seed plays a different move than before in any position."""
        ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, as JSON values."""
        ...

    @property
    def text(self) -> str:
        """The short form that `load_player` takes: `uct:simulations=100`."""
        ...

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seed is fixed."""
        ...

    @property
    def thinking(self) -> str | None:
        """The parameter to multiply for more thinking: `simulations`. None, or left out: none."""
        ...

    def bind(self, game: Game) -> Bound:
        """Return this player for one game; SpecificationError if it cannot play it."""
        ...


def check_between(player: str, name: str, value: int | Decimal, least: int, most: int) -> None:
    """Raise SpecificationError unless a parameter is in its range."""
    if not (Decimal(value).is_finite() and least <= value <= most):
        raise SpecificationError(f"{player}: {name}={value} is not between {least} and {most}")


def plain_number(number: Decimal) -> str:
    """Return a number as text: one spelling for 0.5 and 0.50, 10 and 1e1, 0 and -0."""
    return f"{abs(number).normalize():f}"


def check_open(game: Game, player: str) -> None:
    """Raise SpecificationError if a game has hidden information or chance."""
    rules = game.rules
    if rules.hides or rules.chance:
        lack = "hidden information" if rules.hides else "chance"
        raise SpecificationError(
            f"{player} does not play {game.title}: it cannot handle {lack}; use flat"
        )


def check_plain(game: Game, player: str) -> None:
    """Raise SpecificationError unless a game is for two, and of wins, draws and losses."""
    if game.rules.seats > 2 or game.rules.scale != 2:
        what = "more than two players" if game.rules.seats > 2 else "payoffs"
        raise SpecificationError(
            f"{player} does not play {game.title}: it cannot handle {what}; use uct or flat"
        )


def identity(player: Player, game: Game | None = None) -> dict[str, Any]:
    """What results are tied to: the player's name, version and parameters."""
    version = player.version
    if game is not None and game.rules.repetition is not None:
        version = getattr(player, "version_with_repetition", version)
    in_game = getattr(player, "parameters_in", None)  # of several players as one
    parameters = player.parameters if in_game is None else in_game(game)
    return {"name": player.name, "version": version, "parameters": dict(parameters)}
