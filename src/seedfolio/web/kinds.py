"""The three kinds of games on the page: ordinary ones, blind series, and games of teaching."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.opponent import Opponent
from seedfolio.opponents.seat import Seat as Arm
from seedfolio.people.blind.answer_times import AnswerTimes
from seedfolio.people.blind.series import Series
from seedfolio.people.blind.trial import BlindTable, BlindTrial
from seedfolio.people.pupil import Pupil
from seedfolio.people.store import PeopleGames, PersonGame, person_name
from seedfolio.people.table import Table
from seedfolio.players.program import Program
from seedfolio.web.guard import PageError
from seedfolio.web.opponents import OpponentChoice, Opponents
from seedfolio.web.seats import BLIND, PLAY, TEACH, Seat, Seats
from seedfolio.web.tables import TableKind

TEACH_NAME = "people.teach"
"""In the folder of the page; `seedfolio teach` has the same name there."""
_log = logging.getLogger("seedfolio.web")


@dataclass(frozen=True)
class PlayedTable(Table):
    """A visitor in an ordinary game, against any program."""

    games: PeopleGames
    name: str
    """The seat."""
    choice: OpponentChoice
    opponent: Opponent | None
    """None as long as it is not loaded."""

    @property
    def identity(self) -> str:
        """What the visitor chose."""
        return self.choice.text

    @property
    def ready(self) -> bool:
        """Whether the program is loaded."""
        return self.opponent is not None

    @property
    def game(self) -> Game:
        """The rules."""
        return self._loaded.game

    def last(self) -> PersonGame:
        """Return the game of the seat, which has no other."""
        game = super().last()
        if game is None:
            raise PageError(404, "This game is no longer in the file. Begin another.")
        return game

    def arm(self, game: PersonGame) -> Arm:
        """Return the arm that is drawn for a game."""
        return self._loaded.draw(1 - game.colour, game.luck)

    @property
    def _loaded(self) -> Opponent:
        if self.opponent is None:
            raise PageError(409, "The program is being loaded. Try again in a moment.", 2.0)
        return self.opponent


class PlayedGames(TableKind):
    """Ordinary games. A game whose program fails stops."""

    def __init__(self, seats: Seats, opponents: Opponents) -> None:
        super().__init__(seats, opponents)
        self._games = PeopleGames(seats.file)

    def begin(
        self, visitor: str, choice: OpponentChoice, colour: int, key: int | None = None
    ) -> Seat:
        """Begin a game and return its seat; PageError if the visitor has too many."""
        drawn = secrets.randbits(64) if key is None else key
        with self._seats.file.transaction():
            seat = self._seats.add(visitor, PLAY, choice)
            self._seats.play(seat)
            self._games.begin(choice.text, seat.id, PersonGame(0, colour, None, drawn))
        return seat

    def table(self, seat: Seat) -> PlayedTable:
        """Return the table of a seat."""
        opponent = self._opponents.ready(seat.choice)
        return PlayedTable(self._games, seat.id, seat.choice, opponent)

    def failed(self, choice: OpponentChoice, seat: Seat | None, text: str) -> None:
        """Stop a game."""
        game = None if seat is None else self.table(seat).going_on()
        if seat is not None and game is not None:
            self._games.keep(game, game.history, "stopped", None, text)
            self._seats.end(seat)


class TaughtGames(TableKind):
    """Games against programs that learn what a person loses to."""

    def __init__(self, seats: Seats, opponents: Opponents) -> None:
        super().__init__(seats, opponents)
        self._path = seats.file.path.with_name(TEACH_NAME)
        self._games: PeopleGames | None = None

    def close(self) -> None:
        """Close the file."""
        if self._games is not None:
            self._games.close()

    def sit_down(self, visitor: str, choice: OpponentChoice, name: str) -> Seat:
        """Return the seat of a visitor under a name, an old one or a new one."""
        known = person_name(name)
        with self._seats.file.transaction():
            for seat in self._seats.of(visitor, TEACH, most=-1):
                if (seat.choice, seat.name) == (choice, known):
                    return seat
            return self._seats.add(visitor, TEACH, choice, name=known)

    def table(self, seat: Seat) -> Pupil | None:
        """Return the person at a seat; None as long as their program is not loaded."""
        self.check(seat.choice)
        opponent = self._opponents.ready(seat.choice)
        if opponent is None:
            return None
        if not isinstance(opponent.program, Program):
            raise PageError(400, "Only built-in programs teach.")
        with self._lock:
            if self._games is None:
                self._games = PeopleGames.open(self._path)
        return Pupil(opponent.program.single(), self._games, seat.name)

    def begin(self, seat: Seat, colour: str) -> None:
        """Begin a game, unless one is in play; PageError if the visitor has too many."""
        pupil = self.pupil(seat)
        with self._seats.beginning(seat):
            pupil.begin(colour)

    def pupil(self, seat: Seat) -> Pupil:
        """Return the person at a seat; PageError as long as their program is not loaded."""
        pupil = self.table(seat)
        if pupil is None:
            raise PageError(409, "The program is being loaded. Try again in a moment.", 2.0)
        return pupil


class BlindSeries(TableKind):
    """Series against a boosted program and its original; the seat is the token of the series."""

    def __init__(self, seats: Seats, opponents: Opponents, times: AnswerTimes) -> None:
        super().__init__(seats, opponents)
        self.times = times
        self._trials: dict[OpponentChoice, BlindTrial] = {}

    def close(self) -> None:
        """Close the files of all trials."""
        for trial in self._trials.values():
            trial.close()

    def ready(self, choice: OpponentChoice) -> BlindTrial | None:
        """Return a trial; None if it is not loaded. PageError if loading fails."""
        self.check(choice)
        return self._trials.get(choice)

    def trial(self, choice: OpponentChoice) -> BlindTrial:
        """Return a trial; PageError if it is not loaded."""
        trial = self.ready(choice)
        if trial is None:
            raise PageError(409, "The programs are being loaded. Try again in a moment.")
        return trial

    def table(self, seat: Seat) -> BlindTable | None:
        """Return the visitor with their series; None if the trial is not loaded."""
        trial = self.ready(seat.choice)
        if trial is None:
            return None
        try:
            return trial.table(trial.series(seat.id))
        except SpecificationError:
            raise PageError(404, "There is no such series.") from None

    def begin(self, visitor: str, choice: OpponentChoice, games: int) -> Seat:
        """Return the visitor's series that is not closed, or else a new one.

        One at a time: a visitor who begins many and leaves them would fill the result with losses.
        """
        seat = self.going_on(visitor, choice)
        return seat or self.add(visitor, choice, self.trial(choice).begin(games))

    def add(self, visitor: str, choice: OpponentChoice, series: Series) -> Seat:
        """Keep whose series it is."""
        return self._seats.add(visitor, BLIND, choice, identifier=series.token)

    def going_on(self, visitor: str, choice: OpponentChoice) -> Seat | None:
        """Return the visitor's last series of a trial, if it is not closed."""
        trial = self.trial(choice)
        for seat in self._seats.of(visitor, BLIND, most=-1):
            if seat.choice == choice:
                with suppress(SpecificationError):  # its file was deleted
                    return seat if trial.series(seat.id).closed is None else None
        return None

    def begin_game(self, seat: Seat) -> None:
        """Begin the next game of a series; PageError if the visitor has too many games."""
        trial = self.trial(seat.choice)
        with self._seats.beginning(seat):
            trial.begin_game(seat.id)

    def end(self, seat: Seat) -> None:
        """Close a series."""
        self.trial(seat.choice).end(seat.id)
        self._seats.end(seat)

    @contextmanager
    def loading(self, choice: OpponentChoice) -> Iterator[None]:
        """Load a trial, if it is not."""
        if choice not in self._trials:
            boosted = self._opponents.load(choice)
            if boosted.is_engine:
                raise PageError(400, "Blind games are for built-in programs.")
            # One file a content: a portfolio that was learnt again is another trial.
            name = f"{self._opponents.title(choice)}-{choice.options[:8]}.blind"
            trial = BlindTrial(self._seats.file.path.with_name(name), boosted)
            trial.prepare()
            self._trials[choice] = trial
        yield

    def failed(self, choice: OpponentChoice, seat: Seat | None, text: str) -> None:
        """Remember why a trial cannot be loaded; a failure in a game must not show who plays."""
        if seat is None:
            super().failed(choice, seat, text)
        else:
            _log.warning("no answer in a blind game: %s", text)
