"""OpenSpiel: its games as rules, its bots as players, both in this process.

Seedfolio does not install OpenSpiel: `pip install open_spiel`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seedfolio.core.python_file import load_file, split_source
from seedfolio.core.randomness import mix_int
from seedfolio.core.trust import Permit
from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.interface import Arm, IllegalMoveError, Limits, Value
from seedfolio.engines.placeholders import filled_in
from seedfolio.engines.positions import position_in
from seedfolio.errors import SpecificationError

_LARGEST_SEED = 2**31 - 1
_MCTS = {"simulations": 100, "uct_c": 2.0, "rollouts": 1, "memory": 1000, "solve": False}
"""The options of the bot `mcts`, with their defaults."""
_RANDOM = "uniform_random"
_OPTIONS: dict[str, dict[str, Any]] = {"mcts": _MCTS, _RANDOM: {}}
"""The bots that we build ourselves, because they take a seed."""


def load_open_spiel_game(name: str) -> Any:
    """Return a game such as `chess` or `hex(board_size=5)`; else SpecificationError."""
    pyspiel = _pyspiel()
    try:
        with _without_standard_error():
            game = pyspiel.load_game(name)
            moves = game.new_initial_state().legal_actions()
    except Exception as error:  # its own, or any that C++ has
        reason = " ".join(str(error).split())[:200]
        raise SpecificationError(f"OpenSpiel has no game {name!r}: {reason}") from None
    kind = game.get_type()
    plain = (
        game.num_players() == 2
        and kind.dynamics == kind.Dynamics.SEQUENTIAL
        and kind.chance_mode == kind.ChanceMode.DETERMINISTIC
        and kind.information == kind.Information.PERFECT_INFORMATION
    )
    if not plain:
        raise SpecificationError(
            f"OpenSpiel's {name} is not a two-player game with alternating moves, no chance and no "
            "hidden information; external engines play only such games"
        )
    if not moves:  # its bots crash then
        raise SpecificationError(f"OpenSpiel's {name} has no first move; correct its parameters")
    return game


@contextmanager
def _without_standard_error() -> Iterator[None]:
    """Hide what OpenSpiel prints about an error that it also raises."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise SpecificationError(
            "OpenSpiel is not installed; run: pip install open_spiel"
        ) from None
    return pyspiel


class OpenSpielGame:
    """One game of OpenSpiel as it is played, its moves as texts."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self.state = game.new_initial_state()
        self.first = self.state.current_player()
        """OpenSpiel's number of the player that moves first; in chess it is 1."""

    def play(self, move: str) -> None:
        """Play a move, or begin at a position of chess; IllegalMoveError if there is none."""
        fen = position_in(move)
        if fen is not None and not self.state.history():
            self.state = self._game.new_initial_state(fen)
        else:
            self.state.apply_action(self.parse(move))

    def spell(self, action: int) -> str:
        """Return an action as text: without spaces, in small letters."""
        if hasattr(self.state, "parse_move_to_action"):
            return _chess_move(self.state, action)
        text = str(self.state.action_to_string(self.state.current_player(), action))
        return "".join(text.split()).lower()

    def parse(self, move: str) -> int:
        """Return the action of a text; IllegalMoveError if there is none."""
        for action in self.state.legal_actions():
            # Some games mark a capture with an asterisk, which engines may leave out.
            if move in (spelled := self.spell(action), spelled.rstrip("*")):
                return int(action)
        raise IllegalMoveError(move)


def _chess_move(state: Any, action: int) -> str:
    from pyspiel import chess

    text: str = chess.action_to_move(action, state.board()).to_lan()
    return text.lower()


class OpenSpielJudge:
    """The rules of a game of OpenSpiel."""

    score = ""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._current = OpenSpielGame(game)

    def new_game(self) -> None:
        """Begin at the start."""
        self._current = OpenSpielGame(self._game)

    @property
    def mover(self) -> int:
        """The colour to move."""
        return int(self._current.state.current_player() != self._current.first)

    def play(self, move: str, known: bool) -> None:
        """Play a move; IllegalMoveError if the rules do not allow it."""
        self._current.play(move)

    def points(self) -> int | None:
        """Return the half points of the first player, or None before the game is over."""
        if not self._current.state.is_terminal():
            return None
        returned = float(self._current.state.returns()[self._current.first])
        return 1 + (returned > 0) - (returned < 0)

    def number(self, move: str) -> int:
        """Return OpenSpiel's number of a move; IllegalMoveError if it is not legal now."""
        return self._current.parse(move)

    def name(self, number: int) -> str:
        """Return the move with a number; IllegalMoveError if it is not legal now."""
        if number not in self._current.state.legal_actions():
            raise IllegalMoveError(f"number {number}")
        return self._current.spell(number)

    def numbers(self) -> Sequence[int]:
        """Return the numbers of all legal moves."""
        return tuple(self._current.state.legal_actions())

    def close(self) -> None:
        """Do nothing: there is no process."""

    def kill(self) -> None:
        """Do nothing: there is no process."""


