"""A game in progress between a person and a program, as a value: in the terminal and on the page.

All that a person sees comes from what their colour notices, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from seedfolio.engines.record import NO_ARM, GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.games.board import PASS
from seedfolio.games.game import Game, Information, Position, half_points_of
from seedfolio.games.rules import CHANCE, Rules
from seedfolio.opponents.seat import Seat

PERSON, PROGRAM, LUCK = "you", "program", "chance"
"""Who has moved, or is to move."""


@dataclass(frozen=True)
class Notice:
    """What the person notices of one move."""

    by: str
    """PERSON, PROGRAM or LUCK."""
    text: str
    move: str = ""
    """The move, where the person knows it."""


def result_of(rules: Rules, points: int) -> str:
    """Return in words what the points of a person mean at the end of a game."""
    half = half_points_of(rules, points)
    if rules.par is None or half == 1:
        several = "You lose.", "You share the win.", "You win."
        two = "The program wins.", "A draw.", "You win."
        return (several if rules.seats > 2 and rules.par is None else two)[half]
    return f"You win {points - rules.par}." if half else f"You lose {rules.par - points}."


def with_ending(result: str, ending: str) -> str:
    """Return the result and how the game ended, if its rules tell: You win. Checkmate."""
    return f"{result} {ending[:1].upper()}{ending[1:]}." if ending else result


@dataclass(frozen=True)
class GameInProgress:
    """One game of a person against an arm, after the moves of `history`."""

    game: Game
    arm: Seat
    person: int
    """The colour of the person."""
    history: tuple[int, ...] = ()
    """All moves, refused tries and outcomes of chance included."""

    @property
    def table(self) -> Game:
        """The game with all its players: `game` is perhaps that of one seat against the others."""
        return self.game.whole or self.game

    @property
    def me(self) -> int:
        """The colour or seat of the person at the table.

        Who plays against a seat has the first of the other seats, and the program has the rest.
        """
        if self.game.seat is None:
            return self.person
        return self.game.seat if self.person == 0 else int(self.game.seat == 0)

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the person's side and of the program's."""
        names = self.game.rules.board.colours
        if self.game.seat is None:
            return names[self.person], names[1 - self.person]
        others = "all other seats" if self.person == 0 else f"{names[0]}, and plays the rest"
        return f"seat {self.me + 1}", others

    @cached_property
    def position(self) -> Position:
        """The position, with all that is hidden."""
        return self.table.position(self.history)

    @cached_property
    def seen(self) -> Information:
        """What the person knows."""
        return self.table.information(self.history, self.me)

    @property
    def turn(self) -> str | None:
        """Who is to move: PERSON, PROGRAM or LUCK; None when the game is over."""
        if not self.position.moves:
            return None
        if self.position.mover == CHANCE:
            return LUCK
        return PERSON if self.position.mover == self.me else PROGRAM

    @property
    def can_undo(self) -> bool:
        """Whether undo reveals nothing that is hidden from a player: a stone, a die."""
        return not self.game.rules.hides and not self.game.rules.chance

    @property
    def points(self) -> int | None:
        """The points of the person once the game is over: without payoffs, 2 for a win."""
        points = self.position.points
        return points[self.me] if points else None

    @property
    def half_points(self) -> int | None:
        """2 if the person has won, 1 for a draw, 0 if the person has lost."""
        points = self.points
        return None if points is None else half_points_of(self.table.rules, points)

    @property
    def result(self) -> str:
        """How the game ended for the person, in words; empty while it goes on."""
        return "" if self.points is None else result_of(self.table.rules, self.points)

    def record(
        self, program: str, *, person: str = PERSON, resigned: int | None = None
    ) -> GameRecord:
        """Return the game under the names of the program and the person; its arm is named, too.

        `resigned` is the colour that has resigned, if one has.
        """
        names, arms = [f"{program}, {self.arm.name}"] * 2, [self.arm.number] * 2
        names[self.person], arms[self.person] = person, NO_ARM
        return GameRecord.of(
            self.game, self.history, (names[0], names[1]), (arms[0], arms[1]), resigned=resigned
        )

    @property
    def text(self) -> str:
        """The board as the person sees it."""
        return self.table.draw(self.history, self.me)

    @property
    def last_known(self) -> tuple[int, ...]:
        """The last move, if the person knows it; with hidden information, their own last one."""
        if not self.game.rules.hides:
            return self.history[-1:]
        for length in reversed(range(len(self.history))):
            before, after = self.history[:length], self.history[: length + 1]
            own = self.table.position(before).mover == self.me
            if own and not self.game.position(after).refused:
                return (self.history[length],)
        return ()

    def play(self, text: str) -> GameInProgress:
        """Return the game after a move of the person; SpecificationError if it is illegal."""
        if self.turn != PERSON:
            raise SpecificationError("it is not your turn")
        move = self.game.parse_move(text)
        if move not in self.position.moves:
            raise SpecificationError(f"{self.game.move_name(move)} is not legal now")
        return self._after(move)

    def answers(
        self, choose: Callable[[Sequence[int]], int] | None = None
    ) -> Iterator[GameInProgress]:
        """Yield the game after each move of chance and of the program, until the person's turn.

        `choose` returns the program's move after a history; None: the arm chooses.
        """
        now = self
        while now.turn not in (None, PERSON):
            now = now.step(choose)
            yield now

    def step(self, choose: Callable[[Sequence[int]], int] | None = None) -> GameInProgress:
        """Return the game after the next move of chance or of the program."""
        if self.turn == LUCK:
            return self._after(self.arm.draw_chance(self.history))
        return self._after((choose or self.arm.choose)(self.history))

    def undone(self) -> GameInProgress | None:
        """Return the game before the person's last move; None if there is no such move.

        SpecificationError where undo would reveal something.
        """
        if not self.can_undo:
            raise SpecificationError("there is no undo in games with hidden information or chance")
        for length in reversed(range(len(self.history))):
            if self.table.position(self.history[:length]).mover == self.me:
                return replace(self, history=self.history[:length])
        return None

    def notice(self, ply: int) -> Notice | None:
        """Return what the person notices of move number `ply`, from 0; None if nothing."""
        before, move = self.history[:ply], self.history[ply]
        mover = self.table.position(before).mover
        name = self.game.move_name(move)
        refused = self.game.position(self.history[: ply + 1]).refused
        if mover == self.me:
            text = f"refused: {name}; try another." if refused else f"You play {name}."
            return Notice(PERSON, text, name)
        if mover == CHANCE:
            return Notice(LUCK, f"Chance: {name}.", name) if self._tells(before, move) else None
        if not self.game.rules.hides:
            return Notice(PROGRAM, f"{self._name(mover)} plays {name}.", name)
        if name.lower() == PASS and self._tells(before, move):
            return Notice(PROGRAM, f"{self._name(mover)} passes.", name)
        # Bets are open to all, while moves of a phantom game are never shown.
        if self.game.rules.chance and self._tells(before, move):
            return Notice(PROGRAM, f"{self._name(mover)} plays {name}.", name)
        if self._events(before) == self._events(self.history[: ply + 1]):
            return None
        text = f"{self._name(mover)} has moved."
        if refused:
            text = "A try of the program was refused."
        return Notice(PROGRAM, text)

    def notices(self) -> list[Notice]:
        """Return all that the person has noticed, the oldest first."""
        found = (self.notice(ply) for ply in range(len(self.history)))
        return [each for each in found if each is not None]

    def _after(self, move: int) -> GameInProgress:
        return replace(self, history=(*self.history, move))

    def _name(self, mover: int) -> str:
        return "The program" if self.game.seat is None else f"Seat {mover + 1}"

    def _events(self, history: Sequence[int]) -> tuple[int, ...]:
        return self.table.information(history, self.me).events

    def _tells(self, before: tuple[int, ...], move: int) -> bool:
        """Tell whether the person can know the move from what they notice."""
        if not self.game.rules.hides:
            return True
        others = [other for other in self.game.position(before).moves if other != move]
        noticed = self._events((*before, move))
        silent = noticed == self._events(before)
        return not silent and all(self._events((*before, m)) != noticed for m in others)
