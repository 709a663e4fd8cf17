"""A program as a Go engine: the Go Text Protocol, version 2.

The program plays one size of board and one komi. GTP asks engines to accept any komi, but this
one refuses others: its arms were learnt with this komi. External engines also play other games by
GTP; they know the boards themselves.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from seedfolio.core.plain_text import put
from seedfolio.engines.clock import GtpClocks, Reserve
from seedfolio.engines.interface import RESIGN
from seedfolio.engines.protocols.gtp import received
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.games.board import GO_LETTERS, PASS
from seedfolio.games.game import Game
from seedfolio.games.go.area import has_go_stones
from seedfolio.games.hex.board import HexBoard
from seedfolio.opponents.go_limits import limits_by
from seedfolio.opponents.opponent import Opponent
from seedfolio.protocols.served_game import Preparation, ServedGame
from seedfolio.version import __version__

_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_NAMES = ("Black", "White")
_OF_NO_GAME = re.compile(
    r"[\d\s]*(protocol_version|name|version|known_command|list_commands|quit)\b"
)
"""Commands that need not wait until all is compiled."""


@dataclass(frozen=True)
class GoBoard:
    """The one board that a program plays on."""

    size: int
    komi: float | None
    """None for a game without komi, which accepts any."""


def hex_sides(game: Game) -> tuple[int, int] | None:
    """Return the cells of a side, twice, which is the size of a hexagonal board; else None."""
    board = game.rules.board
    return (board.reach + 1, board.reach + 1) if isinstance(board, HexBoard) else None


def go_board(game: Game) -> GoBoard | None:
    """Return the board of a game, None for a hexagonal one.

    SpecificationError if GTP does not suit the game.
    """
    if isinstance(game.rules.board, HexBoard):
        return None
    if not has_go_stones(game):
        raise SpecificationError(
            f"{game.title} is not played with stones on a Go board, so GTP has no words for it; "
            "try seedfolio uci or seedfolio play"
        )
    if game.rules.hides and game.rules.refused is None:
        raise SpecificationError(
            f"{game.title}: players choose in secret, and GTP shows all moves; try seedfolio play"
        )
    return GoBoard(game.rules.board.columns, game.parameters.get("komi"))


def handicap_points(size: int, number: int) -> tuple[str, ...]:
    """Return the points of so many handicap stones as GTP fixes them; none if there are not.

    >>> handicap_points(9, 5)
    ('C3', 'G7', 'C7', 'G3', 'E5')
    """
    near = 3 if size < 13 else 4
    far, middle = size + 1 - near, (size + 1) // 2
    corners = [(near, near), (far, far), (near, far), (far, near)]
    sides = [(near, middle), (far, middle), (middle, near), (middle, far)]
    most = 4 if size % 2 == 0 or size == 7 else 9
    if not 7 <= size <= len(GO_LETTERS) or not 2 <= number <= most:
        return ()
    central = number > len(corners) and number % 2 == 1
    places = [*(corners + sides)[: number - central], *[(middle, middle)] * central]
    return tuple(f"{GO_LETTERS[column - 1]}{row}" for column, row in places)


class GtpServer:
    """Answers the commands of a controller."""

    def __init__(
        self,
        opponent: Opponent,
        board: GoBoard | None,
        key: int | None = None,
        sides: tuple[int, int] | None = None,
    ) -> None:
        self._board = board
        """None for a game other than Go: any komi is accepted, and any word may be a move."""
        self._sides = (board.size, board.size) if board is not None else sides
        """Rows and columns of the board; None if unknown, and any size is accepted."""
        self._game = ServedGame(opponent, key)
        self._by_clock = opponent.by_clock
        self._clocks = GtpClocks()
        self._reserve = Reserve()
        self._quit = False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: self._game.name,
            # The same as long as the process lives: controllers ask once. seedfolio-arm has more.
            "version": lambda _: __version__,
            "known_command": self._known_command,
            "list_commands": lambda _: "\n".join(self._all_commands()),
            "quit": self._leave,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "fixed_handicap": self._fixed_handicap,
            "place_free_handicap": self._fixed_handicap,
            "set_free_handicap": self._set_free_handicap,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda _: f"\n{self._game.draw()}",
            "final_score": lambda _: self._game.final_score(),
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "seedfolio-arm": lambda _: self._arms(),
            "seedfolio-tries": lambda _: " ".join(self._game.refused()),
            "gogui-analyze_commands": lambda _: "string/Seedfolio Arm/seedfolio-arm",
            # Further commands of programs for Havannah and Hex.
            "black": lambda arguments: self._play(["black", *arguments]),
            "white": lambda arguments: self._play(["white", *arguments]),
            "history": lambda _: " ".join(self._game.moves),
            "winner": self._winner,
            "havannah_winner": self._winner,
        }

    def serve(self, lines: Iterable[str], say: Callable[[str], None]) -> None:
        """Answer commands until `quit`, or until there are no more."""
        preparation = Preparation(self._game.opponent)
        for line in lines:
            if not _OF_NO_GAME.match(line):
                preparation.wait()
            answer = self.answer(line)
            if answer is not None:
                say(answer)
            if self._quit:
                return

    def answer(self, line: str) -> str | None:
        """Return the whole answer to a line; None for a comment or an empty line."""
        text = received(line).partition("#")[0].strip()
        if not text:
            return None
        command = text.lstrip("0123456789")
        number, command = text[: len(text) - len(command)], command.strip()
        name, *arguments = command.split() or [""]
        try:
            known = self._commands.get(name)
            sign, answer = "=", known(arguments) if known else self._game.pass_on(command)
        except SeedfolioError as failure:
            sign, answer = "?", " ".join(str(failure).split())
        try:
            self._game.settle()
        except SeedfolioError as failure:  # the move is played all the same
            put(f"error: {failure}", file=sys.stderr)
        return f"{sign}{number} {answer}".rstrip(" ") + "\n\n"

    def _arms(self) -> str:
        arms = self._game.arms
        return "; ".join(f"{name}: {arm}" for name, arm in zip(_NAMES, arms, strict=True))

    def _known_command(self, arguments: list[str]) -> str:
        return "true" if arguments and arguments[0] in self._all_commands() else "false"

    def _all_commands(self) -> list[str]:
        return list(dict.fromkeys([*self._commands, *self._game.other_commands()]))

    def _leave(self, _: list[str]) -> str:
        self._quit = True
        return ""

    def _boardsize(self, arguments: list[str]) -> str:
        if not arguments or not re.fullmatch(r"\d+", arguments[0], re.ASCII):
            raise SpecificationError("boardsize not an integer")
        size, sides = arguments[0].lstrip("0"), self._sides
        # A board that is not square has no size in GTP: accept either side.
        if sides is not None and size not in map(str, sides):
            only = str(sides[0]) if sides[0] == sides[1] else f"{sides[0]}x{sides[1]}"
            raise SpecificationError(f"unacceptable size: this program plays {only} only")
        return self._clear_board([])

    def _clear_board(self, _: list[str]) -> str:
        self._game.new_game()
        self._clocks.begin()
        return ""

    def _komi(self, arguments: list[str]) -> str:
        try:
            komi = float(arguments[0])
        except (IndexError, ValueError):
            raise SpecificationError("komi not a float") from None
        own = None if self._board is None else self._board.komi
        if own is not None and komi != own:
            raise SpecificationError(f"unacceptable komi: this program plays with {own:g} only")
        return ""

    def _play(self, arguments: list[str]) -> str:
        if len(arguments) < 2 or not self._is_vertex(arguments[1]):
            raise SpecificationError("invalid color or coordinate")
        colour = self._colour(arguments)
        try:
            self._game.play(colour, arguments[1])
        except SpecificationError as error:
            raise SpecificationError(f"illegal move: {error}") from error
        return ""

    def _fixed_handicap(self, arguments: list[str]) -> str:
        """Place stones where handicap stones usually are; return the points."""
        given = arguments[0] if arguments else ""
        points: tuple[str, ...] = ()
        if self._board is not None and re.fullmatch(r"[2-9]", given):
            points = handicap_points(self._board.size, int(given))
        if not points:
            raise SpecificationError("invalid number of stones")
        return self._set_free_handicap(list(points))

    def _set_free_handicap(self, arguments: list[str]) -> str:
        """Place stones of Black, with passes of White between them; return the points."""
        points = [each.upper() for each in arguments]
        wrong = len(points) < 2 or len({*points}) < len(points) or PASS.upper() in points
        if self._board is None or wrong or not all(map(self._is_vertex, points)):
            raise SpecificationError("bad vertex list")
        if self._game.moves:
            raise SpecificationError("board not empty")
        try:
            for point in points:
                self._game.play(0, point)
        except SpecificationError:
            while self._game.moves:
                self._game.undo()
            raise
        return " ".join(points)

    def _genmove(self, arguments: list[str]) -> str:
        colour = self._colour(arguments)
        clock, start = self._clocks.before(colour), time.monotonic()
        times = self._clocks.times(colour) if self._by_clock else None
        limits = limits_by(clock, times, self._reserve)
        try:
            return self._game.choose(colour, limits)
        finally:
            self._clocks.spend(colour, time.monotonic() - start)

    def _time_settings(self, arguments: list[str]) -> str:
        if len(arguments) != 3:
            raise SpecificationError("time_settings takes three numbers")
        self._clocks.set_up(arguments)
        return ""

    def _time_left(self, arguments: list[str]) -> str:
        if len(arguments) != 3:
            raise SpecificationError("time_left takes a colour and two numbers")
        self._clocks.tell(self._colour(arguments), arguments[1:])
        return ""

    def _reg_genmove(self, arguments: list[str]) -> str:
        move = self._genmove(arguments)
        if move != RESIGN:  # which is not a move
            self._game.undo()
        return move

    def _undo(self, _: list[str]) -> str:
        try:
            self._game.undo()
        except SpecificationError:
            raise SpecificationError("cannot undo") from None
        return ""

    def _winner(self, _: list[str]) -> str:
        """Return black, white or draw; none while the game goes on."""
        if self._game.mover is not None:
            return "none"
        return {"B": "black", "W": "white"}.get(self._game.final_score()[0], "draw")

    def _is_vertex(self, text: str) -> bool:
        if self._board is None:
            return True
        point = re.fullmatch(r"([A-HJ-Z])(\d{1,2})", text.upper(), re.ASCII)
        if point is None:
            return text.lower() == PASS
        size = self._board.size
        return GO_LETTERS.index(point[1]) < size and 1 <= int(point[2]) <= size

    def _colour(self, arguments: list[str]) -> int:
        if not arguments or arguments[0].lower() not in _COLOURS:
            raise SpecificationError("invalid color")
        return _COLOURS[arguments[0].lower()]
