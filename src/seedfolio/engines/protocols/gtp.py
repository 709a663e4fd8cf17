"""Engines that speak the Go Text Protocol, version 2."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.interface import RESIGN, Arm, Limits, Times
from seedfolio.engines.play.adjudication import gtp_score
from seedfolio.engines.protocols.channel import Channel, Deadline
from seedfolio.engines.protocols.process import Launch
from seedfolio.engines.specification.placeholders import filled_in

COLOURS = ("b", "w")
_SHOWN = 80
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")


def received(line: str) -> str:
    """Return a line as GTP 2 reads it: a tab is a space, other control characters are dropped."""
    return _CONTROLS.sub("", line.replace("\t", " "))


@dataclass(frozen=True)
class GtpSetup:
    """What we send to a GTP engine at the start of a game, in this order."""

    board: int | None = None
    """The size of a Go board; None for another game, whose size the engine knows."""
    komi: float | None = None
    commands: Sequence[str] = field(default=())
    """Sent last, with the values of the arm, because clearing the board may change the seed."""
    score: str | None = None
    """A command that tells the score, sent after each move of the engine."""


class GtpConnection:
    """Commands and answers of one engine process."""

    def __init__(self, launch: Launch, limits: Limits) -> None:
        self._channel = Channel(launch)
        self._limits = limits
        try:
            self._check_protocol()
            said = [self._answer_or_nothing(name) for name in ("name", "version")]
            self.identity = " ".join(filter(None, said)) or launch.command[0]
        except BaseException:
            self._channel.close()
            raise

    def ask(self, command: str, limit: str = "command", seconds: float | None = None) -> str:
        """Return the answer to a command; EngineFaultError if it is an error.

        `limit` names the limit of the specification that it is given, unless that is `seconds`.
        """
        success, text = self.try_command(command, limit, seconds)
        if not success:
            raise self.wrong(f"answers with the error {text[:_SHOWN]!r}")
        return text

    def try_command(
        self, command: str, limit: str = "command", seconds: float | None = None
    ) -> tuple[bool, str]:
        """Return whether a command succeeded, and the answer."""
        deadline = Deadline.after(seconds or getattr(self._limits, limit), limit)
        if early := self._channel.pending().strip():
            raise self.wrong(f"says {early[:_SHOWN]!r} without being asked")
        self._channel.send(command, deadline)
        while not (first := received(self._channel.read_line(deadline)).strip()):
            pass  # some engines begin with an empty line
        if first[0] not in "=?":
            raise self.wrong(f"answers {first[:_SHOWN]!r}, which is not GTP")
        lines = [first[1:].strip()]
        while line := received(self._channel.read_line(deadline)):
            lines.append(line.rstrip())
        return first[0] == "=", "\n".join(lines)

    def wrong(self, problem: str) -> EngineFaultError:
        """Return the error for a wrong answer."""
        return self._channel.fault(Ending.PROTOCOL_ERROR, problem)

    def close(self, polite: bool = True) -> None:
        """End the engine; if `polite`, send it `quit` first."""
        self._channel.close("quit" if polite else None)

    def kill(self) -> None:
        """End the engine at once, from any thread."""
        self._channel.kill()

    @property
    def habits(self) -> frozenset[str]:
        """What it does that disturbs games."""
        return self._channel.habits

    def _check_protocol(self) -> None:
        success, text = self.try_command("protocol_version", "start")
        if not success or text != "2":
            raise self.wrong(f"answers {text[:_SHOWN]!r}: it does not speak GTP version 2")

    def _answer_or_nothing(self, command: str) -> str:
        success, text = self.try_command(command)
        return " ".join(text.split()) if success else ""


class GtpEngine:
    """A GTP engine as a player."""

    def __init__(self, launch: Launch, setup: GtpSetup, limits: Limits) -> None:
        self._setup = setup
        self._limits = limits
        self.connection = GtpConnection(launch, limits)
        self.times: Times | None = None
        """What the clocks show before the next move; None: there are none."""
        self._has_settings = False
        self.score = ""

    @property
    def identity(self) -> str:
        """The name and version that the engine reports."""
        return self.connection.identity

    @property
    def opinion(self) -> str:
        """The score of its last move, for people."""
        return f"{float(self.score):+g}" if self.score else ""

    def new_game(self, arm: Arm) -> None:
        """Begin a new game as `arm`."""
        start_game(self.connection, self._setup, arm)
        self._has_settings = False

    def told(self, colour: int, move: str) -> None:
        """Send a move to the engine."""
        self.connection.ask(f"play {COLOURS[colour]} {move}")

    def choose(self, colour: int) -> str:
        """Return the move of the engine as `colour`, or RESIGN; the move counts as played."""
        if self.times is not None:
            self._tell_times(self.times, colour)
        seconds = self._limits.of_move(self.times, colour)
        answer = self.connection.ask(f"genmove {COLOURS[colour]}", "move", seconds)
        answer = answer.strip().lower()
        if not answer or len(answer.split()) > 1:
            raise self.connection.wrong(f"answers {answer[:_SHOWN]!r}, which is not a move")
        if self._setup.score is not None and answer != RESIGN:
            said = self.connection.ask(self._setup.score, "move")
            self.score = gtp_score(said, colour)
        return answer

    def _tell_times(self, times: Times, colour: int) -> None:
        """Tell the engine its time; GTP has no word for increments, and not all engines listen."""
        left, stones = times.left[colour], 1 if times.each else times.moves or 0
        period = f"{left:g} {stones}" if stones else "0 0"
        if not self._has_settings:
            main = 0 if stones else left
            self.connection.try_command(f"time_settings {main:g} {period}")
            self._has_settings = True
        self.connection.try_command(f"time_left {COLOURS[colour]} {left:g} {stones}")

    def close(self, polite: bool = True) -> None:
        """End the engine; if `polite`, send it `quit` first."""
        self.connection.close(polite)

    def kill(self) -> None:
        """End the engine at once, from any thread."""
        self.connection.kill()

    @property
    def habits(self) -> frozenset[str]:
        """What it does that disturbs games."""
        return self.connection.habits


def start_game(connection: GtpConnection, setup: GtpSetup, arm: Arm) -> None:
    """Begin a game. The order matters, see GtpSetup."""
    if setup.board is not None:
        connection.ask(f"boardsize {setup.board}")
    if setup.komi is not None:
        connection.ask(f"komi {setup.komi:g}")
    connection.ask("clear_board")
    for command in setup.commands:
        connection.ask(filled_in(command, arm.values))