@dataclass(eq=False)
class OpenSpielBot:
    """A bot as a player: `mcts`, one that OpenSpiel has registered, or a class of a user's.

    The random numbers of a bot depend on all its earlier moves. A seed should depend only on the
    moves of the game, so each move comes from a new bot. Its seed is a hash of the arm's seed and
    the number of moves played.
    """

    game: Any
    bot: str
    options: Mapping[str, Value]
    limits: Limits
    permit: Permit = Permit.LISTED
    """Who has named the bot."""
    identity: str = field(init=False)
    ignored_quit = False
    score = ""

    def __post_init__(self) -> None:
        self._current = OpenSpielGame(self.game)
        self._arm = Arm(0, {})
        self.identity = f"OpenSpiel {self.bot}"
        self._own = _own_bot(self.bot, self.permit) if ".py:" in self.bot else None
        if self._own is not None:
            self.identity = f"bot {self._own.__name__}"
        elif self.bot in _OPTIONS:
            if unknown := sorted(self.options.keys() - _OPTIONS[self.bot].keys()):
                has = f"it has {', '.join(_OPTIONS[self.bot]) or 'none'}"
                raise SpecificationError(f"the bot {self.bot} has no option {unknown[0]!r}; {has}")
        elif not _pyspiel().is_bot_registered(self.bot):
            there = ", ".join(["mcts", *_pyspiel().registered_bots()])
            raise SpecificationError(f"OpenSpiel has no bot {self.bot!r}; there are {there}")

    def new_game(self, arm: Arm) -> None:
        """Begin a new game as `arm`."""
        self._current = OpenSpielGame(self.game)
        self._arm = arm

    def told(self, colour: int, move: str) -> None:
        """Receive a move."""
        self._current.play(move)

    def choose(self, colour: int) -> str:
        """Return the move of the bot; it counts as played.

        Nothing can stop a bot in this process: a late move counts as late when it arrives.
        """
        state = self._current.state
        began = time.monotonic()
        try:
            action = self._make_bot(state.current_player()).step(state)
        except Exception as error:
            if self._own is None:
                raise self._refused(error) from error
            said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise EngineFaultError(Ending.CRASH, f"{self.identity} raised {said}") from error
        if action not in state.legal_actions():
            raise IllegalMoveError(f"action {action}")
        if time.monotonic() - began > self.limits.move:
            limit = f"{self.limits.move:g} s (limits.move)"
            raise EngineFaultError(
                Ending.TIMEOUT, f"{self.identity} does not answer within {limit}"
            )
        move = self._current.spell(action)
        state.apply_action(action)
        return move

    def _refused(self, error: Exception) -> Exception:
        """Return the error for a bot of OpenSpiel that does not play; others are no answer."""
        if not isinstance(error, TypeError | ValueError | OverflowError | _pyspiel().SpielError):
            return error
        reason = " ".join(str(error).split())[:200]
        return SpecificationError(f"{self.identity} cannot play: {reason}")

    def close(self, polite: bool = True) -> None:
        """Do nothing: there is no process."""

    def kill(self) -> None:
        """Do nothing: there is no process."""

    def _make_bot(self, player: int) -> Any:
        pyspiel = _pyspiel()
        values = self._arm.values
        played = len(self._current.state.history())
        seed = mix_int(mix_int(int(values.get("seed", 0))) + played) % _LARGEST_SEED
        options = {
            name: _number(filled_in(value, values)) if isinstance(value, str) else value
            for name, value in self.options.items()
        }
        if self._own is not None:
            return self._own(self.game, player, seed, **options)
        if self.bot == "mcts":
            chosen: dict[str, Any] = {**_MCTS, **options}
            for name in ("simulations", "rollouts"):
                if int(chosen[name]) < 1:  # OpenSpiel crashes
                    raise ValueError(f"{name} must be 1 or more, not {chosen[name]}")
            return pyspiel.MCTSBot(
                self.game,
                pyspiel.RandomRolloutEvaluator(int(chosen["rollouts"]), seed),
                float(chosen["uct_c"]),
                int(chosen["simulations"]),
                int(chosen["memory"]),
                bool(chosen["solve"]),
                seed,
                False,
            )
        if self.bot == _RANDOM:
            return pyspiel.make_uniform_random_bot(player, seed)
        return pyspiel.load_bot(self.bot, self.game, player, options)


def _own_bot(text: str, permit: Permit) -> Any:
    """Return the class of a user's bot: `my_bot.py:MyBot`; else SpecificationError."""
    file, name = split_source(text)
    kind = getattr(load_file(Path(file), "bot", permit), name, None)
    if not isinstance(kind, type) or not hasattr(kind, "step"):
        raise SpecificationError(
            f"{file} has no class {name!r} with a method step; a bot is a class that takes the "
            "game, the player, a seed and its options, and whose step(state) returns an action"
        )
    return kind


def _number(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
