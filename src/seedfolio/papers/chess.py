"""Reproduces chess in "Automatically Reinforcing a Game AI" (St-Pierre et al.): Table I and Fig. 3.

The paper's program is MCTS with 1,000 simulations a move and an evaluation function, of about 1600
Elo; it says no more about it. Here it is `uct`, which evaluates its leaves. The paper also proposes
to randomize the evaluation of an alpha-beta program, and has no numbers for that: `alphabeta` does
it.
"""

from __future__ import annotations

from seedfolio.papers.seed_square import SeedSquare

CHESS = SeedSquare(
    game="chess",
    players=("uct:simulations=1000,leaf=evaluation", "alphabeta"),
    row=(54.52, 59.16, 50.29, 80.31, 86.07),
    supports=(34, 37),
    best=53.5,
)
