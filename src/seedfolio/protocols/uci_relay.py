"""A boosted UCI engine: the engine itself, set to another arm for each game.

The relay passes all lines between the user interface and the engine, with three exceptions: users
do not set the options of the arm, `go` has the limits of the arm in place of a clock, and where a
book has a move, the relay answers `go` itself.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable

from seedfolio.engines.endings import EngineFaultError, OwnFailureError
from seedfolio.engines.protocols.channel import Deadline
from seedfolio.engines.protocols.process import Launch
from seedfolio.engines.protocols.uci import UciEngine, UciOption
from seedfolio.engines.specification.positions import chess_start
from seedfolio.engines.specification.tables import CHESS960_OPTION
from seedfolio.errors import EngineError
from seedfolio.games.chess.fen import START, by_files
from seedfolio.opponents.opponent import Opponent
from seedfolio.protocols.served_game import game_keys

_LIMITS = frozenset(
    ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"]
)
"""Words of `go` that limit a search, each followed by a number."""
_PERFT = "perft"
"""The word of `go` for counting positions; the engine answers without a best move."""
_AS_IT_IS = frozenset({"infinite", _PERFT})
"""Words of `go` that have nothing to do with choosing a move."""

_NOT_A_MOVE = _AS_IT_IS | {"ponder", "searchmoves"}
"""Words of `go` with which a book does not answer."""


class UciRelay:
    """Stands between a user interface and a UCI engine."""

    def __init__(
        self, opponent: Opponent, say: Callable[[str], None], key: int | None = None
    ) -> None:
        assert opponent.engine is not None  # a relay is only for such engines
        self._opponent = opponent
        self._program = opponent.engine
        self._say = say
        self._keys = game_keys(key)
        self._draw()
        self._begun = False
        """Whether the user interface has asked for a move of this game."""
        self._in_place: int | None = None
        """The arm that the engine plays."""
        self._options: dict[str, str] = {}
        """Options that the user has set, by name."""
        self._position = "position startpos"
        self._searching = False
        self._asked_ready = 0
        """How many `isready` of the user have no answer yet."""
        self._waits = False
        """Whether the search continues until `stop`."""
        self._answer_by: float = math.inf
        """When the search must have ended."""
        self._engine, self._launch = self._start(self._seats[0].number)
        self._fresh = True
        """Whether the engine has not played yet."""

    def serve(self, source: int) -> None:
        """Read commands from a descriptor until `quit` or the end of input."""
        rest = b""
        try:
            while True:
                for said in self._engine.channel.lines():
                    self._hear(said)
                if not self._engine.channel.wait_for_either(source, self._answer_by):
                    continue
                read = os.read(source, 65536)
                *lines, rest = (rest + (read or b"\n")).split(b"\n")
                for command in lines:
                    if command.split() == [b"quit"]:
                        return
                    self._obey(command.decode(errors="replace").strip())
                if not read:
                    self._catch_up(stop=self._waits)
                    return
        except EngineFaultError as fault:
            raise EngineError(str(fault)) from fault

    def close(self) -> None:
        """End the engine."""
        self._engine.close()

    def _start(self, number: int) -> tuple[UciEngine, tuple[str, Launch]]:
        """Return a running engine for an arm, with the options of the user."""
        arm = self._program.arm(number)
        try:
            engine = self._program.open(arm)
        except (EngineFaultError, OwnFailureError) as failure:
            raise EngineError(str(failure)) from failure
        assert isinstance(engine, UciEngine)  # a relay is only for such engines
        for line in self._options.values():
            engine.channel.send(line, self._deadline())
        return engine, self._program.launch_key(arm)

    def _hear(self, line: str) -> None:
        """Pass on a line of the engine."""
        word = line.split()[:1]
        if word == ["bestmove"]:
            self._searching, self._answer_by = False, math.inf
        elif word == ["readyok"]:
            self._asked_ready -= 1
        self._say(line)

    def _obey(self, line: str) -> None:
        """Obey a line of the user interface."""
        name, *words = line.split() or [""]
        if name == "uci":
            self._introduce()
        elif name == "ucinewgame":
            self._new_game()
        elif name == "setoption":
            self._set_option(line, words)
        elif name == "go":
            self._go(words)
        elif name:
            if name == "position":
                self._position = line
            elif name == "isready":
                self._asked_ready += 1
            elif name in ("stop", "ponderhit") and self._searching:
                self._expect_answer()
            self._send(line)

    def _introduce(self) -> None:
        own = self._own_options() - {CHESS960_OPTION}  # user interfaces look for it
        for line in self._engine.greeting:
            option = UciOption.read(line)
            if line.startswith("id name"):
                self._say(f"id name Seedfolio {self._opponent.full_name}")
            elif line.startswith("id ") or (option is not None and option.name.lower() not in own):
                self._say(line)
        self._say("uciok")

    def _own_options(self) -> set[str]:
        tables = (each.specification.player for each in self._program.members)
        return {name.lower() for table in tables for name in table.options}

    def _new_game(self) -> None:
        """Draw arms, unless the current game has no moves; the engine gets them with `go`."""
        if self._begun:
            self._draw()
            self._begun = False
            self._in_place = None

    def _draw(self) -> None:
        """Draw the arms and the books of a game."""
        key = next(self._keys)
        self._seats = self._opponent.draw_engine(0, key), self._opponent.draw_engine(1, key)

    def _set_option(self, line: str, words: list[str]) -> None:
        name = " ".join(words[1 : words.index("value") if "value" in words else None])
        if name.lower() in self._own_options():
            if " ".join(words).lower() != f"name {CHESS960_OPTION} value true":
                self._say(f"info string error: the portfolio sets {name}")
            return
        self._options[name.lower()] = line
        self._send(line)

    def _go(self, words: list[str]) -> None:
        self._catch_up(stop=True)
        if (move := self._book_move(words)) is not None:
            self._begun = True
            self._say("info string book")
            self._say(f"bestmove {move}")
            return
        number = self._seats[_colour(self._position)].number
        if number != self._in_place:
            self._put_in_place(number)
        self._begun = True
        self._engine.get_ready()
        self._send(self._position)
        self._say(f"info string {self._program.arm(number).name}")
        self._send(f"go {' '.join(words)}" if _AS_IT_IS & {*words} else self._limited(words))
        self._searching = _PERFT not in words
        self._waits = bool({"infinite", "ponder"} & {*words})
        if self._searching and not self._waits:
            self._expect_answer()

    def _book_move(self, words: list[str]) -> str | None:
        """Return the move of the book, unless `go` asks for more than a move."""
        place, _, moves = " ".join(self._position.split()[1:]).partition(" moves ")
        if not self._is_start(place) or _NOT_A_MOVE & {*words}:
            return None
        return self._seats[_colour(self._position)].planned_after(moves.split())

    def _is_start(self, place: str) -> bool:
        """Tell whether games of the portfolio begin at what `position` names."""
        own = chess_start(self._program.specification.game.name)
        if own is None:
            return place == "startpos"
        fen = START if place == "startpos" else place.removeprefix("fen ")
        return by_files(fen) == by_files(own)

    def _expect_answer(self) -> None:
        self._waits = False
        if self._program.specification.clock is None:  # else the user's clock is the limit
            self._answer_by = Deadline.after(self._program.specification.limits.move, "move")

    def _limited(self, words: list[str]) -> str:
        """Return `go` with the limits of the arm instead of the given ones, unless it has none."""
        if self._program.specification.clock is not None:
            return " ".join(["go", *words])
        kept, given = [], iter(words)
        for word in given:
            if word in _LIMITS:
                next(given, None)
            else:
                kept.append(word)
        return " ".join([self._engine.go, *kept])

    def _put_in_place(self, number: int) -> None:
        """Make the engine play an arm, in a new process if needed."""
        arm = self._program.arm(number)
        usable = self._fresh or self._program.owner(arm).reuse
        if not usable or self._program.launch_key(arm) != self._launch:
            self._engine.close()
            self._engine, self._launch = self._start(number)
        self._engine.new_game(arm)
        self._in_place, self._fresh = number, False

    def _catch_up(self, *, stop: bool) -> None:
        """Pass on all lines of the engine so far; end a search, or wait for its end."""
        if stop and self._searching:
            self._send("stop")
        deadline = self._deadline() + self._program.specification.limits.move
        while self._searching or self._asked_ready:
            self._hear(self._engine.channel.read_line(deadline))
        self._send("isready")
        while (line := self._engine.channel.read_line(self._deadline())) != "readyok":
            self._hear(line)

    def _send(self, line: str) -> None:
        self._engine.channel.send(line, self._deadline())

    def _deadline(self) -> float:
        return Deadline.after(self._program.specification.limits.command, "command")


def _colour(position: str) -> int:
    """Return the colour to move in a `position`: 0 is the first player, in chess White."""
    words = position.split()
    start, _, moves = " ".join(words[1:]).partition("moves")
    second = words[1:2] == ["fen"] and start.split()[2:3] == ["b"]
    return (second + len(moves.split())) % 2
