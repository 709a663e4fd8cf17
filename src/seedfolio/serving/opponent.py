"""Programs as opponents: the original or the boosted program, one game at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from seedfolio.core.display import Displayed
from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import FIRST_PLAY_SEED, PLAY_SEEDS, name_of_arm
from seedfolio.games.game import Game
from seedfolio.players.program import Program, beginning_at
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.portfolio import Distribution, Portfolio

if TYPE_CHECKING:
    from rich.table import Table

_LUCK = 2
"""The part of a game's key after those of the two colours."""


@dataclass(frozen=True)
class ArmInPlay:
    """One arm for one game: a deterministic player, and the chance of the game."""

    program: Program
    number: int
    """The number of the arm: its seed, plus that of a symmetry in the upper bits."""
    luck: int = 0
    """64 random bits, for chance in the rules and for players with more randomness."""

    @property
    def name(self) -> str:
        """What people call the arm."""
        return name_of_arm(self.number)

    def choose(self, history: Sequence[int]) -> int:
        """Return the move after `history`, all moves so far, tries and chance included.

        The player sees only its own view of them.
        """
        return self.program.choose(history, self.number, self.luck)

    def is_in_book(self, history: Sequence[int]) -> bool:
        """Tell whether the move after `history` is from the program's book."""
        return self.program.choose_noting(history, self.number, self.luck)[1]

    def draw_chance(self, history: Sequence[int]) -> int:
        """Return the outcome of the chance move after `history` in this game."""
        return self.program.game.draw_outcome(history, self.luck)


class Opponent(Protocol):
    """A program that draws an arm at the start of each game."""

    @property
    def program(self) -> Program:
        """The game and the player, without what was learnt."""
        ...

    @property
    def playing(self) -> Program:
        """The program as it plays: with its books, where there are any."""
        ...

    @property
    def name(self) -> str:
        """The name on screen."""
        ...

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` (64 random bits) draws for a game as `colour`."""
        ...

    def beginning_at(self, game: Game) -> Opponent:
        """Return the opponent for a game that differs in its start alone."""
        ...


@dataclass(frozen=True, repr=False)
class Original(Displayed):
    """The original program: a fresh seed each game.

    >>> from seedfolio import Original, load_program
    >>> original = Original(load_program("domineering:4x4", "uct:simulations=5"))
    >>> arm = original.new_game(colour=0, key=2026)
    >>> original.program.game.move_name(arm.choose([]))
    'd3d4'
    """

    program: Program

    @property
    def playing(self) -> Program:
        """The program as it plays: as it is."""
        return self.program

    @property
    def name(self) -> str:
        """The name on screen."""
        return f"original {self.program.player.text}"

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` draws from seeds that no study plays."""
        return ArmInPlay(self.program, _fresh_seed(key, colour), _part(key, _LUCK))

    def beginning_at(self, game: Game) -> Original:
        """Return the original for a game that differs in its start alone."""
        return Original(beginning_at(self.program, game))

    def _summary(self) -> str:
        return f"{self.program.game.title}: {self.name}"

    def _parts(self) -> list[str]:
        return [f"{self.program.game.title}: {self.name}, a fresh seed each game"]

    def _records(self) -> list[dict[str, Any]]:
        return [{"game": self.program.game.text, "player": self.program.player.text}]


@dataclass(frozen=True, repr=False)
class Boosted(Displayed):
    """The boosted program: it draws arms from a portfolio.

    >>> from seedfolio import boost, load_boosted
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> program = load_boosted(boosted.save_portfolios()["best-seed"])
    >>> arm = program.new_game(colour=0, key=2026)
    >>> arm.name
    'seed 7'
    >>> program.program.game.move_name(arm.choose([]))
    'b3b4'
    >>> program.original.name
    'original uct:simulations=5'
    """

    program: Program
    """Without what was learnt."""
    plays: Portfolio | BookPortfolio
    learner: str

    @property
    def original(self) -> Original:
        """The program without what was learnt, as an opponent."""
        return Original(self.program)

    @cached_property
    def playing(self) -> Program:
        """The program as it plays: with its books, where there are any."""
        return self.plays.played_by(self.program)

    @property
    def name(self) -> str:
        """The name on screen."""
        return f"boosted {self.program.player.text} ({self.learner})"

    def new_game(self, colour: int, key: int) -> ArmInPlay:
        """Return the arm that `key` draws: from the portfolio of that colour, or a fresh seed."""
        drawn, own = self.plays.distributions, _part(key, colour)
        arm = _fresh_seed(key, colour) if drawn is None else drawn[colour].draw(own)
        return ArmInPlay(self.playing, arm, _part(key, _LUCK))

    def beginning_at(self, game: Game) -> Opponent:
        """Return the program for a game with another start, where it has no book."""
        if (program := beginning_at(self.program, game)) is self.program:
            return self
        has_book = self.plays.distributions is None
        return Original(program) if has_book else replace(self, program=program)

    def _summary(self) -> str:
        return f"{self.program.game.title}: {self.name}"

    def _parts(self) -> list[Table | str]:
        from seedfolio.portfolios.shown import arms_table

        if self.plays.distributions is None:
            return [f"{self._summary()}, with a book; where it ends, a fresh seed each game"]
        first, second = self._drawn()
        return [self._summary(), arms_table(_weights(first), _weights(second), {})]

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each arm, or the number of entries of a book."""
        colours = ("first", "second")
        if self.plays.distributions is None:
            return [{"colour": colours[k], "entries": self.plays.sizes[k]} for k in (0, 1)]
        return [
            {"colour": name, "arm": arm, "weight": weight}
            for name, each in zip(colours, self._drawn(), strict=True)
            for arm, weight in _weights(each).items()
        ]

    def _drawn(self) -> tuple[Distribution, Distribution]:
        drawn = self.plays.distributions
        assert drawn is not None, "asked only where there is no book"
        return drawn[0], drawn[1]


def _weights(drawn: Distribution) -> dict[int, float]:
    return dict(zip(drawn.arms, drawn.weights, strict=True))


def _fresh_seed(key: int, colour: int) -> int:
    return FIRST_PLAY_SEED + _part(key, colour) % PLAY_SEEDS


def _part(key: int, number: int) -> int:
    """Return a separate key for each colour and for chance, so that they are independent."""
    return mix_int(mix_int(key) + number)
