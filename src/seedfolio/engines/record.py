"""A finished game as one value: of a study, of a match, of two arms, with a person.

It is here because engines are the lowest to make one. Studies, matches, the terminal and the page
make, keep and show it; `report.records` writes it to files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from seedfolio.engines.endings import FORFEITS, Ending
from seedfolio.engines.play.book_side import Proposal, Trail
from seedfolio.games.game import Game, half_points_of

NO_ARM = -1
"""In place of the number of an arm: a person, or unknown."""


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One finished game, or one that a person has left."""

    players: tuple[str, str] = ("", "")
    """The names of the first and the second player, where a file or a person asks for them."""
    arms: tuple[int, int] = (NO_ARM, NO_ARM)
    """The numbers of their arms."""
    number: int = 0
    """Which game of its cell or of its match, from 0."""
    moves: tuple[str, ...]
    """By name: refused tries and outcomes of chance are moves, too."""
    points: int
    """Half points of the first player; without meaning unless the game is `decided`."""
    ending: Ending = Ending.NORMAL
    detail: str = ""
    """What went wrong, in one line; of a normal game its score in Go, or why the rules end it."""
    late: str = ""
    """Which answer came too late, if the game was played once before: it does not count then, as
    this machine may have been busy."""
    asked: int = 0
    """The number of moves that engines computed, repeated ones included."""
    seconds: float = 0.0
    books: int | None = None
    """With books: a hash of them."""
    left: tuple[Trail, Trail] | None = None
    """With books: where each colour left them."""
    proposed: tuple[Proposal, ...] = ()
    """What arms would have played in place of their books, if they were asked."""
    scores: tuple[str, ...] = ()
    """With adjudication: what the mover said of its position with each move; not kept."""
    notes: tuple[str, ...] = ()
    """If asked for: what the mover said of each move, and how long it took: `+0.35/12 0.104s`."""

    @classmethod
    def of(
        cls,
        game: Game,
        history: Sequence[int],
        players: tuple[str, str] = ("", ""),
        arms: tuple[int, int] = (NO_ARM, NO_ARM),
        *,
        resigned: int | None = None,
    ) -> Self:
        """Return the record of a game of Seedfolio after `history`.

        `resigned` is the colour that has resigned, if one has.
        """
        position = game.position(history)
        if resigned is not None:
            ending, points = Ending.RESIGNATION, 2 * resigned
        elif position.score is None:
            ending, points = Ending.UNFINISHED, 1
        else:
            ending, points = Ending.NORMAL, half_points_of(game.rules, position.score)
        return cls(
            players=players,
            arms=arms,
            moves=tuple(game.move_name(move) for move in history),
            points=points,
            ending=ending,
            detail=position.ending,
        )

    @property
    def decided(self) -> bool:
        """Whether the game has a result."""
        return self.ending not in (Ending.VOID, Ending.UNFINISHED)

    @property
    def result(self) -> str:
        """The result as PGN writes it: 1-0 if the first player won, * if there is none."""
        return ("0-1", "1/2-1/2", "1-0")[self.points] if self.decided else "*"

    @property
    def forfeited(self) -> bool:
        """Whether the loser lost by a fault, not on the board."""
        return self.ending in FORFEITS
