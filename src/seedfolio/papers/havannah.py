"""Reproduces Havannah in "Automatically Reinforcing a Game AI" (St-Pierre et al.): Table I, Fig. 4.

The paper's program is MCTS with RAVE and 1,000 simulations a move; Black begins. It does not say
which board it had, only that the game is best played with ten cells on a side: so that is the board
here unless another is named.
"""

from __future__ import annotations

from seedfolio.papers.seed_square import SeedSquare

HAVANNAH = SeedSquare(
    game="havannah:base=10",
    players=("rave:simulations=1000",),
    row=(55.36, 58.10, 52.51, 72.69, 75.75),
    supports=(34, 36),
    best=54.0,
)
