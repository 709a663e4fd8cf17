"""Engines that speak UCI, the Universal Chess Interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from seedfolio.engines.endings import Ending
from seedfolio.engines.interface import Arm, Limits, Times, Value
from seedfolio.engines.play.adjudication import uci_opinion, uci_score
from seedfolio.engines.protocols.channel import Channel, Deadline
from seedfolio.engines.protocols.process import Launch
from seedfolio.engines.specification.placeholders import filled_in, spelled
from seedfolio.engines.specification.positions import chess_start, position_in
from seedfolio.games.chess.fen import START, six_fields


@dataclass(frozen=True)
class UciSetup:
    """What we send to a UCI engine at the start of a game and before a move."""

    go: str
    """The text after `go`, such as `nodes 1000`, with placeholders for the arm."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """Options of the engine; values may have placeholders for the arm."""
    commands: Sequence[str] = ()
    """Lines sent after the options."""
    forget: bool = False
    """Whether to send `ucinewgame` before each move, so that no search remembers another."""
    start: str = "startpos"
    """Where games begin, as `position` has it: `startpos`, or `fen` and a FEN."""


class UciEngine:
    """A UCI engine as a player."""

    def __init__(self, launch: Launch, setup: UciSetup, limits: Limits) -> None:
        self._setup = setup
        self._limits = limits
        self._moves: list[str] = []
        self._start = setup.start
        self.go = ""
        """The command that makes the current arm move."""
        self.times: Times | None = None
        """What the clocks show before the next move, in place of the limits of `go`."""
        self.score = self.opinion = ""
        self.identity = launch.command[0]
        self.channel = Channel(launch)
        try:
            self.greeting = self._shake_hands()
            """What the engine reports about itself and its options, line by line."""
        except BaseException:
            self.channel.close()
            raise
        offered = [each for each in map(UciOption.read, self.greeting) if each is not None]
        self._options = {each.name.lower(): each for each in offered}

    def new_game(self, arm: Arm) -> None:
        """Begin a new game as `arm`."""
        deadline = Deadline.after(self._limits.command, "command")
        for name, value in self._setup.options.items():
            option = self._options.get(name.lower())
            if option is None:
                raise self.channel.fault(Ending.PROTOCOL_ERROR, f"has no option {name!r}")
            text = filled_in(value, arm.values) if isinstance(value, str) else spelled(value)
            if not option.takes(text):
                problem = f"takes {option.values} for its option {name!r}, not {text!r}"
                raise self.channel.fault(Ending.PROTOCOL_ERROR, problem)
            self.channel.send(f"setoption name {name} value {text}", deadline)
        for command in self._setup.commands:
            self.channel.send(filled_in(command, arm.values), deadline)
        self._moves, self._start = [], self._setup.start
        self.go = f"go {filled_in(self._setup.go, arm.values)}"
        self._begin_anew(deadline)

    def told(self, colour: int, move: str) -> None:
        """Receive a move, or the position from which the game begins."""
        fen = position_in(move)
        if fen is None:
            self._moves.append(move)
        else:
            self._start = f"fen {fen}"

    def choose(self, colour: int) -> str:
        """Return the move of the engine; it counts as played."""
        self.get_ready()
        deadline = Deadline.after(self._limits.of_move(self.times, colour), "move")
        played = f" moves {' '.join(self._moves)}" if self._moves else ""
        self.channel.send(f"position {self._start}{played}", deadline)
        self.channel.send(self.go if self.times is None else _by_clock(self.times), deadline)
        words = self._read_move(deadline).split()
        if len(words) < 2:
            raise self.channel.fault(Ending.PROTOCOL_ERROR, "answers bestmove without a move")
        if words[1] in _NO_MOVE:
            problem = f"answers bestmove {words[1]}: it sees no legal move"
            raise self.channel.fault(Ending.ILLEGAL_MOVE, problem)
        self._moves.append(words[1].lower())
        return self._moves[-1]

    def _read_move(self, deadline: float) -> str:
        """Return the line with the move; keep the last score before it."""
        self.score = self.opinion = ""
        while True:
            line = self.channel.read_line(deadline).strip()
            if line.split()[:1] == ["bestmove"]:
                return line
            if score := uci_score(line):
                self.score, self.opinion = score, uci_opinion(line)

    def close(self, polite: bool = True) -> None:
        """End the engine; if `polite`, send it `quit` first."""
        self.channel.close("quit" if polite else None)

    def kill(self) -> None:
        """End the engine at once, from any thread."""
        self.channel.kill()

    @property
    def habits(self) -> frozenset[str]:
        """What it does that disturbs games."""
        return self.channel.habits

    def get_ready(self) -> None:
        """Prepare the engine for the next move."""
        deadline = Deadline.after(self._limits.command, "command")
        if self._setup.forget:
            self._begin_anew(deadline)
        else:
            self._wait_until_ready(deadline)

    def _shake_hands(self) -> tuple[str, ...]:
        deadline = Deadline.after(self._limits.start, "start")
        self.channel.send("uci", deadline)
        said = []
        while (line := self.channel.read_line(deadline).strip()) != "uciok":
            said.append(line)
            if line.split()[:2] == ["id", "name"]:
                self.identity = " ".join(line.split()[2:])
        self._wait_until_ready(deadline)
        return tuple(said)

    def _begin_anew(self, deadline: float) -> None:
        self.channel.send("ucinewgame", deadline)
        self._wait_until_ready(deadline)

    def _wait_until_ready(self, deadline: float) -> None:
        self.channel.send("isready", deadline)
        self._read_until("readyok", deadline)

    def _read_until(self, word: str, deadline: float) -> str:
        """Return the first line that begins with `word`; skip all others."""
        while True:
            line = self.channel.read_line(deadline).strip()
            if line.split()[:1] == [word]:
                return line


def _by_clock(times: Times) -> str:
    """Return the command that makes an engine move by its clock."""
    white, black, more = (round(1000 * each) for each in (*times.left, times.increment))
    if times.each:
        return f"go movetime {white}"
    words = f"go wtime {white} btime {black}"
    words += f" winc {more} binc {more}" if more else ""
    return f"{words} movestogo {times.moves}" if times.moves is not None else words


def uci_start(game: str) -> str:
    """Return where the games of a chess:fen=... begin, as `position` has it."""
    fen = chess_start(game)
    if fen is None or fen == START:
        return "startpos"
    return f"fen {' '.join(six_fields(fen))}"


_NO_MOVE = ("(none)", "0000")
"""How engines say that they have no move."""


@dataclass(frozen=True)
class UciOption:
    """An option that an engine offers, as it describes it."""

    name: str
    kind: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def read(cls, line: str) -> UciOption | None:
        """Read a line `option name ... type ...`; return None for any other line."""
        words = line.split()
        if words[:2] != ["option", "name"] or "type" not in words[:-1]:
            return None
        at = words.index("type")
        kind, *rest = words[at + 1 :]
        # A value of a combo may have several words.
        choices = tuple(each.strip() for each in f" {' '.join(rest)}".split(" var ")[1:])
        low, high = (_number_after(word, rest) for word in ("min", "max"))
        return cls(" ".join(words[2:at]), kind, low, high, choices if kind == "combo" else ())

    @property
    def values(self) -> str:
        """The values that it takes, for people."""
        if self.kind == "spin":
            return f"whole numbers from {self.low} to {self.high}"
        return "true or false" if self.kind == "check" else ", ".join(self.choices)

    def takes(self, value: str) -> bool:
        """Whether the engine has said that it takes this value."""
        if self.kind == "check":
            return value.lower() in ("true", "false")
        if self.kind == "combo":
            return value.lower() in [each.lower() for each in self.choices]
        if self.kind != "spin" or self.low is None or self.high is None:
            return True
        number = value.removeprefix("-")
        return number.isdecimal() and self.low <= int(value) <= self.high


def _number_after(word: str, words: Sequence[str]) -> int | None:
    """Return the whole number after a word; None if there is none."""
    for before, number in pairwise(words):
        if before == word and number.removeprefix("-").isdecimal():
            return int(number)
    return None
