"""A person at a table with a program: one game at a time, each move kept before the next.

Ordinary games of the page, games of teaching and blind games differ in who answers, and in what the
file keeps beside the moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.game_in_progress import GameInProgress
from seedfolio.opponents.seat import ResignedError, Seat
from seedfolio.people.store import Ending, PeopleGames, PersonGame


class PersonTable(ABC):
    """A person, a program, and the file that keeps their games."""

    games: PeopleGames
    name: str
    """Of the person, in the file."""

    @property
    def ready(self) -> bool:
        """Whether the program is loaded."""
        return True

    @property
    @abstractmethod
    def game(self) -> Game:
        """The rules."""

    @property
    @abstractmethod
    def identity(self) -> str:
        """The program, in the file."""

    @abstractmethod
    def arm(self, game: PersonGame) -> Seat:
        """Return who answers in a game."""

    def going_on(self) -> PersonGame | None:
        """Return the game that the person has not finished."""
        return self.games.going_on(self.identity, self.name)

    def last(self) -> PersonGame | None:
        """Return the last game, finished or not."""
        return self.games.last(self.identity, self.name)

    def in_progress(self, game: PersonGame) -> GameInProgress:
        """Return a game with the arm that plays it; StudyError if its moves are not legal."""
        now = GameInProgress(self.game, self.arm(game), game.colour, game.history)
        try:
            _ = now.position
        except SpecificationError as error:
            raise self.games.damaged(game, error) from error
        return now

    def move(self, game: PersonGame, move: str) -> PersonGame:
        """Keep a move of the person; SpecificationError if it is not legal, or not their turn."""
        if game.ending is not None:
            raise SpecificationError("this game is over")
        return self.after(game, self.in_progress(game).play(move))

    def answer(self, game: PersonGame) -> PersonGame:
        """Let chance and the program move until it is the person's turn, or the game is over."""
        if game.ending is not None:
            return game
        try:
            for now in self.in_progress(game).answers():
                game = self.after(game, now)
        except ResignedError:
            return self.resigned(game)
        return game

    def resigned(self, game: PersonGame) -> PersonGame:
        """End a game that the program gives up; the person has won."""
        return self.games.keep(game, game.history, "resigned", 2)

    def resign(self, game: PersonGame) -> PersonGame:
        """End a game that the person gives up; it counts as lost."""
        return self.games.keep(game, game.history, "resigned", 0)

    def after(self, game: PersonGame, now: GameInProgress) -> PersonGame:
        """Keep the moves of a game, and its result if it is over."""
        ending: Ending | None = None if now.half_points is None else "played"
        return self.games.keep(game, now.history, ending, now.half_points)
