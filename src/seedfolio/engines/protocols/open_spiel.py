"""OpenSpiel: its games as rules in this process, its bots as players in processes of their own.

Seedfolio does not install OpenSpiel: `pip install seedfolio[openspiel]`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from seedfolio.core.isolated import isolated
from seedfolio.core.randomness import mix_int
from seedfolio.core.trust import trusts_everything
from seedfolio.core.user_file import split_source
from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.interface import Arm, IllegalMoveError, Limits, Value
from seedfolio.engines.protocols import open_spiel_process
from seedfolio.engines.protocols.channel import Channel, Deadline
from seedfolio.engines.protocols.open_spiel_process import MCTS, RANDOM
from seedfolio.engines.protocols.open_spiel_rules import OpenSpielGame, import_pyspiel
from seedfolio.engines.protocols.open_spiel_trial import refusal
from seedfolio.engines.protocols.process import Launch
from seedfolio.engines.specification.positions import position_in
from seedfolio.errors import PortfolioError, SpecificationError
from seedfolio.games.chess.fen import parse_fen

_LARGEST_SEED = 2**31 - 1
_OPTIONS: Mapping[str, Mapping[str, Value]] = {"mcts": MCTS, RANDOM: {}}
"""The bots that we build ourselves, because they take a seed."""
_SHOWN = 80


def load_open_spiel_game(name: str) -> Any:
    """Return a game such as `chess` or `hex(board_size=5)`; else SpecificationError."""
    pyspiel = import_pyspiel()
    if why := refusal(name):
        raise SpecificationError(why)
    return pyspiel.load_game(name)


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
        """Play a move, or begin at a position of chess; IllegalMoveError if there is none."""
        fen = position_in(move)
        if fen is not None and not self._current.state.history():
            try:
                parse_fen(fen)  # OpenSpiel takes boards without kings as well
            except ValueError:
                raise IllegalMoveError(move) from None
            self._current = OpenSpielGame(self._game, fen)
        else:
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


def bot_command(game: str, bot: str, options: Mapping[str, Value]) -> list[str]:
    """Return the command of the process in which a bot runs."""
    return [*_isolated(), json.dumps([game, bot, dict(options)])]


@cache  # it looks at the disk, and is asked for with every game
def _isolated() -> tuple[str, ...]:
    code = f"from {open_spiel_process.__name__} import main; main(sys.argv[1])"
    return tuple(isolated(code))


def bot_title(bot: str) -> str:
    """Return what messages call a bot."""
    file, kind = split_source(bot)
    return f"bot {kind}" if file.endswith(".py") else f"OpenSpiel {bot}"


class OpenSpielBot:
    """A bot as a player: `mcts`, one that OpenSpiel has registered, or a class of a user's.

    The random numbers of a bot depend on all its earlier moves. A seed should depend only on the
    moves of the game, so each move comes from a new bot. Its seed is a hash of the arm's seed and
    the number of moves played.
    """

    score = opinion = ""

    def __init__(
        self, launch: Launch, bot: str, options: Mapping[str, Value], limits: Limits
    ) -> None:
        """Start the process: `launch` has the command of the same bot with the same options."""
        _check_bot(bot, options)
        self._limits = limits
        self._arm = Arm(0, {})
        self._fen: str | None = None
        self._told: list[str] = []
        """All moves of the game."""
        self._known: int | None = None
        """How many of them the process has; None before it knows of the game."""
        self.identity = bot_title(bot)
        self._channel = Channel(launch)
        try:
            # The process loads a user's file, and whoever has named the bot has named that.
            opening = ["open", launch.claim.permit.value, trusts_everything()]
            deadline = Deadline.after(limits.start, "start")
            self.identity = self._ask(opening, "identity", deadline)
        except BaseException:
            self._channel.close()
            raise

    def new_game(self, arm: Arm) -> None:
        """Begin a new game as `arm`."""
        self._arm, self._fen, self._told, self._known = arm, None, [], None

    def told(self, colour: int, move: str) -> None:
        """Receive a move, or the position of chess from which the game begins."""
        fen = position_in(move)
        if fen is not None and not self._told:
            self._fen = fen
        else:
            self._told.append(move)

    def choose(self, colour: int) -> str:
        """Return the move of the bot; it counts as played."""
        deadline = Deadline.after(self._limits.move, "move")
        if self._known is None:
            self._channel.send(json.dumps(["begin", self._fen]), deadline)
        if new := self._told[self._known or 0 :]:
            self._channel.send(json.dumps(["play", *new]), deadline)
        self._known = len(self._told)
        values = self._arm.values
        seed = mix_int(mix_int(int(values.get("seed", 0))) + self._known) % _LARGEST_SEED
        move = self._ask(["choose", seed, dict(values)], "move", deadline)
        self._told.append(move)
        self._known += 1
        return move

    def close(self, polite: bool = True) -> None:
        """End the process; if `polite`, send it `quit` first."""
        self._channel.close("quit" if polite else None)

    def kill(self) -> None:
        """End the process at once, from any thread."""
        self._channel.kill()

    @property
    def habits(self) -> frozenset[str]:
        """What it does that disturbs games."""
        return self._channel.habits

    def _ask(self, line: Sequence[Any], wanted: str, deadline: Deadline) -> str:
        """Return what a line is answered with under the name `wanted`."""
        self._channel.send(json.dumps(line), deadline)
        said = self._channel.read_line(deadline)
        try:
            answer = json.loads(said)
            if wanted in answer:
                return str(answer[wanted])
            kind, text = str(answer["error"]), str(answer["text"])
        except (ValueError, TypeError, KeyError):
            problem = f"answers {said[:_SHOWN]!r}, which is not our protocol"
            raise self._channel.fault(Ending.PROTOCOL_ERROR, problem) from None
        raise self._error(kind, text)

    def _error(self, kind: str, text: str) -> Exception:
        match kind:
            case "permit":
                return PortfolioError(text)
            case "illegal":
                return IllegalMoveError(text)
            case "raised":
                return EngineFaultError(Ending.CRASH, f"{self.identity} raised {text}")
            case "refused":
                return SpecificationError(f"{self.identity} cannot play: {text}")
        return SpecificationError(text)


def _check_bot(bot: str, options: Mapping[str, Value]) -> None:
    """SpecificationError if OpenSpiel has no such bot, or ours have no such option."""
    if ".py:" in bot:
        return
    if bot in _OPTIONS:
        if unknown := sorted(options.keys() - _OPTIONS[bot].keys()):
            has = f"it has {', '.join(_OPTIONS[bot]) or 'none'}"
            raise SpecificationError(f"the bot {bot} has no option {unknown[0]!r}; {has}")
    elif not import_pyspiel().is_bot_registered(bot):
        there = ", ".join(["mcts", *import_pyspiel().registered_bots()])
        raise SpecificationError(f"OpenSpiel has no bot {bot!r}; there are {there}")
