"""A game as one colour sees it: all that its page shows, and nothing else.

Everything here comes from what the colour notices, its board and the moves that it may try. When
the game is over the whole board is shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from seedfolio.engines.specification.positions import chess_start
from seedfolio.games.board import Board, Panel
from seedfolio.games.chess.san import san_moves
from seedfolio.games.game import Game
from seedfolio.games.hex.board import HexBoard
from seedfolio.opponents.game_in_progress import PERSON, GameInProgress, Notice, with_ending
from seedfolio.report.boards.chess_pieces import has_chess_pieces
from seedfolio.report.boards.reason import Reason, why_won
from seedfolio.report.boards.svg import BoardPicture
from seedfolio.web.catalogue import people_side

YOURS, THEIRS, OVER = "yours", "theirs", "over"
"""Whose turn it is."""


@dataclass(frozen=True)
class CellButton:
    """What a click on one cell of the board does."""

    cell: str
    """The name of the cell; empty for half a cell without one, in a row of a hexagonal board."""
    move: str = ""
    """The move that it plays, if any."""
    begins: str = ""
    """The cell whose moves it shows, if any: moves from one cell to another take two clicks."""
    chosen: bool = False
    """Whether its moves are shown now."""


@dataclass(frozen=True)
class LabelledNumber:
    """A number of a game without a board."""

    label: str
    text: str
    """Empty for a card or a die that the person does not see."""
    tile: bool
    """Whether it is a card or a die."""


@dataclass(frozen=True)
class SeenGame:
    """A game on a page."""

    title: str
    sides: tuple[str, str]
    """The names of the person's colour and of the program's."""
    turn: str
    """YOURS, THEIRS or OVER."""
    at: int
    """How much the person has noticed: a form that is older is refused."""
    says: tuple[Notice, ...]
    """All that the person has noticed."""
    picture: Markup
    """The board as SVG; empty for a game without a board."""
    numbers: tuple[LabelledNumber, ...]
    """For a game without a board."""
    columns: int
    """The width of the board in cells."""
    hexagonal: bool
    """Whether rows lie half a cell beside each other."""
    across: int
    """The columns of the grid of buttons: half cells on a hexagonal board."""
    buttons: tuple[CellButton, ...]
    """One for each place, from the top left; empty if it is not the person's turn."""
    others: tuple[str, ...]
    """Moves that no cell plays: pass, roll."""
    board: str
    """The board as text."""
    rules: str
    """How to move, in a few sentences."""
    can_undo: bool
    can_go_back: bool
    """Whether a game could go on from any of its positions: nothing is hidden, no die rolled."""
    points: int | None = None
    """The points of the person, once the game is over."""
    won: str = ""
    """The same in words."""
    ending: str = ""
    """Why the game is over, where the rules tell: checkmate."""

    @property
    def result(self) -> str:
        """The result in words; empty as long as there is none."""
        if self.points is None:
            return ""
        return with_ending(self.won, self.ending)

    @property
    def news(self) -> str:
        """What happened since the person's last move, for those who listen."""
        since = [k for k, each in enumerate(self.says) if each.by == PERSON]
        told = self.says[since[-1] :] if since else self.says
        texts = [each.text for each in told if each.by != PERSON or each.text.startswith("refused")]
        if self.turn == OVER:
            texts.append(self.result or "The game is over.")
        elif self.turn == YOURS:
            texts.append("Your turn.")
        return " ".join(texts)


def seen_game(
    now: GameInProgress, begins: str = "", *, ended: bool = False, ply: int | None = None
) -> SeenGame:
    """Return a game as the person sees it.

    `begins` is a cell whose moves the person asked for. With `ended` nobody moves any more, as
    after a resignation. Then `ply` is the number of moves after which the board is shown; None:
    all.
    """
    if ended and ply is not None and ply < len(now.history):
        whole = seen_game(now, ended=True)
        early = seen_game(replace(now, history=now.history[:ply]), ended=True)
        return replace(whole, picture=early.picture, numbers=early.numbers, board=early.board)
    game, rules = now.game, now.game.rules
    over = ended or now.turn is None
    mine = not over and now.turn == PERSON
    moves = [game.move_name(move) for move in now.position.moves] if mine else []
    cells = now.position.cells if over else now.seen.cells
    buttons, others = _buttons(now, moves, begins)
    won, why = _why(now, cells) if now.turn is None else (frozenset[int](), "")
    panel = rules.board if isinstance(rules.board, Panel) else None
    hexagonal = isinstance(rules.board, HexBoard)
    across = rules.board.half_columns if isinstance(rules.board, HexBoard) else rules.board.columns
    return SeenGame(
        title=game.title,
        sides=(people_side(now.sides[0], rules.board), people_side(now.sides[1], rules.board)),
        turn=OVER if over else YOURS if mine else THEIRS,
        at=len(now.seen.events),
        says=tuple(_told(now)),
        picture=Markup("") if panel else _picture(now, cells, won),
        numbers=() if panel is None else tuple(_numbers(panel, cells)),
        columns=(across + 1) // 2 if hexagonal else across,
        hexagonal=hexagonal,
        across=across,
        buttons=buttons,
        others=others,
        board=rules.board.draw(cells),
        rules=rules.how_to_move,
        can_undo=now.can_undo and not over,
        can_go_back=now.can_undo,
        points=now.points if over else None,
        won=now.result if over else "",
        ending=(now.position.ending or why) if over else "",
    )


