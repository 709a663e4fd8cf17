"""The ground truth for small games: success against an opponent that plays its best response.

A K'-exploiter picks one of K' arms. The strongest opponent knows the portfolio's weights, though
not which arm was drawn, and may play anything that its own information allows. In a small game that
opponent can be computed: against no strategy does the portfolio score less.

Our arms are deterministic, so an information state of the opponent is a list of the arms that may
still be playing, each with the one state that the game is then in. The search goes through these
lists depth first. For every move that the opponent may try, every arm on the list answers until the
opponent is to move again, and the list splits by what the opponent has noticed. The value of a list
is our score: the minimum over the moves, the sum over the parts of a move. Sums only grow, so the
search cuts off a move once it gives us as much as the best one so far.

Weights are integers here, so that sums are exact and do not depend on their order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.core.randomness import fold, noticed
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.errors import SpecificationError
from seedfolio.evaluation.chance_response import success_with_chance
from seedfolio.games.game import Game
from seedfolio.games.rules import Rules
from seedfolio.players.interface import Bound
from seedfolio.players.program import Program
from seedfolio.players.seated import bind
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.interface import Playable

_UNIT = 2.0**60
"""The integer for a weight of 1: exact for weights from 1/128 up, and two fit in 63 bits."""


@dataclass(frozen=True)
class BestResponse:
    """Our success (0..1) against an opponent that plays its best response."""

    first: float
    """As first player."""
    second: float
    """As second player."""

    @property
    def mean(self) -> float:
        """Both colours together."""
        return (self.first + self.second) / 2


def best_response_success(program: Program, portfolio: Portfolio) -> BestResponse:
    """Return the success of `portfolio` against the best response to it, exactly.

    SpecificationError if the game is too large to be searched whole, or if arms have luck.
    """
    if not program.game.rules.small:
        raise SpecificationError(
            f"{program.game.title} is too large for an exact best response; "
            "evaluate with exploiters, or take a game that is marked small"
        )
    if program.player.stochastic:
        raise SpecificationError(
            f"{program.title}: an exact best response needs arms without luck; "
            "evaluate with exploiters"
        )
    if program.has_luck or program.scale != 2:
        return BestResponse(*success_with_chance(program, portfolio))
    bound = bind(program.player, program.game)
    search = compiled_entry(_search_template, _names(program.game, bound))
    first, second = (
        _success(search, program.game.rules, bound, portfolio[colour], colour) for colour in (0, 1)
    )
    return BestResponse(first, second)


def exact_success(program: Playable, plays: Portfolio | BookPortfolio) -> BestResponse | None:
    """Return the success against a best response; None where the program is not searchable."""
    portfolio = plays.distributions
    if not program.traits.searchable or portfolio is None:
        return None
    if any(arm >> SYMMETRY_SHIFT for arm in portfolio.arms):
        return None
    return best_response_success(program.compiled(), portfolio)


def _success(
    search: Callable[..., Any], rules: Rules, bound: Bound, arms: Distribution, colour: int
) -> float:
    seeds = np.array(arms.arms, np.uint64)
    weights = np.rint(np.array(arms.weights) * _UNIT).astype(np.int64)
    workspace = np.zeros(bound.workspace, np.int32)
    options = np.zeros((rules.max_plies + 1, rules.max_moves), np.int64)
    left = search(colour, seeds, weights, options, bound.knobs, workspace)
    return int(left) / (2 * int(weights.sum()))


def _names(game: Game, bound: Bound) -> dict[str, Any]:
    """Return the parts of the search.

    A situation is (state, arm, how many events we have noticed, their hash, the hash of those
    that the opponent has noticed).
    """
    names = game.functions
    start, mover, moves, play = names["start"], names["mover"], names["moves"], names["play"]
    view, event, refused = names["view"], names["event"], names["refused"]
    choose, again = bound.choose, bound.again

    @compiled
    def begin(arm: Any) -> Any:
        return start(), int64(arm), int64(0), uint64(0), uint64(0)

    @compiled
    def step(situation: Any, move: Any, colour: Any) -> Any:
        """Return the situation after a move of either side."""
        state, arm, turn, ours, theirs = situation
        after = play(state, move)
        happened = int64(event(state, move, after, colour))
        seen = int64(event(state, move, after, 1 - colour))
        return after, arm, turn + (happened >= 0), noticed(ours, happened), noticed(theirs, seen)

    @compiled
    def ask(situation: Any, refusals: Any, colour: Any, seed: Any, knobs: Any, space: Any) -> Any:
        """Return the try, after `refusals` refused ones, of a turn that began in `situation`.

        `again` continues from what earlier tries left in the workspace, so all are made again.
        """
        state, _, turn, ours, _ = situation
        moment = (colour, turn, ours, uint64(0))
        move = int64(choose(view(state, colour), seed, moment, knobs, space))
        for _ in range(refusals):
            situation = step(situation, move, colour)
            state, _, turn, ours, _ = situation
            moment = (colour, turn, ours, uint64(0))
            move = int64(again(view(state, colour), seed, moment, knobs, space))
        return move

    @compiled
    def proceed(situation: Any, move: Any, side: Any) -> Any:
        """Play a move (none if below 0) and all of ours, until the opponent's turn or the end.

        `answers` caches our tries, since many lines lead an arm to the same information.
        """
        colour, seeds, knobs, space, answers = side
        began = situation
        refusals = 0
        while True:
            if move >= 0:
                situation = step(situation, move, colour)
            state, arm, _, ours, _ = situation
            if mover(state) != colour or moves(state, space, 0) == 0:
                return situation
            if refused(state):
                refusals += 1
            else:
                began = situation
                refusals = 0
            key = fold(ours, arm)
            if key not in answers:
                answers[key] = ask(began, refusals, colour, seeds[arm], knobs, space)
            move = answers[key]

    return {"begin": begin, "proceed": proceed, "moves": moves, "score": names["score"]}


# Names that a binding fills in; they exist here for the reader and the type checker.
begin: Any = None
proceed: Any = None
moves: Any = None
score: Any = None


@compiled
def _gather(situations: Any, at: Any, end: Any) -> Any:
    """Move what the opponent cannot tell from situations[at] next to it; return where it ends."""
    stop = at + 1
    for k in range(at + 1, end):
        if situations[k][4] == situations[at][4]:
            situations[k], situations[stop] = situations[stop], situations[k]
            stop += 1
    return stop


def _search_template(
    colour: Any, seeds: Any, weights: Any, options: Any, knobs: Any, workspace: Any
) -> Any:
    """Return what the arms of `colour` score against the best response: weighted half points.

    A level of the search is an information state of the opponent: `begins` and `stops` bound its
    situations, and `tried` of its `counts` moves have been tried. The last of them gives us `sums`
    plus the value of the situations from `waiting` to `ends`. Level 0 is before the game, and leads
    only to our own first moves.
    """
    arms, depth = len(seeds), len(options)
    options[0] = -1
    situations = [begin(arm % arms) for arm in range(arms * (depth + 1))]
    begins, stops = np.zeros(depth, np.int64), np.full(depth, arms)
    waiting, ends = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    counts, tried = np.ones(depth, np.int64), np.zeros(depth, np.int64)
    # What the best move so far gives us; at most what would make a difference to the level above.
    bests = np.full(depth, 2 * weights.sum() + 1)
    sums = bests.copy()
    answers = {uint64(0): int64(0)}
    answers.clear()  # its entry only defined the types
    side = (colour, seeds, knobs, workspace, answers)
    level = 0
    while True:
        if sums[level] < bests[level] and waiting[level] < ends[level]:
            at = waiting[level]
            stop = _gather(situations, at, ends[level])
            waiting[level] = stop
            level += 1
            begins[level], stops[level] = at, stop
            counts[level], tried[level] = moves(situations[at][0], options[level], 0), 0
            bests[level] = bests[level - 1] - sums[level - 1]
            sums[level] = bests[level]
            continue
        bests[level] = min(bests[level], sums[level])
        if tried[level] < counts[level] and bests[level] > 0:
            end = ends[level - 1] if level > 0 else int64(arms)
            waiting[level] = end
            sums[level] = 0
            for k in range(begins[level], stops[level]):
                situation = proceed(situations[k], options[level, tried[level]], side)
                state, arm, _, _, _ = situation
                if moves(state, workspace, 0) == 0:
                    points = int64(score(state))
                    sums[level] += weights[arm] * (points if colour == 0 else 2 - points)
                else:
                    situations[end] = situation
                    end += 1
            ends[level] = end
            tried[level] += 1
        elif level > 0:
            level -= 1
            sums[level] += bests[level + 1]
        else:
            return bests[0]
