"""Go on small boards: area scoring, simple ko, suicide forbidden.

A move is a legal point or a pass. The game ends after two consecutive passes, or after
3 * size * size moves, passes included. The limit is needed because there is no superko, so
positions may repeat. The score is by area: stones, and empty regions that touch only one colour.
All stones on the board count as alive, so capture dead stones before you pass. White has komi. If
komi is a whole number, draws are possible. Black moves first.
"""

from __future__ import annotations

from seedfolio.games.go.stones import area_rules, go_geometry, go_stones, go_turn
from seedfolio.games.kind import game
from seedfolio.games.rules import Rules

KOMI = {5: 5.5, 6: 4.5, 7: 4.5, 8: 4.5, 9: 4.5}
"""By size of the board. With it Black wins about half the games of uct:simulations=100."""


@game("go", version=1, summary="Go on a small board, counted by area")
def go(size: int = 7, komi: float | None = None) -> Rules:
    """Return the rules on a square board of 5 to 9 lines.

    A move is a point of `go_board`, or the pass. A rollout never fills a one-point eye.
    """
    geometry = go_geometry(size)
    stones = go_stones(geometry, KOMI[size] if komi is None else komi)
    length = 3 * size * size
    how_to_move = (
        "A move is the point of a stone, such as C3, or pass. Chains without a free neighbour are "
        "captured. Two passes end the game: the larger area wins, and White has komi."
    )
    return area_rules(geometry, stones, go_turn(geometry, stones, length), length, how_to_move)
