"""What a protocol such as GTP or UCI serves: the games of a program, one after the other.

A protocol uses the names of moves, and 0 and 1 for the colours.
"""

from __future__ import annotations

import gc
import secrets
from collections.abc import Iterator, Sequence
from itertools import count
from threading import Thread

from seedfolio.core.randomness import mix_int
from seedfolio.engines.interface import RESIGN
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.board import PASS
from seedfolio.opponents.opponent import Opponent
from seedfolio.opponents.referee import History
from seedfolio.opponents.seat import ResignedError, SearchLimits, Seat

_CHANGE_THE_GAME = frozenset(
    [
        "black",
        "fixed_handicap",
        "genmove_black",
        "genmove_white",
        "gg-undo",
        "gogui-play_sequence",
        "gogui-setup",
        "gogui-setup_player",
        "kgs-genmove_cleanup",
        "loadsgf",
        "place_free_handicap",
        "set_free_handicap",
        "set_position",
        "white",
    ]
)
"""Commands of known engines that would change their game but not ours."""
_ANALYZE = "analyze"
"""End of the names of commands that answer until the next command."""


def game_keys(key: int | None) -> Iterator[int]:
    """Yield 64 random bits for each game: fresh ones, or computed from `key`.

    The first is the key itself, so that a key gives the same first game everywhere.
    """
    if key is not None:
        yield key
    for number in count(1):
        yield secrets.randbits(64) if key is None else mix_int(mix_int(key) + number)


