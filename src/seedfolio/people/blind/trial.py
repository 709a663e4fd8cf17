"""A blind trial: visitors play series against the original or the boosted program, not told which.

An abandoned game counts as lost for the visitor. A game is abandoned if it has begun and the series
is closed before it ends: because the visitor closes it, does nothing for a day, or has not finished
the series three days after its first game. Visitors do not know whom they play, so leaving for
reasons outside the game befalls both programs alike; and who leaves because of the game mostly
leaves a lost one. Leaving such games out would favour the program that wins its games sooner. A
game that has not begun does not count: nothing of it was seen. The result also shows success
without abandoned games.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.game_in_progress import PROGRAM, GameInProgress
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.opponents.seat import ResignedError, Seat
from seedfolio.people.blind.answer import Arms, answered
from seedfolio.people.blind.design import Assignment, SeriesPlan
from seedfolio.people.blind.result import BlindResult, CountedGame
from seedfolio.people.blind.series import GUESSES, BlindGames, Series
from seedfolio.people.person_table import PersonTable
from seedfolio.people.store import PersonGame
from seedfolio.study.identity import canonical

IDLE = 24 * 3600.0
"""Seconds after which a series is closed whose visitor does nothing."""
LONGEST = 3 * IDLE
"""Seconds after its first game in which a series is closed, whatever its visitor does: the result
waits for it."""


class BlindTrial:
    """A boosted program and its original, the games of visitors against both, and the result.

    >>> from seedfolio import BlindTrial, boost
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> trial = BlindTrial("a.blind", boosted.save_portfolios()["best-seed"])
    >>> series = trial.begin(games=4)
    >>> len(series.commitment)  # published now; the plan is revealed when the series is closed
    64
    >>> game = trial.answer(series.token, trial.begin_game(series.token))
    >>> ended = trial.resign(series.token)
    >>> trial.guess(series.token, "boosted")
    >>> closed = trial.end(series.token)
    >>> trial.reveal(series.token).commitment == series.commitment
    True
    >>> result = trial.result()
    >>> result.original.games + result.boosted.games
    1
    """

    def __init__(
        self,
        file: str | Path,
        boosted: AnyProgram,
        *,
        idle: float = IDLE,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Open the trial of a boosted program, or of its portfolio file, in `file`."""
        self.boosted = replace(load_opponent(boosted))  # whose engines nobody else closes
        if self.boosted.plays is None:
            raise SpecificationError(
                f"{self.boosted.title}, {self.boosted.name} is not boosted; a blind trial compares "
                "a boosted program with its original: name a portfolio"
            )
        self._original = self.boosted.original
        self._idle = idle
        self._games = BlindGames(file, self.identity, clock)

    @property
    def game(self) -> Game:
        """The rules."""
        return self.boosted.game

    @cached_property
    def identity(self) -> str:
        """What the games are tied to: game, player and portfolio."""
        program = {key: part for key, part in self.boosted.identity().items() if key != "name"}
        return canonical({**program, "learner": self.boosted.learner})

    def close(self) -> None:
        """Close the file, and end all engines."""
        self._games.close()
        for program in (self._original, self.boosted):
            program.close()

    def prepare(self) -> None:
        """Let both programs move once, so that no answer waits for what is compiled."""
        for colour in (0, 1):
            arms = self._arms(Assignment(0, 1 - colour, 0))
            now = GameInProgress(self.game, arms[0], 1 - colour)
            while now.turn not in (None, PROGRAM):
                history = (*now.history, now.position.moves[0])
                now = GameInProgress(self.game, now.arm, now.person, history)
            if now.turn == PROGRAM:
                for arm in arms:
                    arm.searched(now.history)
                    arm.close()

    def begin(self, games: int = 8) -> Series:
        """Begin a series with this number of games; its commitment may be published."""
        self._games.close_late(self._idle, LONGEST)
        trial = hashlib.sha256(self.identity.encode()).hexdigest()
        return self._games.add(SeriesPlan.draw(trial, games))

    def series(self, token: str) -> Series:
        """Return a series."""
        return self._games.find(token)

    def begin_game(self, token: str) -> PersonGame:
        """Begin the next game of a series, or return the one in play."""
        series = self._open(token)
        if series.current is not None:
            if series.current.ending is not None:
                raise SpecificationError("say first which program you take the last one for")
            return series.current
        if len(series.games) == series.length:  # version 0.2.0 was killed before it closed it
            raise SpecificationError("all games of this series are over; end the series")
        return self._games.begin_game(series)

    def table(self, series: Series) -> BlindTable:
        """Return the visitor of a series with their games."""
        return BlindTable(self, series, self._games, series.token)

    def in_progress(self, series: Series, game: PersonGame) -> GameInProgress:
        """Return a game as the visitor may see it; its arm is hidden behind a name for both."""
        return self.table(series).in_progress(game)

    def move(self, token: str, move: str) -> PersonGame:
        """Keep a move of the visitor."""
        series, game = self._playing(token)
        return self.table(series).move(game, move)

    def answer(self, token: str, game: PersonGame | None = None) -> PersonGame:
        """Let chance and the program move until it is the visitor's turn, or the game is over.

        The searches for it do not depend on the program (see `people.blind.answer`).
        """
        series, current = self._playing(token)
        if game is not None and game.history != current.history:
            raise SpecificationError("this game went on in another window; open it again")
        return self.table(series).answer(current)

    def resign(self, token: str) -> PersonGame:
        """End the game in play; it counts as lost."""
        series, game = self._playing(token)
        return self.table(series).resign(game)

    def guess(self, token: str, guess: str) -> None:
        """Keep which program the visitor takes the last one for, before anything is revealed.

        With the last game of the series, this closes the series.
        """
        if guess not in GUESSES:
            raise SpecificationError(f"`guess` must be one of {', '.join(GUESSES)}, not {guess!r}")
        series = self._open(token)
        if series.current is None or series.current.ending is None:
            raise SpecificationError("there is no game to guess about; finish one first")
        self._games.keep_guess(series, series.current, guess)

    def end(self, token: str) -> Series:
        """Close a series early; an unfinished game counts as lost, later ones do not count."""
        self._games.close_series(self._games.find(token))
        return self._games.find(token)

    def reveal(self, token: str) -> SeriesPlan:
        """Return the plan of a closed series, which has the published commitment."""
        series = self._games.find(token)
        if series.closed is None:
            raise SpecificationError("the plan is secret until the series is closed")
        return series.plan

    def result(self) -> BlindResult:
        """Return the result so far; look at it whenever you like.

        A series counts once it and all whose first game began before are closed. So neither who
        plays long nor who leaves early decides what is counted, and the result tells nothing about
        an open series.
        """
        self._games.close_late(self._idle, LONGEST)
        begun = [series for series in self._games.all() if series.games]
        everything = sorted(begun, key=lambda each: (each.games[0].begun or 0.0, each.number))
        still = next((k for k, each in enumerate(everything) if each.closed is None), None)
        counted = everything if still is None else everything[:still]
        games = [self._counted(series, game) for series in counted for game in series.games]
        title = f"{self.game.title}: {self.boosted.name}"
        return BlindResult(title, tuple(games), len(counted), len(everything) - len(counted))

    def _counted(self, series: Series, game: PersonGame) -> CountedGame:
        assignment = series.assignment(game)
        names = tuple(self.game.move_name(move) for move in game.history)
        arm = self._arms(assignment)[assignment.program].number
        number = series.number_of(game)
        return CountedGame(series.number, number, game, assignment, arm, names)

    def _arms(self, assignment: Assignment) -> Arms:
        """Return the arms of the original and of the boosted program for a game."""
        colour = 1 - assignment.colour
        programs = self._original, self.boosted
        original, boosted = (each.draw(colour, assignment.key) for each in programs)
        return original, boosted

    def _open(self, token: str) -> Series:
        series = self._games.find(token)
        if series.closed is not None:
            raise SpecificationError("this series is closed")
        return series

    def _playing(self, token: str) -> tuple[Series, PersonGame]:
        series = self._open(token)
        if series.current is None or series.current.ending is not None:
            raise SpecificationError("no game of this series is being played")
        return series, series.current


@dataclass(frozen=True)
class BlindTable(PersonTable):
    """A visitor with a series: both programs work for each answer, and one of them plays."""

    trial: BlindTrial
    series: Series
    games: BlindGames
    name: str
    """The token of the series."""

    @property
    def game(self) -> Game:
        """The rules."""
        return self.trial.game

    @property
    def identity(self) -> str:
        """The trial."""
        return self.trial.identity

    def last(self) -> PersonGame | None:
        """Return the game that is played or waits for a guess."""
        return self.series.current

    def arm(self, game: PersonGame) -> Seat:
        """Return the arm of a game, behind a name that is the same for both programs."""
        assignment = self.series.assignment(game)
        return self.trial._arms(assignment)[assignment.program].named("the program")

    def answer(self, game: PersonGame) -> PersonGame:
        """Let chance and the program move; the searches do not depend on the program."""
        assignment, before = self.series.assignment(game), self.in_progress(game)
        try:
            now = answered(before, self.trial._arms(assignment), assignment.program)
        except ResignedError:
            return self.resigned(game)
        return game if now is before else self.after(game, now)
