"""What a best response leaves of a book of `table`, exactly, in small games.

    python -m experiments.exact kuhn-poker --hold 1 --games 2000 --games 20000

A line for the original and one for each book, in percent: mean of both colours, then each. The best
response knows the book, but not what it draws. Where the book ends, each move is random, as `table`
has another one for each seed. Games in which both colours see all moves may have symmetries; others
may not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from seedfolio.arena import Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.core.randomness import noticed
from seedfolio.core.table import percent
from seedfolio.games.rules import CHANCE
from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.learner import Budget
from seedfolio.players.books.frames import frame_functions
from seedfolio.players.books.table import pack
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio, MixedBook
from seedfolio.programs.load import load_program
from seedfolio.study.session import Session
from seedfolio.study.store import Study


class _Node(NamedTuple):
    """A position with what both sides know, and how likely our moves and chance make it."""

    state: Any
    frame: Any
    """How the board is turned for the book; None: we have left it."""
    ours: Any
    """Our place in the book."""
    theirs: int
    """A hash of what the opponent has noticed."""
    weight: float


def main(
    game: str,
    games: Annotated[list[int], typer.Option(help="Games of a book; repeat it for several.")],
    hold: Annotated[list[float] | None, typer.Option(help="Values; repeat it for several.")] = None,
) -> None:
    """Print what is left of the original, and of a book for each value and number of games."""
    program = load_program(game, "table", 1).compiled()
    _print("original", program, BookPortfolio(ORIGINAL, ORIGINAL))
    for value in hold or (0, 0.5, 1):
        for budget in games:
            with Study.temporary(program.identity()) as study:
                session = Session(study, ThreadArena(), program, Silent())
                plays = BookLearner(hold=value).learn(session, Budget(budget)).plays
            assert isinstance(plays, BookPortfolio)
            _print(f"hold {value:g}, {budget:,} games", program, plays)


def _print(name: str, program: Program, plays: BookPortfolio) -> None:
    first, second = (left_exactly(program, plays, colour) for colour in (0, 1))
    print(f"{name}: {percent((first + second) / 2)} ({percent(first)} {percent(second)})")


def left_exactly(program: Program, plays: BookPortfolio, colour: int) -> float:
    """Return the success of a colour against a best response."""
    rules, functions = program.game.rules, program.game.functions
    frames, odds = frame_functions(program.game), _drawn(plays[colour])
    options = np.zeros(rules.max_moves, np.int64)
    open_to_all = rules.event is None

    def after(node: _Node, move: int, share: float) -> _Node:
        then = functions["play"](node.state, move)
        frame, ours = node.frame, node.ours
        if frame is not None:
            frame, ours = frames["follow"](frame, np.uint64(ours), move, colour)
        seen = functions["event"](node.state, move, then, 1 - colour)
        theirs = int(noticed(np.uint64(node.theirs), seen))
        return _Node(then, frame, ours, theirs, share * node.weight)

    def answered(node: _Node, moves: list[int]) -> Iterable[_Node]:
        """Return what follows from our move, or from chance."""
        shares = dict.fromkeys(moves, 1.0)
        if functions["mover"](node.state) == CHANCE:
            if rules.odds is not None:
                shares = {move: rules.odds(node.state, move) for move in moves}
        elif node.frame is not None and (drawn := odds.get(int(node.ours))):
            turned = frames["turned_back"]
            shares = {
                int(turned(node.frame, move, np.uint64(0), 0)): often
                for move, often in drawn.items()
            }
        else:
            node = node._replace(frame=None)
        whole = sum(shares.values())
        return [after(node, move, share / whole) for move, share in shares.items()]

    @cache
    def at_random(state: Any) -> float:
        return least([_Node(state, None, 0, 0, 1.0)])

    def least(nodes: Iterable[_Node]) -> float:
        """Return our points after these nodes, all that the opponent can reach."""
        total, alike, waiting = 0.0, defaultdict(list), list(nodes)
        while waiting:
            node = waiting.pop()
            moves = options[: functions["moves"](node.state, options, 0)].tolist()
            if not moves:
                total += node.weight * functions["points_of"](node.state, colour)
            elif functions["mover"](node.state) == 1 - colour:
                alike[node.theirs].append((node, moves))
            else:
                total += follow(answered(node, moves), waiting)
        for same in alike.values():
            moves = same[0][1]
            total += min(start([after(node, move, 1.0) for node, _ in same]) for move in moves)
        return total

    def follow(nodes: Iterable[_Node], waiting: list[_Node]) -> float:
        """Return the points after those nodes that need no search, and leave the others to it."""
        total = 0.0
        for node in nodes:
            if open_to_all and node.frame is None:
                total += node.weight * at_random(node.state)
            else:
                waiting.append(node)
        return total

    def start(nodes: Iterable[_Node]) -> float:
        waiting: list[_Node] = []
        return follow(nodes, waiting) + least(waiting)

    frame = frames["open_frame"](np.uint64(0), pack([[], []], symmetric=plays.symmetric))
    return start([_Node(functions["start"](), frame, 0, 0, 1.0)]) / rules.scale


def _drawn(plays: MixedBook) -> dict[int, dict[int, int]]:
    """Return how often one book plays each move at its states."""
    if len(plays.books) > 1:
        raise typer.BadParameter(f"{len(plays.books)} books at a time: give --hold or fewer games")
    odds: dict[int, dict[int, int]] = defaultdict(dict)
    for book in plays.books:
        times = np.ones(len(book), np.int64) if book.times is None else book.times
        for state, move, often in zip(book.states, book.moves, times, strict=True):
            odds[int(state)][int(move)] = int(often)
    return odds


if __name__ == "__main__":
    typer.run(main)