class ServedGame:
    """A game in which the program can play either colour, or both; then the next, with new arms.

    Protocols allow more than the rules: see `Referee`. In games that refuse tries, the program
    tries until a move is legal; it sees only its own view.

    SpecificationError for impossible requests, EngineError for faults of an engine.
    """

    def __init__(self, opponent: Opponent, key: int | None) -> None:
        self.opponent = opponent
        self._seats: Sequence[Seat] = ()
        self._fen: str | None = None
        """Where the game begins, if not at the start."""
        self.use_key(key)

    @property
    def name(self) -> str:
        """The name of the program on screen."""
        return f"Seedfolio {self.opponent.full_name}"

    def use_key(self, key: int | None) -> None:
        """Begin again: the first game draws its arms from `key`, fresh random bits if None."""
        self._keys = game_keys(key)
        self._draw()

    def new_game(self) -> None:
        """Begin a game, unless nobody has moved in this one yet: controllers often ask twice."""
        if self._begun:
            self._draw()

    def set_up(self) -> None:
        """Count the game as one in which nobody has moved yet: its moves were only set up."""
        self._begun = False

    def begin_at(self, fen: str | None) -> None:
        """Put the game, with the arms it has, at another position; None: at the start."""
        if fen != self._fen:
            self._begin(self.opponent if fen is None else _beginning_at(self.opponent, fen))
            self._fen = fen

    def _draw(self) -> None:
        self._key, self._fen = next(self._keys), None
        self._begun = False
        """Whether somebody has moved, even if the move was taken back."""
        self._chose: set[int] = set()
        """The colours whose moves the program has chosen."""
        self._learnt = False
        self._begin(self.opponent)

    def _begin(self, opponent: Opponent) -> None:
        self.close()
        self._referee = opponent.referee()
        self._seats = [opponent.draw(colour, self._key) for colour in (0, 1)]
        self._moves: list[str] = []
        self._histories: list[History] = [()]
        """The history by the rules after each move, with refused tries and inserted passes."""
        self._speaks = 0
        """The colour whose engine answers other commands: the last that moved."""
        self._commands: tuple[str, ...] | None = None

    @property
    def arms(self) -> tuple[str, str]:
        """The names of its arms, as first and as second player."""
        return self._seats[0].name, self._seats[1].name

    @property
    def moves(self) -> tuple[str, ...]:
        """All moves so far, without refused tries."""
        return tuple(self._moves)

    @property
    def history(self) -> History:
        """The history by the rules."""
        return self._histories[-1]

    @property
    def mover(self) -> int | None:
        """The colour to move; None when the game is over."""
        return self._referee.mover(self.history)

    def play(self, colour: int, move: str) -> None:
        """Play a move of `colour`, which anybody may have chosen."""
        referee, more = self._referee, self._referee.pass_at_end(self.history)
        if more is not None and move.lower() == PASS:
            self._keep(more, self.history)
            return
        before = referee.turn_of(colour, self.history)
        number = referee.parse(before, move)
        name = referee.name(before, number)
        if number not in referee.legal(before):
            raise SpecificationError(f"{name} is not legal now")
        history = (*before, number)
        if referee.refused(history):
            raise SpecificationError(f"{name} is refused by the rules")
        # In Go the engine of the other colour decides whether the move is legal.
        self._seats[1 - colour].follow(history)
        self._keep(number, history)

    def choose(self, colour: int, limits: SearchLimits | None = None) -> str:
        """Return the move of the program as `colour`, or RESIGN; the move counts as played."""
        referee, more = self._referee, self._referee.pass_at_end(self.history)
        if more is not None:
            return self._keep(more, self.history)
        history = referee.turn_of(colour, self.history)
        self._speaks = colour
        self._chose.add(colour)
        try:
            while True:
                move = self._seats[colour].choose(history, limits)
                history = (*history, move)
                if not referee.refused(history):
                    return self._keep(move, history)
        except ResignedError:
            self._begun = True
            return RESIGN

    def settle(self) -> None:
        """Let a program that learns take the result of a game that is over, once a game.

        It counts if the program has chosen moves of one colour only: else it has met itself.
        """
        counts = self.opponent.memory is not None and not self._learnt and len(self._chose) == 1
        if not counts or self.mover is not None:
            return
        (colour,) = self._chose
        points = self._referee.points(self.history) or 0
        self.opponent.learn(colour, self._seats[colour].number, 2 - points if colour else points)
        self._learnt = True

    def undo(self) -> None:
        """Take back the last move and the refused tries before it; engines start again."""
        if not self._moves:
            raise SpecificationError("there is no move to take back")
        self._moves.pop()
        self._histories.pop()
        for seat in self._seats:
            seat.close()

    def refused(self) -> tuple[str, ...]:
        """Return the refused tries of the program before the last move."""
        if not self._moves:
            return ()
        before, after = self._histories[-2:]
        return tuple(
            self._referee.name(after[: k - 1], after[k - 1])
            for k in range(len(before) + 1, len(after))
            if self._referee.refused(after[:k])
        )

    def draw(self) -> str:
        """Return the board as text: as an engine draws it, if it does."""
        if "showboard" in self._known:
            return self._asked("showboard", harmless=True).lstrip("\n")
        return self._referee.draw(self.history)

    def final_score(self) -> str:
        """Return the result as GTP writes it: `B+3.5`, `W+1`, or `0` for a draw.

        Before the end of the game, return the estimate of an engine if it gives one.
        """
        score = self._referee.score(self.history)
        self._referee.close()
        if score is not None:
            return score
        if "final_score" in self._known:
            return self._asked("final_score")  # the estimate may use its random numbers
        raise SpecificationError("the game is not over")

    def other_commands(self) -> tuple[str, ...]:
        """Return the names of an engine's own commands that do not change the game."""
        return tuple(
            name
            for name in self._known
            if name not in _CHANGE_THE_GAME and not name.endswith(_ANALYZE)
        )

    def pass_on(self, command: str) -> str:
        """Return an engine's answer to one of its own commands."""
        name = command.split()[0] if command.split() else ""
        if name not in self.other_commands():
            raise SpecificationError("unknown command")
        return self._asked(command)

    def close(self) -> None:
        """End all processes; they start again when needed."""
        for seat in self._seats:
            seat.close()
        if self._seats:
            self._referee.close()

    @property
    def _known(self) -> tuple[str, ...]:
        """All commands of an engine, which is asked once a game."""
        if self._commands is None:
            self._commands = self._seats[self._speaks].commands(self.history)
        return self._commands

    def _asked(self, command: str, harmless: bool = False) -> str:
        return self._seats[self._speaks].ask(self.history, command, harmless=harmless)

    def _keep(self, number: int, history: History) -> str:
        before = history[:-1] if history != self.history else history
        self._moves.append(self._referee.name(before, number))
        self._histories.append(history)
        self._begun = True
        return self._moves[-1]


class Preparation:
    """Compiles all that the moves of a program need, while others answer the controller."""

    def __init__(self, opponent: Opponent) -> None:
        self._opponent = opponent
        self._error: BaseException | None = None
        # A daemon thread does not delay the exit of the program.
        self._thread = Thread(target=self._prepare, daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether nobody needs to wait."""
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Return when all is compiled; raise what went wrong."""
        self._thread.join()
        if self._error is not None:
            raise self._error

    def _prepare(self) -> None:
        try:
            self._opponent.prepare()
        except BaseException as error:
            self._error = error
        # The garbage collector leaves alone what has been loaded: it would take 0.2 s of a move.
        gc.collect()
        gc.freeze()


def _beginning_at(opponent: Opponent, fen: str) -> Opponent:
    """Return the program for games that begin at a position; SpecificationError if it cannot.

    Its compiled code is the same. It plays without a book there.
    """
    if opponent.is_engine:  # lines to an engine that speaks UCI are passed on
        raise SpecificationError("position fen does not work here; use startpos and the moves")
    game = opponent.game
    if not game.rules.setup:
        raise SpecificationError(
            f"{game.title} has no position fen; use position startpos and the moves played"
        )
    return opponent.beginning_at(load_game(f"{game.name}:fen={fen}"))
