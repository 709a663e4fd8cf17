"""An arm in a game: its engine, and how it is asked for its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seedfolio.engines.book_side import BookSide
from seedfolio.engines.endings import EngineFaultError
from seedfolio.engines.interface import Arm, Engine
from seedfolio.engines.pool import Lender


def answer_after(
    engine: Engine, arm: Arm, movers: Sequence[int], moves: Sequence[str], *, scored: bool = False
) -> str:
    """Return the answer of an engine as `arm` after it gets all moves, each with its mover.

    `movers` has one more entry: the colour to move. If `scored`, the score follows the move.
    """
    engine.new_game(arm)
    for mover, move in zip(movers, moves, strict=False):
        engine.told(mover, move)
    return _answer(engine, movers[len(moves)], scored)


def _answer(engine: Engine, colour: int, scored: bool) -> str:
    move = engine.choose(colour)
    return f"{move} {engine.score}".rstrip() if scored else move


@dataclass
class Seat:
    """An arm in a game; its engine starts when an answer is not known."""

    arm: Arm
    pool: Lender
    anew: bool = False
    """Whether each answer comes from a new process and so depends only on the moves so far."""
    engine: Engine | None = None
    knows: int = 0
    """How many moves of the game the engine has."""
    asked: int = 0
    book: BookSide | None = None
    proposer: Arm | None = None
    """An arm that is also asked what it would play in place of the book."""
    scored: bool = False
    """Whether an answer is a move and its score."""

    def choose(self, movers: Sequence[int], moves: Sequence[str]) -> str:
        """Return the engine's answer after the moves, each with its mover."""
        if self.engine is None:
            self.engine = self.pool.engine(self.arm)
            self.engine.new_game(self.arm)
        while self.knows < len(moves):
            self.engine.told(movers[self.knows], moves[self.knows])
            self.knows += 1
        self.asked += 1
        answer = _answer(self.engine, movers[-1], self.scored)
        self.knows += 1
        if self.anew:
            self.leave(healthy=True)
        return answer

    def would_choose(self, arm: Arm, movers: Sequence[int], moves: Sequence[str]) -> str:
        """Return what an arm would play, without a move on the board of this game."""
        self.asked += 1
        with self.pool.lend(arm, new=self.anew) as engine:
            return answer_after(engine, arm, movers, moves, scored=self.scored)

    def answer_anew(self, arm: Arm, movers: Sequence[int], moves: Sequence[str]) -> str:
        """Return the answer of a new process as `arm`, or a text about its fault."""
        self.asked += 1
        try:
            with self.pool.lend(arm, new=True) as engine:
                return answer_after(engine, arm, movers, moves, scored=self.scored)
        except EngineFaultError as fault:
            return f"nothing ({fault})"

    def leave(self, healthy: bool) -> None:
        """Give the engine back, or end it."""
        if self.engine is not None:
            engine, self.engine, self.knows = self.engine, None, 0
            if healthy:
                self.pool.give_back(engine, self.arm)
            else:
                self.pool.discard(engine)
