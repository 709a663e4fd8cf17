"""The built-in games as the page offers them: a name, one line of rules, a picture, some boards.

Nothing here plays or compiles: pictures show positions that are written down.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from seedfolio.core.trust import Permit
from seedfolio.games import BUILT_IN, load_game
from seedfolio.games.board import Board, Panel
from seedfolio.games.game import Game
from seedfolio.players import load_player
from seedfolio.report.boards.svg import BoardPicture

OPEN, HIDDEN, CHANCE = "open", "hidden", "chance"
KINDS = {OPEN: "all is seen", HIDDEN: "something is hidden", CHANCE: "cards and dice"}
"""Kinds of games, by the word in an address."""
DISCS = {"X": "Black", "O": "White"}
"""The glyphs of discs, and the colours in which the page draws them."""


@dataclass(frozen=True)
class _Entry:
    """What is written down of a game."""

    title: str
    line: str
    """What it is about, in one line."""
    boards: tuple[tuple[str, str], ...] = ()
    """Boards to choose: what people call them, and the options. The usual one is first."""
    shown: str = ""
    """The options of the board in the picture."""
    position: str = ""
    """The cells after each glyph: `X b2 c3 / O c2`; for Domineering the moves in turn; for a game
    without a board its tiles."""
    seconds: int = 10
    """About how long it takes to compile its program, on one core."""


def _squares(*sizes: int) -> tuple[tuple[str, str], ...]:
    return tuple((f"{size} by {size}", f"{size}x{size}") for size in sizes)


_ENTRIES = {
    "domineering": _Entry(
        "Domineering",
        "Place dominoes, one player upright, one flat. Who has no room loses.",
        _squares(7, 4, 5, 6, 8, 10),
        "5x5",
        "b2b3 c3d3 d1d2 a5b5 e3e4 b1c1",
        4,
    ),
    "atari-go": _Entry(
        "Atari Go",
        "Go in which the first capture wins.",
        _squares(7, 5, 9),
        "5x5",
        "X C3 B2 D2 C1 / O C2 C4 D3",
        12,
    ),
    "breakthrough": _Entry(
        "Breakthrough",
        "A pawn that reaches the other side wins.",
        _squares(8, 5, 6, 7),
        "5x5",
        "X a1 b1 c1 d1 e1 a2 b3 d2 e2 / O a5 b5 c5 d5 e5 a4 c4 d3 e4",
        12,
    ),
    "chess": _Entry(
        "Chess",
        "The game of kings, against a small program.",
        position="R a1 f1 / N c3 f3 / B c4 c1 / Q d1 / K g1 / P a2 b2 c2 d3 e4 f2 g2 h2 / "
        "r a8 f8 / n c6 f6 / b c5 c8 / q d8 / k g8 / p a7 b7 c7 d6 e5 f7 g7 h7",
        seconds=60,
    ),
    "go": _Entry(
        "Go",
        "Surround more of the board than the other.",
        _squares(7, 5, 9),
        "7x7",
        "X C3 C4 D5 E5 B3 D2 / O D3 D4 E4 F5 E3 E2",
        12,
    ),
    "havannah": _Entry(
        "Havannah",
        "Make a ring, join two corners, or join three sides.",
        (("5 cells a side", "base=5"), ("4 cells a side", "base=4"), ("8 cells", "base=8")),
        "base=4",
        "X b3 c4 d5 e5 / O d4 e4 c3 f6",
        25,
    ),
    "hex": _Entry(
        "Hex",
        "Join your two sides of the board. There is no draw.",
        _squares(7, 5, 9, 11),
        "5x5",
        "X c3 c2 b4 d1 / O b2 d3 b3",
        15,
    ),
    "phantom-go": _Entry(
        "Phantom Go",
        "Go without seeing the stones of the other.",
        _squares(5, 7),
        "5x5",
        "X C3 B3 D2 / O B4 D4",
        20,
    ),
    "batoo": _Entry(
        "Batoo",
        "Go that begins with stones set in secret.",
        _squares(9, 5, 7),
        "5x5",
        "X B2 D4 / O B4 D2",
        20,
    ),
    "phantom-tic-tac-toe": _Entry(
        "Phantom tic-tac-toe",
        "Three in a row, without seeing the other's moves.",
        position="X b2 a3 / O c1",
        seconds=6,
    ),
    "phantom-four": _Entry(
        "Phantom four",
        "Four discs in a row, without seeing the other's.",
        position="X d1 d2 e1 c1 / O b1 d3",
        seconds=6,
    ),
    "nim": _Entry(
        "Nim", "Take from one heap. Who takes the last wins.", position="o a1 a2 b2 c2", seconds=3
    ),
    "pig": _Entry("Pig", "Roll on, or keep what you have: a 1 loses it.", position="6 4 1"),
    "morra": _Entry("Morra", "Show fingers, and guess how many there are.", position="2 3"),
    "kuhn-poker": _Entry("Kuhn poker", "Poker with three cards and one bet.", position="K ?"),
    "leduc-poker": _Entry("Leduc poker", "Poker with six cards in two rounds.", position="Q ? Q"),
    "rolit": _Entry(
        "Rolit",
        "Enclose balls, and they take your colour.",
        (
            ("6 by 6, two players", "6x6"),
            ("8 by 8, two players", "8x8"),
            ("6 by 6, three players", "6x6,players=3,seat=1"),
            ("6 by 6, four players", "6x6,players=4,seat=1"),
        ),
        "6x6",
        "X c3 d4 d3 c2 / O c4 b4 d5 e3",
        15,
    ),
    "liars-dice": _Entry("Liar's dice", "Bid higher, or call the other a liar.", position="5 ?"),
}


@dataclass(frozen=True)
class GameCard:
    """A built-in game as the page offers it."""

    name: str
    title: str
    line: str
    rules: str
    """How to play, in a few sentences."""
    kind: str
    boards: tuple[tuple[str, str], ...]
    """Boards to choose: what people call them, and the options."""
    sides: tuple[str, str]
    efforts: tuple[tuple[int, str], ...]
    """How much the program may think, with a word each; the usual one is first."""
    strength: str
    """How the program thinks, in words."""
    picture: Markup
    """A position as SVG; empty for a game without a board."""
    tiles: tuple[str, ...]
    """Cards or dice, for a game without a board."""
    columns: int
    """The width of the picture in cells."""


def seconds_to_compile(name: str) -> int:
    """Return about how long it takes to make the program of a game ready for the first time."""
    return _ENTRIES[name].seconds if name in _ENTRIES else 10


def people_side(side: str, board: Board) -> str:
    """Return the name of a side with the colour that people see: Black for X on a board."""
    if isinstance(board, Panel) or not {"X", "O"} <= set(board.glyphs):
        return side
    glyph, _, rest = side.partition(",")
    if glyph in DISCS:
        return DISCS[glyph] + (f",{rest}" if rest else "")
    order = {"first player": "Black, the first player", "second player": "White, the second player"}
    return order.get(side, side)


@cache
def game_card(name: str) -> GameCard:
    """Return what the page says of a built-in game."""
    entry, game = _ENTRIES[name], load_game(name)
    player = load_player(game.rules.player, Permit.PAGE)
    usual = 0 if player.thinking is None else int(player.parameters[player.thinking])
    strength = "It plays at random: a warm-up."
    if usual:
        strength = f"It plays {usual} random games in its head before each move."
    kind = CHANCE if game.rules.chance else HIDDEN if game.rules.hides else OPEN
    board = game.rules.board
    first, second = (people_side(side, board) for side in board.colours)
    panel = isinstance(board, Panel)
    shown = load_game(f"{name}:{entry.shown}")
    return GameCard(
        name=name,
        title=entry.title,
        line=entry.line,
        rules=game.rules.how_to_move,
        kind=kind,
        boards=entry.boards,
        sides=(first, second),
        efforts=_efforts(usual),
        strength=strength,
        picture=Markup("") if panel else Markup(_picture(shown, entry)),
        tiles=tuple(entry.position.split()) if panel else (),
        columns=shown.rules.board.columns,
    )


def game_cards() -> list[GameCard]:
    """Return all built-in games."""
    return [game_card(name) for name in BUILT_IN]


def _efforts(usual: int) -> tuple[tuple[int, str], ...]:
    words = ((1, "as usual"), (4, "stronger"), (16, "strong, and slower"))
    weak = ((usual // 4, "weaker"),) if usual >= 4 else ()
    return (*((times * usual, word) for times, word in words), *weak) if usual else ()


def _picture(game: Game, entry: _Entry) -> str:
    board = game.rules.board
    cells, pieces = [0] * board.size, []
    if entry.position[:1].islower() and "#" in board.glyphs:  # dominoes
        full = list(board.glyphs).index("#")
        for number, move in enumerate(entry.position.split()):
            covered = board.cells_of(move)
            pieces.append((covered, number % 2))
            for cell in covered:
                cells[cell] = full
    else:
        for part in entry.position.split(" / "):
            glyph, *names = part.split()
            for cell in (cell for name in names for cell in board.cells_of(name)):
                cells[cell] = list(board.glyphs).index(glyph)
    picture = BoardPicture(game, cells, pieces=tuple(pieces))
    return picture.svg(f"A position of {entry.title}")
