"""Engines that speak UCI, the Universal Chess Interface."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from seedfolio.engines.channel import Channel, Launch
from seedfolio.engines.endings import Ending
from seedfolio.engines.filling import filled_in, spelled
from seedfolio.engines.interface import Arm, Limits, Value


@dataclass(frozen=True)
class UciSetup:
    """What a UCI engine is told when a game begins, and when it is to move."""

    go: str
    """What follows `go`, such as `nodes 1000`, with the arm's values filled in."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """Options of the engine, values with the arm's filled in."""
    commands: Sequence[str] = ()
    """Lines sent after the options."""
    forget: bool = False
    """Whether it begins anew before each move, so that it plays by the moves so far alone."""


class UciEngine:
    """A UCI engine at the board."""

    def __init__(self, launch: Launch, setup: UciSetup, limits: Limits) -> None:
        self._setup = setup
        self._limits = limits
        self._go = ""
        self._moves: list[str] = []
        self._options: set[str] = set()
        self.identity = launch.command[0]
        self._channel = Channel(launch)
        try:
            self._shake_hands()
        except BaseException:
            self._channel.close()
            raise

    def new_game(self, arm: Arm) -> None:
        """Begin a game as `arm`, whatever was played before."""
        deadline = time.monotonic() + self._limits.command
        for name, value in self._setup.options.items():
            if name.lower() not in self._options:
                raise self._channel.fault(Ending.PROTOCOL_ERROR, f"has no option {name!r}")
            text = filled_in(value, arm.values) if isinstance(value, str) else spelled(value)
            self._channel.send(f"setoption name {name} value {text}", deadline)
        for command in self._setup.commands:
            self._channel.send(filled_in(command, arm.values), deadline)
        self._moves = []
        self._go = f"go {filled_in(self._setup.go, arm.values)}"
        self._begin_anew(deadline)

    def told(self, colour: int, move: str) -> None:
        """Take note of a move."""
        self._moves.append(move)

    def choose(self, colour: int) -> str:
        """Return the move that it plays; it counts as played."""
        began = time.monotonic()
        if self._setup.forget:
            self._begin_anew(began + self._limits.command)
        else:
            self._get_ready(began + self._limits.command)
        deadline = time.monotonic() + self._limits.move
        played = f" moves {' '.join(self._moves)}" if self._moves else ""
        self._channel.send(f"position startpos{played}", deadline)
        self._channel.send(self._go, deadline)
        words = self._read_until("bestmove", deadline).split()
        if len(words) < 2:
            raise self._channel.fault(Ending.PROTOCOL_ERROR, "answers bestmove without a move")
        self._moves.append(words[1].lower())
        return self._moves[-1]

    def close(self, polite: bool = True) -> None:
        """End the program; politely, it is told to quit first."""
        self._channel.close("quit" if polite else None)

    def kill(self) -> None:
        """End the program at once, from any thread."""
        self._channel.kill()

    def _shake_hands(self) -> None:
        deadline = time.monotonic() + self._limits.start
        self._channel.send("uci", deadline)
        while (line := self._channel.read_line(deadline).strip()) != "uciok":
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.identity = " ".join(words[2:])
            elif words[:2] == ["option", "name"] and "type" in words:
                self._options.add(" ".join(words[2 : words.index("type")]).lower())
        self._get_ready(deadline)

    def _begin_anew(self, deadline: float) -> None:
        self._channel.send("ucinewgame", deadline)
        self._get_ready(deadline)

    def _get_ready(self, deadline: float) -> None:
        self._channel.send("isready", deadline)
        self._read_until("readyok", deadline)

    def _read_until(self, word: str, deadline: float) -> str:
        """Return the first line that begins with `word`; others are the engine's own business."""
        while True:
            line = self._channel.read_line(deadline).strip()
            if line.split()[:1] == [word]:
                return line
