"""A program as an engine for other board games: the framing of UCI, with the game's own moves.

UCI is made for chess, but its commands for starting, options, positions and answers suit any
two-player game without hidden information. A position is `startpos` and the moves since, in chess
also any FEN. Moves have the names that `seedfolio play` uses.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from threading import Event, Lock, RLock

from seedfolio.core.plain_text import plain
from seedfolio.engines.clock import RESERVE, Reserve
from seedfolio.engines.specification.positions import chess_start
from seedfolio.engines.specification.tables import CHESS960_OPTION
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.games.chess.fen import by_files, is_chess960
from seedfolio.games.game import Game
from seedfolio.opponents.background import in_background
from seedfolio.opponents.go_limits import Limits
from seedfolio.opponents.load import load_boosted
from seedfolio.opponents.opponent import Opponent
from seedfolio.protocols.served_game import Preparation, ServedGame
from seedfolio.version import __version__

_NONE = "(none)"
_EMPTY = "<empty>"
_START = "startpos"
_RESERVE = 5000
"""The most milliseconds for `Move Overhead`."""
_AT_ONCE = 0.001
"""A line that is read within these seconds was there before."""


def check_uci(game: Game) -> None:
    """SpecificationError if UCI does not suit a game."""
    if game.rules.hides or game.rules.chance:
        what = "hidden information" if game.rules.hides else "chance"
        raise SpecificationError(
            f"{game.title} has {what}, and UCI shows all moves; try seedfolio play"
        )


class UciServer:
    """Answers the commands of a user interface or of a referee.

    A separate thread chooses moves, so that the server answers other commands meanwhile.
    """

    def __init__(
        self,
        opponent: Opponent,
        variants: Sequence[str],
        say: Callable[[str], None],
        arm: str = "",
        key: int | None = None,
    ) -> None:
        self._opponent = opponent
        self._portfolios = {"": opponent}
        """By file: those asked for, which are loaded and compiled once. No file: the program."""
        self._variants = variants
        """Names of the game that the program plays."""
        self._defaults = arm or _EMPTY, _EMPTY if key is None else str(key)
        self._arm, self._key = arm, key
        self._game = ServedGame(_with_arm(opponent, arm), key)
        self._preparation = Preparation(self._game.opponent)
        self._say_line = say
        self._saying = Lock()
        self._sound = True
        """Whether the last position was valid."""
        self._loaded = True
        """Whether the last portfolio was: with another one no move is right."""
        self._asked = [_START]
        """The arguments of the last valid `position`."""
        self._search: Event | None = None
        """The end of a thread that chooses a move, or waits until all is compiled."""
        self._is_preparing = False
        """Whether it waits."""
        self._limits = Limits(self._say)
        """Those of the last search."""
        self._start = None if opponent.engine else chess_start(opponent.game.source)
        """The FEN at which games of built-in chess begin; None: it is not that."""
        self._chess960 = is_chess960(self._start or "")
        """Whether castling is written as in Chess960."""
        self._reserve = Reserve()
        self._arrived = 0.0
        """When the last command came; for a `go` that was there by then, the one before it."""
        self._may_answer = Event()
        self._order = RLock()
        """Held while a command is carried out, or `_search` and `_waiting` change."""
        self._waiting: list[tuple[str, list[str]]] = []
        """Commands that came during a search and wait for its end."""
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": lambda _: self._isready(),
            "ucinewgame": lambda _: self._new_game(),
            "position": self._position,
            "go": self._go,
            # Nothing to do, except for the first two during a search.
            **dict.fromkeys(("stop", "ponderhit", "debug", ""), lambda _: None),
            "setoption": self._setoption,
            "d": lambda _: self._say(self._game.draw()),
        }

    def serve(self, lines: Iterable[str]) -> None:
        """Answer commands until `quit` or the end of input."""
        done = -math.inf
        for line in lines:
            name, *arguments = line.split() or [""]
            if (now := time.monotonic()) - done > _AT_ONCE or name != "go":
                self._arrived = now
            if name == "quit":
                self._saying.acquire()  # for good: no output while Python ends
                return
            with self._order:
                self._take(name, arguments)
            done = time.monotonic()
        while (search := self._searching()) is not None:
            if self._limits.endless:
                self._limits.stop()
            self._may_answer.set()
            search.wait()

    def _searching(self) -> Event | None:
        with self._order:  # or the next one is about to begin
            return self._search

    def _take(self, name: str, arguments: list[str]) -> None:
        if self._search is None:
            self._do(name, arguments)
        else:
            self._do_meanwhile(name, arguments)

    def _do(self, name: str, arguments: list[str]) -> None:
        if name not in self._commands:
            self._say(f"info string unknown command {name}")
            return
        try:
            self._commands[name](arguments)
        except SeedfolioError as error:
            self._complain(error)

    def _do_meanwhile(self, name: str, arguments: list[str]) -> None:
        """Carry out a command during a search, or keep it until the answer is there.

        A player that is stopped early may play another move. So only `stop` and `quit` end a
        search that ends by itself.
        """
        if self._is_preparing:
            self._waiting.append((name, arguments))
        elif name == "stop":
            self._limits.stop()
            self._may_answer.set()
        elif name == "ponderhit":
            self._limits.hit()
            self._may_answer.set()
        elif name == "isready":
            self._do(name, arguments)
        else:
            if name in self._commands and name not in ("debug", ""):
                if self._limits.endless:
                    self._limits.stop()
                self._may_answer.set()
            self._waiting.append((name, arguments))

    def _say(self, text: str) -> None:
        with self._saying:
            self._say_line(plain(text))

    def _complain(self, error: SeedfolioError) -> None:
        self._say(f"info string error: {' '.join(str(error).split())}")

    def _uci(self, _: list[str]) -> None:
        self._say(f"id name {self._game.name} {__version__}")
        self._say("id author the Seedfolio maintainers")
        variants = "".join(f" var {name}" for name in self._variants)
        self._say(f"option name UCI_Variant type combo default {self._variants[0]}{variants}")
        for name, default in zip(("Arm", "Key"), self._defaults, strict=True):
            self._say(f"option name {name} type string default {default}")
        self._say(f"option name Portfolio type string default {_EMPTY}")
        if self._start is not None:
            default = str(self._chess960).lower()
            self._say(f"option name UCI_Chess960 type check default {default}")
        reserve = round(1000 * RESERVE)
        self._say(f"option name Move Overhead type spin default {reserve} min 0 max {_RESERVE}")
        self._say("uciok")

    def _isready(self) -> None:
        if self._search is None:
            if not self._preparation.is_over:
                self._is_preparing = True
                self._search = in_background(self._become_ready)
                return
            self._preparation.wait()
        self._say("readyok")

    def _become_ready(self) -> None:
        """Answer `isready` when all is compiled; `quit` need not wait for that."""
        try:
            self._preparation.wait()
            self._say("readyok")
        except SeedfolioError as error:
            self._complain(error)
        except BrokenPipeError:
            pass  # the thread that reads commands will notice
        finally:
            self._go_on()

    def _new_game(self) -> None:
        self._game.new_game()
        self._sound, self._asked = True, [_START]

    def _position(self, arguments: list[str]) -> None:
        self._sound = False
        fen, moves = _position(arguments)
        game = self._game
        if self._chess960 and self._start is not None:
            fen = by_files(self._start if fen is None else fen)
        game.begin_at(fen)
        wanted = [move.lower() for move in moves]
        played = [move.lower() for move in game.moves]
        common = 0
        while common < min(len(wanted), len(played)) and wanted[common] == played[common]:
            common += 1
        for _ in range(len(played) - common):
            game.undo()
        for number, move in enumerate(wanted[common:], common + 1):
            mover = game.mover
            if mover is None:
                raise SpecificationError(f"the game is over before move {number}, {move}")
            game.play(mover, move)
        self._sound, self._asked = True, arguments
        game.settle()

    def _go(self, arguments: list[str]) -> None:
        self._may_answer.clear()
        if "infinite" not in arguments and "ponder" not in arguments:
            self._may_answer.set()
        try:
            self._limits = Limits.parse(arguments, self._say, self._reserve)
        except SpecificationError as error:
            self._complain(error)
            self._limits = Limits(self._say)
        self._limits.begin(self._arrived)
        self._search = in_background(partial(self._think, self._limits))

    def _think(self, limits: Limits) -> None:
        try:
            move = self._found(limits)
            self._may_answer.wait()
            self._say(f"bestmove {move}")
        except BrokenPipeError:
            pass  # the thread that reads commands will notice
        finally:
            self._go_on()

    def _go_on(self) -> None:
        """Carry out the commands that waited for the end of a search."""
        with self._order, suppress(BrokenPipeError):
            self._search, self._is_preparing = None, False
            self._arrived = time.monotonic()  # they waited for a reason
            waiting, self._waiting = self._waiting, []
            for name, arguments in waiting:
                self._take(name, arguments)

    def _found(self, limits: Limits) -> str:
        """Return the move for the position, or `(none)`."""
        game = self._game
        try:
            mover = game.mover if self._sound and self._loaded else None
            if mover is None:
                return _NONE
            if not self._preparation.is_over:
                self._preparation.wait()
                limits.begin()  # the time for compiling is not that of the move
            move = game.choose(mover, limits)
            game.undo()
        except SeedfolioError as error:
            self._complain(error)
            return _NONE
        self._say(f"info string {game.arms[mover]}")
        return move

    def _setoption(self, arguments: list[str]) -> None:
        name, value = _option(arguments)
        if name == "arm":
            self._serve(self._opponent, value)
        elif name == "portfolio":
            self._loaded = False
            self._serve(self._with_portfolio(value), self._arm)
            self._loaded = True
        elif name == "key":
            if not re.fullmatch(r"[0-9]{0,40}", value):
                raise SpecificationError(f"Key must be a whole number of 0 or more, not {value!r}")
            self._key = int(value) if value else None
            self._game.use_key(self._key)
            self._set_up_again()
        elif name == "move overhead":
            if not re.fullmatch(r"[0-9]{1,4}", value) or int(value) > _RESERVE:
                raise SpecificationError(
                    f"Move Overhead is a number of milliseconds from 0 to {_RESERVE}, not {value!r}"
                )
            self._reserve = Reserve(int(value) / 1000)
        elif name == "uci_variant":
            if value not in self._variants:
                raise SpecificationError(f"this program plays {self._variants[0]}, not {value}")
        elif name == CHESS960_OPTION and self._start is not None:
            if value.lower() not in ("true", "false"):
                raise SpecificationError(f"UCI_Chess960 is true or false, not {value!r}")
            self._chess960 = value.lower() == "true"
            self._set_up_again()
        else:
            raise SpecificationError(
                f"there is no option {name!r}; "
                "the options are UCI_Variant, Arm, Key, Portfolio and Move Overhead"
            )

    def _serve(self, opponent: Opponent, arm: str) -> None:
        """Serve a program from now on, with one arm if that is not empty."""
        self._game = ServedGame(_with_arm(opponent, arm), self._key)
        self._opponent, self._arm = opponent, arm
        self._preparation = Preparation(self._game.opponent)
        self._set_up_again()

    def _with_portfolio(self, file: str) -> Opponent:
        """Return the program of a portfolio of the same game; for an empty text, the first one."""
        if file not in self._portfolios:
            found, game = load_boosted(file), self._opponent.game
            if found.is_engine or found.game.identity() != game.identity():
                raise SpecificationError(f"{file} is not a portfolio of {game.title}")
            self._portfolios[file] = found
        return self._portfolios[file]

    def _set_up_again(self) -> None:
        """Set up the last position once more: an option does not change it.

        A new game that follows is the first one with the option.
        """
        if self._sound:
            self._position(self._asked)
        self._game.set_up()


def _with_arm(opponent: Opponent, arm: str) -> Opponent:
    """Return the program with one arm for all games; for an empty text, it draws them."""
    return opponent.with_arm(arm) if arm else opponent


def _position(arguments: list[str]) -> tuple[str | None, list[str]]:
    """Return the FEN, or None for the start, and the moves of `position`."""
    split = arguments.index("moves") if "moves" in arguments else len(arguments)
    place, moves = arguments[:split], arguments[split + 1 :]
    if place == [_START]:
        return None, moves
    if place[:1] == ["fen"]:
        return " ".join(place[1:]), moves
    if place[:1] == [_START]:
        raise SpecificationError(f"after startpos comes moves, not {place[1]!r}")
    raise SpecificationError(
        "a position must be startpos, or in chess fen and a FEN; then moves and the moves played"
    )


def _option(arguments: list[str]) -> tuple[str, str]:
    """Return the name, in lower case, and the value of `name ... value ...`."""
    if arguments[:1] != ["name"]:
        raise SpecificationError("setoption takes: name NAME value VALUE")
    split = arguments.index("value") if "value" in arguments else len(arguments)
    value = " ".join(arguments[split + 1 :])
    return " ".join(arguments[1:split]).lower(), "" if value == _EMPTY else value
