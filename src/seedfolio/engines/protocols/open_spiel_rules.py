"""A game of OpenSpiel as it is played, for our process and for those in which its bots run.

The latter start often, so this imports little.
"""

from __future__ import annotations

from typing import Any

from seedfolio.engines.interface import IllegalMoveError
from seedfolio.errors import SpecificationError


def import_pyspiel() -> Any:
    """Return OpenSpiel's module; SpecificationError if it is not installed."""
    try:
        import pyspiel
    except ImportError:
        raise SpecificationError(
            "OpenSpiel is not installed; run: pip install 'seedfolio[openspiel]'"
        ) from None
    return pyspiel


class OpenSpielGame:
    """One game of OpenSpiel as it is played, its moves as texts."""

    def __init__(self, game: Any, fen: str | None = None) -> None:
        """Begin at the start, or at a position of chess; IllegalMoveError if there is none."""
        self.state = game.new_initial_state()
        self.first = self.state.current_player()
        """OpenSpiel's number of the player that moves first; in chess it is 1."""
        if fen is not None:
            try:
                self.state = game.new_initial_state(fen)
            except import_pyspiel().SpielError:
                raise IllegalMoveError(f"from {fen}") from None

    def play(self, move: str) -> None:
        """Play a move; IllegalMoveError if there is none."""
        self.state.apply_action(self.parse(move))

    def spell(self, action: int) -> str:
        """Return an action as text: without spaces, in small letters."""
        if hasattr(self.state, "parse_move_to_action"):
            from pyspiel import chess

            board = self.state.board()
            if isinstance(board, chess.ChessBoard):  # that of shogi is another one
                return str(chess.action_to_move(action, board).to_lan()).lower()
        text = str(self.state.action_to_string(self.state.current_player(), action))
        return "".join(text.split()).lower()

    def parse(self, move: str) -> int:
        """Return the action of a text; IllegalMoveError if there is none."""
        for action in self.state.legal_actions():
            # Some games mark a capture with an asterisk, which engines may leave out.
            if move in (spelled := self.spell(action), spelled.rstrip("*")):
                return int(action)
        raise IllegalMoveError(move)