def _numbers(panel: Panel, cells: NDArray[np.int64]) -> Iterator[LabelledNumber]:
    for place, (label, cell) in enumerate(zip(panel.labels, cells, strict=True)):
        tile = place < panel.tiles
        yield LabelledNumber(label, panel.glyphs[int(cell)] if cell or not tile else "", tile)


def _told(now: GameInProgress) -> Iterator[Notice]:
    """Yield what the person has noticed; moves of chess as people write them: Nf3."""
    fen = chess_start(now.game.source)
    notices = now.notices()
    written = [] if fen is None else san_moves([each.move for each in notices], fen)
    for number, each in enumerate(notices):
        if written:
            each = replace(each, text=each.text.replace(f"{each.move}.", f"{written[number]}."))
        yield each


def _why(now: GameInProgress, cells: NDArray[np.int64]) -> Reason:
    """Return the stones that won a game that is over, and why."""
    named = now.game.rules.board.cells_of(now.game.move_name(now.history[-1]))
    last = named[0] if len(named) == 1 else -1
    if now.game.name == "phantom-four":  # its moves are columns; the disc on top fell last
        column = now.game.rules.board.letters.index(now.game.move_name(now.history[-1]))
        rows, columns = now.game.rules.board.rows, now.game.rules.board.columns
        last = max(r * columns + column for r in range(rows) if cells[r * columns + column])
    return why_won(now.game, last, cells.tolist())


def _picture(
    now: GameInProgress, cells: NDArray[np.int64], won: frozenset[int] = frozenset()
) -> Markup:
    game = now.game
    last: tuple[int, ...] = ()
    if now.history and not game.rules.hides:
        last = game.rules.board.cells_of(game.move_name(now.history[-1]))
    marked = tuple(won) or last
    picture = BoardPicture.of(game, now.history, cells, marked, turned=_turned(now))
    board = game.rules.board
    size = f"{board.rows} by {board.columns}"
    if isinstance(board, HexBoard):
        size = f"{len(board.places)} hexagonal cells"
    return Markup(picture.svg(f"{game.title}: board of {size}"))


def _turned(now: GameInProgress) -> bool:
    """Tell whether the person looks at the board from the second player's side, as in chess."""
    return now.person == 1 and has_chess_pieces(now.game.rules.board)


def _buttons(
    now: GameInProgress, moves: list[str], begins: str
) -> tuple[tuple[CellButton, ...], tuple[str, ...]]:
    """Return a button for each cell and the moves that have none."""
    game, board = now.game, now.game.rules.board
    if isinstance(board, Panel) or not moves:
        return (), tuple(moves)
    by_cell: dict[int, list[str]] = defaultdict(list)
    others = []
    two_clicks = False
    for move in moves:
        cells = game.rules.board.cells_of(move) or _top_of_column(move, game)
        if cells:
            by_cell[cells[0]].append(move)
            # A piece is moved, also if this is its only move.
            two_clicks |= len(cells) > 1 and bool(now.seen.cells[cells[0]])
        else:
            others.append(move)
    # Otherwise a cell with one move plays it, as in Domineering.
    two_clicks |= any(len(found) > 1 for found in by_cell.values())
    chosen = next((c for c in by_cell if _cell_name(game, c) == begins), None)
    targets: dict[int, str] = {}
    if two_clicks and chosen is not None:
        for move in by_cell[chosen]:
            target = game.rules.board.cells_of(move)[-1]
            if target in targets:
                others.append(move)  # such as a promotion to another piece
            targets.setdefault(target, move)
    found = []
    drawn = list(_in_drawn_order(board))
    for cell in reversed(drawn) if _turned(now) else drawn:
        name = "" if cell is None else _cell_name(game, cell)
        if cell in targets:
            found.append(CellButton(name, move=targets[cell]))
        elif two_clicks and cell in by_cell:
            found.append(CellButton(name, begins=name, chosen=cell == chosen))
        elif cell in by_cell:
            found.append(CellButton(name, move=by_cell[cell][0]))
        else:
            found.append(CellButton(name))
    return tuple(found), tuple(others)


def _in_drawn_order(board: Board) -> Iterator[int | None]:
    """Return the cells from the top left; None for half a cell that is not on the board."""
    if not isinstance(board, HexBoard):
        for row in reversed(range(board.rows)):
            yield from range(row * board.columns, (row + 1) * board.columns)
        return
    for row in range(board.rows):
        columns = board.columns_of(row)
        before, after = board.left(row, columns[0]), board.left(row, columns[-1]) + 2
        yield from [None] * before
        yield from (row * board.columns + column for column in columns)
        yield from [None] * (board.half_columns - after)


def _cell_name(game: Game, cell: int) -> str:
    board = game.rules.board
    return board.cell_name(*divmod(cell, board.columns))


def _top_of_column(move: str, game: Game) -> list[int]:
    """Return the topmost cell of a move that names a column alone."""
    board = game.rules.board
    column = board.letters[: board.columns].find(move) if len(move) == 1 else -1
    return [(board.rows - 1) * board.columns + column] if column >= 0 else []
