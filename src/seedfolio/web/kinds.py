"""The three kinds of games on the page: ordinary ones, blind series, and games of teaching."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.opponent import Opponent
from seedfolio.opponents.seat import Seat
from seedfolio.people.blind.answer_times import AnswerTimes
from seedfolio.people.blind.series import Series
from seedfolio.people.blind.trial import BlindTable, BlindTrial
from seedfolio.people.person_table import PersonTable
from seedfolio.people.pupil import Pupil
from seedfolio.people.store import PeopleGames, PersonGame, person_name
from seedfolio.players.program import Program
from seedfolio.web.guard import PageError
from seedfolio.web.opponents import OpponentChoice, Opponents
from seedfolio.web.sittings import BLIND, PLAY, TEACH, Sitting, Sittings
from seedfolio.web.tables import TableKind

TEACH_NAME = "people.teach"
"""In the folder of the page; `seedfolio teach` has the same name there."""


@dataclass(frozen=True)
class PlayedTable(PersonTable):
    """A visitor in an ordinary game, against any program."""

    games: PeopleGames
    name: str
    """The sitting."""
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
        """Return the game of the sitting, which has no other."""
        game = super().last()
        if game is None:
            raise PageError(404, "This game is no longer in the file. Begin another.")
        return game

    def arm(self, game: PersonGame) -> Seat:
        """Return the arm that is drawn for a game."""
        return self._loaded.draw(1 - game.colour, game.luck)

    @property
    def _loaded(self) -> Opponent:
        if self.opponent is None:
            raise PageError(409, "The program is being loaded. Try again in a moment.", 2.0)
        return self.opponent


class PlayedGames(TableKind):
    """Ordinary games. A game whose program fails stops."""

    def __init__(self, sittings: Sittings, opponents: Opponents) -> None:
        super().__init__(sittings, opponents)
        self._games = PeopleGames(sittings.file)

    def begin(
        self,
        visitor: str,
        choice: OpponentChoice,
        colour: int,
        key: int | None = None,
        history: tuple[int, ...] = (),
    ) -> Sitting:
        """Begin a game and return its sitting; PageError if the visitor has too many.

        `history` are moves that were played before, in another game.
        """
        drawn = secrets.randbits(64) if key is None else key
        with self._sittings.file.transaction():
            sitting = self._sittings.add(visitor, PLAY, choice)
            self._sittings.play(sitting)
            game = self._games.begin(choice.text, sitting.id, PersonGame(0, colour, None, drawn))
            if history:
                self._games.keep(game, history)
        return sitting

    def table(self, sitting: Sitting) -> PlayedTable:
        """Return the table of a sitting."""
        opponent = self._opponents.ready(sitting.choice)
        return PlayedTable(self._games, sitting.id, sitting.choice, opponent)

    def failed(self, choice: OpponentChoice, sitting: Sitting | None, text: str) -> None:
        """Stop a game that is in play; a finished one is shown without its program."""
        if sitting is None or not self._stop(sitting, text):
            super().failed(choice, sitting, text)

    def stuck(self, sitting: Sitting, text: str) -> None:
        """Stop a game."""
        self._stop(sitting, text)

    def _stop(self, sitting: Sitting, text: str) -> bool:
        game = self.table(sitting).going_on()
        if game is None:
            return False
        self._games.keep(game, game.history, "stopped", None, text)
        self._sittings.end(sitting)
        return True


class TaughtGames(TableKind):
    """Games against programs that learn what a person loses to."""

    def __init__(self, sittings: Sittings, opponents: Opponents) -> None:
        super().__init__(sittings, opponents)
        self._path = sittings.file.path.with_name(TEACH_NAME)
        self._games: PeopleGames | None = None

    def close(self) -> None:
        """Close the file."""
        if self._games is not None:
            self._games.close()

    def sit_down(self, visitor: str, choice: OpponentChoice, name: str) -> Sitting:
        """Return the sitting of a visitor under a name, an old one or a new one."""
        known = person_name(name)
        with self._sittings.file.transaction():
            for sitting in self._sittings.of(visitor, TEACH, most=-1):
                if (sitting.choice, sitting.name) == (choice, known):
                    return sitting
            return self._sittings.add(visitor, TEACH, choice, name=known)

    def table(self, sitting: Sitting) -> Pupil | None:
        """Return the person at a sitting; None as long as their program is not loaded."""
        self.check(sitting.choice)
        opponent = self._opponents.ready(sitting.choice)
        if opponent is None:
            return None
        if not isinstance(opponent.program, Program):
            raise PageError(400, "Only built-in programs teach.")
        with self._lock:
            if self._games is None:
                self._games = PeopleGames.open(self._path)
        return Pupil(opponent.program.single(), self._games, sitting.name)

    def begin(self, sitting: Sitting, colour: str) -> None:
        """Begin a game, unless one is in play; PageError if the visitor has too many."""
        pupil = self.pupil(sitting)
        with self._sittings.beginning(sitting):
            pupil.begin(colour)

    def pupil(self, sitting: Sitting) -> Pupil:
        """Return the person at a sitting; PageError as long as their program is not loaded."""
        pupil = self.table(sitting)
        if pupil is None:
            raise PageError(409, "The program is being loaded. Try again in a moment.", 2.0)
        return pupil


class BlindSeries(TableKind):
    """Series against a boosted program and its original; the sitting is the token of the series."""

    def __init__(self, sittings: Sittings, opponents: Opponents, times: AnswerTimes) -> None:
        super().__init__(sittings, opponents)
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

    def table(self, sitting: Sitting) -> BlindTable | None:
        """Return the visitor with their series; None if the trial is not loaded."""
        trial = self.ready(sitting.choice)
        if trial is None:
            return None
        try:
            return trial.table(trial.series(sitting.id))
        except SpecificationError:
            raise PageError(404, "There is no such series.") from None

    def begin(self, visitor: str, choice: OpponentChoice, games: int) -> Sitting:
        """Return the visitor's series that is not closed, or else a new one.

        One at a time: a visitor who begins many and leaves them would fill the result with losses.
        """
        sitting = self.going_on(visitor, choice)
        return sitting or self.add(visitor, choice, self.trial(choice).begin(games))

    def add(self, visitor: str, choice: OpponentChoice, series: Series) -> Sitting:
        """Keep whose series it is."""
        return self._sittings.add(visitor, BLIND, choice, identifier=series.token)

    def going_on(self, visitor: str, choice: OpponentChoice) -> Sitting | None:
        """Return the visitor's last series of a trial, if it is not closed."""
        trial = self.trial(choice)
        for sitting in self._sittings.of(visitor, BLIND, most=-1):
            if sitting.choice == choice:
                with suppress(SpecificationError):  # its file was deleted
                    return sitting if trial.series(sitting.id).closed is None else None
        return None

    def begin_game(self, sitting: Sitting) -> None:
        """Begin the next game of a series; PageError if the visitor has too many games."""
        trial = self.trial(sitting.choice)
        with self._sittings.beginning(sitting):
            trial.begin_game(sitting.id)

    def end(self, sitting: Sitting) -> None:
        """Close a series."""
        self.trial(sitting.choice).end(sitting.id)
        self._sittings.end(sitting)
        self._sittings.close(sitting)

    def guess(self, sitting: Sitting, guess: str) -> None:
        """Keep a guess; the last one closes the series."""
        trial = self.trial(sitting.choice)
        trial.guess(sitting.id, guess)
        if trial.series(sitting.id).closed is not None:
            self._sittings.close(sitting)

    @contextmanager
    def loading(self, choice: OpponentChoice) -> Iterator[None]:
        """Load a trial, if it is not."""
        if choice not in self._trials:
            boosted = self._opponents.load(choice)
            # One file a content: a portfolio that was learnt again is another trial.
            name = f"{self._opponents.title(choice)}-{choice.options[:8]}.blind"
            trial = BlindTrial(self._sittings.file.path.with_name(name), boosted)
            trial.prepare()
            self._trials[choice] = trial
        yield
